"""Fairness over rounds as perpetual voting measures it, with the items that count as approved: everyone's own top k.

The functions over whole histories are in `long_term.py`; these are the same from running sums.
"""

from __future__ import annotations

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.gini import gini
from simulator.profile import Floats


@metric("quota_compliance", scope="collective", horizon="cumulative")
def round_quota_compliance(view: Evaluation) -> float:
    """Share of stakeholders and rounds so far in which a stakeholder was served as often as its perpetual quota says.

    The quota grows each round by the largest share of the stakeholders that have one of its own top k in common.
    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """
    pairs = len(view.history) * len(view.weights)
    return view.history.within_quota / pairs if pairs else float("nan")


@metric("influence", scope="stakeholder", horizon="cumulative", better="neither")
def round_influence(view: Evaluation) -> Floats:
    """Sum over the rounds so far that served the stakeholder of 1 / number of stakeholders served.

    Source: M. Lackner, Perpetual voting: fairness in long-term decision making, AAAI 2020.
    """
    return view.history.influence


@metric("influence_gini", scope="collective", horizon="cumulative", better="lower")
def round_influence_gini(view: Evaluation) -> float:
    """Gini coefficient of the stakeholders' influence over all rounds so far."""
    return float(gini(view.history.influence))
