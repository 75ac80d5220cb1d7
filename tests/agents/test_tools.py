"""Tools: what they answer, and that their answers reach the model."""

from __future__ import annotations

import json

import pytest
from autogen_core import FunctionCall
from scripted import WORLDS, ScriptedClient, ballot, counts, host_world, said

from agents.tools import look_up, make_tools, search_passages
from simulator import NegotiationWorld, Table, load_scenario

GOOD = ballot("e", "d", "c", "b", "a")
NOTES = (WORLDS / "talkers" / "notes.md").read_text()


@pytest.fixture
def table() -> Table:
    seen: list[Table] = []
    world = NegotiationWorld(load_scenario(WORLDS / "letters"))
    first = world.stakeholders[0]
    propose = first.propose
    first.propose = lambda table: (seen.append(table), propose(table))[1]  # type: ignore[method-assign]
    world.step()
    return seen[0]


def call(name: str, **arguments: str) -> FunctionCall:
    return FunctionCall(id="call_1", name=name, arguments=json.dumps(arguments))


def test_an_item_is_looked_up_whatever_its_case(table: Table) -> None:
    assert look_up("d", table) == "d: price: 40 USD; stars: 4 stars; crowding: 0 visits"
    assert look_up(" D ", table) == look_up("d", table)


def test_an_unknown_item_is_answered_with_what_there_is(table: Table) -> None:
    assert look_up("x\n" + "y" * 10_000, table).endswith("is not among the candidates: a, b, c, d, e")


def test_an_answer_about_an_unknown_item_does_not_repeat_it_at_length(table: Table) -> None:
    assert len(look_up("y" * 10_000, table)) < 300


@pytest.mark.parametrize(
    ("question", "first"),
    [("Which letter is the most frequent?", "The letter e"), ("MASON", "The letter a"), ("a g once", "The letter c")],
)
def test_the_passage_that_shares_most_words_comes_first(question: str, first: str) -> None:
    assert search_passages(question, NOTES).startswith(first)


@pytest.mark.parametrize("question", ["", "?!", "\x00\x1b[31m", "x" * 100_000, "(((((.*)*)*)*", "zebra"])
def test_a_question_that_the_notes_do_not_answer_is_told_so(question: str) -> None:
    assert search_passages(question, NOTES) == "The notes say nothing about this."


def test_a_tools_schema_says_what_it_needs_and_nothing_else(table: Table) -> None:
    catalogue, knowledge = make_tools([("catalogue", {}), ("knowledge", {"file": "notes.md"})], table)
    assert [catalogue.name, knowledge.name] == ["catalogue", "knowledge"]
    assert list(catalogue.schema["parameters"]["properties"]) == ["item"]
    assert list(knowledge.schema["parameters"]["properties"]) == ["question"]
    for tool in (catalogue, knowledge):
        assert "notes.md" not in json.dumps(tool.schema)
        assert "Table" not in json.dumps(tool.schema)


TOOLS = "stakeholders.1.tools=[catalogue, knowledge(file=notes.md)]"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (call("catalogue", item="e"), "e: price: 50 USD; stars: 5 stars"),
        (call("catalogue", item="Atlantis"), "'Atlantis' is not among the candidates"),
        (call("knowledge", question="Who drew the a?"), "The letter a was drawn by a mason."),
        (call("knowledge", question="'; DROP TABLE"), "The notes say nothing about this."),
        (call("weather", place="e"), "weather"),  # there is no such tool
        (FunctionCall(id="call_1", name="catalogue", arguments="{not json"), "Expecting"),
        (call("catalogue", wrong="e"), "item"),
    ],
)
def test_a_tools_answer_reaches_the_model_and_the_log(asked: FunctionCall, answer: str) -> None:
    client = ScriptedClient(asked, GOOD)
    world = host_world(client, TOOLS, tools=True)
    world.step()
    assert [tool["name"] for tool in client.offered[0]] == ["catalogue", "knowledge"]
    assert answer in client.prompts[1][-1]
    used = said(world)["details"]["exchanges"][0]["tools"]
    assert used[0]["name"] == asked.name
    assert answer in used[0]["result"]
    assert counts(world) == {}
    assert said(world)["calls"] == 2
    assert said(world)["prompt_tokens"] == 20


def test_a_model_that_never_stops_calling_tools_is_stopped() -> None:
    client = ScriptedClient(call("catalogue", item="e"))
    world = host_world(client, TOOLS, tools=True)
    world.step()
    assert len(client.prompts) <= 8
    assert counts(world)["abstentions"] == 1


def test_models_that_cannot_call_tools_are_offered_none() -> None:
    client = ScriptedClient(GOOD)
    host_world(client, TOOLS, tools=False).step()
    assert client.offered == [[]]
