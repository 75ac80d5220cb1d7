"""Whatever a stakeholder's code does, the round goes on, and what happened is an event and a count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simulator import NegotiationWorld, RunResult, load_scenario, run
from simulator.faults import FAULTS, REPAIRS
from simulator.registry import names

LETTERS = Path(__file__).parent.parent / "worlds" / "letters"


def run_with(kind: str, *settings: str, **overrides: Any) -> RunResult:
    """The letters world with one of the odd stakeholders in the place of the saver."""
    return run(load_scenario(LETTERS, [f"stakeholders.0.agent=./odd.py:{kind}", *settings]), **overrides)


def counts_of(result: RunResult, name: str = "saver") -> list[dict[str, int]]:
    """What was counted, round by round, zeros left out."""
    rows: pd.DataFrame = result.stakeholders[result.stakeholders["stakeholder"] == name]
    return [{c: int(row[c]) for c in (*FAULTS, *REPAIRS) if row[c]} for _, row in rows.iterrows()]


def first_words(result: RunResult, kind: str = "proposal", name: str = "saver") -> dict[str, Any]:
    return next(event for event in result.events if event["event"] == kind and event["stakeholder"] == name)


@pytest.mark.parametrize(
    ("kind", "counted"),
    [
        ("Raises", {"errors": 1, "abstentions": 1}),
        ("Nothing", {"errors": 1, "abstentions": 1}),
        ("AllUnknown", {"unknown_items": 2, "abstentions": 1}),
        ("Unknown", {"unknown_items": 2, "partial_ballots": 1}),
        ("NotANumber", {"malformed": 1, "partial_ballots": 1}),
        ("Negative", {"malformed": 1, "partial_ballots": 1}),
        ("Astronomical", {"malformed": 1, "partial_ballots": 1}),
        ("Texts", {"malformed": 1, "partial_ballots": 1}),
        ("CancelsItself", {"errors": 1, "abstentions": 1}),
        ("RaisesWithoutWords", {"errors": 1, "abstentions": 1}),
        ("CountsBackwards", {"errors": 1, "abstentions": 1}),
        ("ClearsTheTable", {"errors": 1, "abstentions": 1}),
        ("LongNumbers", {}),
        ("WholeCatalogue", {}),
        ("RankingAlone", {}),
        ("Abstains", {}),
        ("OwnFaults", {"empty": 2}),
    ],
)
@pytest.mark.parametrize("mediator", ["borda", "nash"])
def test_a_proposal_of_any_kind_is_counted_exactly_and_the_run_goes_on(
    kind: str, counted: dict[str, int], mediator: str
) -> None:
    result = run_with(kind, "protocol=sealed", mediator=mediator)
    assert len(result.rounds) == 3
    assert counts_of(result)[0] == counted
    assert counts_of(result, "gourmet") == [{}, {}, {}]


@pytest.mark.parametrize(
    ("kind", "counted"),
    [
        ("RaisesInAnswer", {"errors": 2, "last_ballots": 2}),
        ("NothingInAnswer", {"errors": 2, "last_ballots": 2}),
        ("Mumbles", {"errors": 2, "last_ballots": 2}),
        ("UnknownInAnswer", {"unknown_items": 2, "partial_ballots": 2}),
    ],
)
def test_an_answer_of_any_kind_is_counted_once_a_turn_and_accepts_nothing(kind: str, counted: dict[str, int]) -> None:
    result = run_with(kind, "stakeholders.1.agent=./odd.py:UnknownInAnswer")
    assert counts_of(result)[0] == counted
    assert not result.stakeholders["accepted"].any()


def test_an_error_names_what_was_raised() -> None:
    assert first_words(run_with("Raises"))["details"] == {
        "way": "abstention",
        "error": "RuntimeError: no ballot today",
    }


def test_the_last_ballot_stands_in_where_the_code_fails_later() -> None:
    result = run_with("RaisesLater", "protocol=sealed")
    assert counts_of(result) == [{}, {"errors": 1, "last_ballots": 1}, {}]
    ballots = [e for e in result.events if e["event"] == "proposal" and e["stakeholder"] == "saver"]
    assert ballots[1]["ranking"] == ballots[0]["ranking"]
    assert ballots[1]["utilities"] is None  # those of another round compared other candidates


def test_a_last_ballot_is_restricted_to_the_items_on_the_table() -> None:
    drawn = "catalogue.candidates={draw: random, count: 3}"
    result = run_with("RaisesLater", "protocol=sealed", drawn, rounds=2)
    requests = [event["candidates"] for event in result.events if event["event"] == "request"]
    ballots = [e["ranking"] for e in result.events if e["event"] == "proposal" and e["stakeholder"] == "saver"]
    assert set(requests[0]) != set(requests[1])
    assert ballots[1] == [tier for tier in ballots[0] if tier[0] in requests[1]]
    assert 0 < len(ballots[1]) < 3


@pytest.mark.parametrize("kind", ["Hangs", "RationalUntilItHangs"])
def test_one_who_never_answers_is_silent_after_its_patience(kind: str) -> None:
    result = run_with(f"{kind}(patience=0.05)", "protocol=sealed")
    assert counts_of(result) == [{"timeouts": 1, "abstentions": 1}] * 3
    assert "no answer within 0.05 s" in first_words(result)["details"]["error"]


def test_who_abstains_because_of_an_error_does_not_change_what_the_others_get() -> None:
    alone = run_with("Raises", "protocol=sealed", rounds=1).events
    outcome = next(event for event in alone if event["event"] == "outcome")
    assert outcome["slate"] == ["e", "d"]  # the gourmet's own


@pytest.mark.parametrize("mediator", names("mediator"))
def test_an_abstainer_weighs_nothing_under_any_rule(mediator: str) -> None:
    settings = ("protocol=sealed", "rounds=1")
    with_abstainer = run_with("Abstains", *settings, mediator=mediator).events
    alone = run(LETTERS.parent / "lone", mediator=mediator).events
    ranking = [next(e["ranking"] for e in events if e["event"] == "outcome") for events in (with_abstainer, alone)]
    assert ranking[0] == ranking[1]


def test_utilities_beside_a_ranking_alone_are_left_out_for_all_and_the_outcome_says_whose() -> None:
    result = run_with("RankingAlone", "protocol=sealed", mediator="utilitarian")
    outcome = next(event for event in result.events if event["event"] == "outcome")
    assert outcome["notes"][0] == "The utilities of gourmet are left out: saver gave a ranking alone."
    assert outcome["notes"][1].startswith("Utilities come from the rankings")
    assert outcome["trace"]["contributions"]["gourmet"] == {"a": 0.0, "b": 0.5, "c": 1.0, "d": 1.5, "e": 2.0}


def test_rules_on_rankings_do_not_mention_utilities() -> None:
    outcome = next(e for e in run_with("RankingAlone", "protocol=sealed").events if e["event"] == "outcome")
    assert outcome["notes"] == []


def test_utilities_for_more_than_the_candidates_are_used_for_the_candidates() -> None:
    whole, honest = (
        next(e["scores"] for e in run_with(kind, mediator="utilitarian").events if e["event"] == "outcome")
        for kind in ("WholeCatalogue", "Honest")
    )
    assert whole == honest


def test_details_that_json_does_not_know_are_logged_as_text() -> None:
    details = first_words(run_with("OwnFaults"))["details"]
    assert details["seen"] == "{'a'}"
    assert isinstance(details["by"], str)
    assert first_words(run_with("OwnFaults"))["faults"]["typos"] == 3


def test_nobody_can_change_what_is_on_the_table_for_the_others() -> None:
    result = run_with("Scribbles", "protocol=sealed")
    assert counts_of(result)[0] == {"errors": 1, "abstentions": 1}
    assert "read-only" in first_words(result)["details"]["error"]


def test_an_error_never_shows_a_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "no ballot today")
    assert first_words(run_with("Raises"))["details"]["error"] == "RuntimeError: ***"


def test_a_revised_ballot_starts_from_what_it_wants_not_from_what_it_conceded() -> None:
    world = NegotiationWorld(load_scenario(LETTERS, ["protocol=deliberation(turns=4)"]))
    world.step()
    for turn in world.negotiation.turns:
        answer = turn.responses["saver"]
        if answer.proposal is None:
            continue
        places = {item: place for place, item in enumerate(turn.outcome.ranking)}
        honest = {"a": 0.7, "b": 0.625, "c": 0.5, "d": 0.375, "e": 0.3}
        expected = {item: 0.75 * honest[item] + 0.25 * (4 - places[item]) / 4 for item in honest}
        assert dict(answer.proposal.utilities) == pytest.approx(expected, abs=1e-9)
        slate = turn.outcome.slate
        assert answer.details["satisfaction"] == pytest.approx(sum(honest[i] for i in slate) / 1.325, abs=1e-6)


@pytest.mark.parametrize(("kind", "said"), [("RaisesWhenClosed", "it does not close"), ("StaysOpen", "TimeoutError")])
def test_a_stakeholder_that_does_not_close_takes_nothing_from_the_run(
    kind: str, said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("simulator.world.CLOSE_SECONDS", 0.1)
    assert len(run_with(kind).rounds) == 3
    assert f"saver was not closed: {said}" in caplog.text.replace("RuntimeError: ", "")
