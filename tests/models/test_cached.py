"""A model behind the cache: what is asked, what is not, and what comes back."""

import asyncio
import json
import math

import pytest
from autogen_core import FunctionCall
from autogen_core.models import RequestUsage
from autogen_core.tools import FunctionTool
from pydantic import BaseModel

from simulator.models import create_model
from simulator.models.cache import ResponseCache, cached
from simulator.models.cached import CacheUse
from simulator.models.journal import Journal, journaled
from simulator.models.purpose import purpose
from tests.models.counting import SCORES, answer, counting


class Stars(BaseModel):
    stars: int


@pytest.fixture
def path(tmp_path):
    return tmp_path / "replies.sqlite"


@pytest.fixture
def cache(path):
    with ResponseCache(path) as cache:
        yield cache


def test_a_later_run_gets_every_reply_without_asking(run, chat, path):
    model, client = counting()

    async def ask(use):
        with ResponseCache(path) as cache:
            asked = cached(model, cache, use).client
            return [await asked.create(chat(question)) for question in ("one", "two", "three")]

    cold, warm = CacheUse(), CacheUse()
    first, again = run(ask(cold)), run(ask(warm))
    assert client.asked == 3
    assert [reply.content for reply in first] == [reply.content for reply in again]
    assert [reply.usage for reply in first] == [reply.usage for reply in again] == [RequestUsage(30, 7)] * 3
    assert [reply.cached for reply in first + again] == [False] * 3 + [True] * 3
    assert (cold, warm) == (CacheUse(0, 3, 0, 0), CacheUse(3, 0, 90, 21))


def test_everything_of_a_reply_comes_back(run, chat, cache):
    calls = [FunctionCall(id="c1", name="look", arguments='{"city": "Überall \\u0000"}')]
    given = answer(calls, finish_reason="function_calls", thought="hm\n\x00")
    model, _ = counting(answers=lambda _: given)

    async def ask():
        return await cached(model, cache).client.create(chat("one"))

    assert run(ask()) == given
    assert run(ask()) == given.model_copy(update={"cached": True})


def test_floats_come_back_to_the_last_bit(run, path):
    model, client = counting()

    async def ask():
        with ResponseCache(path) as cache:
            return await cached(model, cache).scorer.phrase_logprobs("s", "u", "o", list("abcde"))

    first, again = run(ask()), run(ask())
    assert client.asked == 1
    for scores in (first, again):
        assert [score.hex() for score in scores] == [score.hex() for score in SCORES]
    assert math.copysign(1, again[2]) == -1


def test_a_question_put_again_gets_the_next_reply_and_so_it_does_in_the_next_run(run, chat, cache):
    model, client = counting()

    async def ask(times):
        asked = cached(model, cache).client
        return [(await asked.create(chat("one"))).content for _ in range(times)]

    assert run(ask(2)) == ["counting 1", "counting 2"]
    assert run(ask(3)) == ["counting 1", "counting 2", "counting 3"]
    assert client.asked == 3


def test_phrase_probabilities_are_measured_once(run, cache):
    model, client = counting()

    async def ask():
        scorer = cached(model, cache).scorer
        return [await scorer.phrase_logprobs("s", "u", "o", ["a"]) for _ in range(3)]

    assert run(ask()) == [SCORES[:1]] * 3
    assert client.asked == 1


def test_what_decides_an_answer_decides_the_key(run, chat, cache):
    def look(city: str) -> str:
        return city

    model, client = counting()
    other, other_client = counting("other")
    warmer, warmer_client = counting(settings={"seed": 1, "temperature": 0.5})
    reseeded, reseeded_client = counting(settings={"seed": 2})

    async def ask():
        plain = cached(model, cache).client
        await plain.create(chat("one"))
        await plain.create(chat("two"))
        await plain.create(chat("one", "another system message"))
        await plain.create(chat("one"), json_output=Stars)
        await plain.create(chat("one"), json_output=True)
        await plain.create(chat("one"), extra_create_args={"top_p": 0.5})
        await plain.create(chat("one"), tools=[FunctionTool(look, description="")])
        await plain.create(chat("one"), tools=[FunctionTool(look, description="")], tool_choice="none")
        await plain.phrase_logprobs("s", "u", "o", ["a"])
        await plain.phrase_logprobs("s", "u", "p", ["a"])
        await plain.phrase_logprobs("s", "u", "o", ["b"])
        for changed in (other, warmer, reseeded):
            await cached(changed, cache).client.create(chat("one"))
        purpose.set("1/1/tourist/respond")
        await cached(model, cache).client.create(chat("one"))

    run(ask())
    run(ask())  # all of it is known now
    assert client.asked == 12
    assert [c.asked for c in (other_client, warmer_client, reseeded_client)] == [1, 1, 1]


def test_what_does_not_decide_an_answer_asks_no_question_again():
    made = [create_model(spec, seed=1) for spec in ("fake", "fake(timeout=5, way=listwise)", "fake(delay=1)")]
    assert [model.identity for model in made] == [made[0].identity] * 3
    assert create_model("fake(fault=omit)", seed=1).identity != made[0].identity


def test_two_servers_with_models_of_one_name_are_two_models(monkeypatch):
    from simulator.models import component, openai

    monkeypatch.setattr(openai, "check_server", lambda *_, **__: None)
    monkeypatch.setattr(component, "check_server", lambda *_, **__: None)
    provider = "autogen_ext.models.openai.OpenAIChatCompletionClient"
    specs = ("openai(model=m)", {"provider": provider, "config": {"model": "gpt-4o", "api_key": "sk-secret-key"}})
    for spec in specs:
        identities = []
        for place in ("http://user:secret-word@one.test/v1", "http://two.test/v1"):
            monkeypatch.setenv("OPENAI_BASE_URL", place)
            identities.append(json.dumps(dict(create_model(spec, seed=1).identity)))
        assert len(set(identities)) == 2
        assert "secret" not in "".join(identities)
        assert "one.test" in identities[0]


def test_a_failure_is_no_reply(chat, cache):
    def fail(number):
        if number == 1:
            raise ConnectionError
        return answer("at last")

    failing, client = counting(answers=fail)
    slow, slow_client = counting("slow", delay=30)

    async def ask():
        model = cached(failing, cache).client
        with pytest.raises(ConnectionError):
            await model.create(chat("one"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(cached(slow, cache).client.create(chat("one")), 0.05)
        return (await model.create(chat("one"))).content, (
            await cached(failing, cache).client.create(chat("one"))
        ).content

    assert asyncio.run(ask()) == ("at last", "at last")
    assert (client.asked, slow_client.asked) == (2, 1)


@pytest.mark.parametrize("content", ["", "}{ rubbish", "cut sho"])
def test_a_reply_of_no_use_is_a_reply(run, chat, cache, content):
    model, client = counting(answers=lambda _: answer(content, finish_reason="length"))

    async def ask():
        return await cached(model, cache).client.create(chat("one"))

    assert [run(ask()).content, run(ask()).content] == [content] * 2
    assert (client.asked, run(ask()).finish_reason) == (1, "length")


def test_the_same_question_at_the_same_time_is_asked_once_cold_and_warm(run, chat, cache):
    model, client = counting(delay=0.02)

    async def ask():
        one, other = cached(model, cache).client, cached(model, cache).client  # as of two runs in one process
        questions = [asked.create(chat("one")) for asked in (one, other) for _ in range(5)]
        scores = [one.phrase_logprobs("s", "u", "o", ["a"]) for _ in range(5)]
        replies, _ = await asyncio.gather(asyncio.gather(*questions), asyncio.gather(*scores))
        return {reply.content for reply in replies}

    told = run(ask())
    assert len(told) == 1
    assert run(ask()) == told
    assert client.asked == 2  # one question, and one for probabilities


def test_who_waits_for_an_answer_asks_when_the_first_one_gives_up(run, chat, cache):
    model, client = counting(delay=0.05)

    async def ask():
        asked = cached(model, cache).client
        first = asyncio.create_task(asked.create(chat("one")))
        second = asyncio.create_task(asked.create(chat("one")))
        await asyncio.sleep(0.01)
        first.cancel()
        return (await second).content

    assert run(ask()) == "counting 2"
    assert client.asked == 2


def test_no_key_is_in_the_file(run, chat, path):
    key = "sk-very-secret-0123456789"
    model, client = counting(
        f"openai(base_url=http://x?key={key})", secrets=(key,), answers=lambda _: answer(f"I was sent {key}.")
    )
    calls = [FunctionCall(id="1", name="look", arguments=json.dumps({"key": key}))]
    tool, _ = counting(secrets=(key,), answers=lambda _: answer(calls, finish_reason="function_calls"))

    async def ask():
        with ResponseCache(path) as cache:
            await cached(model, cache).client.create(chat("one"))
            await cached(tool, cache).client.create(chat(f"My key is {key}."))
            await cached(model, cache).scorer.phrase_logprobs(key, "u", "o", ["a"])
            return b"".join(file.read_bytes() for file in path.parent.iterdir())

    assert key.encode() not in run(ask())
    run(ask())
    assert client.asked == 3  # twice for the reply that was not kept, once for the probabilities


def test_questions_are_not_in_the_file(run, chat, path):
    model, _ = counting()

    async def ask():
        with ResponseCache(path) as cache:
            await cached(model, cache).client.create(chat("Which films did user 4711 see?"))

    run(ask())
    written = path.read_bytes()
    assert b"counting 1" in written
    assert b"4711" not in written


def test_a_damaged_reply_is_asked_for_and_replaced(run, chat, cache):
    model, client = counting()

    async def ask():
        asked = cached(model, cache).client
        return (await asked.create(chat("one"))).content, await asked.phrase_logprobs("s", "u", "o", ["a"])

    run(ask())
    with cache.connected() as connection:
        connection.execute("UPDATE replies SET reply = '[{\"odd\": 1}]'")
    assert run(ask()) == run(ask()) == ("counting 3", SCORES[:1])
    assert client.asked == 4


def test_a_hit_counts_with_the_cache_and_not_with_the_model(run, chat, cache):
    model = create_model("fake", seed=1)

    async def ask():
        asked = cached(model, cache).client
        await asked.create(chat("one"))
        return asked.actual_usage(), asked.total_usage()

    (paid, total), (paid_again, total_again) = run(ask()), run(ask())
    assert paid == total == paid_again
    assert total_again == RequestUsage(2 * paid.prompt_tokens, 2 * paid.completion_tokens)


def test_the_journal_before_the_cache_shows_what_it_shows_without(run, chat, cache, tmp_path):
    def lines(name, model):
        journal = Journal(tmp_path / name)
        run(journaled(model, journal).client.create(chat("one"), json_output=Stars))
        journal.close()
        return (tmp_path / name).read_bytes()

    model = create_model("fake", seed=1)
    assert lines("a", model) == lines("b", cached(model, cache)) == lines("c", cached(model, cache))


def test_a_schema_is_written_once_however_often_it_is_asked_for(run, chat, cache, monkeypatch):
    class Fresh(BaseModel):
        stars: int

    written = []
    plain = Fresh.model_json_schema
    monkeypatch.setattr(Fresh, "model_json_schema", lambda *_: written.append(1) or plain())
    model, _ = counting()

    async def ask():
        for _ in range(5):
            await cached(model, cache).client.create(chat("one"), json_output=Fresh)

    run(ask())
    assert len(written) == 1
