import asyncio
import json
import subprocess
import sys
from enum import StrEnum
from typing import Literal

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_core import CancellationToken
from autogen_core.models import ChatCompletionClient
from autogen_core.tools import FunctionTool
from pydantic import BaseModel, Field, ValidationError

from simulator.models import create_model
from simulator.models.fake import FakeClient
from simulator.models.fake_answers import answer_schema
from simulator.models.spec import FAULTS


class City(StrEnum):
    PARIS = "Paris"
    OSLO = "Oslo"
    ROME = "Rome"
    GHENT = "Ghent"


class Ballot(BaseModel):
    ranking: list[City] = Field(min_length=4, max_length=4)
    argument: str = Field(min_length=1, max_length=40)


class Everything(BaseModel):
    choice: Literal["a", "b"]
    fixed: Literal["only"]
    whole: int = Field(ge=3, le=5)
    open_whole: int = Field(gt=3, lt=5)
    real: float = Field(gt=0, lt=0.1)
    low: float = Field(le=-100)
    stepped: int = Field(ge=1, le=50, multiple_of=7)
    long: str = Field(min_length=200)
    short: str = Field(max_length=3)
    flag: bool
    maybe: "Everything | None" = None
    rows: list["Ballot"] = Field(min_length=2)
    some: list[Literal["x", "y"]] = Field(min_length=3)
    pair: tuple[int, str]
    either: int | str


def test_the_same_question_gets_the_same_answer_and_another_question_another(run, chat):
    client = FakeClient(seed=3)

    async def ask():
        questions = [f"Rank the cities for traveller {i}." for i in range(20)]
        together = await asyncio.gather(*(client.create(chat(q), json_output=Ballot) for q in questions))
        alone = [await FakeClient(seed=3).create(chat(q), json_output=Ballot) for q in reversed(questions)]
        return [r.content for r in together], [r.content for r in reversed(alone)]

    together, alone = run(ask())
    assert together == alone
    rankings = {tuple(Ballot.model_validate_json(text).ranking) for text in together}
    assert len(rankings) > 5
    assert all(len(set(ranking)) == 4 for ranking in rankings)


def test_another_seed_gives_other_answers(run, chat):
    answers = {run(FakeClient(seed=seed).create(chat("Rank."), json_output=Ballot)).content for seed in range(10)}
    assert len(answers) > 3


def test_answers_do_not_depend_on_the_hash_seed():
    code = (
        "from simulator.models.fake_answers import answer_schema, sentence;"
        "print(answer_schema({'type': 'array', 'items': {'enum': ['a', 'b', 'c', 'd', 'e']}}, 'prompt', 1),"
        "sentence('several longer words without order', 1))"
    )
    outputs = {
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": s, "PYTHONPATH": ":".join(sys.path)},
                       capture_output=True, text=True, check=True).stdout
        for s in ("0", "1", "2")
    }  # fmt: skip
    assert len(outputs) == 1


@pytest.mark.parametrize("seed", range(20))
def test_every_schema_gets_a_valid_instance(seed):
    answer = answer_schema(Everything.model_json_schema(), f"prompt {seed}", seed)
    Everything.model_validate_json(json.dumps(answer))


def test_free_text_is_about_the_prompt(run, chat):
    result = run(FakeClient().create(chat("Compare Lisbon", system="")))
    assert "Compare" in result.content or "Lisbon" in result.content
    assert result.usage.prompt_tokens == 2
    assert result.usage.completion_tokens == len(result.content.split())


def test_what_is_mentioned_earlier_matters_more_and_what_is_not_cared_about_least(run):
    goal = "What matters most to me is low prices. I also like clean air. I do not care about quiet streets."
    phrases = ["quiet streets", "famous sights", "clean air", "low prices"]
    most = run(FakeClient().phrase_logprobs(goal, "?", "What matters most to me is", phrases))
    least = run(FakeClient().phrase_logprobs(goal, "?", "I do not care about", phrases))
    assert most == sorted(most)
    assert least == sorted(least, reverse=True)
    assert max(most + least) < 0


def test_the_shipped_fault_names_are_the_ones_it_obeys(run, chat):
    said = {}
    for fault in FAULTS:
        if fault in ("never", "error"):
            continue
        said[fault] = run(FakeClient(fault=fault).create(chat("Rank."), json_output=Ballot)).content
    assert len(set(said.values())) == len(said)
    good = json.loads(said["none"])["ranking"]
    assert json.loads(said["duplicate"])["ranking"] == [*good[:-1], good[0]]
    assert json.loads(said["omit"])["ranking"] == good[:-1]
    assert json.loads(said["unknown_item"])["ranking"][1:] == good[1:]
    assert json.loads(said["unknown_item"])["ranking"][0] not in good
    assert said["empty"] == ""
    assert said["html"].startswith("<!DOCTYPE html>")
    for fault in ("rubbish", "empty", "html", "refuse", "omit", "unknown_item"):
        with pytest.raises(ValidationError):
            Ballot.model_validate_json(said[fault])


def test_an_answer_without_a_ranking_loses_its_last_field(run, chat):
    class Opinion(BaseModel):
        stars: int
        argument: str

    result = run(FakeClient(fault="omit").create(chat("?"), json_output=Opinion))
    assert list(json.loads(result.content)) == ["stars"]


def test_an_error_is_raised(run, chat):
    with pytest.raises(ConnectionError):
        run(FakeClient(fault="error").create(chat("?")))


def test_a_model_that_never_answers_can_be_cancelled(run, chat):
    async def ask():
        token = CancellationToken()
        asking = asyncio.ensure_future(FakeClient(fault="never").create(chat("?"), cancellation_token=token))
        await asyncio.sleep(0.02)
        assert not asking.done()
        token.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    run(ask())


def test_delayed_answers_are_awaited_together(run, chat):
    async def ask():
        client = FakeClient(delay=0.2)
        start = asyncio.get_running_loop().time()
        await asyncio.gather(*(client.create(chat(str(i))) for i in range(10)))
        return asyncio.get_running_loop().time() - start

    assert 0.2 <= run(ask()) < 1.0


def test_an_agent_calls_the_offered_tool_once_and_then_answers(run):
    calls = []

    def population(city: str) -> str:
        calls.append(city)
        return "700000"

    async def ask():
        tool = FunctionTool(population, description="People living in a city.")
        agent = AssistantAgent("stakeholder", FakeClient(), tools=[tool], reflect_on_tool_use=True)
        return (await agent.run(task="How many people live in Oslo?")).messages[-1]

    assert run(ask()).to_text()
    assert len(calls) == 1


def test_it_is_an_autogen_component():
    client = FakeClient(seed=5, fault="omit")
    again = ChatCompletionClient.load_component(client.dump_component())
    assert again.dump_component() == client.dump_component()


def test_a_stream_ends_with_the_whole_answer(run, chat):
    async def ask():
        return [part async for part in FakeClient().create_stream(chat("Compare Lisbon and Porto."))]

    *pieces, whole = run(ask())
    assert "".join(pieces).strip() == whole.content


@pytest.mark.parametrize(
    ("spec", "way"),
    [("fake", "weigh"), ("fake(fault=omit)", "listwise"), ("fake(fault=omit, way=weigh)", "weigh")],
)
def test_faults_of_rankings_make_it_write_rankings(spec, way):
    model = create_model(spec, seed=1)
    assert (model.way, model.name, model.scorer is model.client) == (way, spec, True)
