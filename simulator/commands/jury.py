"""`fairagents jury`: personas judge whether outcomes serve the stakeholders' goals."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.arguments import CacheFile

if TYPE_CHECKING:
    from simulator.models.spec import ModelSpec
    from simulator.scenario import Scenario
    from simulator.studies.jury import Jury
    from simulator.studies.jury_cases import Outcomes

ROUNDS = 4

Target = Annotated[str, typer.Argument(metavar="RUN|SCENARIO", help="A run folder, or a scenario as in `run`.")]
Rounds = Annotated[
    int | None,
    typer.Option(min=1, help=f"Of a run, the first so many (default all); of a scenario, {ROUNDS} are played."),
]


def jury(
    target: Target,
    jurors: Annotated[int, typer.Option(min=1, help="How many of the shipped personas judge.")] = 5,
    rounds: Rounds = None,
    model: Annotated[
        str | None, typer.Option("--model", help="embedded, fake, openai(...); the scenario's own by default.")
    ] = None,
    no_reasons: Annotated[
        bool, typer.Option("--no-reasons", help="No reasons from small models: half of the calls.")
    ] = False,
    at_once: Annotated[int, typer.Option(min=1, help="Questions with the model at the same time.")] = 8,
    cache: CacheFile = None,
    out: Annotated[Path | None, typer.Option(metavar="CSV", help="Write every verdict with its reason.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Let personas judge from words alone whether each round's outcome serves each stakeholder's goal.

    Each juror's confusion matrix against the stated objectives stands beside the one that Dawid and Skene's model
    estimates from the verdicts alone. The rounds of a scenario are played by rational stakeholders with sealed ballots,
    without a model.
    """
    from simulator.commands.llmfosa.progress import AnswerView
    from simulator.commands.target import writable_file
    from simulator.models import create_model
    from simulator.rounds.loop import run as run_on_loop
    from simulator.seeds import child_seed
    from simulator.studies.jury import jury as study
    from simulator.studies.jury import verdict_rows

    if out is not None:
        writable_file(out, "--out")
    scenario, outcomes = _outcomes(target, rounds)
    made = create_model(_spec(scenario, model), seed=child_seed(scenario.file.seed, "jury"))
    assert made is not None
    try:
        with nullcontext() if as_json else AnswerView() as view:
            found = study(
                outcomes,
                made,
                jurors=jurors,
                reasons=not no_reasons,
                at_once=at_once,
                cache=cache,
                progress=_unseen if view is None else view.show,
            )
    finally:
        run_on_loop(made.close())
    if out is not None:
        from simulator.runs.lines import RowLines, to_bytes

        lines = RowLines()
        lines.add(verdict_rows(found))
        out.write_bytes(to_bytes(lines.take()))
    if as_json:
        import json

        from simulator.studies.jury_report import to_json

        print(json.dumps(to_json(found), ensure_ascii=False, allow_nan=False))
    else:
        _print(scenario, found)


def _unseen(stage: str, done: int, total: int) -> None:
    """Where a program reads what is printed, progress is not part of it."""


def _outcomes(target: str, rounds: int | None) -> tuple[Scenario, Outcomes]:
    """What is judged, with the scenario that it comes from; no code that a run folder brings is run."""
    from simulator.runs.folder import MANIFEST, SCENARIO
    from simulator.runs.read import read_run
    from simulator.scenario import load_scenario
    from simulator.studies.jury_cases import outcomes_of, rational_outcomes

    folder = Path(target)
    if _is_file(folder / MANIFEST):
        loaded = load_scenario(folder / SCENARIO, code=False)
        return loaded, outcomes_of(loaded, read_run(folder), rounds)
    loaded = load_scenario(target)
    return loaded, rational_outcomes(loaded, rounds or ROUNDS)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no path at all: too long, or with a NUL character
        return False


def _spec(scenario: Scenario, given: str | None) -> ModelSpec:
    """The model that speaks for the jurors.

    Raises:
        InputError: it is none, and there is nobody who reads words.
    """
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.models import parse_model

    spec = parse_model(scenario.file.model if given is None else given)
    if spec.name == "none":
        told = "none reads no words; name one that does by --model, such as embedded or openai(model=NAME)"
        raise InputError([Problem("model" if given is None else "--model", told)])
    return spec


def _print(scenario: Scenario, found: Jury) -> None:
    from simulator.studies.jury_report import confusion_rows, facts, juror_rows, stakeholder_rows
    from simulator.terminal import plain, print_table, printable

    print(f"{plain(scenario.file.title)}: does the outcome serve the goal?\n")
    for line in facts(found):
        print(printable(line))
    print("\nRatings no/partly/yes: by the stated objective, and by the jury from the goal in words\n")
    print_table(stakeholder_rows(found))
    print("\nJurors against the stated objectives; tau is between expected rating and how far the slate serves\n")
    print_table(juror_rows(found))
    print("\nConfusion matrices: measured against the stated objectives | estimated by Dawid-Skene without them\n")
    print_table(confusion_rows(found))
