"""A run on a terminal's screen, redrawn in place; plain lines where there is none."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from simulator.records import RoundRecord
from simulator.terminal import RunView

if TYPE_CHECKING:
    from simulator.scenario import Scenario

REDRAWN = 4  # times a second
KEPT = 120
"""So many rounds are kept: more than a line of a terminal can show."""


class ScreenView(RunView):
    """Shows the figures of a run while it happens.

    A person who answers at the terminal needs it for that: such a run prints lines, and so does one whose output goes
    into a file.
    """

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._records: list[RoundRecord] = []
        self._live: Any = None
        self._console: Any = None

    def __enter__(self) -> Self:
        asks = any(party.kind is not None and party.kind.asks_person for party in self._scenario.parties)
        if asks or not sys.stdout.isatty():
            return super().__enter__()
        from rich.console import Console
        from rich.live import Live

        self._console = Console()
        self._live = Live(
            console=self._console, get_renderable=self._screen, refresh_per_second=REDRAWN, vertical_overflow="crop"
        )
        self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        super().__exit__(kind, raised, trace)

    def round(self, record: RoundRecord) -> None:
        """Take a finished round; what it is the first to warn of stands above the screen."""
        self._records = [*self._records[-KEPT + 1 :], record]
        super().round(record)

    def _print(self, line: str, plainly: TextIO | None = None) -> None:
        if self._live is None:
            super()._print(line, plainly)
        elif plainly is not None:
            self._console.print(line, markup=False, highlight=False)

    def _screen(self) -> Any:
        from simulator.watching.picture import screen

        return screen(self._scenario, self._records, self._console.width)
