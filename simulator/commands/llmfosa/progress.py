"""How far an inference is: a bar on a terminal, a line for every tenth elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self

_LINES = 10  # of a stage, where there is no terminal


class AnswerView:
    """Shows answers as they come."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}
        self._said: dict[str, int] = {}

    def __enter__(self) -> Self:
        if sys.stdout.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, transient=True)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` answers of a stage are there."""
        if not total:
            return
        if self._bar is not None:
            if stage not in self._tasks:
                self._tasks[stage] = self._bar.add_task(stage, total=total)
            self._bar.update(self._tasks[stage], completed=done, total=total)
            return
        tenth = done * _LINES // total
        if tenth > self._said.get(stage, 0):
            self._said[stage] = tenth
            print(f"{stage}: {done} of {total}", flush=True)
