"""What fills up in the long run: the load of items under each mediator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem
from simulator.metrics.gini import gini
from simulator.studies.rational import RationalRound, under_each

if TYPE_CHECKING:
    from simulator.scenario import Scenario


@dataclass(frozen=True)
class Load:
    """The loads that one mediator leads to, over all items that can be drawn.

    Attributes:
        mediator: its label.
        item: the item with the greatest load of all rounds.
        peak: that load.
        mean_peak: mean over rounds of the greatest load of the round.
        gini: Gini coefficient of the items' loads, each averaged over rounds: 0 = all alike; nan if one is negative.
        used: share of the items that were delivered at least once.
    """

    mediator: str
    item: str
    peak: float
    mean_peak: float
    gini: float
    used: float

    def row(self) -> dict[str, Any]:
        """For a table."""
        return {
            "mediator": self.mediator,
            "peak load": f"{self.peak:.3g}",
            "mean peak": f"{self.mean_peak:.3g}",
            "Gini": "-" if np.isnan(self.gini) else f"{self.gini:.2f}",
            "items used": f"{self.used:.0%}",
            "most loaded item": self.item,
        }

    def to_json(self) -> dict[str, Any]:
        """All fields as one JSON-able object; an undefined coefficient is null."""
        return {**asdict(self), "gini": None if np.isnan(self.gini) else self.gini}


def load_array(scenario: Scenario, wanted: str | None) -> str:
    """The state array to look at: the wanted one, or the first that the scenario's dynamics maintain.

    Raises:
        InputError: there is no such array, or none at all.
    """
    known = [array for dynamic in scenario.dynamics for array in dynamic.arrays()]
    if wanted in known or (wanted is None and known):
        return wanted or known[0]
    if not known:
        raise InputError([Problem(scenario.name, "no dynamic of this scenario maintains a load")])
    raise InputError([Problem(f"--array {wanted}", f"no dynamic maintains it{nearest(str(wanted), known)}")])


def loads(scenario: Scenario, rules: Sequence[str], array: str, rounds: int = 200) -> tuple[list[Load], list[str]]:
    """The loads after `rounds` sealed rounds of rational stakeholders under each rule, and a line on each that failed.

    Args:
        scenario: what is negotiated.
        rules: mediators as names or calls.
        array: a state array, see `load_array`; unknown loads (nan) count as 0.
        rounds: how many, at least 1.
    """
    items = [scenario.catalogue.ids[row] for row in scenario.drawable.tolist()]

    def measure(label: str, played: Iterator[RationalRound]) -> Load:
        delivered = np.zeros(len(scenario.catalogue), dtype=np.bool_)
        history = []
        for each in played:
            delivered[each.rows[each.slate]] = True
            history.append(np.nan_to_num(each.state.items[array][scenario.drawable]))
        table = np.array(history)
        peaks = table.max(axis=0)
        top = int(np.argmax(peaks))
        used = float(delivered[scenario.drawable].mean())
        means = table.mean(axis=0)
        spread = float(gini(means)) if (means >= 0).all() else float("nan")
        return Load(label, items[top], float(peaks[top]), float(table.max(axis=1).mean()), spread, used)

    return under_each(scenario, rules, rounds, measure)
