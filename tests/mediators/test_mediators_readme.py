"""What the mediators' README says is true, and its example runs."""

import re
from pathlib import Path

import pytest

import simulator.mediators
from simulator import registry
from simulator.mediation import mediate
from simulator.profile import Profile

README = (Path(simulator.mediators.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_every_mediator_of_the_package_is_in_the_table():
    listed = re.findall(r"^\| `(\w+)` \|", README, flags=re.MULTILINE)
    shipped = [
        name
        for name in registry.names("mediator")
        if registry.find("mediator", name).__module__.startswith("simulator.mediators.")
    ]
    assert sorted(listed) == shipped


def test_example_runs_as_a_file_of_its_own(tmp_path, monkeypatch):
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "best_and_second.py").write_text(example, encoding="utf-8")
    for known in (registry._registered, registry._aliases):
        monkeypatch.setitem(known, "mediator", dict(known["mediator"]))
    rule = registry.create("mediator", "./best_and_second.py:BestAndSecond", base=tmp_path)
    profile = Profile.from_rankings(["abc", "bac", "cab"], [1, 1, 1])
    assert mediate(profile, rule).scores == {"a": 4, "b": 3, "c": 2}
    three = mediate(profile, "best_and_second(first=3)")
    assert three.scores == pytest.approx({"a": 5, "b": 4, "c": 3})
    assert three.mediator == "best_and_second(first=3.0)"
