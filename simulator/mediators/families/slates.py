"""Rules that choose a slate as a whole: which slates are best, by looking at all of them or by search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import comb

import numpy as np

from simulator.mediators.base import Mediator
from simulator.outcome import MOST_SLATES, Outcome, Trace, tiers_of
from simulator.profile import Floats, Ints, Profile

MOST_ENUMERATED = 200_000

Best = Callable[[Floats, Floats], Ints]
"""`best(slate_utilities (n, c), weights (n,))` -> the columns that no other column beats."""


@dataclass(frozen=True, slots=True)
class SlateChoice:
    """The best slates, each a sorted row of item indices; the next best one, if any; whether all slates were seen."""

    best: Ints
    next_best: Ints | None
    exact: bool


def slate_utilities(values: Floats, slates: Ints) -> Floats:
    """Additive utilities `(n, c)` of the slates `(c, k)`: U_i(W) = sum of u_i(a) over a in W."""
    return np.asarray(sum(np.take(values, items, axis=1) for items in slates.T))


def choose_slates(values: Floats, weights: Floats, k: int, best: Best) -> SlateChoice:
    """The best slates of size k: by enumeration up to `MOST_ENUMERATED` slates, above that one found by search.

    Args:
        values: `(n, m)` utilities.
        weights: `(n,)`.
        k: 1..m.
        best: the objective.
    """
    m = values.shape[1]
    if comb(m, k) <= MOST_ENUMERATED:
        slates, exact = _all_slates(m, k), True
    else:
        found = _search(values, weights, k, best)
        slates, exact = np.concatenate([found[None], _swaps(found, m)]), False
    welfare = slate_utilities(values, slates)
    winners = best(welfare, weights)
    losers = np.delete(np.arange(len(slates)), winners)
    runner_up = slates[losers[best(welfare[:, losers], weights)[0]]] if len(losers) else None
    return SlateChoice(slates[winners], runner_up, exact)


@lru_cache(maxsize=8)
def _all_slates(m: int, k: int) -> Ints:
    flat = np.fromiter(chain.from_iterable(combinations(range(m), k)), dtype=np.int64, count=comb(m, k) * k)
    slates = flat.reshape(-1, k)
    slates.flags.writeable = False
    return slates


def _search(values: Floats, weights: Floats, k: int, best: Best) -> Ints:
    """Add the item that helps most until k are chosen, then swap one item for another while a swap helps.

    Ties go to the first item in item order, whatever the tie rule is, so that the tie rule never changes who wins.
    """
    m = values.shape[1]
    chosen: list[int] = []
    for _ in range(k):
        rest = np.setdiff1d(np.arange(m), chosen)
        totals = values[:, chosen].sum(axis=1, keepdims=True) + values[:, rest]
        chosen.append(int(rest[best(totals, weights)[0]]))
    slate = np.sort(np.array(chosen))
    while True:
        slates = np.concatenate([slate[None], _swaps(slate, m)])
        winners = best(slate_utilities(values, slates), weights)
        if winners[0] == 0:  # the slate in hand is still among the best
            return slate
        slate = slates[winners[0]]


def _swaps(slate: Ints, m: int) -> Ints:
    """All slates `(k (m - k), k)` that differ from one slate in one item."""
    k = len(slate)
    rest = np.setdiff1d(np.arange(m), slate)
    swapped = np.tile(slate, (k * (m - k), 1))
    swapped[np.arange(k * (m - k)), np.repeat(np.arange(k), m - k)] = np.tile(rest, k)
    return np.sort(swapped, axis=1)


def slate_outcome(
    mediator: Mediator,
    profile: Profile,
    choice: SlateChoice,
    values: Floats,
    item_ranks: Ints,
    worth: Callable[[Ints], float],
    priority: Sequence[int] | None,
    notes: tuple[str, ...],
) -> Outcome:
    """The outcome of a rule that chooses slates.

    The ranking puts the items of every best slate first, then those of some, then those of none; the first and the
    last group are ordered by `item_ranks`, the middle one is a tie. Of tied slates, the one whose items stand earliest
    in the tie order is delivered.

    Args:
        mediator, profile, choice, priority, notes: as in `Mediator.mediate` and `choose_slates`.
        values: `(n, m)` utilities that the slates were chosen by.
        item_ranks: `(m,)` tier of every item under the same rule on items.
        worth: the number that the rule maximises, of one slate, for the trace.
    """
    k, m = choice.best.shape[1], profile.m
    in_order = np.arange(m) if priority is None else np.asarray(priority)
    place = np.empty(m, dtype=np.int64)
    place[in_order] = np.arange(m)
    places = np.sort(place[choice.best], axis=1)
    delivered = choice.best[np.lexsort(places.T[::-1])[0]]

    times = np.bincount(choice.best.ravel(), minlength=m)
    group = np.where(times == len(choice.best), 0, np.where(times > 0, 1, 2))
    ranks = np.unique(group * m + np.where(group == 1, 0, item_ranks), return_inverse=True)[1].reshape(m)
    taken = set(delivered.tolist())
    tiers = tiers_of(ranks, sorted(in_order.tolist(), key=lambda item: item not in taken))
    order = tuple(item for tier in tiers for item in tier)

    shown = [delivered] if choice.next_best is None else [delivered, choice.next_best]
    trace = Trace(mediator.rule, values=values, slates=tuple((tuple(slate.tolist()), worth(slate)) for slate in shown))
    complete = choice.exact and len(choice.best) <= MOST_SLATES
    return Outcome(
        mediator=mediator.label,
        items=profile.items,
        k=k,
        order=order,
        tier_indices=tiers,
        slate_indices=order[:k],
        score_values=None,
        trace=trace,
        tied_slates=tuple(map(tuple, choice.best[:MOST_SLATES].tolist())),
        complete=complete,
        notes=(*notes, _how(choice, m, k)),
    )


def _how(choice: SlateChoice, m: int, k: int) -> str:
    if choice.exact:
        return f"All {comb(m, k)} slates were compared."
    return "Found by greedy choice and single swaps: a better slate that differs in two or more items may exist."
