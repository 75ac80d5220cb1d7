"""A change of the mediator is marked on the figures; what the parties bargained by themselves is none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.text import Annotation

from simulator.plots import KINDS, draw
from simulator.plots.changes import Regime, deciders, regimes
from simulator.runs import Run
from tests.fake_run import fake_run


def decided_by(labels: list[str]) -> Run:
    run = fake_run(len(labels))
    return replace(run, rounds=run.rounds.assign(mediator=labels))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["borda", "borda", "nash", "nash"], [(1, "borda"), (3, "nash")]),
        (["mes(completion=none)", "mes"], [(1, "mes(completion=none)"), (2, "mes")]),
        (["concession", "borda", "concession", "borda", "draw"], [(2, "borda")]),
        (["moderated", "moderated"], []),
    ],
)  # fmt: skip
def test_regimes(labels: list[str], expected: list[tuple[int, str]]) -> None:
    assert regimes(decided_by(labels)) == [Regime(*pair) for pair in expected]


def test_a_run_that_was_bargained_throughout_was_decided_by_its_protocol() -> None:
    assert deciders(decided_by(["moderated", "moderated"])) == ["moderated"]
    assert deciders(decided_by(["borda", "nash", "borda"])) == ["borda", "nash", "borda"]


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.before is not None and name != "world"])
def test_a_line_stands_where_the_mediator_changed(kind: str) -> None:
    figure = draw(kind, decided_by(["borda", "borda", "nash", "nash"]))
    before = KINDS[kind].before
    assert before is not None
    panels = [axes for axes in figure.axes if axes.axison]
    assert panels
    for axes in panels:
        assert [list(line.get_xdata()) for line in axes.get_lines()].count([3 - before, 3 - before]) == 1
    shown = [note.get_text() for note in panels[0].get_children() if isinstance(note, Annotation)]
    assert [text for text in shown if text in ("borda", "nash")] == ["borda", "nash"]


def test_a_run_with_one_mediator_has_no_line() -> None:
    (axes,) = draw("utilities", decided_by(["borda"] * 4)).axes
    assert len(axes.get_lines()) == 4  # the stakeholders'


def test_names_of_mediators_that_would_run_into_each_other_are_left_out() -> None:
    labels = ["borda", "nash", "leximin", "copeland", "utilitarian", "egalitarian"] * 4
    figure = draw("utilities", decided_by(labels))
    figure.canvas.draw()
    (axes,) = figure.axes
    boxes = [note.get_window_extent() for note in axes.get_children() if isinstance(note, Annotation)]
    assert 2 <= len(boxes) < len(labels)
    assert not [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.overlaps(b)]
