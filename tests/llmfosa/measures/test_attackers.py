"""What attackers learn, where it is known how much there is to learn."""

import numpy as np
import pytest
from scipy.stats import norm

from simulator.llmfosa.measures import attack

pytest.importorskip("sklearn")


def shifted(shift, n=1500, d=4, seed=0):
    """Gaussian embeddings whose first coordinate is shifted by the attribute: best AUC is Phi(shift / sqrt 2)."""
    draw = np.random.default_rng(seed)
    codes = draw.integers(0, 2, n)
    embeddings = draw.normal(size=(n, d))
    embeddings[:, 0] += shift * codes
    return embeddings, codes


def test_the_best_attacker_of_shifted_gaussians_is_nearly_reached():
    found = attack(*shifted(1.2), seed=0, folds=3)
    for name in ("logistic", "mlp"):
        assert found.auc[name] == pytest.approx(norm.cdf(1.2 / np.sqrt(2)), abs=0.025)
        assert found.auc[name] == found.raw[name]


def test_what_is_not_in_the_embeddings_cannot_be_learned():
    found = attack(*shifted(0), seed=0, folds=3)
    assert max(found.auc.values()) < 0.55


def test_the_network_learns_what_no_line_parts():
    draw = np.random.default_rng(0)
    embeddings = draw.normal(size=(900, 2))
    found = attack(embeddings, (embeddings.prod(axis=1) > 0).astype(int), seed=0, folds=3)
    assert found.auc["logistic"] < 0.6
    assert found.auc["mlp"] > 0.9


def test_debiasing_that_fooled_only_the_users_it_saw_is_found_out():
    """Seen users are shifted by .6 and the others by 2: what is learned from the former tells the latter apart."""
    embeddings, codes = shifted(2.0, n=1400)
    unseen = np.arange(1400) % 2 == 1
    embeddings[~unseen, 0] -= 1.4 * codes[~unseen]
    seen_only = attack(embeddings[~unseen], codes[~unseen], seed=0)
    held_out = attack(embeddings, codes, seed=0, unseen=unseen)
    assert seen_only.auc["logistic"] == pytest.approx(norm.cdf(0.6 / np.sqrt(2)), abs=0.03)
    assert held_out.auc["logistic"] == pytest.approx(norm.cdf(2.0 / np.sqrt(2)), abs=0.03)
    assert held_out.users == 700


def test_an_attacker_below_chance_knows_as_much():
    """The sign of the coordinate is turned round for the unseen users."""
    embeddings, codes = shifted(2.0, n=1000)
    unseen = np.arange(1000) % 2 == 1
    embeddings[unseen] *= -1
    found = attack(embeddings, codes, seed=0, unseen=unseen)
    assert found.raw["logistic"] < 0.2
    assert found.auc["logistic"] == pytest.approx(1 - found.raw["logistic"])


def test_the_curve_encloses_the_raw_area():
    found = attack(*shifted(1.0, n=600), seed=0)
    for name, curves in found.curves.items():
        (curve,) = curves.values()
        area = np.sum(np.diff(curve.false_positive) * (curve.true_positive[1:] + curve.true_positive[:-1]) / 2)
        assert area == pytest.approx(found.raw[name], abs=0.01)


def test_several_values_are_each_taken_against_the_rest_and_rare_ones_left_out():
    draw = np.random.default_rng(0)
    codes = np.append(draw.integers(0, 3, 600), [5, 5, -1, -1])
    embeddings = draw.normal(size=(604, 3))
    embeddings[np.arange(600), codes[:600]] += 1.5
    found = attack(embeddings, codes, seed=0)
    assert list(found.curves["mlp"]) == [0, 1, 2]
    assert found.users == 600
    assert 0.8 < found.auc["logistic"] < 0.95


def test_the_same_seed_gives_the_same_attack():
    one, other = (attack(*shifted(0.5, n=200), seed=4) for _ in range(2))
    assert one.auc == other.auc


def test_small_samples_of_many_values_can_be_attacked():
    draw = np.random.default_rng(0)
    found = attack(draw.normal(size=(70, 3)), np.arange(70) % 7, seed=0)
    assert set(found.auc) == {"logistic", "mlp"}


def test_what_cannot_be_attacked_is_refused():
    embeddings, codes = shifted(1.0, n=20)
    with pytest.raises(ValueError, match="fewer than two values"):
        attack(embeddings, np.zeros(20, dtype=int), seed=0)
    with pytest.raises(ValueError, match="do not fit codes"):
        attack(embeddings, codes[:-1], seed=0)
    with pytest.raises(ValueError, match="diverged"):
        attack(embeddings * np.nan, codes, seed=0)
