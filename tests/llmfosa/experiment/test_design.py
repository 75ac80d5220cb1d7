"""Which trainings a design consists of, and what tells one design from another."""

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.experiment.design import Cell, Design  # noqa: E402
from simulator.llmfosa.methods import METHODS  # noqa: E402
from simulator.llmfosa.training.plan import TERMS, Plan  # noqa: E402

DESIGN = Design("synthetic", None, "group")


def test_weights_are_varied_for_the_methods_of_the_front_alone():
    design = replace(DESIGN, methods=("bpr", "adversarial", "fairmi", "dro"), seeds=(3, 5), weights=(0.2, 0.4))
    of_one = [("bpr", None), ("adversarial", 0.1), ("fairmi", 0.2), ("fairmi", 0.4), ("dro", None)]
    assert design.cells() == tuple(Cell(name, seed, weight) for seed in (3, 5) for name, weight in of_one)


def test_ablations_are_one_training_a_term_at_the_plans_weight():
    design = replace(DESIGN, methods=("llmfosa",), weights=(0.7,), ablate=True)
    assert design.cells() == (Cell("llmfosa", 0, 0.7), *(Cell("llmfosa", 0, 0.1, (term,)) for term in TERMS))


def test_terms_that_are_off_are_off_in_llmfosa_and_in_its_ablations_alone():
    plan = Plan().without(["similarity"])
    cells = replace(DESIGN, methods=("fairmi", "llmfosa"), plan=plan, ablate=True).cells()
    assert {cell.off for cell in cells if cell.method == "fairmi"} == {()}
    ours = [cell.off for cell in cells if cell.method == "llmfosa"]
    assert ours[0] == ("similarity",)
    assert all(off[0] == "similarity" for off in ours)
    assert len(ours) == len(TERMS)


def test_no_cell_comes_twice_and_no_two_share_a_file():
    design = replace(DESIGN, methods=METHODS * 2, seeds=(0, 0, 1), weights=(0.1, 0.1, 1.0), ablate=True)
    cells = design.cells()
    assert len(set(cells)) == len(cells) == len({cell.file for cell in cells}) == 2 * (10 + 3 + len(TERMS))


def test_names_and_files():
    cell = Cell("llmfosa", 7, 0.25, ("similarity", "summary"))
    assert (cell.name, cell.file) == ("llmfosa -similarity -summary", "llmfosa-similarity-summary_0.25_7")
    assert (Cell("bpr", 0).name, Cell("bpr", 0).file) == ("bpr", "bpr_0")


@pytest.mark.parametrize(
    "changes",
    [
        {"methods": ("bpr",)},
        {"seeds": (1, 2)},
        {"weights": (0.9,)},
        {"ablate": True},
        {"data": Path("elsewhere")},
        {"plan": Plan().without(["summary"])},
        {"plan": Plan().weighing(0.9)},
    ],
)
def test_what_a_cell_says_itself_is_not_in_the_fingerprint(changes):
    assert replace(DESIGN, **changes).fingerprint() == DESIGN.fingerprint()


@pytest.mark.parametrize(
    "changes",
    [
        {"preset": "csv"},
        {"attribute": "age"},
        {"annotations": "independent"},
        {"hidden": 0.1},
        {"split_seed": 1},
        {"device": "cuda"},
        {"plan": Plan().changed({"fair.epochs": 3})},
        {"plan": Plan().changed({"pretraining.dim": 8})},
        {"plan": Plan().changed({"sensitive.width": 8})},
    ],
)
def test_what_decides_results_is_in_the_fingerprint(changes):
    assert replace(DESIGN, **changes).fingerprint() != DESIGN.fingerprint()
