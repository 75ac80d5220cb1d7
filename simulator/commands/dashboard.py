"""`fairagents dashboard`: a scenario live in the browser."""

from __future__ import annotations

import contextlib
import signal
import sys
from typing import Annotated

import typer

from simulator.arguments import ScenarioName, Settings


def dashboard(
    scenario: ScenarioName,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8765,
    rounds: Annotated[int | None, typer.Option(help="Rounds to play.")] = None,
    seed: Annotated[int | None, typer.Option(help="Root of every random draw.")] = None,
    mediator: Annotated[str | None, typer.Option(help="Such as borda or seq_pav(approve=top-3).")] = None,
    protocol: Annotated[str | None, typer.Option(help="Such as sealed or deliberation(turns=3).")] = None,
    model: Annotated[str | None, typer.Option(help="embedded, fake, none, openai(...), ollama(...).")] = None,
    settings: Settings = [],  # noqa: B006  # typer copies the default
    browser: Annotated[bool, typer.Option("--browser", help="Open the page in the system's browser.")] = False,
) -> None:
    """Watch and steer a scenario in the browser: step, play, another mediator in mid-run, people who drag rankings.

    The page is for this machine alone and needs no network; every browser has a world of its own. Needs the extra
    `dashboard`. Ctrl-C ends it.
    """
    from simulator.dashboard.choices import Choices
    from simulator.dashboard.serve import check_installed, serve

    check_installed()
    made = Choices(scenario, mediator, protocol, model, seed, rounds, settings=tuple(settings))
    made.load()  # what is wrong is said here, before any page
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that nothing of it is left behind
    with contextlib.suppress(KeyboardInterrupt):
        serve(made, port=port, browser=browser, say=lambda address: print(f"the page is at {address}", flush=True))
