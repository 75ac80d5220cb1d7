"""The command `check`: of a scenario, and of a mediator."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from simulator.arguments import ScenarioName, Settings

_SCENARIO = "SCENARIO"  # the name that stands in the help for whatever a scenario is called


class _ScenarioOr(TyperGroup):
    """Whatever follows `check` and is no command's name names a scenario."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in ("mediator", *self.get_help_option_names(ctx)):
            args = [_SCENARIO, *args]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return "" if name == _SCENARIO else name, command, rest  # so that its usage says SCENARIO once


check_app = typer.Typer(
    cls=_ScenarioOr,
    help="Name every problem of a scenario at once, or put a mediator through the axioms.",
    epilog="Try: fairagents check tourism, fairagents check mediator borda. A folder called mediator is ./mediator.",
    no_args_is_help=True,
    subcommand_metavar="SCENARIO | mediator WHAT",
)


@check_app.command(_SCENARIO)
def check_scenario(
    scenario: ScenarioName,
    settings: Settings = [],  # noqa: B006  # typer copies the default
    no_code: Annotated[bool, typer.Option("--no-code", help="Import no user class.")] = False,
) -> None:
    """Name every problem of a scenario at once, with file, line and the nearest valid name."""
    from simulator.scenario import load_scenario

    loaded = load_scenario(scenario, settings, code=not no_code)
    for warning in loaded.warnings:
        print(f"warning: {warning}")
    items = f"{len(loaded.drawable)} of {len(loaded.catalogue)} items can be drawn, {loaded.candidate_count} a round"
    counts = f"{_counted(len(loaded.parties), 'stakeholder')}, {items}, {_counted(len(loaded.requests), 'request')}"
    print(f"{loaded.name}: fine. {counts}.")


@check_app.command("mediator")
def check_mediator(
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="A name, name(key=value), my_rules.py:MyRule or module:Class.")
    ],
    profiles: Annotated[int, typer.Option(min=0, help="Random profiles of each kind of ballots.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Of the random profiles.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Say which axioms a mediator holds, with a minimal counterexample for each that it does not.

    Asked are random profiles, profiles known to be bad, and all with up to 3 items and 3 ballots.

    Exit code 1: the rule breaks the contract of all mediators, or an axiom that it claims in its properties.
    """
    from simulator import registry
    from simulator.axioms.check import check_rule

    report = check_rule(registry.create("mediator", what), profiles=profiles, seed=seed)
    if as_json:
        import json

        print(json.dumps(report.to_json(), ensure_ascii=False, allow_nan=False))
    else:
        from simulator.axioms.telling import report_lines
        from simulator.terminal import printable

        print("\n".join(map(printable, report_lines(report))))
    if not report.holds:
        raise typer.Exit(1)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
