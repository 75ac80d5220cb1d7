"""The egalitarian slate: whoever gets least from the slate as a whole gets as much as possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.worthy import WorthSlateMediator
from simulator.profile import Floats, Ints
from simulator.registry import register


@register("mediator", "egalitarian_slate")
@dataclass(frozen=True)
class EgalitarianSlate(WorthSlateMediator):
    """The slate W of k items that maximises min_i sum_{a in W} u_i(a); weights count as above 0 or not at all.

    `leximin_slate` refines it. How slates are searched, ties, abstentions and conversions: as in `WorthSlateMediator`.

    Source: A. K. Sen, Collective Choice and Social Welfare, 1970, chapter 9*, on Rawls.
    """

    name: ClassVar[str] = "egalitarian_slate"
    uses_weights: ClassVar[bool] = False
    rule: ClassVar[str] = "the slate whose summed utility for the worst off ballot is greatest"

    def worth(self, values: Floats, weights: Floats, slates: Ints) -> Floats:
        """min_i sum u_i(a) `(c,)`."""
        return np.asarray(values[:, slates].sum(axis=-1).min(axis=0))
