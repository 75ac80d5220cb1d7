"""Annotations by name, and those of a folder in the order of the data's users."""

from dataclasses import replace

import numpy as np
import pytest

from simulator.inputs.yamlfile import InputError
from simulator.llmfosa.annotators import aligned, annotations_of
from simulator.llmfosa.simulated import independent


@pytest.mark.parametrize(
    ("name", "personas"),
    [("independent", 6), ("shared(rho=0.7)", 6), ("stereotypes", 6), ("independent(personas=2)", 2)],
)
def test_simulated_annotators_with_arguments(small, name, personas):
    notes = annotations_of(name, small, "group", 3)
    assert notes.labels.shape == (80, personas)
    assert notes.origin.startswith("simulated")
    np.testing.assert_array_equal(notes.labels, annotations_of(name, small, "group", 3).labels)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("independant", "neither a folder nor simulated"),
        ("no/such/folder", "neither a folder nor simulated"),
        ("shared(", "neither a folder nor simulated"),
        ("draw_confusions", "neither a folder nor simulated"),
        ("shared(rho=2)", "rho must be in"),
        ("shared(roh=0.5)", "roh"),
        ("independent(accuracy=0.9)", "accuracy"),
        ("independent(personas=0)", "personas"),
        ("independent(personas=1.5)", "personas"),
    ],
)
def test_what_is_wrong_with_a_name_is_said(small, name, message):
    with pytest.raises(InputError, match=message):
        annotations_of(name, small, "group", 0)


@pytest.fixture
def notes(small):
    return independent(small, "group", seed=0, personas=2)


def test_values_in_another_order_keep_their_meaning(small, notes):
    swapped = replace(
        notes,
        values=("b", "a"),
        labels=np.where(notes.labels >= 0, 1 - notes.labels, -1),
        probabilities=notes.probabilities[..., ::-1],
    )
    found = aligned(swapped, small, "group")
    assert found.values == ("a", "b")
    np.testing.assert_array_equal(found.labels, notes.labels)
    np.testing.assert_allclose(found.probabilities, notes.probabilities)


def test_users_in_another_order_keep_what_was_said_of_them(small, notes):
    order = np.random.default_rng(0).permutation(80)
    mixed = replace(
        notes,
        users=tuple(notes.users[u] for u in order),
        labels=notes.labels[order],
        confidence=notes.confidence[order],
        rationales=[notes.rationales[u] for u in order],
        summaries=[notes.summaries[u] for u in order],
        probabilities=notes.probabilities[order],
    )
    found = aligned(mixed, small, "group")
    np.testing.assert_array_equal(found.labels, notes.labels)
    np.testing.assert_array_equal(found.confidence, notes.confidence)
    np.testing.assert_array_equal(found.probabilities, notes.probabilities)
    assert list(found.summaries) == list(notes.summaries)
    assert [list(each) for each in found.rationales] == [list(each) for each in notes.rationales]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attribute": "gender"}, "judge 'gender', not 'group'"),
        ({"users": ("stranger",)}, "'stranger', who is not in"),
        ({"values": ("a", "c")}, "know the values a, c, the data a, b"),
    ],
)
def test_annotations_of_something_else_are_refused(small, notes, changes, message):
    if "users" in changes:
        changes = {"users": (*notes.users[:-1], "stranger")}
    with pytest.raises(InputError, match=message):
        aligned(replace(notes, **changes), small, "group")
