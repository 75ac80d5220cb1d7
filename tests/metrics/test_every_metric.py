"""The registered metrics on rounds that are worked out by hand, and what all of them together cost."""

import time

import numpy as np
import pytest

from simulator import registry
from simulator.metrics.base import History
from tests.metrics.views import evaluation


def value(name, view):
    return registry.find("metric", name).compute(view)


TWO = [[1.0, 0.5, 0.0], [0.0, 0.4, 0.8]]


def test_round_metrics_of_two_stakeholders():
    view = evaluation(TWO, [0, 1], weights=[1, 3])
    assert value("utility", view) == pytest.approx([0.75, 0.2])
    assert value("minimum", view) == pytest.approx(0.2)
    assert value("utilitarian", view) == pytest.approx((0.75 + 3 * 0.2) / 4)
    assert value("nash_welfare", view) == pytest.approx((0.75 * 0.2**3) ** 0.25)
    assert value("gini", view) == pytest.approx(0.55 / (2 * 0.95))


def test_cumulative_metrics_run_over_all_rounds():
    history = History(2)
    for given in ([0.2, 0.8], [0.4, 0.8], [0.6, 0.2]):
        history.append(np.array(given), np.array([True, True]))
    view = evaluation(TWO, [0], history=history, weights=[1, 1])
    assert value("cumulative_utility", view) == pytest.approx([1.2, 1.8])
    assert value("cumulative_minimum", view) == pytest.approx(0.4)
    assert value("cumulative_utilitarian", view) == pytest.approx(0.5)
    assert value("cumulative_nash_welfare", view) == pytest.approx((0.4 * 0.6) ** 0.5)
    assert value("cumulative_gini", view) == pytest.approx(0.6 / (2 * 3.0))


def test_ndcg_is_one_for_the_own_best_slate_in_its_order():
    assert value("ndcg", evaluation(TWO, [0, 1])) == pytest.approx([1, (0.4 / np.log2(3)) / (0.8 + 0.4 / np.log2(3))])
    assert value("ndcg", evaluation(TWO, [1, 0]))[0] < 1


def test_ndcg_is_undefined_where_nothing_is_worth_anything():
    assert value("ndcg", evaluation([[0.0, 0.0], [1.0, 0.0]], [0])) == pytest.approx([np.nan, 1], nan_ok=True)


def test_agreement_with_the_outcome_keeps_ties_and_leaves_abstentions_undefined():
    view = evaluation([[0.9, 0.5, 0.1]] * 3, [0], last=[[0, 1, 2], [2, 1, 0], [3, 3, 3]], tiers=[0, 1, 1])
    tau = 2 / np.sqrt(3 * 2)
    assert value("kendall_tau", view) == pytest.approx([tau, -tau, np.nan], nan_ok=True)


def test_alignment_looks_at_the_first_proposal():
    utilities = [[0.9, 0.5, 0.1], [0.2, 0.6, 0.4]]
    view = evaluation(
        utilities, [0], first=[[0, 1, 2], [0, 1, 2]], last=[[2, 1, 0], [2, 1, 0]], equal=[[1, 2, 3], [1, 3, 2]]
    )
    assert value("alignment", view) == pytest.approx([1, -1 / 3])
    assert value("alignment_equal_weights", view) == pytest.approx([-1, 1])


def test_dry_spell_is_the_longest_so_far():
    history = History(3)
    for served in ([1, 0, 1], [0, 0, 1], [0, 1, 1], [1, 0, 1]):
        history.append(np.zeros(3), np.array(served, dtype=bool))
    assert value("dry_spell", evaluation([[1.0, 0.0]] * 3, [0], history=history)).tolist() == [2, 2, 0]
    assert history.dry_spell.tolist() == [0, 1, 0]


def test_history_keeps_every_round_when_it_grows():
    rng = np.random.default_rng(0)
    given, served = rng.random((300, 4)), rng.random((300, 4)) < 0.3
    history = History(4)
    for row, hits in zip(given, served, strict=True):
        history.append(row, hits)
    assert len(history) == 300
    assert (history.utilities == given).all()
    assert (history.served == served).all()
    assert history.mean == pytest.approx(given.mean(axis=0))
    longest = [max(map(len, "".join("x" if hit else "." for hit in column).split("x"))) for column in served.T]
    assert history.longest_dry_spell.tolist() == longest


COLUMNS = {"kind": ["x", "y", "", "x", "z"], "size": [3, 2, "", 4, 5]}
PARAMETERS = {
    "across": {"of": "ndcg(gain=exponential)", "how": "min_max"},
    **{name: {"popularity": "size"} for name in ("popularity_calibration", "popularity_lift", "mean_popularity")},
    "soft_group_utility_gap": {"stakeholder": "s0"},
    "geographic_distance": {"latitude": "size", "longitude": "size"},
}


def configured(name):
    """The metric, with its parameters set if it needs any; most of those that do want a column of groups."""
    found = registry.find("metric", name)
    wanted = PARAMETERS.get(name, {"by": "kind", "group": "x"} if "group" in found.parameters else {"by": "kind"})
    return found.with_parameters(wanted if found.needs_parameters else {})


@pytest.mark.parametrize("name", registry.names("metric"))
def test_every_metric_has_the_shape_of_its_scope_and_a_description(name):
    found = configured(name)
    for n, m, k in ((3, 4, 2), (1, 1, 1), (2, 5, 5)):
        columns = {column: texts[:m] for column, texts in COLUMNS.items()}
        view = evaluation(np.random.default_rng(1).random((n, m)), list(range(k)), **columns)
        result = np.asarray(found.compute(view), dtype=float)
        assert result.shape == ((n,) if found.scope == "stakeholder" else ())
        assert n == 1 or not np.isnan(result).all() or name == "round_robin_share"  # of less than n rounds
    assert found.description.endswith((".", ";"))
    assert found.name.startswith(name)


@pytest.mark.parametrize("name", registry.names("metric"))
def test_every_metric_survives_nobody_having_weight_and_nothing_being_worth_anything(name):
    found = configured(name)
    view = evaluation(
        np.zeros((2, 3)),
        [0],
        weights=[0, 0],
        first=[[3, 3, 3]] * 2,
        last=[[3, 3, 3]] * 2,
        tiers=[0, 0, 0],
        kind=["", "", ""],
        size=["", "", ""],
    )
    result = np.asarray(found.compute(view), dtype=float)
    assert not np.isinf(result).any()


@pytest.mark.slow
def test_the_standard_metrics_of_a_late_round_cost_less_than_400_microseconds():
    rng = np.random.default_rng(0)
    history = History(4)
    for _ in range(1000):
        history.append(rng.random(4), rng.random(4) < 0.3)
    view = evaluation(rng.random((4, 50)), [0, 1, 2, 3, 4], history=history, tiers=rng.integers(0, 30, 50))
    metrics = [found for name in registry.names("metric") if (found := registry.find("metric", name)).standard]
    took = []
    for _ in range(200):
        start = time.perf_counter()
        for each in metrics:
            each.compute(view)
        took.append(time.perf_counter() - start)
    print(f"the {len(metrics)} standard metrics: {min(took) * 1e6:.0f} microseconds a round")
    assert min(took) < 400e-6
