"""The method of equal shares: payments, completions, utilities."""

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.profile import Profile


def test_supporters_pay_equally_until_their_money_is_gone():
    # k = 3, six ballots: each holds 1/2. a costs its four supporters 1/4 each. Of b's supporters, two have 1/4 left and
    # one has 1/2: together exactly 1.
    profile = Profile.from_approvals(["ab", "ab", "a", "a", "b", "c"], items="abc")
    outcome = mediate(profile, "mes(completion=none)", k=3)
    assert [(step.item, step.value) for step in outcome.trace.steps] == [("a", 0.25), ("b", pytest.approx(0.5))]
    assert outcome.slates == (("a", "b"),)


def test_bought_items_alone_make_the_slate_without_completion():
    profile = Profile.from_approvals(["a", "a", "b", "c"], items="abcd")
    outcome = mediate(profile, "mes(completion=none)", k=2)
    assert outcome.slates == (("a",),)
    assert outcome.complete
    assert outcome.slate == ("a", "b")
    assert outcome.notes == ("Only 1 of 2 items were chosen; the delivered slate is filled up in the tie order.",)
    assert mediate(profile, "mes(completion=none)", k=1, tie="item_order").slates == ((),)
    assert mediate(profile, "mes(completion=none)", k=1).winners == ("a", "b", "c", "d")


def test_completions_differ_where_what_is_left_of_the_money_differs():
    profile = Profile.from_approvals(["ab", "ab", "ab", "c", "c", "bd"], items="abcd")
    sequences = {
        completion: [(s.item, s.note) for s in mediate(profile, f"mes(completion={completion})", k=3).trace.steps[:3]]
        for completion in ("phragmen", "utilitarian", "none")
    }
    assert sequences["none"] == [("b", ""), ("c", "")]
    assert sequences["phragmen"] == [("b", ""), ("c", ""), ("a", "by phragmen completion")]
    assert sequences["utilitarian"] == [("b", ""), ("c", ""), ("a", "by utilitarian completion")]


def test_loads_of_the_completion_start_below_zero_by_what_is_left():
    # k = 2, n = 4: budgets 1/2. a is bought by three ballots for 1/3 each; then t_b = (1 - 1/6 - 1/2) / 2 and
    # t_c = 1 - 1/6.
    profile = Profile.from_approvals(["a", "ac", "ab", "b"], items="abc")
    steps = mediate(profile, "mes", k=2).trace.steps
    assert [step.item for step in steps] == ["a", "b", "c"]
    assert [step.value for step in steps[:2]] == pytest.approx([1 / 3, 1 / 6])
    assert steps[2].value == pytest.approx(1 - 1 / 6)


def test_another_k_gives_other_shares():
    profile = Profile.from_approvals(["ax", "ax", "ay", "by", "bz", "cz"], items="abcxyz")
    assert mediate(profile, "mes(completion=none)", k=2).slates != mediate(profile, "mes(completion=none)", k=4).slates


def test_utilities_ask_those_for_more_who_gain_more():
    # k = 1, two ballots with 1/2 each: a is worth 3 and 1, so q = 1/4 would take 3/4 of the first, who has 1/2. With
    # min(1/2, 3q) + min(1/2, q) = 1, q = 1/2.
    profile = Profile.from_utilities([[3, 2], [1, 2]], "ab")
    outcome = mediate(profile, "cardinal_mes", k=1)
    assert outcome.winners == ("b",)
    assert outcome.trace.steps[0].value == pytest.approx(0.25)
    alone = mediate(Profile.from_utilities([[3, 0], [1, 0]], "ab"), "cardinal_mes", k=1)
    assert alone.trace.steps[0].value == pytest.approx(0.5)


def payment(budgets, gains, weights):
    """The smallest q with sum w min(b, q u) = 1, by bisection."""

    def pays(q):
        return (weights * np.minimum(budgets, q * gains)).sum() >= 1 - 1e-12

    if (weights * budgets * (gains > 0)).sum() < 1 - 1e-12:
        return np.inf
    low, high = 0.0, 1.0
    while not pays(high):
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (
            (low, middle) if (weights * np.minimum(budgets, middle * gains)).sum() >= 1 - 1e-12 else (middle, high)
        )
    return high


@pytest.mark.parametrize("rule", ["mes(completion=none)", "cardinal_mes(completion=none)"])
def test_payments_agree_with_bisection(rule):
    rng = np.random.default_rng(8)
    for _ in range(40):
        weights = rng.choice([0.5, 1.0, 2.0], 8)
        values = rng.random((8, 7)) * (rng.random((8, 7)) < 0.6)
        profile = Profile.from_utilities(values, "abcdefg", weights)
        gains = values if rule.startswith("cardinal") else (values >= 0.5).astype(float)
        if not rule.startswith("cardinal"):
            profile = Profile(profile.items, profile.ranks, weights, approvals=values >= 0.5)
        cast = (profile.ranks < 7).any(axis=1)
        budgets = np.full(8, 4 / weights[cast].sum()) * cast
        chosen = []
        for step in mediate(profile, rule, k=4).trace.steps:
            prices = [np.inf if i in chosen else payment(budgets, gains[:, i], weights) for i in range(7)]
            item = "abcdefg".index(step.item)
            assert prices[item] == pytest.approx(min(prices), rel=1e-6)
            assert step.value == pytest.approx(prices[item], rel=1e-6)
            budgets = budgets - np.minimum(budgets, step.value * gains[:, item])
            chosen.append(item)
        left = [payment(budgets - 1e-9, gains[:, i], weights) for i in range(7) if i not in chosen]
        assert not np.isfinite(left).any()
