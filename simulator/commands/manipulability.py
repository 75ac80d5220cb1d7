"""`fairagents manipulability`: what lying pays under each mediator."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from simulator.arguments import ScenarioName, Settings


def manipulability(
    scenario: ScenarioName,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that each mediator decides.")] = 50,
    mediator: Annotated[str | None, typer.Option(help="Rules, separated by commas; all by default.")] = None,
    strategist: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who may misreport; everyone in turn by default.")
    ] = None,
    method: Annotated[str, typer.Option(help="best_response, compromise, burying or truncation.")] = "best_response",
    effort: Annotated[int, typer.Option(min=1, help="Ballots that are tried at most, each time.")] = 500,
    settings: Settings = [],  # noqa: B006  # typer copies the default
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a mediator and line.")] = False,
) -> None:
    """Show what a strategic stakeholder gains over honesty under each mediator, and who pays; no model."""
    from typing import get_args

    from simulator.callsyntax import split_calls
    from simulator.inputs.nearest import nearest
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.manipulation.best_response import Method
    from simulator.scenario import load_scenario
    from simulator.studies.manipulability import manipulability as study
    from simulator.studies.rational import every_rule
    from simulator.terminal import print_table, printable

    loaded = load_scenario(scenario, settings, model="none")
    names = [party.name for party in loaded.parties]
    problems = []
    if strategist is not None and strategist not in names:
        problems.append(
            Problem(f"--strategist {strategist}", f"there is no such stakeholder{nearest(strategist, names)}")
        )
    if method not in get_args(Method):
        hint = nearest(method, list(get_args(Method)))
        problems.append(Problem(f"--method {method}", f"there is no such method{hint}"))
    if problems:
        raise InputError(problems)
    rules = list(every_rule()) if mediator is None else split_calls(mediator)
    found, left_out = study(loaded, rules, rounds, strategist=strategist, method=method, effort=effort)  # type: ignore[arg-type]  # checked above
    for line in left_out:
        print(f"warning: {printable(line)}", file=sys.stderr)
    if as_json:
        import json

        for each in found:
            print(json.dumps(each.to_json(), ensure_ascii=False, allow_nan=False))
    else:
        print_table([each.row() for each in found])
