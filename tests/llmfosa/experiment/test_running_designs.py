"""An experiment: each cell trained once, whatever the order and the number of processes, and gone on with."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.inputs.yamlfile import InputError  # noqa: E402
from simulator.llmfosa.experiment import cell as cells  # noqa: E402
from simulator.llmfosa.experiment import run as running  # noqa: E402
from simulator.llmfosa.experiment.design import Design  # noqa: E402
from simulator.llmfosa.experiment.run import run_design  # noqa: E402

OF_ANOTHER = '{"key": "of another design", "figures": {"ndcg@10": 9}, "curves": {}}'
OF_THE_MACHINE = {"seconds", "peak_mb"}


@pytest.fixture(scope="module")
def design(folder, quick):
    return Design("csv", folder, "group", "independent(personas=3)", ("bpr", "llmfosa"), (4, 9), (0.1, 0.5), plan=quick)


@pytest.fixture(scope="module")
def done(design, tmp_path_factory):
    """The design, run from start to end in one process."""
    out = tmp_path_factory.mktemp("whole") / "out"
    return run_design(design, out), out


@pytest.fixture(scope="module")
def short(design, tmp_path_factory):
    """One seed and one weight of it, without figures, and what came of it."""
    out, less = tmp_path_factory.mktemp("short") / "out", replace(design, seeds=(4,), weights=(0.1,))
    return less, run_design(less, out, figures=False), out


def figures(results):
    """What was measured, but for the machine."""
    return {
        (row.method, row.weight, row.seed): {n: v for n, v in row.figures.items() if n not in OF_THE_MACHINE}
        for row in results.rows
    }


@pytest.mark.slow
def test_tables_figures_models_and_cells_are_written(design, done):
    results, out = done
    assert len(results.rows) == len(design.cells()) == 2 * (1 + 2)
    written = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert {"results.csv", "results.md", "results.tex", "experiment.json"} <= written
    assert {f"figures/{name}.png" for name in ("front", "roc", "confusion", "projection")} <= written
    assert {f"cells/{cell.file}.json" for cell in design.cells()} <= written
    assert {path.name for path in (out / "models").iterdir()} == {c.file for c in design.cells() if c.seed == 4}
    assert sorted(path.name for path in (out / "checkpoints").iterdir()) == [
        "pretraining-mf_4.pt",
        "pretraining-mf_9.pt",
    ]
    assert "± half the 95% interval over 2 seeds" in (out / "results.md").read_text()


@pytest.mark.slow
def test_every_json_is_one_that_other_programs_read(done):
    found = list(done[1].rglob("*.json"))
    assert found
    for path in found:
        json.loads(path.read_text(), parse_constant=pytest.fail)


def test_a_figure_that_is_no_number_is_null_in_files_and_nan_in_results(design, tmp_path, monkeypatch):
    only = replace(design, methods=("bpr",), seeds=(4,))
    real = cells.evaluate

    def evaluated(*arguments, **named):
        found, attacked = real(*arguments, **named)
        return {**found, "ndcg@10": float("nan")}, attacked

    monkeypatch.setattr(cells, "evaluate", evaluated)
    assert np.isnan(run_design(only, tmp_path / "out", figures=False).rows[0].figures["ndcg@10"])
    kept = json.loads((tmp_path / "out/cells/bpr_4.json").read_text(), parse_constant=pytest.fail)
    assert kept["figures"]["ndcg@10"] is None
    monkeypatch.setattr(running, "compute", never)
    assert np.isnan(run_design(only, tmp_path / "out", figures=False).rows[0].figures["ndcg@10"])


def never(*_):
    raise AssertionError("a finished cell was trained again")


def test_what_is_done_is_not_done_again_and_told_all_the_same(short, monkeypatch):
    design, results, out = short
    monkeypatch.setattr(running, "compute", never)
    told = []
    again = run_design(design, out, figures=False, done=lambda at, of, result: told.append((at, of, result.method)))
    assert figures(again) == figures(results)
    assert told == [(1, 2, "bpr"), (2, 2, "llmfosa")]
    less = replace(design, methods=("llmfosa",))
    assert figures(run_design(less, out, figures=False)) == {("llmfosa", 0.1, 4): figures(results)["llmfosa", 0.1, 4]}


@pytest.mark.slow
def test_interrupted_after_some_cells_it_ends_with_the_same(design, done, tmp_path):
    class Stop(Exception):
        pass

    def stop(at, *_):
        if at == 2:
            raise Stop

    with pytest.raises(Stop):
        run_design(design, tmp_path / "out", figures=False, done=stop)
    assert len(list((tmp_path / "out" / "cells").iterdir())) == 2
    assert figures(run_design(design, tmp_path / "out", figures=False)) == figures(done[0])


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"key": 1}', "null", OF_ANOTHER])
def test_a_damaged_cell_is_trained_again(short, damage):
    design, first, out = short
    (out / "cells/bpr_4.json").write_text(damage)
    assert figures(run_design(design, out, figures=False)) == figures(first)
    assert json.loads((out / "cells/bpr_4.json").read_text())["figures"]


@pytest.mark.slow
def test_the_order_of_methods_and_seeds_does_not_matter(design, done, tmp_path):
    turned = replace(design, methods=design.methods[::-1], seeds=(9, 4), weights=(0.5, 0.1))
    assert figures(run_design(turned, tmp_path / "out", figures=False)) == figures(done[0])


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(design, done, tmp_path):
    """To the end in two processes."""
    assert figures(run_design(design, tmp_path / "out", jobs=2, figures=False)) == figures(done[0])


@pytest.mark.slow
def test_another_designs_cells_are_not_taken_for_its_own(design, tmp_path):
    only = replace(design, methods=("fairmi",), seeds=(4,), weights=(0.1,))
    first = run_design(only, tmp_path / "out", figures=False)
    for changes in ({"hidden": 0.5}, {"plan": design.plan.changed({"fair.l2": 0.3})}):
        other = run_design(replace(only, **changes), tmp_path / "out", figures=False)
        assert figures(other) != figures(first)
        assert figures(other) == figures(
            run_design(replace(only, **changes), tmp_path / str(changes)[:8], figures=False)
        )


@pytest.mark.slow
def test_terms_that_are_off_are_those_of_llmfosa(design, tmp_path):
    """A method that has no such terms trains as ever, so that its cell is the same with and without."""
    off = replace(
        design, plan=design.plan.without(["independence"]), methods=("fairmi", "llmfosa"), seeds=(4,), weights=(0.5,)
    )
    on = replace(off, plan=design.plan)
    first = figures(run_design(off, tmp_path / "off"))
    second = figures(run_design(on, tmp_path / "on", figures=False))
    assert first["fairmi", 0.5, 4] == second["fairmi", 0.5, 4]
    assert first["llmfosa -independence", 0.5, 4] != second["llmfosa", 0.5, 4]
    assert (tmp_path / "off/figures/front.png").exists()


def test_two_designs_in_one_process_do_not_share_data(design, tmp_path, folder):
    """A design without annotators and then one with them; then the same files elsewhere, less a user's attribute."""
    run_design(replace(design, methods=("bpr",), seeds=(4,)), tmp_path / "a", figures=False)
    run_design(replace(design, methods=("llmfosa",), seeds=(4,), weights=(0.1,)), tmp_path / "b", figures=False)
    other = tmp_path / "data"
    other.mkdir()
    for name in ("interactions.csv", "users.csv"):
        text = (folder / name).read_text().splitlines()
        (other / name).write_text("\n".join(text[:1] + text[1:]) + "\n")
    lines = (other / "interactions.csv").read_text().splitlines()
    (other / "interactions.csv").write_text("\n".join(lines[:-30]) + "\n")
    first = run_design(replace(design, methods=("bpr",), seeds=(4,)), tmp_path / "c", figures=False)
    second = run_design(replace(design, methods=("bpr",), seeds=(4,), data=other), tmp_path / "d", figures=False)
    assert figures(first) != figures(second)


def test_a_folder_with_something_else_is_left_alone(design, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="holds something else"):
        run_design(design, tmp_path)
    with pytest.raises(InputError, match="holds something else"):
        run_design(design, tmp_path / "thesis.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_that_was_killed_at_its_first_file_is_gone_on_with(design, tmp_path):
    (tmp_path / "experiment.json.77.part").write_text("{")
    assert run_design(replace(design, methods=("bpr",), seeds=(4,)), tmp_path, figures=False).rows


def test_weights_that_would_share_a_file_are_refused(design, tmp_path):
    with pytest.raises(InputError, match="agree in six digits"):
        run_design(replace(design, weights=(0.1, 0.1 + 1e-9)), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attribute": "age"}, "--attribute age.*knows these: group"),
        ({"annotations": "nobody"}, "neither a folder nor simulated"),
        ({"data": Path("nowhere")}, "is no folder"),
        ({"preset": "ml-2m"}, "no such preset"),
    ],
)
def test_wrong_input_is_named_before_anything_is_written(design, tmp_path, changes, message):
    with pytest.raises(InputError, match=message):
        run_design(replace(design, **changes), tmp_path / "out")
    assert not (tmp_path / "out").exists()
