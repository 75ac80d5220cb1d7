"""Fairness between groups of users where it is only inferred who belongs to which.

Every round counts for every group with the share that the group has in its user (the weighted estimator; J. Chen,
N. Kallus, X. Mao, G. Svacha and M. Udell, Fairness under unawareness: assessing disparity when protected class is
unobserved, FAT* 2019). Where shares are blurred the figures are too: they tend to be smaller than those by the true
groups. They are given out after whole blocks of rounds, see `GroupSums`, and are nan before the first.
"""

from __future__ import annotations

import numpy as np

from simulator.metrics.base import Evaluation, metric
from simulator.metrics.divergence import jensen_shannon_distance
from simulator.metrics.parameters import GroupColumn, StakeholderName


@metric("soft_group_utility_gap", scope="collective", horizon="cumulative", better="lower", soft=True)
def soft_group_utility_gap(view: Evaluation, *, stakeholder: StakeholderName) -> float:
    """Largest difference between groups of users in the mean utility of `stakeholder`, by inferred shares.

    max_g m_g - min_g m_g with m_g = sum_t q_tg U_t / sum_t q_tg over the rounds t of all complete blocks.
    """
    sums = view.history.groups
    if sums is None or stakeholder not in view.names:
        return float("nan")
    return float(np.ptp(sums.released.means[:, view.names.index(stakeholder)]))


@metric("soft_exposure_js", scope="collective", horizon="cumulative", better="lower", soft=True)
def soft_exposure_js(view: Evaluation, *, by: GroupColumn) -> float:
    """Jensen-Shannon distance between the kinds `by` of items that groups of users were shown, by inferred shares.

    In nats, 0 = alike, at most sqrt(ln G): of the distributions over kinds of sum_t q_tg / log2(1 + place), over the
    rounds t of all complete blocks. nan while some group has seen nothing.
    """
    sums = view.history.groups
    if sums is None:
        return float("nan")
    groups = view.items.groups(by)
    return float(jensen_shannon_distance(sums.released.kinds(groups.catalogue, len(groups.names))))
