"""Metrics with parameters: in calls, in scenario files, and as columns."""

import csv

import pytest

import simulator as fa
from simulator import registry
from simulator.registry import RegistryError, create
from simulator.scenario import load_scenario
from tests.metrics.views import evaluation
from tests.scenario_files import ITEMS, changed, problems, write_scenario

STANDARD = {
    "utility", "cumulative_utility", "ndcg", "kendall_tau", "alignment", "alignment_equal_weights", "dry_spell",
    "utilitarian", "cumulative_utilitarian", "nash_welfare", "cumulative_nash_welfare", "minimum", "cumulative_minimum",
    "gini", "cumulative_gini",
}  # fmt: skip
KINDS = ITEMS.replace("item,", "kind,item,").replace("\n", "\nsea,", 1).replace("\nb", "\nsea,b").replace("\nc", "\n,c")
KINDS = KINDS.replace("\nd", "\nland,d").replace("\ne", "\nland,e")


def scenario(folder, metrics, **settings):
    text = changed("[gini, utility]", metrics)
    return write_scenario(folder, text, items__csv=KINDS, **settings)


def names(folder, metrics):
    return [metric.name for metric in load_scenario(scenario(folder, metrics)).metrics]


def test_a_scenario_logs_the_standard_metrics_unless_it_says_which(tmp_path):
    text = changed("metrics: [gini, utility]\n", "")
    assert {metric.name for metric in load_scenario(write_scenario(tmp_path, text)).metrics} == STANDARD
    assert set(names(tmp_path, "standard")) == STANDARD
    assert names(tmp_path, "[jain, standard]")[0] == "jain"


def test_all_are_those_that_need_no_parameters(tmp_path):
    found = names(tmp_path, "all")
    assert set(found) > STANDARD | {"jain", "atkinson", "ejr_plus_violations", "price_of_fairness"}
    assert not {"group_exposure", "ndkl", "across"} & set(found)


def test_columns_are_called_as_the_scenario_calls_them(tmp_path):
    metrics = '[atkinson, "atkinson(epsilon=2)", {name: atkinson, epsilon: 0.25}, "ndcg(gain=exponential)"]'
    folder = scenario(tmp_path, metrics)
    result = fa.run(folder, out=tmp_path / "out", plots=False)
    with (result.path / "rounds.csv").open(encoding="utf-8", newline="") as file:
        (row, *_) = csv.DictReader(file)
    plain, strong, weak = (float(row[name]) for name in ("atkinson", "atkinson(epsilon=2)", "atkinson(epsilon=0.25)"))
    assert 0 < weak < plain < strong < 1
    assert result.stakeholders["ndcg(gain=exponential)"].between(0, 1).all()
    assert (result.path / "scenario.yaml").read_text().count("epsilon") == 2


def test_a_run_folder_with_parameters_runs_again(tmp_path):
    folder = scenario(tmp_path, '["rank_parity(by=kind)", "across(of=ndcg(gain=exponential), how=min)"]')
    first = fa.run(folder, out=tmp_path / "out", plots=False)
    again = fa.run(first.path, out=tmp_path / "out", plots=False)
    assert (first.path / "rounds.csv").read_bytes() == (again.path / "rounds.csv").read_bytes()
    assert "rank_parity(by=kind)" in again.rounds.columns


def test_a_group_metric_is_a_column_for_every_group_of_the_catalogue(tmp_path):
    found = names(tmp_path, "[group_exposure(by=kind)]")
    assert found == ["group_exposure(by=kind, group=land)", "group_exposure(by=kind, group=sea)"]
    assert names(tmp_path, '["group_exposure(by=kind, group=sea)"]') == ["group_exposure(by=kind, group=sea)"]
    rounds = fa.run(scenario(tmp_path, "[group_exposure(by=kind), demographic_parity(by=kind)]")).rounds
    columns = rounds[found]
    assert (columns.min(axis=1) / columns.max(axis=1)).tolist() == rounds["demographic_parity(by=kind)"].tolist()


def test_an_attribute_stands_for_its_column_and_its_scale_for_numbers(tmp_path):
    metrics = "[mean_popularity(popularity=size), ndkl(by=size)]"
    rounds = fa.run(scenario(tmp_path, metrics)).rounds
    assert rounds["mean_popularity(popularity=size)"].between(0, 2).all()  # Low 0, Medium 1, High 2


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ("[ndkl]", "metric 'ndkl': parameter 'by' is missing"),
        ("[ndkl(by=kond)]", "the catalogue has no column 'kond'; did you mean 'kind'?"),
        ("[ndkl(by=far)]", "the catalogue has no column 'far' (an attribute that is derived is none)"),
        ("[mean_popularity(popularity=kind)]", "needs numbers, but line 2 of items.csv: column 'kind': 'sea' is not a"),
        ('["group_exposure(by=kind, group=see)"]', "column 'kind' has no 'see'; did you mean 'sea'?"),
        ("[atkinson(epsilon=-1)]", "'epsilon' must be greater than or equal to 0"),
        ("[atkinson(epsilon=much)]", "'epsilon' must be a number (found 'much')"),
        ("[atkinson(alpha=1)]", "metric 'atkinson' has no parameter 'alpha'; known: epsilon"),
        ("[gini(x=1)]", "metric 'gini' has no parameter 'x'; it takes none"),
        ("[ndcg(gain=cubic)]", "must be one of linear, exponential (found 'cubic')"),
        ('["across(of=gini, how=min)"]', "'gini' is no metric of the single stakeholders"),
        ('["across(of=ndgc, how=min)"]', "there is no metric 'ndgc'; did you mean 'ndcg'?"),
        ('["across(of=ndcg, how=median)"]', "must be one of mean, min, max, std, min_max, gini"),
        ('["atkinson(epsilon=2)", "atkinson( epsilon = 2 )"]', "there is a column 'atkinson(epsilon=2)' already"),
        ("[standard, jain, jain]", "there is a column 'jain' already"),
    ],
)
def test_a_wrong_metric_is_one_problem_with_its_line_and_remedy(metrics, message, tmp_path):
    (found,) = problems(scenario(tmp_path, metrics))
    line = changed("[gini, utility]", metrics).split("\n").index(f"metrics: {metrics}") + 1
    assert found.startswith(f"scenario.yaml:{line}: ")
    assert message in found


def test_a_column_with_too_many_groups_asks_for_names(tmp_path):
    items = "item,price,stars,size,latitude,longitude,name\n" + "".join(f"i{n},{n},1,Low,0,0,{n}\n" for n in range(60))
    text = changed("[gini, utility]", "[group_exposure(by=name)]")
    (found,) = problems(write_scenario(tmp_path, text, items__csv=items))
    assert "column 'name' has 60 groups, more than 50 columns; name the ones that you mean" in found


def test_a_users_metric_has_parameters_too(tmp_path, monkeypatch):
    monkeypatch.setitem(registry._registered, "metric", dict(registry._registered["metric"]))
    code = """
from __future__ import annotations
from typing import TYPE_CHECKING
import simulator as fa
if TYPE_CHECKING:
    from simulator.metrics.base import Evaluation

@fa.metric("above", scope="collective")
def above(view: Evaluation, *, bar: float, often=2) -> float:
    \"\"\"How many have more than `bar`.\"\"\"
    return float((view.slate_utilities > bar).sum() * often)
"""
    (tmp_path / "mine.py").write_text(code)
    found = create("metric", "./mine.py:above(bar=0.5)", tmp_path)
    assert found.name == "above(bar=0.5)"
    assert found.compute(evaluation([[1.0, 0.0], [0.0, 1.0]], [0])) == 2
    with pytest.raises(RegistryError, match="parameter 'bar' is missing"):
        create("metric", "./mine.py:above", tmp_path)
