"""Registered metrics on a round that is worked out by hand: what they take from it, beyond the functions themselves."""

import numpy as np
import pytest

from simulator import registry
from simulator.metrics.relevance import discounted_first_hit, precision, recall, reciprocal_rank, zero_recall
from tests.metrics.views import evaluation

# own best two: i0 i1 | i3 i2 | i1 i0 ; delivered i1, then i3
UTILITIES = [[0.8, 0.6, 0.2, 0.0], [0.0, 0.2, 0.6, 0.8], [0.4, 0.6, 0.2, 0.2]]
COLUMNS = {"kind": ["x", "y", "x", "y"], "size": [10, 20, 30, 40]}


def value(name, view=None, **parameters):
    found = registry.find("metric", name).with_parameters(parameters)
    return found.compute(evaluation(UTILITIES, [1, 3], weights=[1, 1, 2], **COLUMNS) if view is None else view)


def test_hits_by_hand():
    hits = [[False, True, True], [False, False, False]]
    assert precision(hits) == pytest.approx([2 / 3, 0])
    assert recall(hits, [4, 0]) == pytest.approx([0.5, np.nan], nan_ok=True)
    assert reciprocal_rank(hits).tolist() == [0.5, 0]
    assert discounted_first_hit(hits) == pytest.approx([1 / np.log2(3), 0])
    assert zero_recall(hits) == 0.5


def test_relevant_are_the_own_best():
    assert value("precision").tolist() == [0.5, 0.5, 0.5]
    assert value("recall").tolist() == [0.5, 0.5, 0.5]
    assert value("reciprocal_rank").tolist() == [1, 0.5, 1]
    assert value("zero_recall") == 0
    assert value("reciprocal_rank", relevant=1).tolist() == [0, 0.5, 1]
    assert value("zero_recall", relevant=1) == pytest.approx(1 / 3)
    assert value("recall", relevant=3).tolist() == pytest.approx([1 / 3, 2 / 3, 0.5])  # the third of the last one ties


def test_satisfaction_and_distance_to_it():
    own = np.array([0.3 / 0.7, 0.5 / 0.7, 0.4 / 0.5])
    assert value("satisfaction") == pytest.approx(own)
    assert value("l2_unfairness") == pytest.approx(np.sqrt(((1 - own) ** 2 * [0.25, 0.25, 0.5]).sum()))
    assert value("chebyshev_unfairness") == pytest.approx(max((1 - own) * [0.25, 0.25, 0.5]))


def test_welfare_and_inequality_are_those_of_the_slate():
    given = np.array([0.3, 0.5, 0.4])
    assert value("variance_fairness") == pytest.approx(1 - given.var())
    assert value("min_max_ratio") == pytest.approx(0.6)
    assert value("jain") == pytest.approx(given.sum() ** 2 / (3 * (given**2).sum()))
    assert value("atkinson", epsilon=1) == pytest.approx(1 - given.prod() ** (1 / 3) / given.mean())
    assert value("generalized_entropy", alpha=2) == pytest.approx(given.var() / given.mean() ** 2 / 2)
    assert value("zeros", evaluation([[0, 1], [1, 0]], [0])) == 1


def test_gains_of_ndcg_may_be_exponential():
    gains = 2 ** np.array(UTILITIES) - 1
    ideal = -np.sort(-gains, axis=1)[:, :2] @ [1, 1 / np.log2(3)]
    assert value("ndcg", gain="exponential") == pytest.approx(gains[:, [1, 3]] @ [1, 1 / np.log2(3)] / ideal)


def test_agreement_with_the_outcome():
    # the outcome is i0 i1 i2 i3: the first ballot, the reverse of the second; the third ties i2 and i3
    assert value("kendall_distance") == pytest.approx([0, 1, 1.5 / 6])
    assert value("kendall_distance", penalty=0)[2] == pytest.approx(1 / 6)
    assert value("agreement_surplus") == pytest.approx([1 - 0.25, 0 - 0.25, 0.75 - 0.5])
    assert value("footrule") == pytest.approx([0, 1, (1 + 1 + 0.5 + 0.5) / 8])
    assert value("across", of="kendall_distance", how="max") == 1
    assert value("across", of="kendall_distance", how="mean") == pytest.approx(1.25 / 3)
    assert value("across", of="kendall_distance", how="std") == pytest.approx(np.std([0, 1, 0.25]))


def test_abstentions_agree_with_nothing():
    view = evaluation(UTILITIES[:2], [0], last=[[0, 1, 2, 3], [4, 4, 4, 4]])
    for name in ("kendall_distance", "agreement_surplus", "footrule", "spearman", "rbo", "graded_agreement"):
        assert np.isnan(value(name, view)).tolist() == [False, True], name
    assert value("across", view, of="rbo", how="min") == pytest.approx(1)  # of those who cast a ballot


def test_groups_are_columns_of_the_catalogue():
    exposure = 1 / np.log2([2, 3, 4, 5])
    x, y = exposure[[0, 2]].mean(), exposure[[1, 3]].mean()
    assert value("group_exposure", by="kind", group="y") == pytest.approx(y)
    assert value("group_exposure", by="kind", group="y", at=1) == 0
    assert np.isnan(value("group_exposure", by="kind", group="elsewhere"))
    assert value("demographic_parity", by="kind") == pytest.approx(y / x)
    merit = np.array([0.25, 0.25, 0.5]) @ np.array(UTILITIES)
    by_merit = [x / merit[[0, 2]].mean(), y / merit[[1, 3]].mean()]
    assert value("disparate_treatment", by="kind") == pytest.approx(min(by_merit) / max(by_merit))
    assert value("favoured_pair_rate", by="kind", group="x") == 0.75
    assert value("rank_parity", by="kind") == 0.5


def test_calibration_compares_the_own_best_with_the_slate():
    found = value("calibration", by="kind", alpha=0.5)
    half = 0.5 * np.log(0.5 / 0.25) + 0.5 * np.log(0.5 / 0.75)  # x y wanted, y y delivered
    assert found == pytest.approx([half, half, half])
    assert value("calibration", by="kind", alpha=0.5, profile=1) == pytest.approx([np.log(2), 0, 0])


def test_popularity_is_a_column_of_numbers():
    assert value("mean_popularity", popularity="size") == 30
    assert value("popularity_lift", popularity="size") == pytest.approx([1, -1 / 7, 1])
    # of four items the largest is head and the smallest tail: delivered mid and head, wanted tail mid | head mid | ...
    assert value("popularity_calibration", popularity="size") == pytest.approx([0.5, 0, 0.5])


def test_slates_against_what_is_attainable():
    assert value("price_of_fairness") == pytest.approx(1 - (1.4 + 1.0) / (1.4 + 1.2))
    assert value("dominating_swaps") == 0
    assert value("pareto_efficient") == 1
    assert value("frontier_distance") == 0
    poor = evaluation([[0.0, 0.5, 1.0], [0.2, 0.5, 0.5]], [0])
    assert value("dominating_swaps", poor) == 2
    assert value("pareto_efficient", poor) == 0
    assert value("frontier_distance", poor) == pytest.approx(0.3)


def test_representation_by_the_slate():
    assert value("jr") == 1
    assert value("ejr_plus_violations") == 0
    # all three want i0 first, and one slate holds nothing that any of them wants
    view = evaluation([[1.0, 0.5, 0.0, 0.0]] * 3, [2, 3])
    assert (value("jr", view), value("ejr_plus_violations", view)) == (0, 4)
    assert value("ranking_representation", view) == -2
    assert value("package_proportionality", share=0.25) == pytest.approx(2 / 3)
