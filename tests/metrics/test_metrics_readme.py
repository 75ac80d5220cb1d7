"""What the metrics' README says is true, and its example runs."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import simulator.metrics
from simulator import registry

README = (Path(simulator.metrics.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_table_lists_every_metric_with_its_scope_horizon_and_direction():
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| ([\w ]+) \| ([\w-]+) \|", README, flags=re.MULTILINE)
    shipped = [
        metric
        for metric in (registry.find("metric", name) for name in registry.names("metric"))
        if metric.compute.__module__.startswith("simulator.metrics.")
    ]
    horizon = {"round": "round", "cumulative": "all rounds"}
    better = {"neither": "-"}
    expected = [(m.name, m.scope, horizon[m.horizon], better.get(m.better, m.better)) for m in shipped]
    assert sorted(rows) == sorted(expected)


def test_example_runs_as_a_file_of_its_own(tmp_path, monkeypatch):
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "spread.py").write_text(example, encoding="utf-8")
    monkeypatch.setitem(registry._registered, "metric", dict(registry._registered["metric"]))
    spread = registry.find("metric", "./spread.py:spread", base=tmp_path)
    assert spread.compute(SimpleNamespace(slate_utilities=np.array([0.2, 0.9, 0.5]))) == 0.7
    assert (spread.scope, spread.better) == ("collective", "lower")
    assert registry.find("metric", "spread") is spread
