"""The notebooks run from top to bottom, and what they show was made by running them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
FAIRNESS = "5_fairness_without_sensitive_attributes.ipynb"
ASK_THE_MODEL = {"1_first_run.ipynb", "4_align_a_goal.ipynb", FAIRNESS}


def cells(path: Path) -> list:
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_kept_in_order_and_name_no_machine(path: Path) -> None:
    kept = cells(path)
    assert [cell.execution_count for cell in kept] == list(range(1, len(kept) + 1))
    assert any(cell.outputs for cell in kept)
    for cell in kept:
        assert all(output.output_type != "error" for output in cell.outputs)
        folders = ("tmp", "home", "root", "site-packages")
        assert not any(f"/{folder}/" in str(cell.outputs) for folder in folders)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    from nbclient import NotebookClient

    if path.name == FAIRNESS:
        for package in ("torch", "sklearn"):
            pytest.importorskip(package, reason=f"{package} is missing, which comes with the extra llmfosa")
    if path.name in ASK_THE_MODEL:
        request.getfixturevalue("embedded")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    notebook = nbformat.read(path, 4)
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=where).execute()
