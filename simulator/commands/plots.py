"""`fairagents plots`: figures of a run as files, for screens and for papers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simulator.commands.target import RunPath, one_of, writable_folder


def plots(
    run: RunPath,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND[,KIND]", help="Such as utilities,fairness; all that fit by default.")
    ] = None,
    plot_format: Annotated[str, typer.Option("--format", help="png, svg or pdf.")] = "png",
    width: Annotated[
        str,
        typer.Option(
            help="screen; page (7 in) or column (3.4 in) of a paper with two columns, without titles, fonts embedded."
        ),
    ] = "screen",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where they are written; RUN/plots by default.")
    ] = None,
) -> None:
    """Draw figures of a run; prints the path of each file."""
    from simulator.plots import FORMATS, KINDS, MEDIA, write_plots
    from simulator.runs.read import read_run

    one_of("--format", [plot_format], FORMATS)
    one_of("--width", [width], MEDIA)
    kinds = None if kind is None else list(dict.fromkeys(name.strip() for name in kind.split(",") if name.strip()))
    if kinds is not None:
        one_of("--kind", kinds or [""], KINDS)
    done = read_run(run)
    folder = writable_folder(run / "plots" if out is None else out, "--out")
    for path in write_plots(done, folder, format=plot_format, kinds=kinds, width=width):
        print(path)
