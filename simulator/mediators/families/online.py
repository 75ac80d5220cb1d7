"""Rules on utilities with a memory: what ballots got in earlier rounds, added up, counts in the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.mediators.base import Need
from simulator.mediators.conversions import Notes, nonnegative_utilities
from simulator.mediators.families.choices import State
from simulator.mediators.families.remembering import RememberingMediator
from simulator.profile import Floats, Profile


@dataclass(frozen=True)
class OnlineMediator(RememberingMediator):
    """An online rule: what k, weights, ties, memory and cost mean is said in `families/remembering.py`.

    U_i is the sum of ballot i's utilities of all items delivered so far; 0 for a newcomer. With k > 1 the items of a
    slate are chosen one by one and U_i grows with each. Utilities must be at least 0; ballots without utilities are
    read as u = (m - average position) / (m - 1).

    Raises:
        ValueError: a utility is negative.
    """

    needs: ClassVar[Need] = "utility"
    fields: ClassVar[Mapping[str, float]] = {"utility": 0.0}

    def said(self, profile: Profile, k: int) -> tuple[Floats, Notes]:
        """The ballots' utilities."""
        return nonnegative_utilities(profile, self.name)

    def after(self, state: State, gains: Floats, weights: Floats) -> State:
        """What the chosen item gives is added."""
        return {"utility": state["utility"] + gains}
