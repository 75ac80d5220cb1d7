"""The leximin rule: the worst off first, then the next worst off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Mediator, Need, ranked_outcome
from simulator.mediators.conversions import cast_weights, utilities
from simulator.outcome import Memory, Outcome, Trace, close_ranks
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register


@register("mediator", "leximin")
@dataclass(frozen=True)
class Leximin(Mediator):
    """Items by their utilities sorted from the worst off upwards, compared lexicographically.

    A weight is a multiplicity: a ballot of weight 2 stands for two ballots, one of weight 2.5 for a stretch of 2.5 in
    the sorted list. Abstentions do not count. It ranks without scores; items whose lists are equal are tied. Ballots
    without utilities are read as u = (m - average position) / (m - 1). A batch is taken one profile after another.

    Source: A. K. Sen, Collective Choice and Social Welfare, 1970, chapter 9*.
    """

    name: ClassVar[str] = "leximin"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "pareto", "participation")
    rule: ClassVar[str] = "compare the smallest utilities first, where they are equal the second smallest, and so on"

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Rank items by leximin."""
        values, notes = utilities(profile)
        ranks = leximin_ranks(values, cast_weights(profile))
        return ranked_outcome(self, profile, None, Trace(self.rule, values=values), k, priority, notes, ranks)


def leximin_ranks(values: Floats, weights: Floats) -> Ints:
    """Tiers `(c,)` of the columns of `values` `(n, c)` under leximin, 0 = best; `weights` `(n,)` are multiplicities.

    Every column becomes a list of (level of utility, weight up to and with this level) from the lowest level upwards.
    At the first difference the higher level is better; at the same level, less weight that is stuck there.
    """
    counted = weights > 0
    n, columns = int(counted.sum()), values.shape[1]
    if n == 0:
        return np.zeros(columns, dtype=np.int64)
    levels = -close_ranks(values[counted].ravel()).reshape(n, columns)
    by_level = np.argsort(levels, axis=0, kind="stable")
    levels = np.take_along_axis(levels, by_level, axis=0)
    heights = weights[counted]
    if (heights == heights[0]).all():
        keys = levels[::-1]
    else:
        reached = np.cumsum(heights[by_level], axis=0)
        run_ends = np.concatenate([levels[1:] != levels[:-1], np.ones((1, columns), dtype=np.bool_)])
        # A run of equal levels counts once, with the weight at its end; what is left over goes last and is the same.
        ends_first = np.argsort(~run_ends, axis=0, kind="stable")
        levels = np.take_along_axis(np.where(run_ends, levels, 1), ends_first, axis=0)
        reached = np.take_along_axis(np.where(run_ends, reached, reached[-1:]), ends_first, axis=0)
        stuck = close_ranks(reached.ravel()).reshape(n, columns)
        keys = np.stack([levels[::-1], stuck[::-1]], axis=1)[:, ::-1].reshape(2 * n, columns)
    order = np.lexsort(-keys)
    ordered = keys[:, order]
    ranks = np.empty(columns, dtype=np.int64)
    ranks[order] = np.concatenate([[0], np.cumsum((ordered[:, 1:] != ordered[:, :-1]).any(axis=0))])
    return ranks
