"""The page: one HTML file without scripts that asks nothing of any network."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.plots import kinds_of
from simulator.plots.changes import deciders
from simulator.report.asides import asides, cautions, manipulation
from simulator.report.drawings import drawings
from simulator.report.facts import served
from simulator.report.markup import Child, Markup, el, foreign, separated
from simulator.report.round_table import round_table
from simulator.report.sheet import SHEET
from simulator.report.summary import summary
from simulator.report.terms import terms
from simulator.report.world import PICTURES, world

if TYPE_CHECKING:
    from simulator.runs import Run

# The browser itself refuses whatever a foreign text might smuggle in: no script, no frame, no request.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def write_report(run: Run, path: Path | str) -> Path:
    """Write the report of a run as one self-contained HTML file, replacing an older one in one step.

    Of a long run the conversations of a stated sample of rounds are told, so that the file stays small enough to open.
    """
    target = Path(path)
    part = target.with_name(f".{target.name}.part")
    part.write_text(page(run), encoding="utf-8", newline="\n")
    os.replace(part, target)
    return target


def page(run: Run) -> str:
    """The report as HTML."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", run.title[:200]),
        el("style", Markup(SHEET)),
    )
    kinds = kinds_of(run)
    found = asides(run)
    body = el(
        "body",
        el("h1", foreign(run.title, 200)),
        el("p", _facts(run), class_="facts"),
        summary(run, served(run)),
        cautions(run, found),
        terms(run),
        el("h2", "The run in pictures"),
        drawings(run, [kind for kind in kinds if kind not in PICTURES]),
        world(run, kinds),
        manipulation(run, found),
        el("h2", "Round by round"),
        round_table(run),
        el("h2", "Manifest"),
        _manifest(run),
    )
    return f"<!DOCTYPE html>\n{el('html', head, body, lang='en')}\n"


def _facts(run: Run) -> Markup:
    facts: list[Child] = []
    if rules := deciders(run):
        facts.append(["decided by ", el("code", foreign(", then ".join(rules), 200))])
    known = [key for key in ("model", "seed", "started") if run.manifest.get(key) is not None]
    return separated([*facts, *([f"{key} ", el("code", foreign(run.manifest[key], 80))] for key in known)])


def _manifest(run: Run) -> Markup:
    lines = [
        el("tr", el("th", foreign(key, 60), scope="row"), el("td", foreign(_plain(value), 2000)))
        for key, value in run.manifest.items()
    ]
    return el("div", el("table", el("tbody", lines)), class_="wide")


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
