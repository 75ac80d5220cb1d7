"""Arguments and options that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

Settings = Annotated[list[str], typer.Option("--set", metavar="KEY=VALUE", help="Override any key of the scenario.")]
ScenarioName = Annotated[str, typer.Argument(metavar="SCENARIO", help="A file, a folder or a shipped name.")]
