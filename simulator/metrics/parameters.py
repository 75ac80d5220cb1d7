"""The types of metrics' parameters; a scenario's values are checked against them before a run starts."""

from __future__ import annotations

from typing import Annotated, NewType

from annotated_types import Ge, Gt, Le, Lt

GroupColumn = NewType("GroupColumn", str)
"""Names a column of the catalogue (or an attribute that is one) whose text tells the items' groups."""

NumberColumn = NewType("NumberColumn", str)
"""Names a column of numbers of the catalogue (or an attribute that is one)."""

StakeholderName = NewType("StakeholderName", str)
"""Names a stakeholder of the scenario."""

AtLeast0 = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]
OpenShare = Annotated[float, Gt(0), Lt(1)]
Count = Annotated[int, Ge(1)]
