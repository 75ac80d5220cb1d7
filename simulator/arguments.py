"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Settings = Annotated[list[str], typer.Option("--set", metavar="KEY=VALUE", help="Override any key of the scenario.")]
ScenarioName = Annotated[str, typer.Argument(metavar="SCENARIO", help="A file, a folder or a shipped name.")]
CacheFile = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        envvar="FAIRAGENTS_CACHE",
        metavar="FILE",
        help="A file of model replies: what it has is not asked again, what it has not is added.",
    ),
]
