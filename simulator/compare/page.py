"""A comparison as one self-contained HTML file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.compare.figures import FIGURES
from simulator.report.drawings import svg_of
from simulator.report.figures import count, number
from simulator.report.markup import Child, Markup, el, foreign
from simulator.report.page import POLICY
from simulator.report.sheet import SHEET

if TYPE_CHECKING:
    from simulator.compare.comparison import Comparison

QUESTIONS = {
    "price_of_fairness": "What does equality cost?",
    "who_is_served": "Who wins under which rule?",
    "intervals": "What does every group reach, over its seeds?",
    "differences": "How far is every group from the baseline, seed by seed? Filled: Holm's p is below .05.",
    "agreement": "How far do the groups decide alike, on the same candidates?",
}


def write_page(comparison: Comparison, path: Path) -> Path:
    """Write the comparison as one HTML file without scripts, replacing an older one in one step."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(page(comparison), encoding="utf-8", newline="\n")
    os.replace(part, path)
    return path


def page(comparison: Comparison) -> str:
    """The comparison as HTML."""
    title = f"Comparison: {comparison.members[0].run.title}"
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title[:200]),
        el("style", Markup(SHEET)),
    )
    seeds = comparison.observations["seed"].nunique()
    facts = (
        f"{count(len(comparison.members), 'run')} in {count(len(comparison.labels), 'group')}, {count(seeds, 'seed')}"
    )
    pictures = (
        el("figure", el("figcaption", question), svg_of(FIGURES[name](comparison), name, question))
        for name, question in QUESTIONS.items()
    )
    body = el(
        "body",
        el("h1", foreign(title, 200)),
        el("p", facts, ". Baseline: ", el("code", foreign(comparison.baseline, 80)), class_="facts"),
        el("ul", (el("li", foreign(line, 500)) for line in comparison.cautions), class_="banner")
        if comparison.cautions
        else None,
        el("div", pictures, class_="figures"),
        el("h2", "Means with 95% intervals over seeds"),
        _summary(comparison),
        el("h2", "Paired differences to the baseline"),
        _differences(comparison),
        el("h2", "Mean utility of every stakeholder"),
        _stakeholders(comparison),
        el("h2", "Runs"),
        _runs(comparison),
    )
    return f"<!DOCTYPE html>\n{el('html', head, body, lang='en')}\n"


def _summary(comparison: Comparison) -> Markup:
    frame = comparison.summary.set_index(["metric", "label"])
    rows = [
        [metric, *(_mean(frame.loc[(metric, label)]) for label in comparison.labels)] for metric in comparison.metrics
    ]
    return _table(["", *comparison.labels], rows)


def _stakeholders(comparison: Comparison) -> Markup:
    frame = comparison.stakeholders
    names = list(dict.fromkeys(frame["stakeholder"]))
    known = frame.set_index(["stakeholder", "label"])
    rows = []
    for name in names:
        cells: list[Child] = [str(name)]
        for label in comparison.labels:
            row = known.loc[(name, label)] if (name, label) in known.index else None
            cells.append("-" if row is None else el("strong" if row["best"] else "span", _mean(row)))
        rows.append(cells)
    return _table(["", *comparison.labels], rows)


def _differences(comparison: Comparison) -> Markup:
    rows = [
        [
            str(row["label"]),
            str(row["metric"]),
            number(row["difference"], 3),
            f"{number(row['low'], 3)} to {number(row['high'], 3)}",
            number(row["p_holm"], 3),
        ]
        for _, row in comparison.differences.iterrows()
    ]
    return _table(["group", "metric", "difference", "95% interval", "p, Holm"], rows)


def _runs(comparison: Comparison) -> Markup:
    return _table(
        ["group", "seed", "run"], [[m.label, str(m.seed), m.path.name] for m in comparison.members]
    )  # fmt: skip


def _table(head: Sequence[str], rows: Sequence[Sequence[Child]]) -> Markup:
    top = el("thead", el("tr", (el("th", foreign(text, 60), class_=_kind(i)) for i, text in enumerate(head))))
    lines = (
        el("tr", el("th", foreign(row[0], 60), scope="row"), (el("td", _cell(cell), class_="n") for cell in row[1:]))
        for row in rows
    )
    return el("div", el("table", top, el("tbody", lines)), class_="wide")


def _cell(cell: Child) -> Child:
    return foreign(cell, 60) if isinstance(cell, str) and not isinstance(cell, Markup) else cell


def _kind(place: int) -> str | None:
    return "n" if place else None


def _mean(row: Any) -> str:
    half = row["high"] - row["mean"]
    return number(row["mean"], 3) if half != half else f"{number(row['mean'], 3)} ± {number(half, 3)}"
