"""Proportional approval voting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost, Need
from simulator.mediators.families.thiele import ThieleMediator
from simulator.profile import Floats
from simulator.registry import register


@register("mediator", "pav")
@dataclass(frozen=True)
class Pav(ThieleMediator):
    """The slate W of k items with the greatest sum_i w_i (1 + 1/2 + ... + 1/|A_i cap W|).

    All tied slates, by comparing all slates where they are at most 200,000 (items with the same supporters count as
    one); above that by integer program (SciPy's HiGHS), which finds up to 10 tied ones within `time_limit`; where it
    proves none best, the better of its own and one by greedy choice and single swaps. The outcome says which, and what
    is not sure. What comes of a time limit can differ from one machine to another. The ranking puts the items of all
    tied slates first, then those of some, tied, then the others; the first and the last by weight of approvals. One
    profile at a time: `batch` loops.

    Attributes:
        approve: how approvals are read from ballots: auto, top, top-3, mean, threshold-0.5.
        time_limit: seconds for the integer program.

    Sources: T. N. Thiele, Om flerfoldsvalg, 1895; EJR: H. Aziz, M. Brill, V. Conitzer, E. Elkind, R. Freeman and
    T. Walsh, Justified representation in approval-based committee voting, 2017.
    """

    name: ClassVar[str] = "pav"
    needs: ClassVar[Need] = "approval"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "jr", "pjr", "ejr")
    cost: ClassVar[Cost] = "integer program"
    rule: ClassVar[str] = (
        "the slate with the greatest sum over ballots of weight x (1 + 1/2 + 1/3 + ...), one term for each of its "
        "items that they approve"
    )

    def gains(self, k: int) -> Floats:
        """1, 1/2, 1/3, ..."""
        return 1 / np.arange(1, k + 1)
