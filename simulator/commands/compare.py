"""`fairagents compare`: runs and sweeps beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from simulator.compare.comparison import Comparison


def compare(
    paths: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, or a sweep's folder.")],
    baseline: Annotated[
        str | None, typer.Option(metavar="GROUP", help="What differences are taken to; the first group by default.")
    ] = None,
    metrics: Annotated[str | None, typer.Option(help="Metrics, separated by commas; all by default.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write tables (CSV, LaTeX), figures and compare.html there.")
    ] = None,
    plot_format: Annotated[str, typer.Option("--format", help="png, svg or pdf, for the figures.")] = "png",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Compare runs: means with 95% intervals over seeds, paired differences, and who wins under which rule.

    Runs are grouped by the scenario keys in which they differ, but for the seed; p-values have Holm's correction. With
    --out the last line printed is the page.
    """
    from simulator.compare import compare as study
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.plots.write import FORMATS

    if plot_format not in FORMATS:
        raise InputError([Problem(f"--format {plot_format}", f"is none of {', '.join(FORMATS)}")])
    found = study(
        paths, baseline=baseline, metrics=None if metrics is None else [m.strip() for m in metrics.split(",")]
    )
    if as_json:
        _print_json(found)
    else:
        _print_tables(found)
    if out is not None:
        from simulator.compare.figures import write_figures
        from simulator.compare.page import write_page
        from simulator.compare.tables import write_tables

        write_tables(found, out)
        write_figures(found, out, plot_format)
        print(write_page(found, out / "compare.html"))


def _print_tables(found: Comparison) -> None:
    from simulator.terminal import print_table, printable

    for caution in found.cautions:
        print(f"warning: {printable(caution)}")
    means = found.summary.set_index(["metric", "label"])
    rows = [{"metric": m, **{label: _mean(means.loc[(m, label)]) for label in found.labels}} for m in found.metrics]
    print_table(rows)
    if len(found.labels) > 1:
        print(f"\nPaired differences to {found.baseline}\n")
        differences = [
            {
                "group": row["label"],
                "metric": row["metric"],
                "difference": _number(row["difference"], "+.3f"),
                "95% interval": _between(row["low"], row["high"]),
                "p": _number(row["p"], ".3g"),
                "p, Holm": _number(row["p_holm"], ".3g"),
            }
            for _, row in found.differences.iterrows()
        ]
        print_table(differences)
    served = found.stakeholders
    if len(served):
        print("\nMean utility of every stakeholder; * no group serves it better\n")
        table = served.set_index(["stakeholder", "label"])
        names = dict.fromkeys(served["stakeholder"])
        print_table(
            [
                {
                    "stakeholder": name,
                    **{
                        label: f"{_mean(table.loc[(name, label)])}{'*' if table.loc[(name, label)]['best'] else ''}"
                        if (name, label) in table.index
                        else "-"
                        for label in found.labels
                    },
                }
                for name in names
            ]
        )


def _print_json(found: Comparison) -> None:
    import json

    from simulator.compare.tables import tables

    text = {name: json.loads(frame.to_json(orient="records")) for name, frame in tables(found).items()}
    print(json.dumps({"baseline": found.baseline, "warnings": found.cautions, **text}, ensure_ascii=False))


def _number(value: float, form: str) -> str:
    return "-" if value != value else format(value, form)


def _between(low: float, high: float) -> str:
    return "-" if low != low else f"[{low:+.3f}, {high:+.3f}]"


def _mean(row: object) -> str:
    mean, high = row["mean"], row["high"]  # type: ignore[index]  # a row of a DataFrame
    half = high - mean
    return f"{mean:.3f}" if half != half else f"{mean:.3f} ± {half:.3f}"
