"""A run in a notebook cell."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest

import simulator as fa
import simulator.watching

needs_kernel = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel")),
    reason="needs nbclient and ipykernel",
)


class Display:
    """Keeps what a notebook would show."""

    def __init__(self) -> None:
        self.pages: list[str] = []

    def __call__(self, html: Any, display_id: bool) -> Display:
        assert display_id
        return self.update(html)

    def update(self, html: Any) -> Display:
        self.pages.append(html.data)
        return self


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Display:
    shown = Display()
    module = pytest.importorskip("IPython.display")
    monkeypatch.setattr(module, "display", shown)
    monkeypatch.setattr(sys.modules["simulator.watching.watch"], "in_notebook", lambda: True)
    return shown


def test_one_display_is_redrawn_and_ends_with_the_last_round(display: Display) -> None:
    fa.watch("tests/worlds/letters", rounds=5, figures=["utilities", "agreement"])
    assert "round 0 of 5" in display.pages[0]
    assert "<svg" not in display.pages[0]
    assert "round 5 of 5" in display.pages[-1]
    assert display.pages[-1].count("<svg") == 2
    assert "<script" not in display.pages[-1]


def test_drawing_takes_a_small_share_of_a_long_run(display: Display) -> None:
    fa.watch("tests/worlds/letters", rounds=60, figures=["turns"])
    assert len(display.pages) < 30


def test_a_figure_that_is_not_there_is_refused_before_the_run(display: Display) -> None:
    with pytest.raises(ValueError, match="there is no plot 'utility'"):
        fa.watch("tests/worlds/letters", figures=["utility"])
    assert display.pages == []


@needs_kernel
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cell_shows_the_figures_in_one_output() -> None:
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.v4.new_notebook()
    options = "rounds=3, model='none', figures=['utilities', 'fairness']"
    code = f"import simulator as fa\nresult = fa.watch('tourism', {options})"
    book.cells = [nbformat.v4.new_code_cell(code), nbformat.v4.new_code_cell("len(result.rounds)")]
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    (output,) = book.cells[0].outputs
    assert output["data"]["text/html"].count("<svg") == 2
    assert "round 3 of 3" in output["data"]["text/html"]
    assert book.cells[1].outputs[0]["data"]["text/plain"] == "3"
