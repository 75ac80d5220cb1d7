import asyncio
import contextlib
import socket
import threading
import time
import warnings
from typing import Literal

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_core.tools import FunctionTool
from openai import APIStatusError, APITimeoutError
from openai_server import OpenAIServer
from pydantic import BaseModel, Field

from simulator.models import ModelSpecError, ModelUnavailable, create_model
from simulator.models.openai import MalformedReply, response_format

KEY = "sk-very-secret-0123456789"


class Ballot(BaseModel):
    ranking: list[Literal["Oslo", "Rome", "Ghent"]] = Field(min_length=3, max_length=3)
    argument: str = Field(default="none", max_length=60)


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)


def at(server: OpenAIServer, more: str = "") -> str:
    return f"openai(model=small, base_url={server.base_url}{more})"


def ask(model, chat, **options):
    async def asking():
        try:
            return await model.client.create(chat("Rank the cities."), **options)
        finally:
            await model.close()

    return asyncio.run(asking())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_it_talks_to_a_server_without_a_key(chat):
    with OpenAIServer() as server:
        result = ask(create_model(at(server, ", temperature=0.5, max_tokens=30"), seed=2**40 + 7), chat)
    assert isinstance(result.content, str)
    assert result.usage.prompt_tokens > 0
    [request] = server.requests
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("small", 0.5, 30)
    assert 0 <= request["seed"] < 2**31
    assert set(server.keys) == {"Bearer not-needed"}


def test_a_structured_answer_is_asked_for_by_strict_schema(chat):
    with OpenAIServer() as server:
        result = ask(create_model(at(server), seed=1), chat, json_output=Ballot)
    assert sorted(Ballot.model_validate_json(result.content).ranking) == ["Ghent", "Oslo", "Rome"]
    form = server.requests[0]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"]["required"] == ["ranking", "argument"]
    assert form["json_schema"]["schema"]["additionalProperties"] is False


def test_a_field_named_like_a_keyword_stays_in_the_schema():
    class Odd(BaseModel):
        default: int
        properties: str

    schema = response_format(Odd)["json_schema"]["schema"]
    assert list(schema["properties"]) == ["default", "properties"]


def test_a_wrong_structured_answer_comes_back_in_its_own_words(chat):
    with OpenAIServer(fault="rubbish") as server:
        assert ask(create_model(at(server), seed=1), chat, json_output=Ballot).content == '}{ not: JSON "'


def test_eight_questions_take_as_long_as_one(chat):
    with OpenAIServer(delay=0.3) as server:
        model = create_model(at(server), seed=1)

        async def asking():
            await model.client.create(chat("warm the connection pool"))
            start = time.perf_counter()
            await asyncio.gather(*(model.client.create(chat(f"question {i}")) for i in range(8)))
            took = time.perf_counter() - start
            await model.close()
            return took

        assert asyncio.run(asking()) < 0.6
        assert len(server.requests) == 9


def test_an_agent_uses_a_tool_over_the_server():
    calls = []

    def population(city: str) -> str:
        calls.append(city)
        return "700000"

    with OpenAIServer() as server:
        model = create_model(at(server), seed=1)
        assert model.calls_tools

        async def asking():
            tool = FunctionTool(population, description="People living in a city.")
            agent = AssistantAgent("stakeholder", model.client, tools=[tool], reflect_on_tool_use=True)
            result = await agent.run(task="How many people live in Oslo?")
            await model.close()
            return result.messages[-1].to_text()

        assert asyncio.run(asking())
    assert len(calls) == 1
    assert not create_model_without_tools().calls_tools


def create_model_without_tools():
    with OpenAIServer() as server:
        return create_model(at(server, ", tools=false"), seed=1)


def test_the_key_is_sent_and_shown_nowhere(chat, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with OpenAIServer() as server:
        model = create_model(at(server), seed=1)
        ask(model, chat)
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert KEY not in f"{model!r} {model.name} {model.client!r} {model.settings}"


def test_another_variable_can_hold_the_key(chat, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "wrong")
    monkeypatch.setenv("LAB_KEY", KEY)
    with OpenAIServer() as server:
        ask(create_model(at(server, ", key_variable=LAB_KEY"), seed=1), chat)
    assert set(server.keys) == {f"Bearer {KEY}"}


def test_a_missing_key_is_named():
    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY is not set; set it to your key"):
        create_model("openai(model=gpt-4o-mini)", seed=1)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("openai", "start it or correct base_url"), ("ollama", "ollama serve")],
)
def test_a_refused_port_is_reported_at_once(name, remedy):
    start = time.perf_counter()
    with pytest.raises(ModelUnavailable, match=remedy) as caught:
        create_model(f"{name}(model=small, base_url=http://127.0.0.1:{free_port()}/v1)", seed=1)
    assert time.perf_counter() - start < 5
    assert "no model server answers at http://127.0.0.1" in caught.value.problem


def test_a_silent_server_is_reported_within_five_seconds():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        start = time.perf_counter()
        with pytest.raises(ModelUnavailable, match="timed out"):
            create_model(f"openai(model=m, base_url=http://127.0.0.1:{silent.getsockname()[1]}/v1)", seed=1)
        assert time.perf_counter() - start < 5


@pytest.mark.slow
def test_a_server_that_drips_its_list_is_reported_within_five_seconds():
    def drip(listening: socket.socket) -> None:
        caller, _ = listening.accept()
        with caller, contextlib.suppress(OSError):
            caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(80):
                caller.sendall(b" ")
                time.sleep(0.1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, args=(listening,), daemon=True).start()
        started = time.perf_counter()
        with pytest.raises(ModelUnavailable, match="timed out"):
            create_model(f"openai(model=m, base_url=http://127.0.0.1:{listening.getsockname()[1]}/v1)", seed=1)
        assert time.perf_counter() - started < 5


def test_a_model_that_the_server_does_not_have_is_answered_with_its_list():
    with (
        OpenAIServer(models=("llama3.2:latest", "qwen3:4b")) as server,
        pytest.raises(ModelUnavailable, match=r"has no model 'llama4'; it lists llama3[.]2:latest, qwen3:4b"),
    ):
        create_model(f"ollama(model=llama4, base_url={server.base_url})", seed=1)


def test_ollama_finds_a_model_without_its_tag(chat):
    with OpenAIServer(models=("llama3.2:latest",)) as server:
        model = create_model(f"ollama(model=llama3.2, base_url={server.base_url})", seed=1)
        assert ask(model, chat).content
    assert model.way == "listwise"
    assert model.scorer is None


def test_a_refused_key_is_reported():
    with OpenAIServer(fault="denied") as server, pytest.raises(ModelUnavailable, match="refuses the key"):
        create_model(at(server), seed=1)


def test_a_page_is_no_model_server():
    with OpenAIServer(fault="page") as server, pytest.raises(ModelUnavailable, match="is no OpenAI-compatible server"):
        create_model(at(server), seed=1)


def test_a_forgotten_path_is_reported():
    with OpenAIServer() as server, pytest.raises(ModelUnavailable, match=r"HTTP 404; give base_url with its path"):
        create_model(at(server).replace("/v1", ""), seed=1)


@pytest.mark.parametrize(
    ("fault", "more", "error"),
    [
        ("html", "", MalformedReply),
        ("error", ", retries=0", APIStatusError),
        ("none", ", retries=0, timeout=0.2", APITimeoutError),
    ],
)
def test_what_is_no_answer_raises(chat, fault, more, error):
    with OpenAIServer(fault=fault, delay=1.0 if "timeout" in more else 0.0) as server, pytest.raises(error):
        ask(create_model(at(server, more), seed=1), chat)


def test_a_component_is_loaded_as_autogen_writes_it(chat):
    with OpenAIServer() as server:
        info = {
            "vision": False,
            "function_calling": False,
            "json_output": True,
            "family": "unknown",
            "structured_output": True,
        }
        config = {"model": "small", "base_url": server.base_url, "api_key": KEY, "model_info": info, "seed": 3}
        spec = {"provider": "autogen_ext.models.openai.OpenAIChatCompletionClient", "config": config}
        model = create_model(spec, seed=1)
        assert ask(model, chat).content
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert model.name == f"OpenAIChatCompletionClient(model=small, base_url={server.base_url})"
    assert KEY not in f"{model!r}"
    assert KEY in model.secrets
    assert (model.way, model.calls_tools, model.settings["seed"]) == ("listwise", False, 3)


def test_the_fake_as_a_component_weighs():
    model = create_model({"provider": "simulator.models.fake.FakeClient", "config": {"seed": 3}}, seed=1)
    assert (model.way, model.scorer is model.client) == ("weigh", True)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"provider": "no.such.Client", "config": {}}, "no.such.Client cannot be loaded"),
        ({"provider": "simulator.models.fake.FakeClient", "config": {"seed": "x"}}, "cannot be loaded"),
        ({"provider": "autogen_core.tools.FunctionTool", "config": {}}, "cannot be loaded"),
    ],
)
def test_a_component_that_does_not_load_is_reported(spec, said):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ModelSpecError, match=said):
            create_model(spec, seed=1)


def test_a_component_without_its_key_is_reported():
    spec = {"provider": "autogen_ext.models.openai.OpenAIChatCompletionClient", "config": {"model": "gpt-4o-mini"}}
    with pytest.raises(ModelUnavailable, match="set OPENAI_API_KEY"):
        create_model(spec, seed=1)


def test_a_component_that_names_no_key_uses_that_of_the_environment(chat, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    info = {"vision": False, "function_calling": False, "json_output": True, "family": "unknown"}
    with OpenAIServer() as server:
        config = {"model": "small", "base_url": server.base_url, "model_info": {**info, "structured_output": True}}
        for given in ({}, {"api_key": "***"}):  # the second is what a run folder's scenario shows
            spec = {"provider": "autogen_ext.models.openai.OpenAIChatCompletionClient", "config": {**config, **given}}
            ask(create_model(spec, seed=1), chat)
    assert set(server.keys) == {f"Bearer {KEY}"}
