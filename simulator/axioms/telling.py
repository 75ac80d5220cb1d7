"""A report on a rule in words, for people at a terminal."""

from __future__ import annotations

import textwrap

from simulator.axioms.check import Report, Verdict

WIDTH = 100


def report_lines(report: Report) -> list[str]:
    """What held and what did not, contract first, then what the rule claims, then what it does not."""
    groups = (
        ("Contract of every mediator", [v for v in report.verdicts if v.axiom.part == "contract"]),
        ("Claimed", [v for v in report.verdicts if v.claimed]),
        ("Not claimed", [v for v in report.verdicts if not v.counts]),
    )
    lines = []
    for title, verdicts in groups:
        if verdicts:
            lines += [title, *(line for verdict in verdicts for line in _verdict_lines(verdict))]
    for name, _, hint in (claim.partition("; ") for claim in report.unknown):
        lines.append(f"It claims {name}, which is no axiom that can be checked here{'; ' + hint if hint else '.'}")
    return [*lines, f"{report.mediator}: {summary(report)}"]


def summary(report: Report) -> str:
    """Whether the contract and the claims held, in one sentence."""
    wrong = [verdict.axiom.name for verdict in report.verdicts if verdict.counts and verdict.counterexample is not None]
    wrong += [claim.split(";")[0] for claim in report.unknown]
    if wrong:
        return f"fails what it must hold: {', '.join(wrong)}."
    claims = sum(verdict.claimed for verdict in report.verdicts)
    return f"the contract and all {claims} claims held." if claims else "the contract held; it claims nothing."


def _verdict_lines(verdict: Verdict) -> list[str]:
    held = verdict.counterexample is None
    counts = f"{verdict.random} random and {verdict.worst} worst-case profiles"
    after = f"held on {counts}" if held else f"after {counts}"
    lines = [f"  {'holds ' if held else 'FAILS '} {verdict.axiom.name:<25}{after}"]
    if verdict.counterexample is not None:
        sentence, *rest = verdict.counterexample.lines()
        lines += textwrap.wrap(sentence, WIDTH, initial_indent=" " * 10, subsequent_indent=" " * 10)
        lines += [f"{'':<12}{line}" for line in rest]
    return lines
