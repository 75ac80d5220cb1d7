"""Rules that choose a slate as a whole: the outcome of a choice, and the choice by comparing slates one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.mediators.base import Mediator
from simulator.mediators.families.tied import Slate
from simulator.outcome import MOST_SLATES, TOLERANCE, Outcome, Trace, tiers_of
from simulator.profile import Bools, Floats, Ints, Profile

MOST_ENUMERATED = 200_000
MOST_NUMBERS = 20_000_000

Better = Callable[[Ints], Ints]
"""Of some columns, those that no other one of them beats."""
Objective = Callable[[Floats, Floats], Better]
"""`objective(totals (n, c), weights (n,))`: what slates of these utilities are compared by."""


@dataclass(frozen=True, slots=True)
class SlateChoice:
    """What a rule found.

    Attributes:
        delivered: the best slate whose items stand earliest in the tie order, sorted.
        tied: the best slates as they are listed.
        group: `(m,)` 0 for the items of every best slate, 1 for those of some, 2 for those of none.
        next_best: the best slate that is worth less, where it is known.
        complete: whether all best slates are listed.
        optimal: whether it is certain that no slate is better.
        how: how they were found, in words.
    """

    delivered: Slate
    tied: tuple[Slate, ...]
    group: Ints
    next_best: Slate | None
    complete: bool
    optimal: bool
    how: str


def slate_utilities(values: Floats, slates: Ints) -> Floats:
    """Additive utilities `(n, c)` of the slates `(c, k)`: U_i(W) = sum of u_i(a) over a in W."""
    totals = np.take(values, slates[:, 0], axis=1)
    for items in slates.T[1:]:
        totals += np.take(values, items, axis=1)
    return totals


def all_can_be_compared(n: int, m: int, k: int) -> bool:
    """Whether there are at most `MOST_ENUMERATED` slates, and `MOST_NUMBERS` utilities of n ballots for them."""
    return comb(m, k) <= min(MOST_ENUMERATED, MOST_NUMBERS // max(n, 1))


def choose_by_comparing(
    values: Floats, weights: Floats, k: int, objective: Objective, in_order: Sequence[int]
) -> SlateChoice:
    """The best of all slates of size k.

    Args:
        values: `(n, m)` utilities.
        weights: `(n,)`.
        k: 1..m.
        objective: what slates are compared by.
        in_order: the tie order.
    """
    m = values.shape[1]
    slates = all_slates(m, k)
    better = objective(slate_utilities(values, slates), weights)
    best = better(np.arange(len(slates)))
    losers = np.delete(np.arange(len(slates)), best)
    next_best = tuple(slates[better(losers)[0]].tolist()) if len(losers) else None
    return choice_of(slates[best], m, in_order, next_best, f"All {len(slates)} slates were compared.")


def choice_near(
    slate: Ints, values: Floats, weights: Floats, objective: Objective, in_order: Sequence[int]
) -> SlateChoice:
    """The choice of a slate that no slate with one other item beats: it, and those that are as good."""
    m = values.shape[1]
    slates = np.concatenate([slate[None], swaps(slate, m)])
    better = objective(slate_utilities(values, slates), weights)
    best = slates[better(np.arange(len(slates)))]
    how = "Found by greedy choice and single swaps: a better slate that differs in two or more items may exist."
    return choice_of(best, m, in_order, None, how, exact=False)


def choice_of(
    best: Ints, m: int, in_order: Sequence[int], next_best: Slate | None, how: str, *, exact: bool = True
) -> SlateChoice:
    """The choice of tied slates `(t, k)`, the rows sorted."""
    times = np.bincount(best.ravel(), minlength=m)
    group = np.where(times == len(best), 0, np.where(times > 0, 1, 2))
    inside = np.zeros((len(best), m), dtype=np.bool_)
    inside[np.arange(len(best))[:, None], best] = True
    first = best[earliest(inside, in_order)]
    tied = list(map(tuple, best[:MOST_SLATES].tolist()))
    delivered = tuple(first.tolist())
    if len(best) > MOST_SLATES and delivered not in tied:
        tied[-1] = delivered
    return SlateChoice(delivered, tuple(tied), group, next_best, exact and len(best) <= MOST_SLATES, exact, how)


def earliest(inside: Bools, in_order: Sequence[int]) -> int:
    """Of slates, given as the items inside `(t, m)`, the number of the one whose items stand earliest in the order."""
    rows = np.arange(len(inside))
    for item in in_order:
        if len(rows) == 1:
            break
        with_it = inside[rows, item]
        if with_it.any():
            rows = rows[with_it]
    return int(rows[0])


@lru_cache(maxsize=8)
def all_slates(m: int, k: int) -> Ints:
    """All slates `(c, k)` of k out of m items, sorted."""
    flat = np.fromiter(chain.from_iterable(combinations(range(m), k)), dtype=np.int64, count=comb(m, k) * k)
    slates = flat.reshape(-1, k)
    slates.flags.writeable = False
    return slates


def search(values: Floats, weights: Floats, k: int, objective: Objective) -> Ints:
    """Add the item that helps most until k are chosen, then swap one item for another while a swap helps.

    Ties go to the first item in item order, whatever the tie rule is, so that the tie rule never changes who wins.
    """
    m = values.shape[1]
    chosen: list[int] = []
    totals = np.zeros((len(values), 1))
    rest = np.arange(m)
    for _ in range(k):
        better = objective(totals + values[:, rest], weights)
        spot = int(better(np.arange(len(rest)))[0])
        chosen.append(int(rest[spot]))
        totals = totals + values[:, chosen[-1:]]
        rest = np.delete(rest, spot)
    slate = np.sort(np.array(chosen))
    while True:
        slates = np.concatenate([slate[None], swaps(slate, m)])
        first = objective(slate_utilities(values, slates), weights)(np.arange(len(slates)))[0]
        if first == 0:  # the slate in hand is still among the best
            return slate
        slate = slates[first]


def swaps(slate: Ints, m: int) -> Ints:
    """All slates `(k (m - k), k)` that differ from one slate in one item, sorted."""
    k = len(slate)
    rest = np.setdiff1d(np.arange(m), slate)
    swapped = np.tile(slate, (k * (m - k), 1))
    swapped[np.arange(k * (m - k)), np.repeat(np.arange(k), m - k)] = np.tile(rest, k)
    return np.sort(swapped, axis=1)


def item_tiers(group: Ints, keys: Sequence[Floats], slack: Floats | float) -> Ints:
    """Tiers `(..., m)` of items, 0 = best: by group, in group 0 and 2 by the keys, while those of group 1 are tied.

    Args:
        group: `(..., m)`, see `SlateChoice`.
        keys: `(..., m)` each, larger is better; a later key decides where all earlier ones are equal.
        slack: `(..., 1)`, how far keys that count as equal may differ.
    """
    tied = group == 1
    keys = [np.where(tied, 0.0, key) for key in keys]
    order = np.lexsort([*(-key for key in reversed(keys)), group], axis=-1)
    falls = np.diff(np.take_along_axis(group, order, axis=-1), axis=-1) != 0
    for key in keys:
        falls |= np.abs(np.diff(np.take_along_axis(key, order, axis=-1), axis=-1)) > slack
    tiers = np.zeros(group.shape, dtype=np.int64)
    np.cumsum(falls, axis=-1, out=tiers[..., 1:])
    ranks = np.empty_like(tiers)
    np.put_along_axis(ranks, order, tiers, axis=-1)
    return ranks


def slate_outcome(
    mediator: Mediator,
    profile: Profile,
    choice: SlateChoice,
    values: Floats | Bools,
    ranks: Ints,
    worth: Callable[[Slate], float],
    in_order: Sequence[int],
    notes: tuple[str, ...],
) -> Outcome:
    """The outcome of a rule that chooses slates.

    The ranking puts the items of every best slate first, then those of some, then those of none; the first and the
    last group are ordered by the same rule on items, the middle one is a tie. Of tied slates, the one whose items stand
    earliest in the tie order is delivered.

    Args:
        mediator, profile, notes: as in `Mediator.mediate` and `Outcome`.
        choice: the best slates.
        values: `(n, m)` utilities or approvals that the slates were chosen by.
        ranks: `(m,)` from `item_tiers`.
        worth: the number that the rule maximises, of one slate, for the trace.
        in_order: the tie order.
    """
    taken = set(choice.delivered)
    tiers = tiers_of(ranks, sorted(in_order, key=lambda item: item not in taken))
    order = tuple(chain.from_iterable(tiers))
    shown = [choice.delivered] if choice.next_best is None else [choice.delivered, choice.next_best]
    trace = Trace(
        mediator.rule,
        values=as_numbers(values),
        slates=tuple((slate, worth(slate)) for slate in shown),
        optimal=choice.optimal,
    )
    return Outcome(
        mediator=mediator.label,
        items=profile.items,
        k=len(choice.delivered),
        order=order,
        tier_indices=tiers,
        slate_indices=order[: len(choice.delivered)],
        score_values=None,
        trace=trace,
        tied_slates=choice.tied,
        complete=choice.complete,
        notes=(*notes, choice.how),
    )


def as_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Approvals as 1 and 0, without a copy; utilities as they are."""
    return values.view(np.uint8) if values.dtype == np.bool_ else values


def slack_of(weights: Floats) -> float:
    """How far sums over ballots of these weights may differ and still count as equal."""
    return float(TOLERANCE * weights.sum())
