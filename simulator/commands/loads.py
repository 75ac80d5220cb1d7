"""`fairagents loads`: what fills up in the long run under each mediator."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.arguments import ScenarioName, Settings
from simulator.commands.rules import Rounds, Rules, chosen, say_left_out


def loads(
    scenario: ScenarioName,
    rounds: Rounds = 200,
    mediator: Rules = None,
    array: Annotated[str | None, typer.Option(help="State array to look at; the scenario's first by default.")] = None,
    settings: Settings = [],  # noqa: B006  # typer copies the default
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a mediator and line.")] = False,
) -> None:
    """Show what fills up in the long run under each mediator; rational stakeholders, sealed ballots, no model."""
    from simulator.scenario import load_scenario
    from simulator.studies.loads import load_array
    from simulator.studies.loads import loads as study
    from simulator.terminal import print_table

    loaded = load_scenario(scenario, settings, model="none")
    found, left_out = study(loaded, chosen(mediator), load_array(loaded, array), rounds)
    say_left_out(left_out)
    if as_json:
        import json

        for load in found:
            print(json.dumps(load.to_json(), ensure_ascii=False, allow_nan=False))
    else:
        print_table([load.row() for load in found])
