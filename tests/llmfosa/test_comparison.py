"""Methods compared on data at hand: the same figures as an experiment in a folder, and models to go on with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sklearn")

from simulator.llmfosa import compare  # noqa: E402
from simulator.llmfosa.comparison import Comparison  # noqa: E402
from simulator.llmfosa.interactions import Interactions  # noqa: E402
from simulator.llmfosa.simulated import independent, shared  # noqa: E402
from simulator.llmfosa.synthetic import generate  # noqa: E402

SHORT = {"pretraining.epochs": 5, "sensitive.epochs": 2, "fair.epochs": 1, "fair.warm_up": 5, "pretraining.dim": 8}
COST = {"seconds", "peak_mb"}


@pytest.fixture(scope="module")
def data() -> Interactions:
    return generate(60, 40, seed=2, per_user=12)


@pytest.fixture(scope="module")
def found(data: Interactions) -> Comparison:
    notes = independent(data, "group", seed=2)
    methods = ("bpr", "fairmi", "llmfosa")
    return compare(data, "group", methods, annotations=notes, weights=(0.01, 0.5), seeds=(3, 4), settings=SHORT)


def test_every_method_weight_and_seed_is_trained_and_measured(found: Comparison):
    assert [(row.method, row.weight) for row in found.results.rows[:5]] == [
        ("bpr", None),
        ("fairmi", 0.01),
        ("fairmi", 0.5),
        ("llmfosa", 0.01),
        ("llmfosa", 0.5),
    ]
    assert [row.seed for row in found.results.rows] == [3] * 5 + [4] * 5
    assert len(found.trained) == len(found.attacks) == 10


@pytest.mark.slow
def test_figures_are_those_of_an_experiment_in_a_folder(tmp_path: Path):
    from simulator.llmfosa.annotators import annotations_of
    from simulator.llmfosa.experiment.design import Design
    from simulator.llmfosa.experiment.run import run_design
    from simulator.llmfosa.loaders import load
    from simulator.llmfosa.training.plan import plan_of

    methods = ("bpr", "majority_fairmi", "llmfosa")
    design = Design("synthetic", None, "group", "shared(rho=0.5)", methods, plan=plan_of("synthetic", SHORT))
    data = load("synthetic", None)
    design = replace(design, attribute=next(iter(data.attributes)))
    kept = run_design(design, tmp_path / "out", figures=False)
    notes = annotations_of(design.annotations, data, design.attribute, 0)
    found = compare(data, design.attribute, methods, annotations=notes, settings=SHORT)
    for one, other in zip(kept.rows, found.results.rows, strict=True):
        assert (one.method, one.weight, one.seed) == (other.method, other.weight, other.seed)
        assert {name: value for name, value in one.figures.items() if name not in COST} == {
            name: value for name, value in other.figures.items() if name not in COST
        }


def test_cells_are_found_by_row_weight_and_seed(found: Comparison):
    cell = found.cell("llmfosa", 0.5, seed=4)
    assert (cell.method, cell.weight, cell.seed) == ("llmfosa", 0.5, 4)
    assert found.cell("fairmi").weight == 0.01
    assert found.trained[cell].users.shape == (60, 8)
    with pytest.raises(KeyError, match="there are bpr, fairmi, llmfosa"):
        found.cell("dro")


@pytest.mark.slow
def test_ablations_are_rows_of_their_own(data: Interactions):
    notes = independent(data, "group", seed=2)
    found = compare(data, "group", ["llmfosa"], annotations=notes, ablate=True, settings=SHORT, off=["summary"])
    assert found.results.methods[0] == "llmfosa -summary"
    assert found.trained[found.cell("llmfosa -summary -personas")].belief.confusion.shape == (1, 2, 2)
    assert len(found.results.rows) == 8


def test_a_method_without_labels_is_not_moved_by_the_true_ones(data: Interactions):
    notes = shared(data, "group", seed=2)
    wrong = replace(data.attributes["group"], codes=1 - data.attributes["group"].codes)
    other = replace(data, attributes={"group": wrong})
    pair = [
        compare(each, "group", ["llmfosa"], annotations=notes, settings=SHORT).trained.values()
        for each in (data, other)
    ]
    for one, two in zip(*pair, strict=True):
        np.testing.assert_array_equal(one.users, two.users)


def test_threads_are_left_as_they_were(data: Interactions):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        compare(data, "group", ["bpr"], settings=SHORT)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"attribute": "age"}, "has no attribute 'age'; it has group"),
        ({"methods": ["llmfosa"]}, "llmfosa needs annotations"),
        ({"methods": ["bprr"]}, "did you mean 'bpr'"),
        ({"settings": {"fair.epoch": 1}}, "did you mean 'fair.epochs'"),
        ({"off": ["club"]}, "no term 'club'"),
    ],
)
def test_what_does_not_fit_is_said_before_anything_is_trained(data: Interactions, options: dict, said: str):
    given = {"attribute": "group", "methods": ["bpr"], **options}
    with pytest.raises(ValueError, match=said):
        compare(data, **given)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"methods": ()}, "at least one method"),
        ({"seeds": ()}, "one seed"),
        ({"weights": [-1.0]}, "finite and at least 0"),
        ({"weights": [float("nan")]}, "finite and at least 0"),
        ({"weights": []}, "one or more"),
        ({"hidden": 1.0}, "below 1"),
        ({"hidden": float("nan")}, "below 1"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_is_trained(data: Interactions, wrong, told: str):
    with pytest.raises(ValueError, match=told):
        compare(data, "group", **{"methods": ("bpr",), "settings": SHORT, **wrong})
