"""The auditor: what it says of groups, when, and that no model is told what was inferred of a user."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import scenarios
import simulator as fa
from simulator.runs.lines import event_line

SHIPPED = Path(scenarios.__path__[0]) / "recommendation"
SHARES = ("0.8317", "0.1683")


def copied(folder: Path) -> Path:
    """The shipped scenario whose groups, shares and truth are words and numbers that stand nowhere else."""
    target = folder / "world"
    shutil.copytree(SHIPPED, target)
    lines = (target / "posterior.csv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [(line.split(",")[0], SHARES[:: 1 if float(line.split(",")[1]) > 0.5 else -1]) for line in lines]
    table = "".join(f"{name},{','.join(shares)}\n" for name, shares in rows)
    (target / "posterior.csv").write_text(f"user,okapi,tapir\n{table}", encoding="utf-8")
    truth = (target / "truth.csv").read_text(encoding="utf-8")
    (target / "truth.csv").write_text(truth.replace(",a\n", ",quagga\n").replace(",b\n", ",bongo\n"), encoding="utf-8")
    return target


def spoken(events: list[dict], name: str = "auditor") -> list[tuple[int, str]]:
    """Rounds and arguments."""
    return [(e["round"], e["argument"]) for e in events if e.get("stakeholder") == name and e.get("argument")]


@pytest.mark.parametrize("way", ["weigh", "listwise"])
def test_no_log_and_no_prompt_tells_what_was_inferred_or_true_of_a_user(tmp_path: Path, way: str) -> None:
    ways = [f"stakeholders.{name}.way={way}" for name in ("user", "platform", "providers", "auditor")]
    folder = copied(tmp_path)
    scenario = fa.load_scenario(folder, [*ways, "stakeholders.user.tools=[catalogue]"], rounds=6, model="fake")
    run = fa.run(scenario, out=tmp_path / "runs", plots=False).path
    texts = {path.name: path.read_text(encoding="utf-8") for path in run.rglob("*") if path.is_file()}
    assert {"events.jsonl", "journal.jsonl", "rounds.csv", "scenario.yaml", "users.csv"} <= {*texts}
    secrets = ("okapi", "tapir", "quagga", "bongo", "truth", *SHARES)
    assert [(name, word) for name, text in texts.items() for word in secrets if word in text] == []
    prompts = [
        exchange["prompt"]
        for line in texts["events.jsonl"].splitlines()
        for exchange in json.loads(line).get("details", {}).get("exchanges", [])
    ]
    assert prompts
    assert [prompt for prompt in prompts if "narrowing" in prompt] == []
    if way == "listwise":
        assert any("taste:" in prompt for prompt in prompts)  # other attributes are described


def test_it_weighs_whatever_it_is_told_and_cites_groups_after_a_complete_block() -> None:
    scenario = fa.load_scenario("recommendation", ["stakeholders.auditor.way=listwise"], rounds=6, model="fake")
    result = fa.run(scenario)
    events = [json.loads(event_line(event)) for event in result.events]
    said = spoken(events)
    gap = result.rounds["soft_exposure_js(by=genre)"].iloc[4]
    cited = f"What groups of users were shown differs by {gap:.2f} in genre over the first 5; 0 is alike. "
    assert all("differs by" not in argument for number, argument in said if number <= 5)
    assert [argument for number, argument in said if number == 6]
    assert all(argument.startswith(cited) for number, argument in said if number == 6)
    ballots = [e for e in events if e["event"] == "proposal" and e["stakeholder"] == "auditor" and e["turn"] == 1]
    assert {ballot["details"]["way"] for ballot in ballots} == {"weigh"}


def test_without_groups_to_watch_it_is_a_language_model_like_others() -> None:
    plain = ["stakeholders.saver.agent=auditor", "stakeholders.saver.goal=I like low prices.", "metrics=[utility]"]
    result = fa.run(fa.load_scenario("tests/worlds/letters", plain, rounds=1), model="fake")
    assert all("groups" not in argument for _, argument in spoken(list(result.events), "saver"))
