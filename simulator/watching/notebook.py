"""A run in a notebook cell: its figures, redrawn in place."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from simulator.records import RoundRecord
from simulator.report.figures import LONGEST_NAME
from simulator.report.markup import Child, Markup, el, foreign, separated
from simulator.runs import MemoryRecorder

if TYPE_CHECKING:
    from simulator.scenario import Scenario

DRAWING_SHARE = 3.0
"""A figure is redrawn when so many times as long as its last drawing took has passed since."""

_STYLE = (
    "--paper: var(--jp-layout-color0, #fff); color: var(--jp-ui-font-color1, #1d1f21); display: grid; gap: .8rem; "
    "grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); align-items: start"
)


class NotebookView:
    """Shows a run in one display of the cell that makes it.

    Args:
        scenario: what is run.
        figures: kinds, see `simulator.plots`.

    Raises:
        ValueError: there is no such kind of figure.
    """

    def __init__(self, scenario: Scenario, figures: Sequence[str]) -> None:
        from simulator.plots import KINDS

        unknown = [kind for kind in figures if kind not in KINDS]
        if unknown:
            raise ValueError(f"there is no plot '{unknown[0]}'; known: {', '.join(KINDS)}")
        self._scenario = scenario
        self._figures = tuple(figures)
        self._memory = MemoryRecorder()
        self._display: Any = None
        self._next = 0.0
        self._drawn = 0

    def __enter__(self) -> Self:
        from IPython.display import HTML, display

        self._display = display(HTML(self._page()), display_id=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn < len(self._memory.records):
            self._draw()

    def round(self, record: RoundRecord) -> None:
        """Take a finished round, and redraw if the last drawing is long enough ago."""
        for event in record.events:
            self._memory.event(event)
        self._memory.round(record)
        if time.monotonic() >= self._next:
            self._draw()

    def _draw(self) -> None:
        from IPython.display import HTML

        started = time.monotonic()
        self._display.update(HTML(self._page()))
        self._drawn = len(self._memory.records)
        ended = time.monotonic()
        self._next = ended + DRAWING_SHARE * (ended - started)

    def _page(self) -> str:
        done, rounds = len(self._memory.records), self._scenario.file.rounds
        head: list[Child] = [el("strong", foreign(self._scenario.file.title, 200)), f" · round {done} of {rounds}"]
        if not done:
            return el("div", el("p", head))
        from simulator.report.drawings import svg

        run = self._memory.run({"title": self._scenario.file.title, "seed": self._scenario.file.seed})
        slate = str(self._memory.records[-1].row["slate"]).split("|")
        head += [": ", separated([foreign(item, LONGEST_NAME) for item in slate], ", ")]
        shown: list[Markup] = [svg(kind, run) for kind in self._figures]
        return el("div", el("p", head), el("div", shown, style=_STYLE))
