"""Who gets how much weight under each strategy."""

import numpy as np
import pytest

from simulator.allocation import STRATEGIES, strategy

FAIRNESS = np.array([0.5, 0.0, 1.0])
COMPATIBILITY = np.array([1.0, 0.5, 1.0])
ALIKE = np.ones(3)


def weights(spec, fairness=FAIRNESS, compatibility=COMPATIBILITY, stakes=ALIKE, seed=0):
    return strategy(spec).allocate(np.asarray(fairness), np.asarray(compatibility), np.asarray(stakes), seed)


def shares(spec, stakes=ALIKE):
    """How often each agent is drawn, and nobody."""
    shape = (20_000, 3)
    drawn = weights(spec, *(np.broadcast_to(part, shape) for part in (FAIRNESS, COMPATIBILITY, stakes)))
    assert set(np.unique(drawn)) <= {0.0, 1.0}
    assert drawn.sum(axis=-1).max() <= 1
    return [*drawn.mean(axis=0), 1 - drawn.sum(axis=-1).mean()]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("least_fair", [0, 1, 0]),
        ("product", [1 / 2, 1 / 2, 0]),
        ("weighted_product(fairness_exponent=2, compatibility_exponent=1)", [1 / 3, 2 / 3, 0]),
        ("weighted_product(fairness_exponent=0, compatibility_exponent=1)", [0.4, 0.2, 0.4]),
        ("weighted_product(fairness_exponent=0, compatibility_exponent=0)", [1 / 3, 1 / 3, 1 / 3]),
        ("static", [1, 1, 1]),
    ],
)
def test_weights_follow_the_formula(spec, expected):
    assert weights(spec) == pytest.approx(expected)


def test_stakes_count_as_so_many_agents():
    assert weights("product", stakes=[2, 1, 1]) == pytest.approx([2 / 3, 1 / 3, 0])
    assert weights("static", stakes=[0.2, 3, 1]).tolist() == [0.2, 3, 1]


@pytest.mark.parametrize("spec", ["least_fair", "product", "product_lottery", "fairness_lottery", "weighted_product"])
def test_nobody_gets_anything_where_nobody_is_owed_anything(spec):
    assert weights(spec, fairness=[1.0, 1.0, 1.0]).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("spec", "stakes", "expected"),
    [
        ("product_lottery", [1, 1, 1], [1 / 2, 1 / 2, 0, 0]),
        ("fairness_lottery", [1, 1, 1], [1 / 3, 2 / 3, 0, 0]),
        ("weighted_lottery(fairness_exponent=1, compatibility_exponent=2)", [1, 1, 1], [2 / 3, 1 / 3, 0, 0]),
        ("static_lottery", [0.5, 0.2, 0.1], [0.5, 0.2, 0.1, 0.2]),
        ("static_lottery", [2, 1, 1], [0.5, 0.25, 0.25, 0]),
        ("most_compatible", [1, 1, 3], [0.25, 0, 0.75, 0]),
    ],
)
def test_lotteries_draw_with_the_stated_chances(spec, stakes, expected):
    assert shares(spec, stakes) == pytest.approx(expected, abs=0.015)


@pytest.mark.parametrize("name", STRATEGIES)
def test_batches_nobody_and_seeds(name):
    rng = np.random.default_rng(5)
    fairness, compatibility = rng.random((2, 3, 4)), rng.random((2, 3, 4))
    stakes = np.full((2, 3, 4), 0.25)
    batch = weights(name, fairness, compatibility, stakes, seed=9)
    assert batch.shape == (2, 3, 4)
    assert (batch >= 0).all()
    assert (batch == weights(name, fairness, compatibility, stakes, seed=9)).all()
    if "lottery" not in name:
        assert batch[1, 2] == pytest.approx(weights(name, fairness[1, 2], compatibility[1, 2], stakes[1, 2]))
    assert weights(name, np.ones(0), np.ones(0), np.ones(0)).shape == (0,)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("produkt", "did you mean 'product'"),
        ("weighted_product(fairness_exponent=-1)", "must be at least 0"),
        ("product(fairness_exponent=1)", "no parameter 'fairness_exponent'"),
    ],
)
def test_what_there_is_not_is_refused(spec, said):
    with pytest.raises(ValueError, match="allocation") as caught:
        strategy(spec)
    assert said in str(caught.value)
