"""Fleiss' kappa and Krippendorff's alpha against their published worked examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from simulator.llmfosa.crowds import fleiss_kappa, krippendorff_alpha

# Ten subjects, fourteen raters, five categories: the example that explanations of Fleiss' kappa use.
FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
# Krippendorff, Computing Krippendorff's alpha-reliability, 2011, part C: four observers, twelve units.
FOUR = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
# Three coders, fifteen units, as in the encyclopaedia's article on alpha.
THREE = """
. . . . . 3 4 1 2 1 1 3 3 . 3
1 . 2 1 3 3 4 3 . . . . . . .
. . 2 1 3 4 4 . 2 1 1 3 3 . 4
"""


def units(text: str) -> np.ndarray:
    rows = [[-1 if cell == "." else int(cell) - 1 for cell in line.split()] for line in text.strip().splitlines()]
    return np.array(rows).T


def test_fleiss_kappa_of_the_worked_example():
    labels = np.array([np.repeat(np.arange(5), counts) for counts in FLEISS])
    assert fleiss_kappa(labels) == pytest.approx(0.210, abs=0.0005)


@pytest.mark.parametrize(("text", "alpha"), [(FOUR, 0.743), (THREE, 0.691)])
def test_krippendorff_alpha_of_the_worked_examples(text, alpha):
    assert krippendorff_alpha(units(text)) == pytest.approx(alpha, abs=0.0005)


def test_perfect_agreement_is_one_and_a_single_value_has_no_figure():
    agreed = np.array([[0, 0, 0], [1, 1, 1]])
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert measure(agreed) == pytest.approx(1)
        assert np.isnan(measure(np.zeros((5, 3), dtype=int)))
        assert np.isnan(measure(np.array([[0, -1], [-1, 1]])))
        assert np.isnan(measure(np.empty((0, 3), dtype=int)))


def test_annotators_that_guess_agree_by_chance_only():
    labels = np.random.default_rng(0).integers(0, 3, (4000, 5))
    assert fleiss_kappa(labels) == pytest.approx(0, abs=0.01)
    assert krippendorff_alpha(labels) == pytest.approx(0, abs=0.01)


labelled = arrays.arrays(np.int64, st.tuples(st.integers(2, 8), st.integers(2, 5)), elements=st.integers(-1, 2))


@settings(max_examples=60, deadline=None)
@given(labels=labelled, seed=st.integers(0, 99))
def test_neither_the_names_of_the_values_nor_any_order_matters(labels, seed):
    draw = np.random.default_rng(seed)
    names = np.append(draw.permutation(3), -1)
    other = names[labels][draw.permutation(labels.shape[0])][:, draw.permutation(labels.shape[1])]
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert measure(other) == pytest.approx(measure(labels), nan_ok=True, abs=1e-9)
        assert not measure(labels) > 1 + 1e-12


@settings(max_examples=40, deadline=None)
@given(labels=labelled)
def test_users_with_fewer_than_two_labels_do_not_count(labels):
    single = np.full((1, labels.shape[1]), -1)
    single[0, 0] = 1
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert measure(np.concatenate([labels, single])) == pytest.approx(measure(labels), nan_ok=True)
