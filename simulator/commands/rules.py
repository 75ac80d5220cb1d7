"""What the commands that compare mediators share: their arguments, and what they say of a mediator that failed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

Rounds = Annotated[int, typer.Option(min=1, help="Rounds that each mediator decides.")]
Rules = Annotated[str | None, typer.Option("--mediator", help="Rules, separated by commas; all by default.")]


def chosen(mediators: str | None) -> Sequence[str]:
    """The rules to compare, as calls."""
    if mediators is None:
        from simulator.studies.rational import every_rule

        return every_rule()
    from simulator.callsyntax import split_calls

    return split_calls(mediators)


def say_left_out(lines: Sequence[str]) -> None:
    """Name the rules that had to be left out, beside the output."""
    from simulator.terminal import printable

    for line in lines:
        print(f"warning: {printable(line)}", file=sys.stderr)
