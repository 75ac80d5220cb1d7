"""`fairagents report`: the report of a run, written anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simulator.commands.target import RunPath, writable_file


def report(
    run: RunPath,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where it is written; RUN/report.html by default.")
    ] = None,
) -> None:
    """Write a run's report: one HTML file that opens without a network. The last line printed is its path.

    It also reports on a run that was killed, up to its last finished round.
    """
    from simulator.report import write_report
    from simulator.runs.read import read_run

    done = read_run(run)
    print(write_report(done, writable_file(run / "report.html" if out is None else out, "--out")))
