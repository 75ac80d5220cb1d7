"""Small scenario folders for tests of what is read from files: right ones, to be made wrong in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.cli import main
from simulator.inputs.yamlfile import InputError
from simulator.scenario import load_scenario

ITEMS = """\
item,price,stars,size,latitude,longitude
a,10,1,Low,48.8567,2.3522
b,20,2,Medium,51.5072,-0.1275
c,30,3,High,52.52,13.405
d,40,4,Low,41.8933,12.4828
e,50,,,40.4167,-3.7033
"""

QUERIES = """\
[
 {"id": "q1", "text": "Cheap, please.", "filters": {"budget": "low", "month": "May"}},
 {"id": "q2", "text": "Good, please.",
  "filters": {"budget": "high", "taste": "good", "mood": "happy"}},
 {"id": "q3", "text": "I cannot help with that.", "filters": {"budget": "low"}}
]
"""

SCENARIO = """\
title: Letters
seed: 3
rounds: 2
k: 2
catalogue:
  file: items.csv
  id: item
  candidates: {draw: random, count: 4, complete: [price]}
  attributes:
    price: {unit: USD, more: high prices, less: low prices}
    stars:
      unit: stars
      direction: higher
      normalisation: minmax
    size: {scale: [Low, Medium, High]}
    crowding:
      derive: state(array=crowding)
    far:
      derive: distance(latitude=52.5, longitude=13.4)
requests:
  file: queries.json
  text: text
  filters: filters
  month: month
  facts: [mood]
  wishes:
    budget:
      low: {attribute: price, sign: -1}
      high: {attribute: price}
      any: null
    taste:
      good: {attribute: stars, phrase: good taste}
  skip:
    q3: a refusal
stakeholders:
  - name: guest
    agent: utility
    persona: A guest.
    goal: "{request.wish}"
    objective: request
  - name: gourmet
    agent: utility(accept_at=0.8)
    goal: "I read: {request.text}"
    objective: {stars: 0.8, crowding: -0.2}
    weight: 2
    way: weigh
    tools: [catalogue]
mediator: borda
tie: seeded
protocol: deliberation(turns=2)
dynamics:
  - crowding(decay=0.5)
metrics: [gini, utility]
model: none
"""

# Two stakeholders are no ground to compare mediators on, and every command says so.
DEGENERATE = (
    "warning: degenerate comparison: 'gourmet' weighs more than all others together (2 of 3): majority rules follow it "
    "alone\n"
)


def write_scenario(folder: Path, scenario: str = SCENARIO, **files: str | bytes) -> Path:
    """A folder with a scenario and its data; `files` are other files by their name with `__` for the dot."""
    contents: dict[str, str | bytes] = {"items__csv": ITEMS, "queries__json": QUERIES, **files}
    (folder / "scenario.yaml").write_text(scenario, encoding="utf-8")
    for name, content in contents.items():
        data = content.encode("utf-8") if isinstance(content, str) else content
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


def changed(old: str, new: str, text: str = SCENARIO) -> str:
    """The text with its one place `old` replaced."""
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    return text.replace(old, new)


def problems(folder: Path, *settings: str, code: bool = True) -> list[str]:
    """What is wrong with the scenario in a folder, with the folder's own path cut off."""
    with pytest.raises(InputError) as caught:
        load_scenario(folder, settings, code=code)
    return [str(problem).removeprefix(f"{folder}/") for problem in caught.value.problems]


def command(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `fairagents` with these arguments."""
    with pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return int(caught.value.code or 0), out, err
