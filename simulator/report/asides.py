"""What the log holds beside the negotiation: strategic ballots with what they gained, and cautions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.records import Event
from simulator.report.figures import LONGEST_NAME, count, signed
from simulator.report.markup import Markup, el, foreign, join
from simulator.report.reading import mapping, real, text

if TYPE_CHECKING:
    from simulator.runs import Run

COLUMNS = ("mean change", "in its best round", "in its worst round", "rounds better", "rounds worse")
NOTHING = 1e-9  # a gain below it is rounding


@dataclass(frozen=True, slots=True)
class Asides:
    """The `manipulation` and `warning` events of the finished rounds, in order."""

    manipulations: Sequence[Event]
    warnings: Sequence[Event]


def asides(run: Run) -> Asides:
    """Read them from the log."""
    finished = set(run.rounds["round"]) if "round" in run.rounds else set()
    found = [event for event in run.events("manipulation", "warning") if event["round"] in finished]
    return Asides(
        [event for event in found if event["event"] == "manipulation"],
        [event for event in found if event["event"] == "warning"],
    )


def manipulation(run: Run, found: Asides) -> Markup | None:
    """What strategic ballots gained over honest ones, and who paid; nothing where nobody was strategic."""
    if not found.manipulations:
        return None
    strategists = dict.fromkeys(str(event.get("stakeholder")) for event in found.manipulations)
    return join([
        el("h2", "Strategic ballots"),
        el(
            "p",
            "Each round's opening ballots were decided once more with the honest ballot in the strategist's place. The "
            "figures are true utilities of the slate with the strategic ballot less those with the honest one.",
        ),
        (
            _strategist(name, [e for e in found.manipulations if e.get("stakeholder") == name], run)
            for name in strategists
        ),
    ])  # fmt: skip


def _strategist(name: str, events: Sequence[Event], run: Run) -> Markup:
    gains = {other: np.array([real(mapping(e.get("gains")).get(other)) for e in events]) for other in run.names}
    own = np.nan_to_num(gains.get(name, np.zeros(len(events))))
    better, worse = int((own > NOTHING).sum()), int((own < -NOTHING).sum())
    head = el(
        "tr",
        el("th", "who"),
        (el("th", title, class_="n") for title in COLUMNS),
    )
    lines = []
    for other, values in gains.items():
        known = values[~np.isnan(values)]
        if not len(known):
            continue
        tone = "yes" if known.mean() > NOTHING else "no" if known.mean() < -NOTHING else None
        cells = (
            el("td", el("span", signed(float(known.mean()), 3), class_=tone), class_="n"),
            el("td", signed(float(known.max()), 3), class_="n"),
            el("td", signed(float(known.min()), 3), class_="n"),
            el("td", f"{int((known > NOTHING).sum()):,}", class_="n"),
            el("td", f"{int((known < -NOTHING).sum()):,}", class_="n"),
        )
        lines.append(el("tr", el("th", foreign(other, LONGEST_NAME), scope="row"), cells))
    kinds = Counter(text(event, "misreport") or "none" for event in events)
    often = ", ".join(f"{kind} ({times:,})" for kind, times in kinds.most_common(3))
    return join([
        el(
            "p",
            el("strong", foreign(name, LONGEST_NAME)),
            f" gained in {count(better, 'round')} of {len(events):,} and lost in {worse:,}. Its ballots, most often: ",
            foreign(often, 300),
            ".",
        ),
        el("div", el("table", el("thead", head), el("tbody", lines)), class_="wide"),
    ])  # fmt: skip


def cautions(run: Run, found: Asides) -> Markup | None:
    """What the scenario's check and the rounds had to say, each thing once, with how often it held."""
    listed = run.manifest.get("warnings")
    said = [str(warning) for warning in listed] if isinstance(listed, list) else []
    rounds: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], Event] = {}
    for event in found.warnings:
        key = (text(event, "kind"), str(event.get("stakeholder", "")))
        rounds[key] += 1
        first.setdefault(key, event)
    known = {text(event, "message") for event in first.values()}
    lines = [el("li", foreign(warning, 500)) for warning in said if warning not in known]
    for key, event in first.items():
        held = f" Held in {count(rounds[key], 'round')}, first in round {event['round']}."
        lines.append(el("li", foreign(text(event, "message"), 500), el("small", held)))
    if not lines:
        return None
    return el("div", el("p", el("strong", "Read with caution")), el("ul", lines), class_="banner")
