"""k-approval: a point for every one of the first so many places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.families.positional import PositionalMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "k_approval")
@dataclass(frozen=True)
class KApproval(PositionalMediator):
    """Items by the weight of the ballots that put them among their first `top`.

    s(a) = sum_i w_i [r_i(a) <= top]; items of a tie that reaches over place `top` share what is left of the points (the
    rule `av` with approve=top-3 approves all of them). `scores` takes leading batch axes as one array operation.

    Attributes:
        truncation: unranked items are one tied tier at the bottom (tied_last) or get no points (zero_points).
        top: how many places of a ballot get a point, not the slate's size; with m or more every item gets one.

    Raises:
        ValueError: `top` is below 1.

    Source: as a scoring rule, H. P. Young, Social choice scoring functions, 1975.
    """

    top: int = 2

    name: ClassVar[str] = "k_approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = weight of the ballots that put a among their first `top`"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.top < 1:
            raise ValueError(f"top is {self.top}, it must be at least 1")

    def place_points(self, m: int) -> Floats:
        """`top` times 1, then 0."""
        return (np.arange(m) < self.top).astype(np.float64)
