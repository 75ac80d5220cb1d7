"""Dry spells: how long a stakeholder went without anything it wanted."""

from __future__ import annotations

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


@metric("dry_spell", scope="stakeholder", horizon="cumulative", better="lower", standard=True)
def dry_spell(view: Evaluation) -> Floats:
    """Longest run of rounds so far in which the slate held none of the stakeholder's own top k items.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, 2020.
    """
    return view.history.longest_dry_spell.astype(float)
