import numpy as np
import pytest

from simulator.llmfosa.personas.annotating import labels_of
from simulator.llmfosa.personas.calibration import FEWEST_FOR_BATCH, HIGHEST, LOWEST, calibrate


def judged(n, sharpness, seed, bias=(0.0, -3.0), personas=3):
    """Log probabilities of two values that lean by a hidden quantity, which each persona sees through its own noise."""
    draw = np.random.default_rng(seed)
    hidden = draw.normal(size=(n, 1))
    seen = sharpness * (hidden + draw.normal(scale=1.0, size=(n, personas)))
    return np.stack([seen, -seen], axis=-1) / 2 + np.array(bias), hidden[:, 0]


def test_what_a_model_likes_to_say_makes_no_difference():
    scores, _ = judged(40, 1.0, 0)
    first = calibrate(scores, np.zeros((3, 2)))
    other = calibrate(scores + np.array([[0.0, 5.0], [1.0, -9.0], [2.0, 2.0]]), np.zeros((3, 2)))
    np.testing.assert_allclose(first.probabilities, other.probabilities, atol=1e-12)
    np.testing.assert_allclose(
        np.log(first.probabilities[..., 0] / first.probabilities[..., 1]).mean(axis=0), 0, atol=1e-9
    )


def test_few_users_are_calibrated_by_the_content_free_history_alone():
    scores = np.tile([-1.0, -2.0], (FEWEST_FOR_BATCH - 1, 1, 1))
    found = calibrate(scores, np.array([[-1.0, -5.0]])).probabilities
    assert (found[..., 1] > 0.6).all()
    np.testing.assert_allclose(calibrate(scores, scores[0]).probabilities, 0.5)


def test_personas_that_agree_are_surer_than_those_that_do_not():
    alike, _ = judged(200, 1.0, 1)
    alike[:] = alike[:, :1]
    unlike = np.random.default_rng(2).normal(size=alike.shape)
    low, high = calibrate(alike, np.zeros((3, 2))), calibrate(unlike, np.zeros((3, 2)))
    np.testing.assert_allclose(low.temperatures, (alike[..., 0] - alike[..., 1]).std(axis=0))
    assert (high.temperatures > 2).all()
    assert low.probabilities.max(axis=-1).mean() > high.probabilities.max(axis=-1).mean() + 0.1
    spread = (unlike[..., 0] - unlike[..., 1]).std(axis=0)
    assert ((high.temperatures >= LOWEST * spread) & (high.temperatures <= HIGHEST * spread)).all()


def test_probabilities_forecast_the_other_personas():
    scores, _ = judged(4000, 2.0, 3)
    found = calibrate(scores, np.zeros((3, 2))).probabilities
    vote = found[:, 1].argmax(axis=-1)
    for low, high in ((0.5, 0.65), (0.65, 0.8), (0.8, 1.0)):
        sure = found[:, 0].max(axis=-1)
        within = (sure >= low) & (sure < high)
        agreed = (found[within, 0].argmax(axis=-1) == vote[within]).mean()
        assert agreed == pytest.approx(sure[within].mean(), abs=0.06)


def test_shares_that_are_known_are_met():
    scores, _ = judged(60, 1.0, 4)
    found = calibrate(scores, np.zeros((3, 2)), prior=np.array([0.7, 0.3])).probabilities
    np.testing.assert_allclose(found.mean(axis=0), np.tile([0.7, 0.3], (3, 1)), atol=1e-9)


def test_missing_scores_stay_missing_and_move_nobody_else():
    scores, _ = judged(30, 1.0, 5)
    full = calibrate(scores, np.zeros((3, 2))).probabilities
    scores[4, 1] = np.nan
    holed = calibrate(scores, np.full((3, 2), np.nan)).probabilities
    assert np.isnan(holed[4, 1]).all()
    assert np.isfinite(np.delete(holed, 4, axis=0)).all()
    labels, confidence = labels_of(holed)
    assert labels[4, 1] == -1
    assert np.isnan(confidence[4, 1])
    assert np.mean(labels == labels_of(full)[0]) > 0.95


def test_a_persona_that_says_the_same_about_everybody_abstains():
    scores, _ = judged(30, 1.0, 6)
    scores[:, 2] = [-1.0, -4.0]
    found = calibrate(scores, np.zeros((3, 2)))
    assert np.isnan(found.temperatures[2])
    labels, _ = labels_of(found.probabilities)
    assert (labels[:, 2] == -1).all()
    assert (labels[:, :2] >= 0).all()


def test_many_values_and_one_persona():
    scores = np.random.default_rng(7).normal(size=(50, 1, 21))
    found = calibrate(scores, np.zeros((1, 21)))
    np.testing.assert_allclose(found.probabilities.sum(axis=-1), 1)
    pairs = (scores[..., :, None] - scores[..., None, :])[:, 0][:, ~np.eye(21, dtype=bool)]
    pairs = pairs - pairs.mean(axis=0)
    assert found.temperatures[0] == pytest.approx(np.sqrt((pairs**2).mean()))
