"""Rules that choose item after item for the whole group: round robin and GFAR."""

from itertools import combinations

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.profile import Profile


def every_course(profile, best, size):
    """All sets of the first `size` choices, following every tie of `best(chosen) -> items`."""
    layer = {()}
    for _ in range(size):
        layer = {tuple(sorted([*chosen, item])) for chosen in layer for item in best(chosen)}
    return layer


def random_ties(rng, n=3, m=5):
    return Profile.from_utilities(rng.integers(0, 4, (n, m)), "abcdefg"[:m], rng.integers(0, 3, n))


def test_ballots_take_their_best_item_in_turn():
    profile = Profile.from_rankings(["abcdef", "abcdef", "fedcba"], voters=["x", "y", "z"])
    outcome = mediate(profile, "round_robin", k=4)
    assert outcome.ranking == tuple("abfcde")
    assert outcome.slate == tuple("abfc")
    assert [(step.item, step.value, step.note) for step in outcome.trace.steps[:3]] == [
        ("a", 1, "taken by x"),
        ("b", 2, "taken by y"),
        ("f", 1, "taken by z"),
    ]


def test_who_starts_moves_on_by_one_each_round():
    profile = Profile.from_rankings(["abc", "bca", "cab"], voters=["x", "y", "z"])
    memory, starts = None, []
    for _ in range(4):
        outcome = mediate(profile, "round_robin", memory=memory)
        memory = outcome.memory
        starts.append(outcome.ranking[0])
    assert starts == ["a", "b", "c", "a"]
    assert memory == {"start": 1}


def test_abstentions_and_ballots_without_weight_are_passed_over():
    profile = Profile.from_rankings(["abc", [], "cba", "bac"], [0, 1, 5, 1], items="abc")
    assert mediate(profile, "round_robin").ranking == ("c", "b", "a")
    assert mediate(profile, "round_robin", memory={"start": 3}).ranking == ("b", "c", "a")


def test_round_robin_follows_every_tie():
    rng = np.random.default_rng(3)
    several = 0
    for _ in range(60):
        profile = random_ties(rng)
        turns = [i for i in range(profile.n) if profile.weights[i] > 0]

        def best(chosen, profile=profile, turns=turns):
            left = [item for item in range(profile.m) if item not in chosen]
            ballot = profile.ranks[turns[len(chosen) % len(turns)]] if turns else np.zeros(profile.m)
            return [item for item in left if ballot[item] == min(ballot[left])]

        outcome = mediate(profile, "round_robin", k=3)
        assert {tuple(map(profile.items.index, slate)) for slate in outcome.slates} == every_course(profile, best, 3)
        assert sorted(map(profile.items.index, outcome.winners)) == sorted(best(()))
        several += len(outcome.slates) > 1
    assert several > 20


def test_gfar_serves_whoever_has_nothing_relevant_yet():
    # relevance is 3, 2, 1, 0 sixths; after a, the first two ballots are half served
    profile = Profile.from_rankings(["abdc", "abdc", "cdba"])
    outcome = mediate(profile, "gfar", k=2)
    assert outcome.slate == ("a", "b")
    assert [step.value for step in outcome.trace.steps[:2]] == pytest.approx(
        [1 / 3 * (1 / 2 + 1 / 2 + 0), 1 / 3 * (1 / 2 * 1 / 3 + 1 / 2 * 1 / 3 + 1 * 1 / 6)]
    )
    heavier = Profile.from_rankings(["abdc", "abdc", "cdba"], [1, 1, 1.9])
    assert mediate(heavier, "gfar", k=2).slate == ("a", "c")
    assert mediate(heavier, "borda", k=2).slate == ("a", "b")


def test_gfar_follows_every_tie_of_its_formula():
    rng = np.random.default_rng(5)
    several = 0
    for _ in range(60):
        profile = random_ties(rng)
        below = (profile.ranks[:, :, None] < profile.ranks[:, None, :]).sum(axis=2)
        beside = (profile.ranks[:, :, None] == profile.ranks[:, None, :]).sum(axis=2) - 1
        relevance = (below + beside / 2) / (below + beside / 2).sum(axis=1, keepdims=True)

        def best(chosen, profile=profile, relevance=relevance):
            left = [item for item in range(profile.m) if item not in chosen]
            unserved = np.prod(1 - relevance[:, list(chosen)], axis=1)
            values = {item: profile.weights @ (unserved * relevance[:, item]) for item in left}
            return [item for item in left if values[item] >= max(values.values()) - 1e-12]

        outcome = mediate(profile, "gfar", k=3)
        assert {tuple(map(profile.items.index, slate)) for slate in outcome.slates} == every_course(profile, best, 3)
        several += len(outcome.slates) > 1
    assert several > 5


@pytest.mark.parametrize("rule", ["round_robin", "gfar"])
def test_items_that_nobody_tells_apart_are_tied_however_many_they_are(rule):
    items = [f"i{j}" for j in range(40)]
    outcome = mediate(Profile.from_rankings([items[:2], [items[1]]], items=items), rule, k=3)
    assert outcome.tiers[:2] == ((items[0],), (items[1],)) if rule == "round_robin" else ((items[1],), (items[0],))
    assert len(outcome.tiers[2]) == 38
    assert len(outcome.slates) == 38
    assert outcome.complete
    many = mediate(Profile.from_rankings([[items[:20], items[20:]]]), rule, k=5)
    assert len(many.slates) == 1000 < len(list(combinations(range(20), 5)))
    assert not many.complete
