"""Ranked pairs: what is locked in, and every way to break ties between margins."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.mediators.families.locking import lock_in_every_order, lock_in_item_order
from simulator.mediators.families.locking_many import lock_many
from simulator.profile import Profile


def reaches(pairs, a, b):
    seen, todo = {a}, [a]
    while todo:
        here = todo.pop()
        for upper, lower in pairs:
            if upper == here and lower not in seen:
                seen.add(lower)
                todo.append(lower)
    return b in seen


def by_trying_every_order(strength):
    """All results of the definition, by every permutation of every class of equal margins."""
    results = {frozenset()}
    for value in sorted({int(s) for s in strength.ravel() if s > 0}, reverse=True):
        tied = [tuple(pair) for pair in np.argwhere(strength == value).tolist()]
        after = set()
        for locked in results:
            for order in permutations(tied):
                pairs = set(locked)
                for a, b in order:
                    if not reaches(pairs, b, a):
                        pairs.add((a, b))
                after.add(frozenset(pairs))
        results = after
    m = len(strength)
    return {tuple(tuple(a != b and reaches(p, a, b) for b in range(m)) for a in range(m)) for p in results}


def random_margins(rng, m, most):
    margins = np.triu(rng.integers(-most, most + 1, (m, m)), 1)
    return np.maximum(margins - margins.T, 0)


def test_every_order_of_equal_margins_is_followed():
    rng = np.random.default_rng(2)
    several = 0
    for _ in range(200):
        strength = random_margins(rng, int(rng.integers(3, 6)), 2)
        if max((strength == value).sum() for value in (1, 2)) > 5:
            continue
        found = lock_in_every_order(strength)
        results = {tuple(map(tuple, above.tolist())) for above in found}
        assert len(results) == len(found)
        assert results == by_trying_every_order(strength)
        assert (found[0] == lock_in_item_order(strength)[0]).all()
        several += len(results) > 1
    assert several > 10


def test_results_on_a_tournament_of_equal_margins_are_its_hamiltonian_paths():
    rng = np.random.default_rng(4)
    for _ in range(5):
        strength = random_margins(rng, 6, 1)
        strength = np.where(strength + strength.T == 0, np.triu(np.ones((6, 6), dtype=int), 1), strength)
        orders = {tuple(np.argsort(-above.sum(axis=1))) for above in lock_in_every_order(strength)}
        paths = {p for p in permutations(range(6)) if all(strength[a, b] for a, b in pairwise(p))}
        assert orders == paths


def test_many_profiles_side_by_side_lock_in_what_each_does_alone():
    rng = np.random.default_rng(3)
    for m in (1, 4, 9, 66):
        strength = np.array([random_margins(rng, m, 4) for _ in range(12)])
        many = lock_many(strength)
        for alone, above, still_open in zip(strength, many.above, many.open, strict=True):
            assert (lock_in_item_order(alone)[0] == above).all()
            every = lock_in_every_order(alone)
            assert still_open or every is None or len(every) == 1


def test_winners_are_those_of_all_ways_to_break_ties():
    outcome = mediate(Profile.from_rankings(["abcd", "bcad", "cabd"], items="abcd"), "ranked_pairs")
    assert outcome.winners == ("a", "b", "c")
    assert outcome.tiers == (("a", "b", "c"), ("d",))
    assert outcome.complete
    assert outcome.slates == (("a",), ("b",), ("c",))


def test_slates_are_the_first_items_of_possible_orders_alone():
    """Around a cycle of equal margins, the first two items follow each other on it."""
    ballots = ["abcd", "bcda", "cdab", "dabc"]
    outcome = mediate(Profile.from_rankings(ballots, items="abcd"), "ranked_pairs", k=2)
    assert sorted("".join(sorted(slate)) for slate in outcome.slates) == ["ab", "ad", "bc", "cd"]


def test_tie_rule_chooses_among_possible_orders():
    profile = Profile.from_rankings(["abc", "bca", "cab"], items="abc")
    mediator = "ranked_pairs"
    assert mediate(profile, mediator).ranking == ("a", "b", "c")
    seeded = {mediate(profile, mediator, tie="seeded", seed=seed).ranking for seed in range(30)}
    assert seeded == {("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")}


def test_what_is_not_connected_can_stand_in_either_order():
    outcome = mediate(Profile.from_rankings([["a", "b"]], [1], items="ab"), "ranked_pairs")
    assert outcome.tiers == (("a",), ("b",))
    apart = mediate(Profile.from_rankings(["ab", [["c"], ["a"]], [["a"], ["c"]]], items="abc"), "ranked_pairs")
    assert apart.winners == ("a",)


def test_too_many_ways_are_broken_by_item_order_and_said():
    rng = np.random.default_rng(1)
    profile = Profile.from_utilities(rng.random((5, 40)), [f"i{i}" for i in range(40)])
    outcome = mediate(profile, "ranked_pairs")
    assert not outcome.complete
    assert "item order" in outcome.notes[0]
    assert len(outcome.winners) == 1
    assert mediate(profile, "ranked_pairs", tie="seeded", seed=5).winners == outcome.winners


def test_steps_show_what_was_locked_in_and_what_was_left_out():
    profile = Profile.from_rankings(["abc", "bca", "cab"], [4, 3, 2])
    steps = [(step.item, step.value, step.act) for step in mediate(profile, "ranked_pairs").trace.steps]
    assert steps == [("b > c", 5, "locked"), ("a > b", 3, "locked"), ("c > a", 1, "left out")]


@pytest.mark.parametrize("seed", range(3))
def test_a_condorcet_winner_comes_first(seed):
    rng = np.random.default_rng(seed)
    profile = Profile.from_utilities(rng.random((301, 30)) + np.eye(30)[7] * 0.4, [f"i{i}" for i in range(30)])
    assert mediate(profile, "ranked_pairs").winners == ("i7",)
