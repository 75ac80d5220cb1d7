"""Which of two sets of tied winners, or of two lotteries, a ballot prefers."""

from __future__ import annotations

import numpy as np

from simulator.axioms.subject import Choices
from simulator.profile import Floats

CLOSE = 1e-9


def worths(opinion: Floats, choices: Choices) -> list[float]:
    """What a ballot's opinion `(m,)` says of every tied slate: the sum over its items."""
    return [float(sum(opinion[item] for item in slate)) for slate in choices]


def kelly_prefers(opinion: Floats, one: Choices, other: Choices) -> bool:
    """Whether a ballot prefers the choices `one` to `other` however ties are broken: Kelly's extension.

    Everything in `one` is at least as good as everything in `other`, and something in it better than something there.

    Source: J. S. Kelly, Strategy-proofness and social choice functions without singlevaluedness, 1977.
    """
    here, there = worths(opinion, one), worths(opinion, other)
    return min(here) >= max(there) - CLOSE and max(here) > min(there) + CLOSE


def chance_lost(opinion: Floats, lottery: Floats, other: Floats) -> tuple[int, float, float] | None:
    """Where `lottery` `(m,)` gives a smaller chance than `other` of one of the ballot's t best items.

    None if it does so for no t, that is, if it dominates the other stochastically. Else how many items these are, and
    both chances.

    Source: A. Gibbard, Manipulation of schemes that mix voting with chance, 1977.
    """
    for line in sorted({float(value) for value in opinion}, reverse=True):
        best = opinion >= line
        here, there = float(lottery[best].sum()), float(other[best].sum())
        if here < there - CLOSE:
            return int(np.count_nonzero(best)), here, there
    return None
