"""Runs beside each other, against what SciPy and paper and pencil give."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simulator import load_scenario, run
from simulator.compare import compare
from simulator.compare.statistics import holm, interval, paired
from simulator.compare.tables import differences_latex, escape, summary_latex
from simulator.inputs.yamlfile import InputError
from simulator.sweeps import sweep
from simulator.sweeps.grid import grid
from tests.scenario_files import command

LETTERS = Path("tests/worlds/letters")
SEEDS = [1, 2, 3, 4]


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory):
    out = tmp_path_factory.mktemp("sweep")
    return sweep("tourism", grid(["borda", "leximin"], seeds=SEEDS), rounds=3, model="none", out=out, jobs=1)


def by_hand(swept, mediator: str, metric: str) -> list[float]:
    """Mean over rounds of a column of rounds.csv, seed by seed, read without any code of ours."""
    cells = pd.read_csv(swept.path / "cells.csv")
    cells = cells[cells["mediator"] == mediator].sort_values("seed")
    return [pd.read_csv(swept.path / run / "rounds.csv")[metric].mean() for run in cells["run"]]


@pytest.mark.parametrize("metric", ["gini", "utilitarian", "minimum"])
def test_means_intervals_and_differences_are_scipys(swept, metric: str) -> None:
    found = compare([swept.path], baseline="borda", metrics=["gini", "utilitarian", "minimum"])
    borda, leximin = by_hand(swept, "borda", metric), by_hand(swept, "leximin", metric)
    row = found.summary.set_index(["label", "metric"]).loc[("leximin", metric)]
    low, high = stats.t.interval(0.95, 3, loc=np.mean(leximin), scale=stats.sem(leximin))
    assert (row["mean"], row["low"], row["high"]) == pytest.approx((np.mean(leximin), low, high))
    difference = found.differences.set_index("metric").loc[metric]
    test = stats.ttest_rel(leximin, borda)
    ends = test.confidence_interval()
    assert difference["difference"] == pytest.approx(np.mean(leximin) - np.mean(borda))
    assert (difference["low"], difference["high"]) == pytest.approx((ends.low, ends.high))
    assert difference["p"] == pytest.approx(test.pvalue)


def test_holm_steps_down_over_all_differences_shown() -> None:
    """Holm 1979: .01 x 4, .03 x 3 carried over .02 x ..., by hand."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert np.isnan(holm([float("nan"), 0.5])[0])
    assert holm([float("nan"), 0.5])[1] == 0.5


def test_one_seed_has_a_mean_and_no_interval() -> None:
    only = interval([3.0])
    assert (only.mean, only.n) == (3.0, 1)
    assert np.isnan(only.low)
    assert np.isnan(paired([3.0], [1.0]).p)


def test_equal_pairs_are_no_evidence_and_equal_shifts_are_all() -> None:
    assert paired([1, 2, 3], [1, 2, 3]).p == 1.0
    assert paired([2, 3, 4], [1, 2, 3]).p == 0.0


def test_groups_are_what_differs_but_the_seed(swept, tmp_path: Path) -> None:
    assert compare([swept.path]).labels == ("borda", "leximin")
    other = sweep("tourism", grid(vary=["k=[2]"], seeds=[1]), rounds=1, model="none", out=tmp_path, jobs=1)
    labels = compare([*swept.runs, *other.runs]).labels
    assert set(labels) == {"borda, rounds=3, k=3", "leximin, rounds=3, k=3", "borda, rounds=1, k=2"}


def test_who_is_served_best_and_what_equality_costs(swept) -> None:
    found = compare([swept.path])
    served = found.stakeholders
    assert served.groupby("stakeholder")["best"].any().all()
    fronts = found.fronts.set_index("label")
    assert fronts["on_front"].any()
    assert fronts.loc[fronts["efficiency"].idxmax(), "price_of_fairness"] == 0.0


def test_outcomes_agree_with_themselves_and_are_compared_on_the_same_candidates(swept) -> None:
    means, counts = compare([swept.path]).agreement
    assert np.diag(means).tolist() == [1.0, 1.0]
    assert counts.loc["borda", "leximin"] == 3 * len(SEEDS)
    assert -1 <= means.loc["borda", "leximin"] <= 1


@pytest.mark.slow
def test_the_command_writes_tables_figures_and_a_page(swept, tmp_path: Path, capsys) -> None:
    code, printed, _ = command(capsys, "compare", swept.path, "--out", tmp_path, "--metrics", "gini,utilitarian")
    assert code == 0
    assert "Paired differences to borda" in printed
    written = {path.name for path in tmp_path.iterdir()}
    assert {"summary.csv", "differences.csv", "differences.tex", "compare.html", "price_of_fairness.png"} <= written
    page = (tmp_path / "compare.html").read_text()
    assert "<script" not in page
    assert page.count("<svg") == 5
    code, printed, _ = command(capsys, "compare", swept.path, "--json", "--metrics", "gini")
    assert {row["label"] for row in json.loads(printed)["summary"]} == {"borda", "leximin"}


def test_latex_is_a_table_whatever_the_names_hold(swept) -> None:
    found = compare([swept.path], metrics=["nash_welfare"])
    assert r"nash\_welfare" in summary_latex(found)
    assert r"\toprule" in differences_latex(found)
    assert escape("[a] *b") == "{[}a] {*}b"  # at the start of a row, either would be an argument of the line break
    assert (
        escape("50% & $x_1$ {\\}\n#~^")
        == r"50\% \& \$x\_1\$ \{\textbackslash{}\} \#\textasciitilde{}\textasciicircum{}"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "cannot be compared: there is no folder"),
        (["--baseline", "bord"], "did you mean 'borda'"),
        (["--metrics", "gni"], "did you mean 'gini'"),
        (["--format", "gif"], "is none of png, svg, pdf"),
    ],
)
def test_wrong_input_is_refused_with_a_remedy(swept, capsys, arguments: list[str], message: str) -> None:
    code, _, said = command(capsys, "compare", swept.path, *arguments)
    assert code == 2
    assert re.search(message, said)


def letters(out: Path, *settings: str, seed: int = 1, rounds: int = 2) -> Path:
    path = run(load_scenario(LETTERS, settings, rounds=rounds), seed=seed, out=out, plots=False).path
    assert path is not None
    return path


def test_a_run_named_twice_counts_once_and_runs_of_one_seed_are_one_observation(tmp_path: Path) -> None:
    one, again, other = (letters(tmp_path, seed=seed) for seed in (1, 1, 2))
    assert len(compare([one, one]).members) == 1
    found = compare([one, again, other])
    assert found.summary["n"].unique().tolist() == [2]
    assert found.stakeholders["n"].unique().tolist() == [2]
    assert found.summary["high"].tolist() == pytest.approx(compare([one, other]).summary["high"].tolist(), nan_ok=True)


def test_groups_that_differ_in_what_a_label_does_not_show_stay_apart(tmp_path: Path) -> None:
    goals = [f"stakeholders.gourmet.goal={'I want it all. ' * 9}{end}" for end in ("Now.", "Soon.")]
    labels = compare([letters(tmp_path, goal) for goal in goals]).labels
    assert len(labels) == 2
    assert labels[1] == f"{labels[0]} (2)"


def test_runs_of_several_scenarios_are_told_apart_by_their_names(swept, tmp_path: Path, capsys) -> None:
    paths = [swept.runs[0], letters(tmp_path), letters(tmp_path, "k=1")]
    assert compare(paths).labels == ("tourism: borda", "letters: k=2", "letters: k=1")
    code, printed, _ = command(capsys, "compare", *paths)
    assert code == 0
    (line,) = (line for line in printed.splitlines() if line.startswith("gourmet "))
    assert line.split()[1] == "-"  # who is not in a scenario has no utility there


def test_a_run_that_is_not_whole_is_a_caution(tmp_path: Path) -> None:
    whole, killed = letters(tmp_path), letters(tmp_path, seed=2)
    rows = (killed / "rounds.csv").read_text().splitlines(keepends=True)
    (killed / "rounds.csv").write_text("".join(rows[:-1]))
    assert [line for line in compare([whole, killed]).cautions if "whole" in line] == [
        "not whole: 1 of 2 rounds (1 of 2 runs: borda, seed 2)"
    ]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("scenario.yaml", b"[1, 2]", "no mapping of keys"),
        ("scenario.yaml", b"title: \xff", "can't decode byte"),
        ("manifest.json", b'{"seed": "x"}', "no whole number as seed"),
    ],
)
def test_a_damaged_folder_is_named(tmp_path: Path, file: str, content: bytes, message: str) -> None:
    path = letters(tmp_path)
    (path / file).write_bytes(content)
    with pytest.raises(InputError, match=message):
        compare([path])
