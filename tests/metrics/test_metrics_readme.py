"""What the metrics' README says is true, and its example runs."""

import doctest
import importlib
import inspect
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import simulator.metrics
from simulator import registry
from simulator.scenario import load_scenario
from tests.scenario_files import ITEMS, changed, write_scenario

README = (Path(simulator.metrics.__file__).parent / "README.md").read_text(encoding="utf-8")


def shipped():
    """The metrics of this package, without those of plug-ins and of other tests."""
    found = [registry.find("metric", name) for name in registry.names("metric")]
    return [metric for metric in found if metric.compute.__module__.startswith("simulator.metrics.")]


def rows():
    return re.findall(r"^\| `(\w+)` \| (\w+) \| ([\w ]+) \| ([\w-]+) \| (.*) \|$", README, flags=re.MULTILINE)


def test_tables_list_every_metric_with_its_scope_horizon_and_direction():
    horizon = {"round": "round", "cumulative": "all rounds"}
    better = {"neither": "-"}
    expected = [(m.name, m.scope, horizon[m.horizon], better.get(m.better, m.better)) for m in shipped()]
    assert sorted(row[:4] for row in rows()) == sorted(expected)


def test_standard_metrics_are_marked():
    marked = {name for name, *_, meaning in rows() if meaning.startswith("* ")}
    assert marked == {metric.name for metric in shipped() if metric.standard}
    assert len(marked) == 15


def test_defaults_are_as_the_tables_say():
    meanings = {row[0]: row[4] for row in rows()}
    for metric in shipped():
        keywords = inspect.signature(metric.compute).parameters
        for parameter, number in re.findall(r"`(\w+)` = ([\d.]+)", meanings[metric.name]):
            assert keywords[parameter].default == float(number), (metric.name, parameter)


def test_functions_that_have_no_column_exist():
    for paragraph in re.findall(r"^Functions alone: (.*?)\n\n", README, flags=re.MULTILINE | re.DOTALL):
        for place in re.findall(r"`(\w+(?:\.\w+)?)`", paragraph):
            module, _, name = place.partition(".")
            found = importlib.import_module(f"simulator.metrics.{module}")
            assert not name or callable(getattr(found, name))


def test_functions_give_what_the_session_shows():
    (session,) = re.findall(r"```pycon\n(.*?)```", README, flags=re.DOTALL)
    examples = doctest.DocTestParser().get_doctest(session, {}, "README", None, None)
    assert len(examples.examples) == 6
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def test_a_scenario_may_name_metrics_as_shown(tmp_path):
    (line,) = re.findall(r"```yaml\n(metrics: .*)\n```", README)
    text = changed("metrics: [gini, utility]", line)
    items = ITEMS.replace("item,", "country,item,").replace("\n", "\nx,").removesuffix("x,")
    found = [metric.name for metric in load_scenario(write_scenario(tmp_path, text, items__csv=items)).metrics]
    assert found[-3:] == ["atkinson(epsilon=2)", "group_exposure(by=country, group=x)",
                          "across(of=kendall_distance, how=max)"]  # fmt: skip


def test_example_runs_as_a_file_of_its_own(tmp_path, monkeypatch):
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "spread.py").write_text(example, encoding="utf-8")
    monkeypatch.setitem(registry._registered, "metric", dict(registry._registered["metric"]))
    spread = registry.find("metric", "./spread.py:spread", base=tmp_path)
    assert spread.compute(SimpleNamespace(slate_utilities=np.array([0.2, 0.9, 0.5]))) == 0.7
    assert (spread.scope, spread.better) == ("collective", "lower")
    assert registry.find("metric", "spread") is spread
