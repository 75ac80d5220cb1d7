"""What a stakeholder gets from the delivered slates."""

from __future__ import annotations

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


@metric("utility", scope="stakeholder", standard=True)
def utility(view: Evaluation) -> Floats:
    """Mean true utility of the delivered items, in 0..1."""
    return view.slate_utilities


@metric("cumulative_utility", scope="stakeholder", horizon="cumulative", standard=True)
def cumulative_utility(view: Evaluation) -> Floats:
    """Sum of the utilities of all rounds so far, 0..number of rounds: the stakeholder's satisfaction up to now."""
    return view.history.total
