"""Stakeholders that are no models: what they say, and what is said of them when they say nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import simulator as fa
from simulator.inputs.yamlfile import InputError

LETTERS = Path("tests/worlds/letters")
QUIET = ["metrics=[utility, alignment]"]


def proposals(agent: str, *settings: str, rounds: int = 3, seed: int = 1) -> list[dict]:
    given = [f"stakeholders.saver.agent={agent}", *QUIET, *settings]
    result = fa.run(fa.load_scenario(LETTERS, given, rounds=rounds), seed=seed, model="none")
    return [e for e in result.events if e["event"] == "proposal" and e["stakeholder"] == "saver" and e["turn"] == 1]


def test_the_silent_one_abstains_and_the_run_goes_on() -> None:
    assert [said["ranking"] for said in proposals("silent")] == [[]] * 3


def test_the_random_one_draws_by_seed_and_round() -> None:
    first, again, other = (
        [said["ranking"] for said in proposals("random", seed=seed)] for seed in (1, 1, 2)
    )  # fmt: skip
    assert first == again
    assert first != other
    assert first[0] != first[1]


def test_the_newcomer_abstains_until_it_arrives_and_then_shouts() -> None:
    early, late = proposals("newcomer(arrives=2)", rounds=2)
    assert early["ranking"] == []
    assert late["ranking"] == proposals("utility", rounds=2)[1]["ranking"]
    assert sorted(set(late["utilities"].values())) == [0.0, 1.0]


def test_the_altruist_ranks_by_the_weighted_mean_of_all() -> None:
    (said,) = proposals("altruist", rounds=1)
    saver, gourmet = (
        proposals("utility", *swap, rounds=1)[0]["utilities"]
        for swap in ([], ["stakeholders.saver.objective={stars: 0.8, crowding: -0.2}"])
    )
    expected = {item: (saver[item] + 2 * gourmet[item]) / 3 for item in saver}  # gourmet weighs 2
    assert said["utilities"] == pytest.approx(expected)


def test_a_recording_says_what_was_said(tmp_path: Path) -> None:
    scenario = fa.load_scenario(LETTERS, ["stakeholders.saver.agent=random", *QUIET])
    first = fa.run(scenario, seed=5, model="none", out=tmp_path, plots=False)
    played = fa.load_scenario(LETTERS, [f"stakeholders.saver.agent=recorded(events={first.path}/events.jsonl)", *QUIET])
    second = fa.run(played, seed=5, model="none", out=tmp_path, plots=False)
    assert (second.path / "rounds.csv").read_text() == (first.path / "rounds.csv").read_text()
    again = fa.run(
        fa.load_scenario(second.path), model="none", out=tmp_path, plots=False
    )  # the recording is kept with it
    assert (again.path / "events.jsonl").read_text() == (second.path / "events.jsonl").read_text()
    longer = fa.run(played.replace(rounds=5), seed=5, model="none")
    errors = longer.stakeholders.query("stakeholder == 'saver'")["errors"].tolist()
    assert errors == [0, 0, 0, 2, 2]  # a ballot and an answer a round
    said = [event for event in longer.events if event["event"] == "proposal" and event["round"] == 4]
    assert "no proposal of 'saver' in round 4" in json.dumps(said)


def test_a_recording_of_offers_holds_the_opening_ballots_too(tmp_path: Path) -> None:
    offers = "protocol=alternating_offers(turns=4)"  # the saver opens and offers in the same turn
    scenario = fa.load_scenario(LETTERS, ["stakeholders.saver.agent=utility(discount=0.5)", offers, *QUIET])
    first = fa.run(scenario, seed=5, model="none", out=tmp_path, plots=False)
    again = f"stakeholders.saver.agent=recorded(events={first.path}/events.jsonl, discount=0.5)"
    second = fa.run(fa.load_scenario(LETTERS, [again, offers, *QUIET]), seed=5, model="none")
    assert second.stakeholders["errors"].sum() == 0
    assert [e["trace"] for e in second.events if e["event"] == "outcome"] == [
        e["trace"] for e in first.events if e["event"] == "outcome"
    ]


@pytest.mark.parametrize(
    "line",
    [
        b'{"event":"proposal","round":2,"turn":1,"argument":"caf\xc3',  # torn inside a letter
        b"\xff\xfe\n",
        b'{"event":"proposal","round":[1],"turn":1,"stakeholder":"saver"}\n',
        b'{"event":"proposal","round":1,"turn":{"a":1},"stakeholder":"saver"}\n',
        b"[" * 100_000 + b"\n",
    ],
)
def test_a_line_that_is_no_event_takes_nothing_from_the_rest_of_a_recording(line: bytes, tmp_path: Path) -> None:
    told = {"event": "proposal", "round": 1, "turn": 1, "stakeholder": "saver", "ranking": [["a"]]}
    events = tmp_path / "events.jsonl"
    events.write_bytes(json.dumps(told).encode() + b"\n" + line)
    (said,) = proposals(f"recorded(events={events})", "protocol=sealed", rounds=1)
    assert (said["ranking"], said["faults"]) == ([["a"]], {})


def test_a_recording_that_is_not_there_is_a_problem_of_the_scenario() -> None:
    with pytest.raises(InputError, match=r"there is no file 'nowhere.jsonl'"):
        fa.load_scenario(LETTERS, ["stakeholders.saver.agent=recorded(events=nowhere.jsonl)"])
