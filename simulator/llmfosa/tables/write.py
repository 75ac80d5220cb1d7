"""Results as CSV for programs, Markdown for pages and LaTeX for papers."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from simulator.compare.latex import booktabs, escape, number, with_half
from simulator.compare.statistics import Interval
from simulator.llmfosa.tables.order import decimals
from simulator.llmfosa.tables.results import Results, Setting


def as_csv(results: Results) -> str:
    """One row a method (and weight): seeds, and of every figure the mean and the ends of its interval.

    Columns: `method`, `weight` where there are some, `seeds`, then `<figure>`, `<figure>_low`, `<figure>_high`; empty
    where there is nothing. A single seed has no interval.
    """
    ends = [f"{metric}{end}" for metric in results.metrics for end in ("", "_low", "_high")]
    rows = []
    for setting in results.settings:
        found = [results.summary(setting, metric) for metric in results.metrics]
        cells = [_plain(value) for each in found for value in (each.mean, each.low, each.high)]
        rows.append([*_named(results, setting), str(len(results.seeds(setting))), *cells])
    return _csv([*_heads(results), "seeds", *ends], rows)


def seeds_as_csv(results: Results) -> str:
    """One row a result: `method`, `weight` where there are some, `seed`, and every figure."""
    rows = [
        [
            *_named(results, (row.method, row.weight)),
            str(row.seed),
            *(_plain(row.figures.get(metric, math.nan)) for metric in results.metrics),
        ]
        for row in results.rows
    ]
    return _csv([*_heads(results), "seed", *results.metrics], rows)


def as_markdown(results: Results, metrics: Sequence[str] | None = None) -> str:
    """Means with half widths of 95% intervals; all figures unless some are chosen."""
    shown = results.metrics if metrics is None else tuple(metrics)
    heads = [*_heads(results), *shown]
    lines = [heads, [":--"] + ["--:"] * (len(heads) - 1)]
    lines += [
        [*_named(results, setting), *_cells(results, setting, shown, _pair)] for setting in results.settings
    ]  # fmt: skip
    text = "\n".join("| " + " | ".join(_in_markdown(cell) for cell in line) + " |" for line in lines)
    return f"{text}\n\nMean ± half the 95% interval over {_seeds(results)}.\n"


def as_latex(results: Results, metrics: Sequence[str] | None = None) -> str:
    """The same as a booktabs table."""
    shown = results.metrics if metrics is None else tuple(metrics)

    def cell(found: Interval, digits: int) -> str:
        return with_half(found.mean, found.high - found.mean, digits)

    body = [
        [*map(escape, _named(results, setting)), *_cells(results, setting, shown, cell)] for setting in results.settings
    ]
    note = f"Mean and half the 95\\% interval over {_seeds(results)}."
    return booktabs([escape(head) for head in (*_heads(results), *shown)], body, note)


def write_results(results: Results, folder: Path) -> list[Path]:
    """Write `results.csv`, `results.md`, `results.tex`, and every seed's figures as `seeds.csv`."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "results.csv": as_csv(results),
        "results.md": as_markdown(results),
        "results.tex": as_latex(results),
        "seeds.csv": seeds_as_csv(results),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in texts]


def _heads(results: Results) -> list[str]:
    return ["method", "weight"] if results.weighted else ["method"]


def _named(results: Results, setting: Setting) -> list[str]:
    method, weight = setting
    shown = "" if weight is None else f"{weight:g}"
    return [method, shown] if results.weighted else [method]


def _cells(
    results: Results, setting: Setting, metrics: Sequence[str], cell: Callable[[Interval, int], str]
) -> list[str]:
    return [cell(results.summary(setting, metric), decimals(metric)) for metric in metrics]


def _pair(found: Interval, digits: int) -> str:
    mean = number(found.mean, digits).replace("$-$", "\N{MINUS SIGN}")
    return mean if math.isnan(found.high) else f"{mean} ± {found.high - found.mean:.{digits}f}"


def _in_markdown(text: str) -> str:
    """Foreign text inside a cell: on one line, and nothing in it ends the cell or starts markup."""
    plain = " ".join(text.split())
    return "".join("\\" + letter if letter in "|\\*`[]<>" else letter for letter in plain)


def _plain(value: float) -> str:
    return "" if math.isnan(value) else repr(float(value))


def _csv(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([head, *rows])
    return text.getvalue()


def _seeds(results: Results) -> str:
    counts = [len(results.seeds(setting)) for setting in results.settings]
    low, high = min(counts, default=0), max(counts, default=0)
    shown = str(low) if low == high else f"{low} to {high}"
    return f"{shown} seed" if high == 1 else f"{shown} seeds"
