"""Chamberlin and Courant's rule on utilities: everybody is represented by the best item of the slate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.worthy import WorthSlateMediator
from simulator.profile import Floats, Ints
from simulator.registry import register


@register("mediator", "cardinal_cc")
@dataclass(frozen=True)
class CardinalCC(WorthSlateMediator):
    """The slate W of k items that maximises sum_i w_i max_{a in W} u_i(a).

    On utilities of 0 and 1 it is `cc`. How slates are searched, ties, abstentions and conversions: as in
    `WorthSlateMediator`; greedy choice reaches at least 1 - 1/e of the greatest worth.

    Source: J. R. Chamberlin and P. N. Courant, Representative deliberations and representative decisions: proportional
    representation and the Borda rule, American Political Science Review 77, 1983.
    """

    name: ClassVar[str] = "cardinal_cc"
    guarantee: ClassVar[str] = "worth at least 1 - 1/e of the best slate"
    rule: ClassVar[str] = "the slate with the greatest sum, over ballots, of weight x the utility of its best item"

    def worth(self, values: Floats, weights: Floats, slates: Ints) -> Floats:
        """sum_i w_i max u_i(a) `(c,)`."""
        return np.asarray(weights @ values[:, slates].max(axis=-1))
