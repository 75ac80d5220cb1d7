"""`fairagents llmfosa audit`: a finished run against the true groups."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def audit(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder of a scenario with inferred groups.")],
    truth: Annotated[Path, typer.Option(metavar="FILE", help="CSV with the columns user and group.")],
    by: Annotated[str, typer.Option(help="Column of the catalogue whose kinds are compared.")] = "genre",
    stakeholder: Annotated[str, typer.Option(help="Whose utility is compared.")] = "user",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a block of rounds and line.")] = False,
) -> None:
    """Show the gaps between the true groups of users beside those by inferred shares, block by block.

    Nobody in the run has seen the truth, and no line is about a single user.
    """
    from simulator.llmfosa.bridge.truth import true_figures
    from simulator.terminal import print_table

    table = true_figures(run, truth, by=by, stakeholder=stakeholder)
    if as_json:
        print(table.to_json(orient="records", lines=True), end="")
        return
    if table.empty:
        print("no block of rounds is complete; figures of single users are not given out")
    print_table([{str(name): value for name, value in row.items()} for row in table.round(4).to_dict("records")])
