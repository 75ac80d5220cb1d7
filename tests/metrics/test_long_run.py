"""Metrics over all rounds: running sums agree with the functions over whole histories."""

import numpy as np
import pytest

from simulator import registry
from simulator.metrics import long_term
from simulator.metrics.base import History
from simulator.metrics.ranking_representation import ranking_representation
from tests.metrics.views import evaluation

N, M, K, ROUNDS = 4, 7, 2, 30


@pytest.fixture(scope="module")
def run():
    """A random history: approvals (T, n, m), slates (T, k), utilities got and best (T, n), and the running sums."""
    rng = np.random.default_rng(3)
    utilities = rng.random((ROUNDS, N, M))
    slates = np.array([rng.choice(M, K, replace=False) for _ in range(ROUNDS)])
    best = np.sort(utilities, axis=2)[..., -K:]
    approvals = utilities >= best[..., :1]
    history = History(N, M)
    for given, wanted, slate, top in zip(utilities, approvals, slates, best, strict=True):
        claims = (wanted * wanted.sum(axis=0)).max(axis=1)
        got, served = given[:, slate].mean(axis=1), wanted[:, slate].any(axis=1)
        history.append(got, served, best=top.mean(axis=1), claims=claims, slate=slate)
    return utilities, approvals, slates, history


def value(name, history, **parameters):
    view = evaluation(np.ones((N, M)), [0, 1], history=history, kind=["x", "x", "y", "y", "z", "", ""])
    return registry.find("metric", name).with_parameters(parameters).compute(view)


def served(run):
    _, approvals, slates, _ = run
    return np.array([wanted[:, slate].any(axis=1) for wanted, slate in zip(approvals, slates, strict=True)])


def test_perpetual_metrics(run):
    _, approvals, _, history = run
    satisfied = served(run)
    quotas = long_term.perpetual_quotas(approvals)
    assert value("quota_compliance", history) == pytest.approx(long_term.quota_compliance(satisfied, quotas))
    assert value("influence", history) == pytest.approx(long_term.influence(satisfied))
    assert value("influence_gini", history) == pytest.approx(long_term.influence_gini(satisfied))
    assert value("dry_spell", history).tolist() == long_term.longest_dry_spell(satisfied).tolist()


def test_regret_and_shares(run):
    utilities, _, slates, history = run
    got = np.array([given[:, slate].mean(axis=1) for given, slate in zip(utilities, slates, strict=True)])
    best = np.sort(utilities, axis=2)[..., -K:].mean(axis=2)
    assert value("cumulative_regret", history) == pytest.approx((best - got).sum(axis=0))
    assert value("proportional_share", history) == pytest.approx(got.sum(axis=0) / (best.sum(axis=0) / N))
    every_fourth = -np.sort(-best, axis=0)[3::4].sum(axis=0)
    assert value("round_robin_share", history) == pytest.approx(got.sum(axis=0) / every_fourth)
    assert value("prop1", history).tolist() == [1, 1, 1, 1]


def test_use_of_the_catalogue(run):
    _, _, slates, history = run
    counts = np.bincount(slates.ravel(), minlength=M)
    assert history.delivered.tolist() == counts.tolist()
    assert value("catalogue_coverage", history) == (counts > 0).mean()
    exposure = np.zeros(M)
    for first, second in slates:
        exposure[first] += 1
        exposure[second] += 1 / np.log2(3)
    groups = [exposure[:2].mean(), exposure[2:4].mean(), exposure[4]]
    found = value("cumulative_demographic_parity", history, by="kind")
    assert found == pytest.approx(min(groups) / max(groups))


def test_protected_items_look_back_over_their_window(run):
    *_, slates, history = run
    last = slates[-5:]
    shown = ((last == 2) | (last == 3)).mean()
    assert value("protected_share", history, by="kind", group="y", target=1, window=5) == pytest.approx(shown)
    first = [1 / (1 + list(hit).index(True)) if any(hit) else 0 for hit in (last == 2) | (last == 3)]
    found = value("protected_rank", history, by="kind", group="y", target=1, window=5)
    assert found == pytest.approx(np.mean(first))


def by_enumeration(approvals, order):
    """The worst surplus over all groups and prefixes, by their definition."""
    n = len(approvals)
    worst = 0.0
    for code in range(1, 2**n):
        group = [i for i in range(n) if code >> i & 1]
        common = approvals[group].all(axis=0).sum()
        for length in range(1, len(order) + 1):
            mean = approvals[group][:, order[:length]].sum(axis=1).mean()
            worst = min(worst, mean - min(length * len(group) // n, common))
    return worst


@pytest.mark.parametrize("seed", range(12))
def test_representation_by_a_ranking_goes_through_all_groups(seed):
    rng = np.random.default_rng(seed)
    approvals = rng.random((5, 6)) < rng.choice([0.3, 0.6])
    order = rng.permutation(6)
    assert ranking_representation(approvals, order) == pytest.approx(by_enumeration(approvals, order))


def test_a_ranking_that_forgets_a_third_of_the_voters_is_found_out():
    approvals = np.array([[1, 1, 1, 0, 0, 0]] * 4 + [[0, 0, 0, 1, 1, 1]] * 2, dtype=bool)
    assert ranking_representation(approvals, [0, 1, 3, 2, 4, 5]) == 0
    assert ranking_representation(approvals, [0, 1, 2, 3, 4, 5]) == -1
    assert ranking_representation(approvals, [0, 1, 2, 3, 4, 5], depth=2) == 0
    assert np.isnan(ranking_representation(np.zeros((0, 2), dtype=bool), [0, 1]))


def test_too_many_sets_are_not_gone_through():
    assert np.isnan(ranking_representation(~np.eye(14, dtype=bool), range(14)))
