"""Figures of groups of users of whom it is only inferred who belongs to which, against SciPy and by hand."""

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from simulator import registry
from simulator.metrics.base import History
from simulator.metrics.divergence import jensen_shannon_distance
from simulator.metrics.group_sums import GroupSums
from tests.metrics.views import evaluation

UTILITIES = [[1.0, 0.5, 0.0], [0.0, 0.4, 0.8]]


def history(rounds, block=1):
    """Rounds of two stakeholders and three items: (shares of the groups, utilities, delivered rows)."""
    made = History(2, 3, GroupSums(2, 2, 3, block))
    for shares, given, slate in rounds:
        made.append(np.array(given), np.ones(2, dtype=bool), slate=np.array(slate), membership=np.array(shares))
    return made


def value(name, made, **parameters):
    view = evaluation(UTILITIES, [0, 1], history=made, kind=["x", "y", "x"])
    return registry.find("metric", name).with_parameters(parameters).compute(view)


ROUNDS = [([0.8, 0.2], [0.9, 0.1], [0, 1]), ([0.3, 0.7], [0.5, 0.6], [1, 2])]


def test_the_utility_gap_weighs_every_round_with_the_groups_share_in_its_user():
    first, second = ((0.8 * 0.9 + 0.3 * 0.5) / 1.1, (0.2 * 0.9 + 0.7 * 0.5) / 0.9)
    assert value("soft_group_utility_gap", history(ROUNDS), stakeholder="s0") == pytest.approx(abs(first - second))
    first, second = ((0.8 * 0.1 + 0.3 * 0.6) / 1.1, (0.2 * 0.1 + 0.7 * 0.6) / 0.9)
    assert value("soft_group_utility_gap", history(ROUNDS), stakeholder="s1") == pytest.approx(abs(first - second))


def test_the_exposure_gap_is_scipys_distance_of_the_groups_attention_by_kind():
    low = 1 / np.log2(3)
    attention = [  # x, y: round 1 shows x then y, round 2 y then x
        [0.8 + 0.3 * low, 0.8 * low + 0.3],
        [0.2 + 0.7 * low, 0.2 * low + 0.7],
    ]
    assert value("soft_exposure_js", history(ROUNDS), by="kind") == pytest.approx(jensenshannon(*attention))


def test_certain_shares_give_the_gap_between_the_groups_themselves():
    certain = [([1, 0], [0.9, 0.1], [0, 2]), ([0, 1], [0.5, 0.6], [1])]
    assert value("soft_group_utility_gap", history(certain), stakeholder="s0") == pytest.approx(0.4)
    assert value("soft_exposure_js", history(certain), by="kind") == pytest.approx(np.sqrt(np.log(2)))


def test_figures_are_given_out_after_whole_blocks_alone():
    rng = np.random.default_rng(0)
    rounds = [(share := rng.random(), [share, 0.5], [0, 1])[1:] for _ in range(7)]
    rounds = [([a, 1 - a], given, slate) for a, (given, slate) in zip(rng.random(7), rounds, strict=True)]
    seen = [value("soft_group_utility_gap", history(rounds[:t], block=3), stakeholder="s0") for t in range(1, 8)]
    assert np.isnan(seen[:2]).all()
    assert seen[2] == seen[3] == seen[4]
    assert seen[5] == seen[6] != seen[4]
    assert seen[5] == value("soft_group_utility_gap", history(rounds[:6]), stakeholder="s0")


def test_without_groups_and_for_an_unseen_group_nothing_is_defined():
    none = History(2, 3)
    none.append(np.zeros(2), np.ones(2, dtype=bool), slate=np.array([0]))
    unseen = history([([1, 0], [0.9, 0.1], [0])])
    for made in (none, unseen):
        assert np.isnan(value("soft_exposure_js", made, by="kind"))
        assert np.isnan(value("soft_group_utility_gap", made, stakeholder="s0"))


@pytest.mark.parametrize("groups", [2, 3, 5])
def test_the_distance_of_two_is_scipys_and_of_more_the_generalised_one(groups):
    p = np.random.default_rng(groups).dirichlet(np.ones(6), size=(4, groups))
    p[0, 0] = [1, 0, 0, 0, 0, 0]
    found = jensen_shannon_distance(p)
    if groups == 2:
        assert found == pytest.approx([jensenshannon(*pair) for pair in p])
    middle = p.mean(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log(p / middle), 0.0)
    assert found == pytest.approx(np.sqrt(terms.sum(axis=-1).mean(axis=-1)))
    assert jensen_shannon_distance(np.tile(p[:, :1], (1, groups, 1))) == pytest.approx(0, abs=1e-7)
    apart = np.eye(groups)[None]
    assert jensen_shannon_distance(apart) == pytest.approx(np.sqrt(np.log(groups)))
