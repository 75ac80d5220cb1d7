"""The egalitarian form of Chamberlin and Courant's rule: nobody shall be without a good item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.worthy import WorthSlateMediator
from simulator.profile import Floats, Ints
from simulator.registry import register


@register("mediator", "egalitarian_cc")
@dataclass(frozen=True)
class EgalitarianCC(WorthSlateMediator):
    """The slate W of k items that maximises min_i max_{a in W} u_i(a); weights count as above 0 or not at all.

    How slates are searched, ties, abstentions and conversions: as in `WorthSlateMediator`.

    Source: N. Betzler, A. Slinko and J. Uhlmann, On the computation of fully proportional representation, Journal of
    Artificial Intelligence Research 47, 2013.
    """

    name: ClassVar[str] = "egalitarian_cc"
    uses_weights: ClassVar[bool] = False
    rule: ClassVar[str] = "the slate whose best item is worth most to the ballot that it is worth least to"

    def worth(self, values: Floats, weights: Floats, slates: Ints) -> Floats:
        """min_i max u_i(a) `(c,)`."""
        return np.asarray(values[:, slates].max(axis=-1).min(axis=0))
