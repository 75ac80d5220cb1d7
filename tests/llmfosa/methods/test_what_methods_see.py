"""No method looks at the test part or at true attributes that it may not see."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from trial import trained  # noqa: E402

from simulator.llmfosa.experiment.cell import train_cell  # noqa: E402
from simulator.llmfosa.experiment.design import Cell, Design  # noqa: E402
from simulator.llmfosa.experiment.prepare import Prepared  # noqa: E402
from simulator.llmfosa.interactions import UserAttribute  # noqa: E402
from simulator.llmfosa.methods import METHODS, method  # noqa: E402
from simulator.llmfosa.simulated import independent, stereotypes  # noqa: E402


class Blind:
    """Interactions whose test part and attributes must not be touched."""

    def __init__(self, data):
        self._data = data

    def __getattr__(self, name):
        if name in ("test", "attributes", "times"):
            raise AssertionError(f"a training looked at {name}")
        return getattr(self._data, name)


@pytest.mark.parametrize("name", METHODS)
def test_training_touches_neither_the_test_part_nor_the_attributes(small, quick, name):
    notes = independent(small, "group", seed=0, personas=3)
    codes = small.attributes["group"].codes
    assert np.isfinite(trained(name, Blind(small), quick, notes, labels=codes, values=2).users).all()


def prepared(data, notes):
    return Prepared(data, notes, "key", "data")


def flipped(data, users):
    codes = data.attributes["group"].codes.copy()
    codes[users] = 1 - codes[users]
    return replace(data, attributes={"group": UserAttribute(("a", "b"), codes)})


@pytest.mark.parametrize("name", [name for name in METHODS if method(name).uses == "true labels"])
def test_hidden_labels_change_nothing_of_a_method_that_sees_the_others(small, quick, name):
    design, cell = Design("synthetic", None, "group", plan=quick, hidden=0.3), Cell(name, 7, 0.1)
    labels = prepared(small, None).visible_labels("group", 0.3, 7)
    hidden = np.flatnonzero(labels < 0)
    assert len(hidden) == 24
    first = train_cell(cell, design, prepared(small, None), None)
    np.testing.assert_array_equal(np.flatnonzero(first.unseen), hidden)
    other = train_cell(cell, design, prepared(flipped(small, hidden), None), None)
    np.testing.assert_array_equal(first.users, other.users)
    np.testing.assert_array_equal(first.belief.posterior, other.belief.posterior)
    seen = train_cell(cell, design, prepared(flipped(small, np.flatnonzero(labels >= 0)[:5]), None), None)
    assert not np.array_equal(first.users, seen.users)


@pytest.mark.parametrize("name", [name for name in METHODS if method(name).uses != "true labels"])
def test_true_values_and_test_items_change_nothing_of_a_method_without_labels(small, quick, name):
    design, cell = Design("synthetic", None, "group", plan=quick), Cell(name, 7, 0.1)
    notes = stereotypes(small, "group", seed=0)
    first = train_cell(cell, design, prepared(small, notes), None)
    other = replace(flipped(small, np.arange(0, 80, 2)), test=small.train)
    second = train_cell(cell, design, prepared(other, notes), None)
    np.testing.assert_array_equal(first.users, second.users)
    np.testing.assert_array_equal(first.items, second.items)
    assert first.unseen is None


def test_a_method_without_labels_is_given_none(small, quick, monkeypatch):
    def never(*_):
        raise AssertionError("labels were made visible")

    monkeypatch.setattr(Prepared, "visible_labels", never)
    design = Design("synthetic", None, "group", plan=quick)
    train_cell(Cell("majority_fairmi", 0, 0.1), design, prepared(small, independent(small, "group", seed=0)), None)
    with pytest.raises(AssertionError, match="made visible"):
        train_cell(Cell("fairmi", 0, 0.1), design, prepared(small, None), None)


@pytest.mark.parametrize("hidden", [0.0, 0.25, 0.9])
def test_so_many_labels_are_hidden_by_seed_and_unknown_ones_stay_unknown(small, hidden):
    codes = small.attributes["group"].codes.copy()
    codes[:10] = -1
    data = replace(small, attributes={"group": UserAttribute(("a", "b"), codes)})
    one, same, other = (prepared(data, None).visible_labels("group", hidden, seed) for seed in (1, 1, 2))
    assert (one >= 0).sum() == 70 - round(hidden * 70)
    np.testing.assert_array_equal(one, same)
    assert np.array_equal(one, other) == (hidden == 0)
    assert ((one == codes) | (one < 0)).all()
