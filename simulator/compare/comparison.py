"""A comparison of runs: everything that its tables, figures and pages show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from simulator.compare.agreement import rank_agreement
from simulator.compare.figures_of_run import collective_figures, stakeholder_figures
from simulator.compare.loading import Member, members
from simulator.compare.pareto import on_front
from simulator.compare.statistics import Difference, Interval, holm, interval, paired
from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem

EFFICIENCY, EQUALITY = "utilitarian", "gini"


@dataclass(frozen=True)
class Comparison:
    """Groups of runs, each with one observation a seed.

    Attributes:
        members: the runs.
        labels: the groups, in order of appearance.
        baseline: the group that differences are taken to; None without one.
        metrics: the collective metrics that are compared.
    """

    members: tuple[Member, ...]
    labels: tuple[str, ...]
    baseline: str | None
    metrics: tuple[str, ...]

    @cached_property
    def observations(self) -> pd.DataFrame:
        """One row a run: `label`, `seed`, `run` and every collective metric."""
        rows = [
            {"label": member.label, "seed": member.seed, "run": member.path.name, **collective_figures(member.run)}
            for member in self.members
        ]
        return pd.DataFrame(rows)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a group and metric: `label`, `metric`, `mean`, `sd`, `low`, `high`, `n`."""
        rows = []
        for label in self.labels:
            own = self._by_seed(label)
            rows += [
                {"label": label, "metric": metric, **_row(interval(own[metric].dropna()))} for metric in self.metrics
            ]
        return pd.DataFrame(rows)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """One row a group and metric: the paired difference to the baseline over common seeds, p and Holm's p.

        Columns: `label`, `baseline`, `metric`, `difference`, `sd`, `low`, `high`, `n`, `p`, `p_holm`.
        """
        found: list[tuple[str, str, Difference]] = []
        if self.baseline is not None:
            tables = {label: self._by_seed(label) for label in self.labels}
            base = tables[self.baseline]
            for label in self.labels:
                if label == self.baseline:
                    continue
                common = tables[label].index.intersection(base.index)
                for metric in self.metrics:
                    pair = pd.concat([tables[label].loc[common, metric], base.loc[common, metric]], axis=1).dropna()
                    found.append((label, metric, paired(pair.iloc[:, 0], pair.iloc[:, 1])))
        adjusted = holm([each.p for _, _, each in found])
        rows = [
            {
                "label": label,
                "baseline": self.baseline,
                "metric": metric,
                "difference": each.difference.mean,
                **{key: value for key, value in _row(each.difference).items() if key != "mean"},
                "p": each.p,
                "p_holm": p,
            }
            for (label, metric, each), p in zip(found, adjusted.tolist(), strict=True)
        ]
        columns = ["label", "baseline", "metric", "difference", "sd", "low", "high", "n", "p", "p_holm"]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def stakeholders(self) -> pd.DataFrame:
        """One row a group and stakeholder: mean utility with its interval, and whether no other group serves it better.

        Columns: `label`, `stakeholder`, `mean`, `sd`, `low`, `high`, `n`, `best`.
        """
        by_label: dict[str, dict[str, dict[int, list[float]]]] = {}
        for member in self.members:
            for name, value in stakeholder_figures(member.run).get("utility", {}).items():
                seeds = by_label.setdefault(member.label, {}).setdefault(name, {})
                seeds.setdefault(member.seed, []).append(value)
        rows = [
            {"label": label, "stakeholder": name, **_row(interval([np.mean(same) for same in seeds.values()]))}
            for label, own in by_label.items()
            for name, seeds in own.items()
        ]
        if not rows:
            return pd.DataFrame(columns=["label", "stakeholder", "mean", "sd", "low", "high", "n", "best"])
        frame = pd.DataFrame(rows)
        frame["best"] = frame["mean"] >= frame.groupby("stakeholder")["mean"].transform("max") - 1e-12
        return frame

    @cached_property
    def fronts(self) -> pd.DataFrame:
        """One row a group: efficiency (mean utility), equality (1 - Gini), and whether it is on their Pareto front.

        Columns: `label`, `efficiency`, `equality`, `price_of_fairness` (relative loss of efficiency to the most
        efficient group), `on_front`.
        """
        means = self.summary.pivot(index="label", columns="metric", values="mean")
        if not {EFFICIENCY, EQUALITY} <= set(means.columns):
            return pd.DataFrame(columns=["label", "efficiency", "equality", "price_of_fairness", "on_front"])
        efficiency = means.loc[list(self.labels), EFFICIENCY].to_numpy(dtype=np.float64)
        equality = 1 - means.loc[list(self.labels), EQUALITY].to_numpy(dtype=np.float64)
        most = float(efficiency.max())
        return pd.DataFrame(
            {
                "label": self.labels,
                "efficiency": efficiency,
                "equality": equality,
                "price_of_fairness": 1 - efficiency / most if most > 0 else np.zeros(len(efficiency)),
                "on_front": on_front(efficiency, equality),
            }
        )

    @cached_property
    def agreement(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Mean Kendall's tau-b between the groups' outcomes on the same candidates, and the number of rounds."""
        means, counts = rank_agreement(self.labels, self.members)
        return (
            pd.DataFrame(means, index=self.labels, columns=self.labels),
            pd.DataFrame(counts, index=self.labels, columns=self.labels),
        )

    @cached_property
    def cautions(self) -> list[str]:
        """What the runs warned of, each once, with the runs that had it; also that a run is not whole."""
        runs: dict[str, list[str]] = {}
        for member in self.members:
            asked, done = member.run.manifest.get("rounds_asked"), len(member.run.rounds)
            if isinstance(asked, int) and done < asked:
                runs.setdefault(f"not whole: {done} of {asked} rounds", []).append(
                    f"{member.label}, seed {member.seed}"
                )
            said = dict.fromkeys(str(event.get("message", "")) for event in member.run.events("warning"))
            for message in said:
                runs.setdefault(message, []).append(f"{member.label}, seed {member.seed}")
        return [
            f"{message} ({len(where)} of {len(self.members)} runs: {where[0]}{' ...' if len(where) > 1 else ''})"
            for message, where in runs.items()
        ]

    def _by_seed(self, label: str) -> pd.DataFrame:
        """The group's figures by seed; two runs of one seed count as their mean."""
        own = self.observations[self.observations["label"] == label]
        return own.groupby("seed")[list(self.metrics)].mean()


def compare(
    paths: Sequence[Path | str], *, baseline: str | None = None, metrics: Sequence[str] | None = None
) -> Comparison:
    """Compare runs.

    Args:
        paths: run folders, or folders of sweeps.
        baseline: the group that differences are taken to, by its label; the first one by default.
        metrics: collective metrics; all numeric columns that every run has by default.

    Raises:
        InputError: a folder cannot be read, or there is no such group or metric.
    """
    found = members(paths)
    labels = tuple(dict.fromkeys(member.label for member in found))
    whole = Comparison(tuple(found), labels, labels[0], ())
    columns = whole.observations.columns.drop(["label", "seed", "run"])
    shared = tuple(str(name) for name in columns if whole.observations[name].notna().all())
    problems = []
    if baseline is not None and baseline not in labels:
        problems.append(Problem(f"--baseline {baseline}", f"there is no such group{nearest(baseline, list(labels))}"))
    problems += [
        Problem(f"--metrics {name}", f"not every run has this metric{nearest(name, list(shared))}")
        for name in metrics or ()
        if name not in shared
    ]
    if problems:
        raise InputError(problems)
    return replace(whole, baseline=baseline or labels[0], metrics=tuple(metrics or shared))


def _row(found: Interval) -> dict[str, float]:
    return {"mean": found.mean, "sd": found.sd, "low": found.low, "high": found.high, "n": found.n}
