"""Egalitarian welfare: what the worst off stakeholder gets. Weights in the vote do not enter."""

from __future__ import annotations

from simulator.metrics.base import Evaluation, metric
from simulator.profile import Floats


def minimum(utilities: Floats) -> float:
    """min_i U_i of `(n,)`; nan without stakeholders. Source: J. Rawls, A Theory of Justice, 1971."""
    return float(utilities.min()) if utilities.size else float("nan")


@metric("minimum", scope="collective")
def round_minimum(view: Evaluation) -> float:
    """Smallest of the stakeholders' utilities of the delivered slate."""
    return minimum(view.slate_utilities)


@metric("cumulative_minimum", scope="collective", horizon="cumulative")
def cumulative_minimum(view: Evaluation) -> float:
    """Smallest of the stakeholders' mean utilities over all rounds so far."""
    return minimum(view.history.mean)
