from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from simulator.llmfosa.interactions import UserAttribute
from simulator.llmfosa.simulated import draw_confusions, independent, shared
from simulator.llmfosa.synthetic import generate

TWO = np.array([[[0.6, 0.4], [0.2, 0.8]], [[0.9, 0.1], [0.45, 0.55]], [[0.7, 0.3], [0.3, 0.7]]])
THREE = np.array(
    [[[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.0, 0.35, 0.65]], [[0.7, 0.1, 0.2], [0.25, 0.5, 0.25], [0.1, 0.2, 0.7]]]
)


@pytest.fixture(scope="module")
def two():
    return generate(6000, 40, seed=1, per_user=3, share=(0.3, 0.7))


@pytest.fixture(scope="module")
def three():
    return generate(6000, 40, seed=1, per_user=3, values=("x", "y", "z"), share=(0.3, 0.3, 0.4))


def assert_confusions(labels, codes, confusions):
    """Every cell within 4.5 binomial standard deviations of what was chosen."""
    for person, matrix in enumerate(confusions):
        for value, row in enumerate(matrix):
            own = labels[codes == value, person]
            bound = 4.5 * np.sqrt(row * (1 - row) / len(own))
            assert (np.abs(np.bincount(own, minlength=len(row)) / len(own) - row) <= bound).all()


def wrong_together(labels, codes, value):
    """Correlation of the annotators' errors among the users of one value."""
    return np.corrcoef((labels != codes[:, None])[codes == value].T)[np.triu_indices(labels.shape[1], 1)]


@pytest.mark.parametrize("rho", [0, 0.5, 1])
def test_chosen_confusions_are_kept_whatever_share_of_errors_is_common(two, three, rho):
    for data, confusions in ((two, TWO), (three, THREE)):
        judged = shared(data, "group", confusions, rho, seed=5)
        assert_confusions(judged.labels, data.attributes["group"].codes, confusions)


def test_independent_errors_are_uncorrelated_within_a_value(two):
    codes = two.attributes["group"].codes
    labels = independent(two, "group", TWO, seed=5).labels
    for value in (0, 1):
        assert np.abs(wrong_together(labels, codes, value)).max() < 4 / np.sqrt((codes == value).sum())


def test_without_common_errors_both_are_the_same(two):
    assert (shared(two, "group", TWO, 0, seed=5).labels == independent(two, "group", TWO, seed=5).labels).all()


def test_with_all_errors_common_equal_annotators_always_agree(two):
    labels = shared(two, "group", np.stack([TWO[0]] * 3), 1, seed=5).labels
    assert (labels == labels[:, :1]).all()


def test_with_all_errors_common_the_better_annotator_errs_only_with_the_worse(two):
    codes = two.attributes["group"].codes
    wrong = shared(two, "group", TWO, 1, seed=5).labels != codes[:, None]
    assert wrong.all(axis=1).any()
    assert not (wrong[:, 1] & ~wrong[:, 0])[codes == 0].any()  # .9 against .6
    assert not (wrong[:, 0] & ~wrong[:, 1])[codes == 1].any()  # .8 against .55


def test_common_errors_are_common_whichever_wrong_value_each_annotator_prefers(three):
    low, high = np.eye(3), np.eye(3)
    low[1], high[1] = (0.3, 0.6, 0.1), (0.0, 0.5, 0.5)
    own = three.attributes["group"].codes == 1
    labels = shared(three, "group", np.stack([low, high]), 1, seed=5).labels[own]
    assert (labels[labels[:, 0] != 1, 1] == 2).all()


def test_errors_correlate_more_with_more_of_them_common(two):
    codes = two.attributes["group"].codes
    means = [wrong_together(shared(two, "group", TWO, rho, seed=5).labels, codes, 1).mean() for rho in (0, 0.3, 0.6, 1)]
    assert all(low + 0.05 < high for low, high in pairwise(means))


def test_confidence_is_how_often_such_a_label_is_right(two):
    judged = independent(two, "group", TWO, seed=5)
    right = judged.labels == two.attributes["group"].codes[:, None]
    for person in range(3):
        for label in (0, 1):
            own = judged.labels[:, person] == label
            assert len(set(judged.confidence[own, person])) == 1
            assert judged.confidence[own, person][0] == pytest.approx(right[own, person].mean(), abs=0.04)
    # Bayes' rule by hand: P(a | label a) = .3 * .6 / (.3 * .6 + .7 * .2)
    first = judged.confidence[judged.labels[:, 0] == 0, 0][0]
    assert first == pytest.approx(0.18 / 0.32)
    assert judged.probabilities.sum(axis=2) == pytest.approx(np.ones((6000, 3)))


@pytest.mark.parametrize("prior", [(0.3, 0.7), (0.1, 0.2, 0.3, 0.4)])
def test_drawn_confusions_have_the_accuracy_asked_for_and_unequal_rows(prior):
    matrices = draw_confusions(200, prior, accuracy=(0.63, 0.73), seed=1)
    assert matrices.sum(axis=2) == pytest.approx(np.ones((200, len(prior))))
    assert matrices.min() >= 0
    diagonal = np.diagonal(matrices, axis1=1, axis2=2)
    overall = diagonal @ np.array(prior)
    assert 0.63 <= overall.min() < 0.64
    assert 0.72 < overall.max() <= 0.73
    assert np.abs(diagonal[:, 0] - diagonal[:, -1]).mean() > 0.03


def test_without_confusions_six_are_drawn(two):
    judged = independent(two, "group", seed=2)
    accuracy = (judged.labels == two.attributes["group"].codes[:, None]).mean(axis=0)
    assert len(accuracy) == len(judged.personas) == 6
    assert 0.61 < accuracy.min() < accuracy.max() < 0.75


def test_users_whose_value_is_not_known_are_not_judged(two):
    codes = two.attributes["group"].codes.copy()
    codes[:10] = -1
    data = replace(two, attributes={"group": UserAttribute(("a", "b"), codes)})
    judged = independent(data, "group", TWO, seed=5)
    assert (judged.labels[:10] == -1).all()
    assert (judged.labels[10:] >= 0).all()
    assert np.isnan(judged.confidence[:10]).all()
    assert np.isnan(judged.probabilities[:10]).all()
    assert judged.rationales[0][0] == judged.summaries[0] == ""


def test_the_table_says_that_it_is_simulated_and_why(two):
    judged = shared(two, "group", TWO, 0.25, seed=5)
    assert judged.origin == "simulated: shared errors, rho 0.25"
    assert all(person.name.startswith("simulated") for person in judged.personas)
    assert judged.users == two.users
    assert " of the history is " in judged.rationales[0][0]
    assert judged.rationales[0][0].endswith(f"reads as {'ab'[judged.labels[0, 0]]}.")
    votes = np.bincount(judged.labels[0], minlength=2)
    assert all(f"{votes[code]} of 3 judge {'ab'[code]}" in judged.summaries[0] for code in (0, 1) if votes[code])


@pytest.mark.parametrize(
    ("confusions", "message"),
    [
        (np.ones((2, 3, 3)) / 3, "shape"),
        (np.ones((2, 2, 2)), "sum to 1"),
        ([[[1.5, -0.5], [0, 1]]], "sum to 1"),
        (np.eye(2), "shape"),
    ],
)
def test_matrices_that_are_none_are_refused(two, confusions, message):
    with pytest.raises(ValueError, match=message):
        independent(two, "group", confusions)


def test_unknown_attributes_and_knobs_out_of_range_are_refused(two):
    with pytest.raises(ValueError, match="they have group"):
        independent(two, "gender")
    with pytest.raises(ValueError, match="rho"):
        shared(two, "group", TWO, 1.5)
    with pytest.raises(ValueError, match="accuracy"):
        independent(two, "group", accuracy=(0.5, 0.99))
