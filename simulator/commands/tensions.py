"""`fairagents tensions`: who is at odds with whom and over what, and whom each mediator serves."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.arguments import ScenarioName, Settings
from simulator.commands.rules import Rounds, Rules, chosen, say_left_out


def tensions(
    scenario: ScenarioName,
    rounds: Rounds = 200,
    mediator: Rules = None,
    settings: Settings = [],  # noqa: B006  # typer copies the default
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show whose interests conflict, and whom each mediator serves; rational stakeholders, sealed ballots, no model."""
    from simulator.scenario import load_scenario
    from simulator.studies.tensions import tensions as study
    from simulator.terminal import print_table

    found = study(load_scenario(scenario, settings, model="none"), chosen(mediator), rounds)
    say_left_out(found.left_out)
    if as_json:
        import json

        print(json.dumps(found.to_json(), ensure_ascii=False, allow_nan=False))
        return
    print_table(found.pair_rows())
    print()
    print_table(found.service_rows())
