"""Every kind of faulty reply is counted exactly and repaired in the stated order."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace

import pytest
from pydantic import BaseModel, ValidationError
from scripted import NEVER, ScriptedClient, ballot, counts, host_world, said

from agents.conversation import _parsed
from agents.prompts import Ballot

GOOD = ballot("e", "d", "c", "b", "a")
HTML = "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>"
REFUSAL = "I'm sorry, but I can't help with that."


class Strict(BaseModel):
    whole: int


def invalid() -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        Strict.model_validate({"whole": "x"})
    return caught.value


FAULTY = {
    "malformed": ["}{ not JSON", HTML, '{"argument": "no ranking"}', '{"ranking": "abc"}', "[1, 2]", "{" * 50_000],
    "empty": ["", " \n\t"],
    "refusals": [REFUSAL, "I cannot help with rankings."],
    "errors": [ConnectionError("refused"), KeyError("choices"), asyncio.CancelledError()],
    "timeouts": [NEVER],
}


@pytest.mark.parametrize(("fault", "reply"), [(fault, reply) for fault, many in FAULTY.items() for reply in many])
def test_a_reply_that_cannot_be_used_is_asked_for_again(fault: str, reply: object) -> None:
    client = ScriptedClient(reply, GOOD)
    world = host_world(client, timeout=0.1)
    world.step()
    assert counts(world) == {fault: 1, "retries": 1}
    assert [tier[0] for tier in said(world)["ranking"]] == ["e", "d", "c", "b", "a"]
    assert said(world)["calls"] == 2


@pytest.mark.parametrize(("fault", "reply"), [(fault, many[0]) for fault, many in FAULTY.items()])
def test_a_model_that_never_says_anything_usable_abstains(fault: str, reply: object) -> None:
    world = host_world(ScriptedClient(reply), timeout=0.1)
    world.step()
    assert counts(world) == {fault: 2, "retries": 1, "abstentions": 1}
    assert said(world)["ranking"] == []


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_it_is_asked_again_as_often_as_the_scenario_says(retries: int) -> None:
    client = ScriptedClient("")
    world = host_world(client, f"stakeholders.1.agent=llm(retries={retries})")
    world.step()
    assert len(client.prompts) == retries + 1
    assert counts(world) == {"empty": retries + 1, **({"retries": retries} if retries else {}), "abstentions": 1}


def test_the_retry_shows_the_model_its_own_reply_and_what_was_wrong_with_it() -> None:
    client = ScriptedClient(ballot("a", "a", "x"), GOOD)
    host_world(client).step()
    first, again = client.prompts
    assert again[: len(first)] == first
    assert again[-2] == ballot("a", "a", "x")
    assert "1 unknown items, 1 duplicates, 4 omissions" in again[-1]
    assert again[-1].endswith(first[-1])


@pytest.mark.parametrize(
    ("ranking", "found", "kept"),
    [
        (["x", "e", "y"], {"unknown_items": 2, "omissions": 4}, ["e"]),
        (["a", "b", "a", "c", "d", "e", "b"], {"duplicates": 2}, ["a", "b", "c", "d", "e"]),
        (["c", "a"], {"omissions": 3}, ["c", "a"]),
        ([" E", "D ", "c", "b", "A"], {}, ["e", "d", "c", "b", "a"]),
    ],
)
def test_faulty_rankings_are_counted_per_reply_and_their_usable_part_is_taken(
    ranking: list[str], found: dict[str, int], kept: list[str]
) -> None:
    world = host_world(ScriptedClient(ballot(*ranking)))
    world.step()
    twice = {fault: 2 * count for fault, count in found.items()}  # it was asked twice and said the same
    assert counts(world) == {**twice, **({"retries": 1, "partial_ballots": 1} if found else {})}
    assert [tier[0] for tier in said(world)["ranking"]] == kept


def test_a_usable_part_outlives_a_useless_retry() -> None:
    world = host_world(ScriptedClient(ballot("c", "a"), "nothing"))
    world.step()
    assert counts(world) == {"omissions": 3, "malformed": 1, "retries": 1, "partial_ballots": 1}
    assert [tier[0] for tier in said(world)["ranking"]] == ["c", "a"]


def test_a_ranking_of_unknown_items_alone_is_no_ballot() -> None:
    world = host_world(ScriptedClient(ballot("x", "y")))
    world.step()
    assert counts(world) == {"unknown_items": 4, "omissions": 10, "retries": 1, "abstentions": 1}


def test_a_model_that_fails_in_round_2_alone_is_represented_by_its_last_ballot() -> None:
    client = ScriptedClient(GOOD, "", "", GOOD)
    world = host_world(client)
    counted = []
    for _ in range(3):
        world.step()
        counted.append(counts(world))
    assert counted == [{}, {"empty": 2, "retries": 1, "last_ballots": 1}, {}]


def test_a_last_ballot_does_not_shrink_with_every_round_that_it_stands_in_for() -> None:
    drawn = "catalogue.candidates={draw: random, count: 3}"
    world = host_world(ScriptedClient(ballot("a", "b", "c", "d", "e"), ""), drawn)
    world.step()
    first = {tier[0] for tier in said(world)["ranking"]}
    for _ in range(6):
        world.step()
        on_the_table = set(world.last.events[0]["candidates"])
        assert {tier[0] for tier in said(world)["ranking"]} == first & on_the_table


def test_who_abstained_accepts_nothing() -> None:
    for way in ("listwise", "weigh"):
        world = host_world(ScriptedClient(""), "protocol=deliberation", f"stakeholders.1.way={way}")
        world.step()
        assert said(world, "response")["verdict"] == "revise"


def test_faults_of_a_revised_ranking_count_as_well() -> None:
    revised = ballot("x", "a", accept=False)
    client = ScriptedClient(GOOD, revised, revised, ballot(accept=True))
    world = host_world(client, "protocol=deliberation")
    world.step()
    assert counts(world) == {"unknown_items": 2, "omissions": 8, "retries": 1, "partial_ballots": 1}
    assert said(world)["ranking"] == [["a"]]


def test_the_ranking_beside_an_acceptance_does_not_matter() -> None:
    world = host_world(ScriptedClient(GOOD, ballot(accept=True)), "protocol=deliberation")
    world.step()
    assert counts(world) == {}
    assert said(world, "response")["verdict"] == "accept"


def test_a_model_that_cannot_answer_keeps_its_ballot_and_accepts_nothing() -> None:
    world = host_world(ScriptedClient(GOOD, ""), "protocol=deliberation(turns=1)")
    world.step()
    assert counts(world) == {"empty": 2, "retries": 1, "last_ballots": 1}
    assert said(world, "response")["verdict"] == "revise"


def test_an_argument_that_is_no_sentence_is_left_out_and_the_ballot_stands() -> None:
    ratings = {"importance_of_few_visitors": 1, "importance_of_good_ratings": 9, "importance_of_low_prices": 0}
    answer = json.dumps({**ratings, "argument": "Because I say so."})
    settings = ("stakeholders.1.way=weigh", "stakeholders.0.weight=9", "protocol=deliberation")
    world = host_world(ScriptedClient(answer, HTML), *settings)
    world.step()
    answered = said(world, "response")
    assert answered["argument"] == ""
    assert counts(world) == {"malformed": 2, "retries": 1, "partial_ballots": 1}


@pytest.mark.parametrize("client_raises", [True, False])
def test_a_client_that_parses_by_itself_is_malformed_too(client_raises: bool) -> None:
    world = host_world(ScriptedClient(invalid() if client_raises else '{"ranking": 3}', GOOD))
    world.step()
    assert counts(world) == {"malformed": 1, "retries": 1}


def test_faulty_replies_and_errors_are_in_the_log_with_their_tokens() -> None:
    world = host_world(ScriptedClient("}{", GOOD))
    world.step()
    exchanges = said(world)["details"]["exchanges"]
    assert [exchange["reply"] for exchange in exchanges] == ["}{", GOOD]
    assert said(world)["prompt_tokens"] == 20
    assert said(world)["completion_tokens"] == 6
    world = host_world(ScriptedClient(ConnectionError("refused"), GOOD))
    world.step()
    assert said(world)["details"]["exchanges"][0]["error"] == "ConnectionError: refused"


def test_a_call_that_is_given_up_ends() -> None:
    client = ScriptedClient(NEVER)
    world = host_world(client, timeout=0.05)
    world.step()
    assert client.given_up == 2


@pytest.mark.parametrize("wrong", [-1, 11])
def test_retries_out_of_range_are_refused(wrong: int) -> None:
    with pytest.raises(ValueError, match="retries must be in"):
        host_world(ScriptedClient(GOOD), f"stakeholders.1.agent=llm(retries={wrong})")


def test_a_key_that_the_server_repeats_is_in_no_event_even_where_the_message_is_cut() -> None:
    key = "sk-declared-in-the-scenario"
    world = host_world(ScriptedClient(*[RuntimeError(f"{'.' * 270} wrong key {key}")] * 2))
    world.stakeholders[1].llm = replace(world.stakeholders[1].llm, secrets=(key,))
    world.step()
    errors = [exchange["error"] for exchange in said(world)["details"]["exchanges"]]
    assert len(errors) == 2
    assert all("sk-" not in error and error.startswith("RuntimeError: ...") for error in errors)


@pytest.mark.parametrize(
    "reply",
    [
        '<think>{"ranking": []} or {a: b}?</think>{"ranking": ["a"], "argument": "Yes."}',
        'Sure {here it is}:\n```json\n{"ranking": ["a"], "argument": "Yes."}\n```\nI hope {this} helps!',
        '{"note": 1} {"ranking": ["a"], "argument": "Yes."}',
    ],
)
def test_the_wanted_object_is_found_among_other_words_and_braces(reply):
    assert _parsed(reply, Ballot) == Ballot(ranking=["a"], argument="Yes.")


def test_a_long_reply_of_braces_is_given_up_on_soon():
    began = time.perf_counter()
    with pytest.raises(Exception, match="not the JSON object"):
        _parsed("{" * 1_000_000, Ballot)
    assert time.perf_counter() - began < 1
