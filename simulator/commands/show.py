"""`fairagents show`: one round of a run in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simulator.commands.target import RunPath

if TYPE_CHECKING:
    from simulator.records import Event
    from simulator.runs import Run


def show(
    run: RunPath,
    number: Annotated[int, typer.Option("--round", metavar="N", help="The round, counted from 1.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object: the rows and the events.")] = False,
) -> None:
    """Print one round: request, ballots and arguments, responses, outcome, arithmetic, justification, figures."""
    from simulator.runs.read import read_run

    done = read_run(run)
    events = _events(done, number)
    row, stakeholders = _rows(done, number)
    if as_json:
        import json

        found = {"round": number, "row": row, "stakeholders": stakeholders, "events": events}
        print(json.dumps(found, ensure_ascii=False, default=str))
        return
    from simulator.report.telling import tell

    for line in tell(done.title, number, row, stakeholders, events):
        print(line)


def _events(run: Run, number: int) -> list[Event]:
    """The events of a round, finished or not.

    Raises:
        InputError: the run has no such round.
    """
    from simulator.inputs.yamlfile import InputError, Problem

    last = 0
    for found, events in run.conversations():
        if found == number:
            return events
        last = max(last, found)
    has = f"rounds 1 to {last}" if last > 1 else "round 1 alone" if last else "no round yet"
    raise InputError([Problem(f"--round {number}", f"is no round of this run; it has {has}")])


def _rows(run: Run, number: int) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The line of rounds.csv and those of stakeholders.csv; none of a round that was not finished."""
    import json

    def lines(frame: Any) -> list[dict[str, Any]]:
        if "round" not in frame:
            return []
        text = frame[frame["round"] == number].to_json(orient="records", double_precision=15)
        found: list[dict[str, Any]] = json.loads(text)
        return found

    rounds = lines(run.rounds)
    return (rounds[0] if rounds else None), lines(run.stakeholders)
