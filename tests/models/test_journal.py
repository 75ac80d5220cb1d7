import asyncio
import json

import pytest
from autogen_core.tools import FunctionTool
from pydantic import BaseModel

from simulator.models import create_model
from simulator.models.journal import Journal, journaled, purpose


class Answer(BaseModel):
    stars: int


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


@pytest.fixture
def journal(path):
    journal = Journal(path)
    yield journal
    journal.close()


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_reply_is_on_disk_before_the_next_question(run, chat, path, journal):
    async def ask():
        model = journaled(create_model("fake", seed=1), journal)
        seen = []
        for question in ("one", "two", "three"):
            result = await model.client.create(chat(question))
            seen.append((lines(path)[-1]["reply"], result.content, len(lines(path))))
        return seen

    for n, (written, said, count) in enumerate(run(ask()), start=1):
        assert (written, count) == (said, n)


def test_a_line_says_what_was_asked_and_what_came(run, chat, path, journal):
    async def ask():
        model = journaled(create_model("fake", seed=1), journal)
        purpose.set("round 1, tourist, turn 1")
        await model.client.create(chat("Überall?"), json_output=Answer)
        purpose.set("round 1, tourist, weights")
        return await model.scorer.phrase_logprobs("s", "u", "o", ["low prices", "clean air"])

    scores = run(ask())
    created, scored = lines(path)
    assert list(created) == ["key", "purpose", "kind", "prompt", "reply", "finish", "thought", "usage"]
    assert created["purpose"] == "round 1, tourist, turn 1"
    assert created["prompt"]["messages"][1]["content"] == "Überall?"
    assert created["prompt"]["schema"]["title"] == "Answer"
    Answer.model_validate_json(created["reply"])
    assert created["usage"]["prompt_tokens"] > 0
    assert json.loads(scored["reply"]) == scores
    assert scored["prompt"] == {"system": "s", "user": "u", "opening": "o", "phrases": ["low prices", "clean air"]}


def test_purposes_of_concurrent_questions_are_kept_apart(run, chat, path, journal):
    model = journaled(create_model("fake(delay=0.01)", seed=1), journal)

    async def one(i):
        purpose.set(f"stakeholder {i}")
        await model.client.create(chat(f"question {i}"))

    async def ask():
        await asyncio.gather(*(asyncio.create_task(one(i)) for i in range(20)))

    run(ask())
    for line in lines(path):
        assert line["purpose"].split()[-1] == line["prompt"]["messages"][1]["content"].split()[-1]
    assert len(lines(path)) == 20


def test_the_key_is_that_of_the_question(run, chat, path, journal):
    def look(city: str) -> str:
        return city

    async def ask():
        fake, other = (journaled(create_model("fake", seed=seed), journal) for seed in (1, 2))
        await fake.client.create(chat("one"))
        await fake.client.create(chat("one"))
        await other.client.create(chat("one"))
        await fake.client.create(chat("two"))
        await fake.client.create(chat("one"), json_output=Answer)
        await fake.client.create(chat("one"), extra_create_args={"temperature": 1})
        await fake.client.create(chat("one"), tools=[FunctionTool(look, description="")])

    run(ask())
    keys = [line["key"] for line in lines(path)]
    assert keys[0] == keys[1]
    assert len(set(keys)) == len(keys) - 1
    assert all(len(key) == 64 for key in keys)


def test_a_tool_call_is_journaled(run, chat, path, journal):
    def look(city: str) -> str:
        return city

    model = journaled(create_model("fake", seed=1), journal)
    run(model.client.create(chat("one"), tools=[FunctionTool(look, description="")]))
    [line] = lines(path)
    assert line["finish"] == "function_calls"
    assert json.loads(line["reply"])[0]["name"] == "look"


@pytest.mark.parametrize(("fault", "finish"), [("error", "ConnectionError"), ("never", "CancelledError")])
def test_a_question_without_a_reply_is_journaled_too(chat, path, journal, fault, finish):
    async def ask():
        model = journaled(create_model(f"fake(fault={fault})", seed=1), journal)
        await asyncio.wait_for(model.client.create(chat("one")), 0.05)

    with pytest.raises((ConnectionError, TimeoutError)):
        asyncio.run(ask())
    [line] = lines(path)
    assert (line["reply"], line["finish"]) == (None, finish)


def test_the_same_run_leaves_the_same_journal(run, chat, tmp_path):
    def play(path):
        journal = Journal(path)

        async def ask():
            model = journaled(create_model("fake", seed=1), journal)
            for question in ("one", "two"):
                await model.client.create(chat(question), json_output=Answer)

        run(ask())
        journal.close()
        return path.read_bytes()

    assert play(tmp_path / "a") == play(tmp_path / "b")


def test_a_stream_is_journaled_once(run, chat, path, journal):
    async def ask():
        model = journaled(create_model("fake", seed=1), journal)
        return [part async for part in model.client.create_stream(chat("one"))]

    [whole] = run(ask())
    assert [line["reply"] for line in lines(path)] == [whole.content]
