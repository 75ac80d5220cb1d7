"""The best place that each item has on a ballot."""

from __future__ import annotations

from simulator.profile import Ints, spans, tied_rows


def best_places(ranks: Ints) -> Ints:
    """r(a) = 1 + the number of items that the ballot puts above a, `(..., n, m)`: all of a tie have its first place.

    Unranked items are tied last.
    """
    flat = ranks.reshape(-1, ranks.shape[-1])
    tied = tied_rows(flat)
    places = flat + 1
    if tied.any():
        cells, before, _ = spans(flat[tied])
        places[tied] = before.ravel()[cells] + 1
    return places.reshape(ranks.shape)
