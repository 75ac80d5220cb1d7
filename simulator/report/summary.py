"""The run in plain words: who was served, who was not, and how far the figures can be trusted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from simulator.plots.changes import regimes
from simulator.report.facts import Served, gap_closed, mean
from simulator.report.figures import LONGEST_NAME, count, number, percent
from simulator.report.markup import Child, Markup, el, foreign, join, separated
from simulator.report.stakeholder_table import stakeholder_table

if TYPE_CHECKING:
    from simulator.runs import Run


def summary(run: Run, parties: Sequence[Served]) -> Markup:
    """The banner if the run did not end well, the sentences, and the table of stakeholders."""
    sentences = [
        _served(run, parties),
        _mediators(run),
        _agreement(run),
        _dry_spells(parties),
        _alignment(parties),
        _faults(run, parties),
        _small_model(run),
    ]
    said = [el("li", sentence) for sentence in sentences if sentence]
    return join([_banner(run), el("ul", said, class_="plain") if said else None, stakeholder_table(parties)])


def _banner(run: Run) -> Markup | None:
    status = run.manifest.get("status")
    if status in (None, "success"):
        return None
    asked = run.manifest.get("rounds_asked")
    done = count(len(run.rounds), "round") + (f" of {asked}" if isinstance(asked, int) else "")
    said = {
        "error": f"The run failed after {done}.",
        "cancelled": f"The run was stopped after {done}.",
        "started": f"The run has not ended: {done} done so far, or it was killed.",
    }.get(str(status), f"The run's status is {status}, after {done}.")
    error = run.manifest.get("error")
    return el("p", said, [" ", foreign(error, 500)] if error else None, class_="banner")


def _name(name: str) -> Markup:
    return el("strong", foreign(name, LONGEST_NAME))


def _served(run: Run, parties: Sequence[Served]) -> Markup | None:
    known = [party for party in parties if not math.isnan(party.utility)]
    if not known:
        return None
    best, least = max(known, key=lambda party: party.utility), min(known, key=lambda party: party.utility)
    said: list[Child] = [
        f"Over {count(len(run.rounds), 'round')}, the delivered slates gave the stakeholders a utility of "
        f"{number(mean(party.utility for party in known))} on average (0 to 1)."
    ]
    if len(known) > 1:
        said += [
            " Served best: ", _name(best.name), f" with {number(best.utility)}. Served least: ", _name(least.name),
            f" with {number(least.utility)}, in its worst round {number(least.worst)}.",
        ]  # fmt: skip
    return join(said)


def _mediators(run: Run) -> Markup | None:
    """Who took over from whom, in a run that changed its mediator."""
    found = regimes(run)
    if len(found) < 2:
        return None
    later: list[Child] = [
        [el("code", foreign(regime.mediator, 80)), f" from round {regime.round} on"] for regime in found[1:6]
    ]
    more = f", and {len(found) - 6} changes more" if len(found) > 6 else ""
    return join(
        [el("code", foreign(found[0].mediator, 80)), " decided first, then ", separated(later, ", "), f"{more}."]
    )


def _agreement(run: Run) -> Markup | None:
    if not {"agreed", "turns", "ending"} <= set(run.rounds) or run.rounds.empty:
        return None
    if (run.rounds["ending"] == "sealed").all():
        return join(["The ballots were sealed: nobody was asked to agree."])
    agreed, rounds = int((run.rounds["ending"] == "agreement").sum()), len(run.rounds)
    share = f"{agreed:,} of {count(rounds, 'round')} ({percent(agreed / rounds)})"
    turns = number(float(run.rounds["turns"].mean()), 1)
    return join([f"{share} ended in agreement; a round took {turns} turns on average."])


def _dry_spells(parties: Sequence[Served]) -> Markup | None:
    known = [party for party in parties if not math.isnan(party.dry_spell)]
    if not known:
        return None
    longest = max(party.dry_spell for party in known)
    if longest == 0:
        return join(["Every slate held something that each stakeholder had among its own first choices."])
    dry = [party for party in known if party.dry_spell == longest]
    named = _listed([_name(party.name) for party in dry[:3]], others=len(dry) - 3)
    return join(
        [named, f" waited longest: {count(int(longest), 'round')} in a row without any of their own first choices."]
    )


def _alignment(parties: Sequence[Served]) -> Markup | None:
    pairs = [(p.alignment, p.baseline) for p in parties if not math.isnan(p.alignment + p.baseline)]
    if not pairs:
        return None
    found, baseline = mean(pair[0] for pair in pairs), mean(pair[1] for pair in pairs)
    closed = gap_closed(found, baseline)
    tail = "" if math.isnan(closed) else f": {percent(closed)} of the way from there to 1"
    return join([
        f"The proposals followed the stated objectives with a Kendall tau of {number(found)} on average; "
        f"equal weights with the right signs would reach {number(baseline)}{tail}."
    ])  # fmt: skip


def _small_model(run: Run) -> Markup | None:
    if not str(run.manifest.get("model", "")).startswith("embedded"):
        return None
    return join(["The arguments were written by a very small model; what they say about the items is often wrong."])


def _faults(run: Run, parties: Sequence[Served]) -> Markup | None:
    if "calls" not in run.stakeholders:
        return None
    faults: Counter[str] = Counter()
    repairs: Counter[str] = Counter()
    for party in parties:
        faults.update(party.faults)
        repairs.update(party.repairs)
    missing = int(run.rounds["missing_values"].sum()) if "missing_values" in run.rounds else 0
    gaps = f" {count(missing, 'missing attribute value')} counted as 0.5." if missing else ""
    if not faults and not repairs:
        return join([f"No reply of a stakeholder needed repair.{gaps}"])
    found = f"Faults found in replies: {_counted(faults)}." if faults else "No faults were found in replies."
    repaired = f" Repairs: {_counted(repairs)}." if repairs else ""
    return join([f"{found}{repaired}{gaps}"])


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {amount:,}" for name, amount in counts.items())


def _listed(names: list[Markup], others: int) -> Markup:
    parts: list[Child] = list(names)
    if others > 0:
        parts.append(f"{others} more")
    joined: list[Child] = [parts[0]]
    for place, part in enumerate(parts[1:], start=1):
        joined += [" and " if place == len(parts) - 1 else ", ", part]
    return join(joined)
