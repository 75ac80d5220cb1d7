"""A token budget: who is asked until when, and what is booked."""

import asyncio

import pytest
from autogen_core.models import RequestUsage

from simulator.models.base import BudgetSpent
from simulator.models.budget import Budget, budgeted
from simulator.models.cache import ResponseCache, cached
from tests.models.counting import answer, counting


async def ask_until_spent(client, messages):
    for asked in range(100):
        try:
            await client.create(messages)
        except BudgetSpent:
            return asked
    return None


def test_questions_are_asked_until_the_tokens_are_used_up(run, chat):
    model, client = counting()  # 30 tokens read and 7 written each time
    budget = Budget(100)
    assert run(ask_until_spent(budgeted(model, budget).client, chat("one"))) == client.asked == 3
    assert budget.spent == 111


def test_a_prompt_that_does_not_fit_is_not_asked(run, chat):
    model, client = counting()
    budget = Budget(100)
    assert run(ask_until_spent(budgeted(model, budget).client, chat("word " * 100))) == client.asked == 0
    assert budget.spent == 0


def test_once_spent_nothing_is_asked_however_small(run, chat):
    model, client = counting()
    asked = budgeted(model, Budget(60))

    async def ask():
        with pytest.raises(BudgetSpent, match=r"the budget of 60 tokens is used up: 0 spent, 0 set aside, about 13\d "):
            await asked.client.create(chat("word " * 100))
        with pytest.raises(BudgetSpent):
            await asked.scorer.phrase_logprobs("s", "u", "o", ["a"])

    run(ask())
    assert client.asked == 0


def test_questions_at_the_same_time_see_each_other(run, chat):
    model, client = counting(delay=0.02)  # their prompts are estimated at 10 tokens
    budget = Budget(100)
    asked = budgeted(model, budget).client

    async def ask():
        replies = await asyncio.gather(*(asked.create(chat("one")) for _ in range(20)), return_exceptions=True)
        return [reply for reply in replies if not isinstance(reply, BudgetSpent)]

    answered = run(ask())
    assert len(answered) == client.asked == 10
    assert budget.spent == 10 * 37  # above the budget by no more than the answers of those that were asked at once


def test_it_passes_whoever_catches_failures_of_the_model(run, chat):
    model, _ = counting()

    async def ask():
        try:
            return await budgeted(model, Budget(1)).client.create(chat("one"))
        except Exception:
            return "a stand-in"

    with pytest.raises(BudgetSpent):
        run(ask())


def test_what_a_model_does_not_count_is_estimated(run, chat):
    silent, _ = counting(answers=lambda _: answer("x" * 40, usage=RequestUsage(0, 0)))
    budget = Budget(1000)

    async def ask():
        await budgeted(silent, budget).client.create(chat("y" * 40, "z" * 40))
        created = budget.spent
        await budgeted(silent, budget).scorer.phrase_logprobs("s" * 40, "u" * 40, "o" * 10, ["a" * 5, "b" * 5])
        return created, budget.spent - created

    assert run(ask()) == (20 + 10, 25)


def test_a_failure_is_free_and_what_was_given_up_costs_its_prompt(chat):
    def fail(_):
        raise ConnectionError

    failing, _ = counting(answers=fail)
    slow, _ = counting(delay=30)
    budget = Budget(1000)

    async def ask():
        with pytest.raises(ConnectionError):
            await budgeted(failing, budget).client.create(chat("y" * 40, "z" * 40))
        free = budget.spent
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(budgeted(slow, budget).client.create(chat("y" * 40, "z" * 40)), 0.02)
        return free, budget.spent

    assert asyncio.run(ask()) == (0, 20)


def test_what_the_cache_has_costs_nothing(run, chat, tmp_path):
    model, client = counting()

    async def ask(tokens, questions):
        budget = Budget(tokens)
        with ResponseCache(tmp_path / "c") as cache:
            asked = cached(budgeted(model, budget), cache).client
            try:
                return [(await asked.create(chat(question))).content for question in questions], budget.spent
            except BudgetSpent:
                return "spent", budget.spent

    questions = ["one", "two", "three", "four"]
    assert run(ask(60, questions)) == ("spent", 74)
    assert run(ask(60, questions)) == (["counting 1", "counting 2", "counting 3", "counting 4"], 74)
    assert run(ask(1, questions)) == (["counting 1", "counting 2", "counting 3", "counting 4"], 0)
    assert client.asked == 4


def test_a_budget_is_a_token_at_least():
    with pytest.raises(ValueError, match="at least 1 token, not 0"):
        Budget(0)
