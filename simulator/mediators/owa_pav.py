"""PAV on utilities: the slate of the greatest harmonic ordered weighted average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.worthy import WorthSlateMediator
from simulator.profile import Floats, Ints
from simulator.registry import register


@register("mediator", "owa_pav")
@dataclass(frozen=True)
class OwaPav(WorthSlateMediator):
    """The slate W of k items that maximises sum_i w_i (u_1 + u_2 / 2 + ... + u_k / k), u_j ballot i's j-th best of W.

    On utilities of 0 and 1 it is PAV. How slates are searched, ties, abstentions and conversions: as in
    `WorthSlateMediator`; greedy choice reaches at least 1 - 1/e of the greatest worth.

    Source: P. Skowron, P. Faliszewski and J. Lang, Finding a collective set of items: from proportional
    multirepresentation to group recommendation, 2016, with the bound for greedy choice; after T. N. Thiele, Om
    flerfoldsvalg, 1895.
    """

    name: ClassVar[str] = "owa_pav"
    guarantee: ClassVar[str] = "worth at least 1 - 1/e of the best slate"
    rule: ClassVar[str] = (
        "the slate with the greatest sum, over ballots, of weight x (best utility + second / 2 + third / 3 + ...)"
    )

    def worth(self, values: Floats, weights: Floats, slates: Ints) -> Floats:
        """sum_i w_i sum_j u_i^(j) / j `(c,)`, u_i^(j) the j-th largest of ballot i's utilities."""
        descending = -np.sort(-values[:, slates], axis=-1)
        return np.asarray(weights @ (descending @ (1 / np.arange(1, slates.shape[1] + 1))))
