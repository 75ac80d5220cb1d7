"""PAV on utilities: the slate of the greatest harmonic ordered weighted average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Mediator, Need
from simulator.mediators.conversions import cast_weights, nonnegative_utilities
from simulator.mediators.families.slate_search import best_slates
from simulator.mediators.families.slates import item_tiers, slate_outcome
from simulator.outcome import TOLERANCE, Memory, Outcome
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register


@register("mediator", "owa_pav")
@dataclass(frozen=True)
class OwaPav(Mediator):
    """The slate W of k items that maximises sum_i w_i (u_1 + u_2 / 2 + ... + u_k / k), u_j ballot i's j-th best of W.

    On utilities of 0 and 1 it is PAV. Exact while there are at most 200,000 slates; above that greedy choice on the
    same objective followed by single swaps, which reaches at least 1 - 1/e of the greatest worth, and the outcome says
    so and is not `complete`. The ranking orders chosen and other items by their total utility. Abstentions do not
    count. Ballots without utilities are read as u = (m - average position) / (m - 1). A batch is taken one profile
    after another.

    Raises:
        ValueError: a utility is negative.

    Source: P. Skowron, P. Faliszewski and J. Lang, Finding a collective set of items: from proportional
    multirepresentation to group recommendation, 2016, with the bound for greedy choice; after T. N. Thiele, Om
    flerfoldsvalg, 1895.
    """

    name: ClassVar[str] = "owa_pav"
    needs: ClassVar[Need] = "utility"
    properties: ClassVar[tuple[str, ...]] = ("anonymous",)
    cost: ClassVar[Cost] = "exponential"
    rule: ClassVar[str] = (
        "the slate with the greatest sum, over ballots, of weight x (best utility + second / 2 + third / 3 + ...)"
    )

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Choose the slate."""
        values, notes = nonnegative_utilities(profile, self.name)
        weights = cast_weights(profile)
        in_order = list(range(profile.m) if priority is None else priority)

        def worth(slates: Ints) -> Floats:
            return harmonic_worth(values, weights, slates)

        choice = best_slates(worth, profile.m, k, in_order, "worth at least 1 - 1/e of the best slate")
        totals = weights @ values
        ranks = item_tiers(choice.group, [totals], TOLERANCE * float(totals.max()))
        return slate_outcome(
            self, profile, choice, values, ranks, lambda slate: float(worth(np.array([slate]))[0]), in_order, notes
        )


def harmonic_worth(values: Floats, weights: Floats, slates: Ints) -> Floats:
    """sum_i w_i sum_j u_i^(j) / j `(c,)` of the slates `(c, k)`, u_i^(j) the j-th largest of ballot i's utilities."""
    descending = -np.sort(-values[:, slates], axis=-1)
    return np.asarray(weights @ (descending @ (1 / np.arange(1, slates.shape[1] + 1))))
