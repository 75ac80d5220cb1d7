"""The command line. Every command imports what it needs when it runs, so that `fairagents --help` answers at once."""

from __future__ import annotations

import inspect
import os
import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from simulator.arguments import CacheFile, ScenarioName, Settings
from simulator.checking import check_app
from simulator.commands.align import align
from simulator.commands.cache import cache_app
from simulator.commands.compare import compare
from simulator.commands.dashboard import dashboard
from simulator.commands.jury import jury
from simulator.commands.llmfosa import llmfosa_app
from simulator.commands.loads import loads
from simulator.commands.manipulability import manipulability
from simulator.commands.plots import plots
from simulator.commands.report import report
from simulator.commands.show import show
from simulator.commands.sweep import sweep
from simulator.commands.tensions import tensions

app = typer.Typer(
    name="fairagents",
    help="Negotiations of LLM stakeholders, mediated by social choice, with fairness logged.",
    epilog="Try: fairagents run tourism --rounds 3",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
new_app = typer.Typer(help="Write a new stakeholder or mediator, with a test beside it.", no_args_is_help=True)
app.add_typer(cache_app, name="cache")
app.add_typer(check_app, name="check")
app.add_typer(llmfosa_app, name="llmfosa")
app.add_typer(new_app, name="new")

Version = Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)]
NewFolder = Annotated[Path, typer.Option("--out", help="Where both files are written.")]


@app.callback(invoke_without_command=True)
def version(show: Version = False) -> None:
    """Negotiations of LLM stakeholders, mediated by social choice, with fairness logged."""
    if show:
        from simulator import __version__

        print(f"fair-agents {__version__}")
        raise typer.Exit


@app.command()
def run(
    scenario: ScenarioName,
    rounds: Annotated[int | None, typer.Option(help="Rounds to negotiate.")] = None,
    seed: Annotated[int | None, typer.Option(help="Root of every random draw.")] = None,
    mediator: Annotated[str | None, typer.Option(help="Such as borda or seq_pav(approve=top-3).")] = None,
    model: Annotated[
        str | None, typer.Option(help="embedded, fake, none, openai(model=...), ollama(model=...).")
    ] = None,
    settings: Settings = [],  # noqa: B006  # typer copies the default
    out: Annotated[Path, typer.Option(help="Where the run folder is made.")] = Path("runs"),
    cache: CacheFile = None,
    budget: Annotated[
        int | None, typer.Option(min=1, metavar="TOKENS", help="Stop when the models have used so many tokens.")
    ] = None,
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Leave out figures and report.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Figures on the terminal while it runs.")] = False,
) -> None:
    """Run a scenario; the last line printed is the run folder."""
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.models.base import BudgetSpent
    from simulator.scenario import load_scenario
    from simulator.simulate import run as run_scenario
    from simulator.terminal import RunView
    from simulator.watching.screen import ScreenView

    loaded = load_scenario(scenario, settings, rounds=rounds, seed=seed, mediator=mediator, model=model)
    standing = next(folder for folder in (out, *out.absolute().parents) if os.path.exists(folder))
    if not standing.is_dir():
        raise InputError([Problem(f"--out {standing}", "is a file; name a folder")])
    if not os.access(standing, os.W_OK | os.X_OK):
        raise InputError([Problem(f"--out {standing}", "cannot be written to; name another folder")])
    for warning in loaded.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that a terminated run closes its folder as cancelled
    try:
        with (ScreenView if watch else RunView)(loaded) as view:
            result = run_scenario(loaded, out=out, plots=not no_plots, watch=view.round, cache=cache, budget=budget)
    except BudgetSpent as stop:
        print("\n".join([f"the run was stopped: {stop}", *_notes(stop)]), file=sys.stderr)
        raise typer.Exit(1) from None
    except (KeyboardInterrupt, SystemExit) as stop:
        print("\n".join(["the run was stopped", *_notes(stop)]), file=sys.stderr)
        raise
    view.summary(result)
    print(result.path)


@app.command("list")
def list_things(
    what: Annotated[
        str,
        typer.Argument(help="mediators, metrics, protocols, dynamics, derivations, stakeholders, scenarios, models"),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="A JSON list of objects.")] = False,
) -> None:
    """List what can be named in a scenario."""
    from simulator.listing import listing

    rows = listing(what)
    if as_json:
        import json

        print(json.dumps(rows, ensure_ascii=False, indent=2))
    elif what == "mediators":
        from simulator.listing import mediator_lines
        from simulator.terminal import printable

        print("\n".join(map(printable, mediator_lines(rows))))
    else:
        from simulator.terminal import print_table

        print_table(rows)


@app.command()
def schema() -> None:
    """Print the JSON Schema of the scenario file, for editors."""
    import json

    from simulator.scenario.schema import ScenarioFile

    print(json.dumps(ScenarioFile.model_json_schema(), indent=2))


@app.command()
def mediate(
    profile: Annotated[
        Path,
        typer.Argument(
            metavar="PROFILE",
            help='PrefLib (.soc .soi .toc .toi .cat) or .json, {"ballots": [{"ranking": ["a", "b"]}]}.',
        ),
    ],
    mediator: Annotated[str, typer.Option(help="One rule or several, separated by commas.")] = "borda",
    k: Annotated[int, typer.Option(help="Size of the slate.")] = 1,
    tie: Annotated[str, typer.Option(help="item_order or seeded.")] = "item_order",
    seed: Annotated[int, typer.Option(help="For the seeded tie rule and for lotteries.")] = 0,
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the profile, in the format that the ending says.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a mediator and line.")] = False,
) -> None:
    """Aggregate one profile of ballots from a file by one rule or several."""
    import json

    from simulator.callsyntax import split_calls
    from simulator.inputs.profile_file import read_profile, write_profile
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.mediation import mediate as aggregate
    from simulator.terminal import plain

    ballots = read_profile(profile)
    outcomes = []
    problems = []
    for rule in split_calls(mediator):
        try:
            outcomes.append(aggregate(ballots, rule, k=k, tie=tie, seed=seed))
        except ValueError as error:
            problems.append(Problem(f"mediate {rule}", str(error)))
    if problems:
        raise InputError(problems)
    if write is not None:
        write_profile(ballots, write)
    for outcome in outcomes:
        if as_json:
            print(json.dumps(outcome.to_json(), ensure_ascii=False, allow_nan=False))
        else:
            tiers = " > ".join(" = ".join(map(plain, tier)) for tier in outcome.tiers)
            print(f"{outcome.mediator}: {tiers}\n  delivers {', '.join(map(plain, outcome.slate))}")


@new_app.command("stakeholder")
def new_stakeholder(
    name: Annotated[str, typer.Argument(help="Its name, such as night_owl.")],
    out: NewFolder = Path(),
) -> None:
    """Write a stakeholder that runs in the tourism scenario as it is, and a test of it."""
    from simulator.scaffold import write_stakeholder

    for path in write_stakeholder(name, out):
        print(path)


@new_app.command("mediator")
def new_mediator(
    name: Annotated[str, typer.Argument(help="Its name, such as top_places.")],
    out: NewFolder = Path(),
) -> None:
    """Write a mediator that decides as it is, and a test that puts it through the axioms."""
    from simulator.scaffold import write_mediator

    for path in write_mediator(name, out):
        print(path)


for command in (tensions, loads, align, jury, manipulability, sweep, compare, dashboard, report, plots, show):
    app.command()(command)
for group in (app, cache_app, check_app, llmfosa_app, new_app):
    for registered in group.registered_commands:  # typer would keep the docstring's line breaks after its first line
        paragraphs = (inspect.getdoc(registered.callback) or "").split("\n\n")
        registered.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _notes(error: BaseException) -> list[str]:
    return getattr(error, "__notes__", [])


def main(arguments: list[str] | None = None) -> None:
    """The command `fairagents`: exit code 0 done, 1 the run failed, 2 the input was wrong."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal of another encoding shows what it cannot show as \\uXXXX
            stream.reconfigure(errors="backslashreplace")
    try:
        app(args=arguments)
    except BrokenPipeError:  # the reader of our output has gone; nobody is left to tell
        sys.stderr.close()
        sys.exit(1)
    except (Exception, BaseExceptionGroup) as raised:
        error: BaseException = raised
        while isinstance(error, BaseExceptionGroup):  # of the stakeholders that were asked at the same time
            error = error.exceptions[0]
        from simulator.inputs.failures import wrong_input

        lines = wrong_input(error)
        failure = [f"the run failed: {type(error).__name__}: {error}", *_notes(raised)]
        print("\n".join(lines or failure), file=sys.stderr)
        sys.exit(2 if lines else 1)
