"""The recommender's users: how their data came about, and what an auditor changes for groups that nobody knows."""

from __future__ import annotations

import importlib
import io
import re
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import scenarios
import simulator as fa
from simulator.llmfosa.bridge import true_figures
from simulator.studies.rational import rational_rounds
from tests.scenario_files import command

FOLDER = Path(scenarios.__path__[0]) / "recommendation"
TABLES = ("base_lists.csv", "titles.csv", "users.csv", "posterior.csv", "truth.csv")


def read(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / name)


def test_the_script_makes_the_data_again(tmp_path: Path):
    importlib.import_module("scenarios.recommendation.generate").main(tmp_path)
    for name in TABLES:
        made, shipped = read(tmp_path, name), read(FOLDER, name)
        # to the byte on one machine; the last decimal of a sum may differ with the processor's rounding
        pd.testing.assert_frame_equal(made, shipped, rtol=0, atol=2e-4)


def test_its_size_is_as_described():
    lists, titles, users = read(FOLDER, "base_lists.csv"), read(FOLDER, "titles.csv"), read(FOLDER, "users.csv")
    assert (len(users), len(titles), len(lists)) == (60, 200, 1200)
    assert titles["title"].is_unique
    assert lists.groupby("user")["score"].apply(lambda scores: scores.is_monotonic_decreasing).all()
    likes = users.filter(like="likes_").sum(axis=1)
    assert likes.to_numpy() == pytest.approx(1, abs=1e-3)


def test_the_shares_were_inferred_and_are_not_the_truth():
    posterior, truth = read(FOLDER, "posterior.csv"), read(FOLDER, "truth.csv")
    right = np.where(posterior["a"] > 0.5, "a", "b") == truth["group"]
    assert 0.7 < right.mean() < 0.95
    scenario = fa.load_scenario("recommendation")
    assert [path.name for path in scenario.private] == ["posterior.csv"]
    assert sorted(scenario.inputs) == ["inputs/base_lists.csv", "inputs/titles.csv", "inputs/users.csv"]


def test_lists_alone_make_a_scenario_as_the_readme_says(tmp_path: Path):
    (keys,) = re.findall(r"```yaml\n(.*?)```", (FOLDER / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    for name in ("base_lists.csv", "titles.csv"):
        shutil.copy(FOLDER / name, tmp_path)
    party = "stakeholders: [{name: user, agent: utility, objective: {relevance: 1}}]\n"
    (tmp_path / "scenario.yaml").write_text(f"title: Lists\nmodel: none\n{keys}{party}", encoding="utf-8")
    scenario = fa.load_scenario(tmp_path)
    best = read(FOLDER, "base_lists.csv").groupby("user", sort=False)["score"].max()
    assert [request.id for request in scenario.requests] == best.index.tolist()
    delivered = zip(scenario.requests, fa.run(scenario, rounds=60).rounds["slate"], strict=True)
    assert [request.scores[slate] for request, slate in delivered] == best.tolist()


@cache
def audited(agent: str, folder: str) -> Path:
    setting = f"stakeholders.auditor.agent={agent}"
    scenario = fa.load_scenario("recommendation", [setting], rounds=60, model="none", protocol="sealed")
    return fa.run(scenario, out=folder, plots=False).path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = str(tmp_path_factory.mktemp("runs"))
    return {agent: audited(agent, folder) for agent in ("utility", "silent")}


def test_the_auditor_brings_the_true_groups_together_though_it_knows_only_shares(runs: dict[str, Path]):
    last = {agent: true_figures(run, FOLDER / "truth.csv").iloc[-1] for agent, run in runs.items()}
    for column in ("true_exposure_js", "soft_exposure_js(by=genre)"):
        assert last["utility"][column] < 0.85 * last["silent"][column]
    for figures in last.values():  # blurred shares see less than there is
        assert figures["soft_exposure_js(by=genre)"] < figures["true_exposure_js"]


def test_studies_play_the_same_rounds_as_a_run(runs: dict[str, Path]):
    scenario = fa.load_scenario("recommendation", model="none")
    played = rational_rounds(scenario, scenario.mediator, 60)
    slates = ["|".join(scenario.catalogue.ids[row] for row in each.rows[each.slate]) for each in played]
    assert slates == pd.read_csv(runs["utility"] / "rounds.csv")["slate"].tolist()


def test_alignment_can_be_studied_though_the_table_lacks_the_shares(capsys: pytest.CaptureFixture[str]):
    code, out, err = command(capsys, "align", "recommendation", "--rounds", "3", "--json", "--set", "model=fake")
    assert (code, err) == (0, "")
    assert "auditor" in out


def test_true_figures_come_in_blocks_and_name_nobody(runs: dict[str, Path]):
    table = true_figures(runs["utility"], FOLDER / "truth.csv")
    assert table["round"].tolist() == list(range(5, 61, 5))
    assert not any("user 1" in str(value) for value in table.to_numpy().ravel())
    every = true_figures(runs["utility"], FOLDER / "truth.csv", block=20)
    assert every["round"].tolist() == [20, 40, 60]
    assert every["true_exposure_js"].iloc[-1] == table["true_exposure_js"].iloc[-1]


def test_the_command_prints_what_the_function_gives(runs: dict[str, Path], capsys: pytest.CaptureFixture[str]):
    table = true_figures(runs["utility"], FOLDER / "truth.csv")
    arguments = ("llmfosa", "audit", runs["utility"], "--truth", FOLDER / "truth.csv")
    code, out, err = command(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    printed = pd.read_json(io.StringIO(out), lines=True)
    pd.testing.assert_frame_equal(printed, table, check_dtype=False, atol=1e-9)
    code, out, err = command(capsys, *arguments)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split()[:3] == ["round", "true_group_utility_gap", "true_exposure_js"]
    assert len(out.splitlines()) == 13


def test_figures_by_certain_shares_are_the_true_ones(tmp_path: Path):
    shutil.copytree(FOLDER, tmp_path / "world")
    truth = read(FOLDER, "truth.csv")
    certain = pd.DataFrame({"user": truth["user"], "a": truth["group"] == "a", "b": truth["group"] == "b"})
    certain.astype({"a": int, "b": int}).to_csv(tmp_path / "world" / "posterior.csv", index=False)
    scenario = fa.load_scenario(tmp_path / "world", rounds=15, model="none")
    table = true_figures(fa.run(scenario, out=tmp_path, plots=False).path, FOLDER / "truth.csv")
    assert len(table) == 3
    assert table["soft_exposure_js(by=genre)"].to_numpy() == pytest.approx(table["true_exposure_js"])
    soft = table["soft_group_utility_gap(stakeholder=user)"]
    assert soft.to_numpy() == pytest.approx(table["true_group_utility_gap"])


def test_a_run_can_be_looked_at_after_its_shares_are_deleted_and_its_report_tells_none(tmp_path: Path):
    shutil.copytree(FOLDER, tmp_path / "world")
    shares = "".join(f"user {number},0.8317,0.1683\n" for number in range(1, 61))
    (tmp_path / "world" / "posterior.csv").write_text(f"user,okapi,tapir\n{shares}", encoding="utf-8")
    run = fa.run(fa.load_scenario(tmp_path / "world", rounds=6, model="none"), out=tmp_path, plots=False).path
    (tmp_path / "world" / "posterior.csv").unlink()
    assert len(true_figures(run, FOLDER / "truth.csv")) == 1
    from simulator.report import write_report
    from simulator.runs import read_run

    course = read_run(run).course
    assert course is not None
    assert course.drawable.sum() == 147  # titles on some list
    text = write_report(read_run(run), run / "report.html").read_text(encoding="utf-8")
    assert "on the request" in text
    assert [word for word in ("okapi", "tapir", "0.8317", "0.1683", "posterior") if word in text] == []


@pytest.mark.parametrize(
    ("options", "truth", "said"),
    [
        ({"by": "genera"}, "truth.csv", "no column 'genera'"),
        ({"stakeholder": "nobody"}, "truth.csv", "no stakeholder 'nobody'"),
        ({}, "posterior.csv", "no column 'group'"),
        ({}, "missing.csv", "missing.csv"),
    ],
)
def test_what_is_missing_for_true_figures_is_said(runs: dict[str, Path], options: dict, truth: str, said: str):
    with pytest.raises(fa.InputError, match=said):
        true_figures(runs["utility"], FOLDER / truth, **options)
