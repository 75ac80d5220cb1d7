"""Figures of histories by hand, and decisions of dictators."""

import numpy as np
import pytest

from simulator.mediators.families.histories import approval_decisions, dictated
from simulator.metrics.long_term import (
    influence,
    influence_gini,
    longest_dry_spell,
    perpetual_quotas,
    quota_compliance,
    satisfied_by,
)
from simulator.perpetual_experiment import euclidean_histories

# Four voters, three items, three rounds: the example of perpetual quota in the author's README.
APPROVED = [[0, 0, 1, 2], [0, 1, 1, 2], [0, 0, 1, 2]]
HISTORY = np.eye(3, dtype=bool)[np.array(APPROVED)]
CHOSEN = np.array([0, 1, 0])


def test_quotas_add_up_the_best_support_that_a_voter_can_point_to():
    assert perpetual_quotas(HISTORY).tolist() == [
        [0.5, 0.5, 0.25, 0.25],
        [0.75, 1.0, 0.75, 0.5],
        [1.25, 1.5, 1.0, 0.75],
    ]
    heavy = perpetual_quotas(HISTORY, np.array([2.0, 1, 1, 1]))
    twins = perpetual_quotas(np.concatenate([HISTORY[:, :1], HISTORY], axis=1))
    assert heavy == pytest.approx(twins[:, 1:])


def test_compliance_counts_voters_that_have_their_quota_rounded_down():
    satisfied = satisfied_by(HISTORY, CHOSEN)
    assert satisfied.tolist() == [[True, True, False, False], [False, True, True, False], [True, True, False, False]]
    assert quota_compliance(satisfied, perpetual_quotas(HISTORY)) == 1
    always_third = satisfied_by(HISTORY, np.array([2, 2, 2]))
    # In round two voter 2 is due one item, in round three voters 1, 2 and 3 are.
    assert quota_compliance(always_third, perpetual_quotas(HISTORY)) == pytest.approx(1 - 4 / 12)


def test_influence_is_shared_by_those_who_are_satisfied_together():
    satisfied = satisfied_by(HISTORY, CHOSEN)
    assert influence(satisfied).tolist() == [1.0, 1.5, 0.5, 0.0]
    assert influence_gini(satisfied) == pytest.approx((-3 * 0 - 0.5 + 1.0 + 3 * 1.5) / (4 * 3.0))
    assert influence_gini(np.zeros((3, 4), dtype=bool)) == 0


def test_dry_spells_end_with_the_history():
    satisfied = np.array([[1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]], dtype=bool)
    assert longest_dry_spell(satisfied).tolist() == [3, 2, 4]
    assert longest_dry_spell(np.stack([satisfied, ~satisfied])).tolist() == [[3, 2, 4], [1, 1, 0]]


def test_dictators_keep_what_they_approve_of_what_is_left():
    history = np.array([[[1, 1, 0], [0, 1, 1], [1, 0, 0]]], dtype=bool)
    nobody = np.zeros(1)
    assert dictated(history, np.array([[0, 1, 2]]), nobody).tolist() == [1]  # 2 keeps what is left: it approves none
    assert dictated(history, np.array([[2, 1, 0]]), nobody).tolist() == [0]
    assert dictated(history, np.array([[1]]), nobody).tolist() == [1]
    assert dictated(history, np.array([[1]]), np.array([0.5])).tolist() == [2]


def test_voters_approve_what_is_not_much_farther_than_the_nearest():
    histories = euclidean_histories(200, 3)
    assert histories.shape == (200, 20, 20, 5)
    assert histories.any(axis=-1).all()
    assert 1.3 < histories.sum(axis=-1).mean() < 2.2
    nearest_alone = euclidean_histories(20, 3, radius=1.0)
    assert (nearest_alone.sum(axis=-1) == 1).all()
    together = satisfied_by(histories, approval_decisions(histories)).mean(axis=(0, 1))
    assert together[:6].max() < together[6:].min()  # the six of the minority lose to the majority
