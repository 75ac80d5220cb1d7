"""Perpetual rules against the author's program and the paper's theorems, and what they remember."""

import json
from fractions import Fraction
from itertools import combinations_with_replacement
from math import inf
from pathlib import Path

import numpy as np
import pytest

from simulator import registry
from simulator.mediation import mediate
from simulator.mediators.families.histories import approval_decisions, decisions
from simulator.mediators.perpetual_phragmen import level
from simulator.metrics.long_term import longest_dry_spell, satisfied_by
from simulator.profile import Profile
from tests.oracles.names import PERPETUAL, carried

ORACLES = Path(__file__).parents[1] / "oracles"
PUBLISHED = json.loads((ORACLES / "perpetual.json").read_text(encoding="utf-8"))
BULK = json.loads((ORACLES / "perpetual_bulk.json").read_text(encoding="utf-8"))
RULES = {name: mediator for name, mediator in carried(PERPETUAL).items() if name in BULK["winners"]}
REMEMBERING = [name for name in RULES.values() if name != "av"]


def decided(rule, approvals):
    return approval_decisions(approvals) if rule == "av" else decisions(registry.create("mediator", rule), approvals)


def over_rounds(rule, rounds, *, k=1, weights=None, memory=None):
    """The outcomes of a sequence of profiles, what they remember handed on as text."""
    outcomes = []
    for ballots in rounds:
        items = sorted({item for ballot in ballots.values() for item in ballot})
        own = None if weights is None else [weights[voter] for voter in ballots]
        profile = Profile.from_approvals(list(ballots.values()), own, items=items, voters=list(ballots))
        outcomes.append(mediate(profile, rule, k=k, memory=memory))
        memory = json.loads(json.dumps(outcomes[-1].memory))
        assert memory == outcomes[-1].memory
    return outcomes


def published():
    for case in PUBLISHED["cases"]:
        for expected in case["expected"]:
            if expected["rule"] in RULES:
                yield pytest.param(case, expected, id=f"{case['id']}-{expected['rule']}")


@pytest.mark.parametrize(("case", "expected"), list(published()))
def test_published_rounds_are_decided_as_in_the_paper(case, expected):
    """Ties go to the first item listed."""
    memory, winners = None, []
    by_round = case.get("candidates_per_round", [case["candidates"]] * len(case["rounds"]))
    for ballots, items in zip(case["rounds"], by_round, strict=True):
        profile = Profile.from_approvals(
            [[str(item) for item in ballot] for ballot in ballots.values()],
            items=[str(item) for item in items],
            voters=list(ballots),
        )
        outcome = mediate(profile, RULES[expected["rule"]], memory=memory)
        assert outcome.slate[0] in outcome.winners
        winners.append(outcome.slate[0])
        memory = json.loads(json.dumps(outcome.memory))
    assert winners == [str(item) for item in expected["winners_per_round"]]


@pytest.mark.parametrize("rule", BULK["winners"])
def test_every_round_of_random_histories_is_decided_as_by_the_author_s_program(rule):
    approvals = (np.array(BULK["approvals"])[..., None] >> np.arange(BULK["candidates"]) & 1).astype(bool)
    chosen = decided(RULES[rule], approvals)
    assert chosen.tolist() == BULK["winners"][rule]


@pytest.mark.parametrize("rule", [rule for rule in BULK["winners"] if rule != "av"])
def test_a_mediator_decides_round_by_round_as_the_arrays_do(rule):
    voters = [f"v{i}" for i in range(BULK["voters"])]
    memory = None
    for ballots, winner in zip(BULK["approvals"][21], BULK["winners"][rule][21], strict=True):
        approved = [[item for item in "abcde" if mask >> "abcde".index(item) & 1] for mask in ballots]
        profile = Profile.from_approvals(approved, items="abcde", voters=voters)
        outcome = mediate(profile, RULES[rule], memory=memory)
        assert outcome.order[0] == winner
        memory = json.loads(json.dumps(outcome.memory))


@pytest.mark.parametrize("rule", RULES)
def test_simple_proportionality_holds_and_fails_where_theory_says(rule):
    """Each voter approves one item; in n rounds an item with s supporters should win s times."""
    failures = []
    for n in range(1, 9):
        for parts in (p for size in range(1, n + 1) for p in combinations_with_replacement(range(1, n + 1), size)):
            if sum(parts) != n:
                continue
            sizes = sorted(parts, reverse=True)
            ballots = np.repeat(np.eye(len(sizes), dtype=bool), sizes, axis=0)
            wins = np.bincount(
                decided(RULES[rule], np.broadcast_to(ballots, (n, *ballots.shape))), minlength=len(sizes)
            )
            if wins.tolist() != sizes:
                failures.append(sizes)
    expected = PUBLISHED["axioms"]["simple_proportionality"]["results"][rule]
    assert len(failures) == expected["num_counterexamples"]
    assert (failures[0] if failures else None) == expected["smallest_counterexample"]


def exactly(rule, approvals):
    """Consensus, quota, PAV and Phragmen word by word, in fractions."""
    n, m = approvals.shape[1:]
    held = [Fraction(int(rule == "perpetual_consensus"))] * n
    quota, chosen = [Fraction(0)] * n, []
    for ballots in approvals.tolist():
        fans = [[i for i in range(n) if ballots[i][item]] for item in range(m)]
        for i in range(n):
            quota[i] += Fraction(max(len(fans[item]) for item in range(m) if ballots[i][item]), n)
        match rule:
            case "perpetual_consensus":
                score = [sum(max(held[i], Fraction(0)) for i in own) for own in fans]
            case "perpetual_quota":
                score = [sum(max(quota[i] - held[i], Fraction(0)) for i in own) for own in fans]
            case "perpetual_pav":
                score = [sum(1 / (1 + held[i]) for i in own) for own in fans]
            case _:
                score = [-water(held, own) if own else -inf for own in fans]
        winner = max((item for item in range(m) if fans[item]), key=lambda item: (score[item], -item))
        chosen.append(winner)
        if rule == "perpetual_consensus":
            payers = [i for i in fans[winner] if held[i] > 0]
            held = [held[i] + 1 - (Fraction(n, len(payers)) if i in payers else 0) for i in range(n)]
        elif rule == "perpetual_phragmen":
            held = [max(held[i], -score[winner]) if i in fans[winner] else held[i] for i in range(n)]
        else:
            held = [held[i] + (i in fans[winner]) for i in range(n)]
    return chosen


def water(load, supporters):
    """The level that one unit reaches: whoever is above it already bears nothing."""
    bearing = [load[i] for i in supporters]
    while (reached := (1 + sum(bearing)) / len(bearing)) < max(bearing):
        bearing = [held for held in bearing if held <= reached]
    return reached


@pytest.mark.parametrize("rule", ["perpetual_consensus", "perpetual_quota", "perpetual_pav", "perpetual_phragmen"])
def test_rounding_decides_nothing_that_fractions_do_not(rule):
    approvals = np.random.default_rng(11).random((12, 60, 7, 4)) < 0.4
    approvals[..., 0] |= ~approvals.any(axis=-1)
    chosen = decisions(registry.create("mediator", rule), approvals)
    for history, found in zip(approvals, chosen.tolist(), strict=True):
        assert found == exactly(rule, history)


def test_dry_spells_of_consensus_are_bounded():
    """By (n^2 + 3n) / 4, Lackner 2020."""
    approvals = np.random.default_rng(7).random((400, 60, 5, 4)) < 0.35
    approvals[..., 0] |= ~approvals.any(axis=-1)
    chosen = decisions(registry.create("mediator", "perpetual_consensus"), approvals)
    assert 3 < longest_dry_spell(satisfied_by(approvals, chosen)).max() <= (5**2 + 3 * 5) / 4


@pytest.mark.parametrize("rule", REMEMBERING)
def test_a_weight_of_two_is_two_voters_that_vote_alike_in_all_rounds(rule):
    rng = np.random.default_rng(3)
    approvals = rng.random((30, 12, 4, 4)) < 0.4
    mediator = registry.create("mediator", rule)
    heavy = decisions(mediator, approvals, np.broadcast_to([2.0, 1, 1, 1], (30, 4)))
    twins = decisions(mediator, np.concatenate([approvals[..., :1, :], approvals], axis=-2))
    assert (heavy == twins).all()


@pytest.mark.parametrize("rule", REMEMBERING)
def test_batches_are_decided_like_their_histories_one_by_one(rule):
    approvals = np.random.default_rng(4).random((2, 3, 8, 5, 4)) < 0.4
    mediator = registry.create("mediator", rule)
    together = decisions(mediator, approvals)
    for at in np.ndindex(2, 3):
        assert (together[at] == decisions(mediator, approvals[at])).all()


@pytest.mark.parametrize("rule", REMEMBERING)
def test_one_who_stays_away_keeps_its_memory_and_a_newcomer_starts_afresh(rule):
    first, second = over_rounds(rule, [{"ann": "a", "bob": "a", "cy": "b"}, {"ann": "a", "dee": "b"}])
    mediator = registry.create("mediator", rule)
    for field, start in mediator.fields.items():
        assert second.memory[field]["cy"] == first.memory[field]["cy"]
        assert second.trace.standing[field].tolist() == [first.memory[field]["ann"], start]


@pytest.mark.parametrize("rule", REMEMBERING)
def test_abstaining_and_weightless_ballots_change_nothing(rule):
    rounds = [{"ann": "ab", "bob": "b", "cy": "c"}] * 3
    with_others = [{**ballots, "dee": "", "eve": "c"} for ballots in rounds]
    weights = {"ann": 1, "bob": 1, "cy": 1, "dee": 1, "eve": 0}
    for alone, beside in zip(over_rounds(rule, rounds), over_rounds(rule, with_others, weights=weights), strict=True):
        assert beside.tiers == alone.tiers
        assert beside.memory == alone.memory


def test_ties_are_listed_and_go_on_from_what_was_delivered():
    first, second = over_rounds("perpetual_pav", [{"ann": "a", "bob": "b", "cy": "c"}] * 2)
    assert first.winners == ("a", "b", "c")
    assert first.slates == (("a",), ("b",), ("c",))
    assert first.memory == {"satisfaction": {"ann": 1.0, "bob": 0.0, "cy": 0.0}}
    assert second.winners == ("b", "c")
    assert second.tiers == (("b", "c"), ("a",))


def test_perpetual_pav_goes_on_where_sequential_pav_would():
    """Delivered items leave the table: the dynamic proportional ranking of Israel and Brill 2021."""
    ballots = {"ann": "abc", "bob": "abc", "cy": "abc", "dee": "xy", "eve": "xyz"}
    whole = mediate(Profile.from_approvals(list(ballots.values()), items="abcxyz"), "seq_pav", k=6)
    delivered, memory = [], None
    for _ in range(3):
        left = {voter: [item for item in items if item not in delivered] for voter, items in ballots.items()}
        items = [item for item in "abcxyz" if item not in delivered]
        profile = Profile.from_approvals(list(left.values()), items=items, voters=list(left))
        outcome = mediate(profile, "perpetual_pav", k=2, memory=memory)
        delivered += outcome.slate
        memory = outcome.memory
    assert tuple(delivered) == whole.ranking


def test_quota_grows_once_a_round_by_the_shares_of_the_k_best_supported_items():
    (outcome,) = over_rounds("perpetual_quota", [{"ann": "abc", "bob": "ab", "cy": "d"}], k=2)
    assert outcome.slate == ("a", "b")
    assert outcome.memory["quota"] == pytest.approx({"ann": 4 / 3, "bob": 4 / 3, "cy": 1 / 3})
    assert outcome.memory["satisfaction"] == {"ann": 2.0, "bob": 2.0, "cy": 0.0}


def test_items_that_nobody_approves_come_last_and_change_nothing():
    profile = Profile.from_approvals(["a", "a"], items="abc", voters=["ann", "bob"])
    one, two = (mediate(profile, "perpetual_unit_cost", k=k) for k in (1, 2))
    assert two.slate == ("a", "b")
    assert two.slates == (("a", "b"), ("a", "c"))
    assert two.memory == one.memory


def test_phragmen_s_level_raises_the_lightest_supporters_first():
    load, everyone = np.array([0.0, 1.0, 3.0]), np.ones((3, 1))
    assert level(load, everyone, np.ones(3)).tolist() == [1.0]  # 0 rises to 1 and pays all
    assert level(np.array([0.5, 1.0, 3.0]), everyone, np.ones(3)).tolist() == [1.25]
    assert level(np.array([0.5, 1.0, 3.0]), everyone, np.array([2.0, 2.0, 1.0])).tolist() == [1.0]
    assert level(load, np.zeros((3, 1)), np.ones(3)).tolist() == [np.inf]


@pytest.mark.parametrize(
    "memory", [{"satisfaction": [1, 2]}, {"satisfaction": {"ann": "much"}}, {"satisfaction": {"ann": float("nan")}}]
)
def test_memory_that_is_none_is_refused(memory):
    profile = Profile.from_approvals(["a"], voters=["ann"])
    with pytest.raises(ValueError, match="memory: 'satisfaction'"):
        mediate(profile, "perpetual_pav", memory=memory)


def test_more_ways_to_break_ties_than_are_followed_are_said():
    ballots = [[f"i{j}"] for j in range(14)]
    outcome = mediate(Profile.from_approvals(ballots), "perpetual_pav", k=7)
    assert not outcome.complete
    assert outcome.slates == (outcome.slate,)
    assert "more ways to break ties" in outcome.notes[-1]
    assert len(outcome.winners) == 14
