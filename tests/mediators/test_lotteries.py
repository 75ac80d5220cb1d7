"""Lotteries: exact probabilities, and draws that follow them."""

from collections import Counter
from itertools import chain, combinations, permutations

import numpy as np
import pytest

from simulator import registry
from simulator.justification import justify
from simulator.mediation import mediate
from simulator.mediators.families import serial
from simulator.mediators.families.margin_game import maximal_lottery, top_cycle
from simulator.profile import Profile

LOTTERIES = ("maximal_lottery", "random_dictatorship", "random_serial_dictatorship")


def random_profile(rng, n, m, weights=None):
    """Ballots with many ties, some of which rank only a part."""
    return Profile.from_utilities(rng.integers(0, 3, (n, m)), "abcdefg"[:m], weights)


def serial_dictatorship(ranks, order):
    """Tiers of items as the ballots leave them one after another, by the definition."""
    tiers = [list(range(ranks.shape[1]))]
    for ballot in order:
        tiers = [
            [item for item in tier if ranks[ballot, item] == rank]
            for tier in tiers
            for rank in sorted({ranks[ballot, item] for item in tier})
        ]
    return tiers


def slates_of(tiers, k):
    fixed = []
    for tier in tiers:
        if len(fixed) + len(tier) >= k:
            return {tuple(sorted([*fixed, *rest])) for rest in combinations(tier, k - len(fixed))}
        fixed += tier
    raise AssertionError


@pytest.mark.parametrize("rule", LOTTERIES)
def test_draws_are_as_frequent_as_their_probabilities_and_the_same_for_the_same_seed(rule):
    profile = Profile.from_rankings(["abcd", "bcad", "cabd"], [3, 4, 5])
    expected = {
        "random_dictatorship": {"a": 3 / 12, "b": 4 / 12, "c": 5 / 12, "d": 0},
        "random_serial_dictatorship": {"a": 3 / 12, "b": 4 / 12, "c": 5 / 12, "d": 0},
        # a beats b by 4, b beats c by 2, c beats a by 6: each item's chance is the margin between the two others
        "maximal_lottery": {"a": 2 / 12, "b": 6 / 12, "c": 4 / 12, "d": 0},
    }[rule]
    outcomes = [mediate(profile, rule, seed=seed) for seed in range(400)]
    assert outcomes[0].scores == pytest.approx(expected)
    counts = Counter(outcome.ranking[0] for outcome in outcomes)
    for item, chance in expected.items():
        assert counts[item] == pytest.approx(400 * chance, abs=4 * np.sqrt(400 * chance * (1 - chance)))
    assert all(sorted(outcome.winners) == ["a", "b", "c"] for outcome in outcomes)
    assert all(outcome.winners[0] == outcome.ranking[0] for outcome in outcomes)
    assert [mediate(profile, rule, seed=seed).order for seed in range(9)] == [outcome.order for outcome in outcomes[:9]]


@pytest.mark.parametrize("rule", LOTTERIES)
def test_a_draw_depends_on_the_ballots_and_not_on_who_cast_them(rule):
    rng = np.random.default_rng(4)
    for seed in range(20):
        profile = random_profile(rng, 4, 5, rng.integers(0, 3, 4))
        moved = rng.permutation(4)
        shuffled = Profile(profile.items, profile.ranks[moved], profile.weights[moved])
        twice = Profile(
            profile.items,
            np.concatenate([profile.ranks] * 2),
            np.concatenate([profile.weights * 0.25, profile.weights * 0.75]),
        )
        first = mediate(profile, rule, seed=seed, k=2)
        for other in (mediate(shuffled, rule, seed=seed, k=2), mediate(twice, rule, seed=seed, k=2)):
            assert other.tiers == first.tiers
            assert other.slates == first.slates
            assert other.score_values == pytest.approx(first.score_values)


def test_random_dictatorship_splits_the_tie_at_the_top_of_a_ballot():
    profile = Profile.from_rankings([[["a", "b"], "c"], ["c", "a"], []], [3, 1, 7], items="abc")
    outcome = mediate(profile, "random_dictatorship", k=2)
    assert outcome.scores == pytest.approx({"a": 3 / 8, "b": 3 / 8, "c": 1 / 4})
    assert outcome.slates == (("a", "b"), ("a", "c"))
    assert outcome.trace.contributions.sum(axis=0) == pytest.approx(outcome.score_values)


def test_random_serial_dictatorship_is_the_mean_over_all_orders_of_the_ballots():
    rng = np.random.default_rng(8)
    for _ in range(25):
        n, m = int(rng.integers(1, 5)), int(rng.integers(2, 6))
        weights = rng.integers(1, 3, n)
        profile = random_profile(rng, n, m, weights)
        ballots = np.repeat(np.arange(n), weights)
        orders = list(permutations(range(len(ballots))))
        chances, slates = np.zeros(m), set()
        for order in orders:
            tiers = serial_dictatorship(profile.ranks, ballots[list(order)])
            chances[tiers[0]] += 1 / len(tiers[0]) / len(orders)
            slates |= slates_of(tiers, 2)
        outcome = mediate(profile, "random_serial_dictatorship", k=2)
        assert outcome.score_values == pytest.approx(chances)
        assert {tuple(map(profile.items.index, slate)) for slate in outcome.slates} == slates
        assert outcome.complete


def test_drawn_ranking_of_serial_dictatorship_is_that_of_the_drawn_order():
    profile = Profile.from_rankings([[["a", "b"], ["c", "d"]], ["d", "b"], ["c", "a"]], voters=["x", "y", "z"])
    index = {"x": 0, "y": 1, "z": 2}
    seen = set()
    for seed in range(30):
        outcome = mediate(profile, "random_serial_dictatorship", seed=seed)
        names = outcome.notes[0].removesuffix(".").split(": ")[1].split(", ")
        expected = serial_dictatorship(profile.ranks, [index[name] for name in names])
        assert [list(map(profile.items.index, tier)) for tier in outcome.tiers] == expected
        seen.add(tuple(names))
    assert len(seen) == 6


def test_too_many_orders_are_said_and_the_drawn_one_is_delivered(monkeypatch):
    profile = random_profile(np.random.default_rng(2), 5, 6)
    full = mediate(profile, "random_serial_dictatorship", k=2, seed=5)
    monkeypatch.setattr(serial, "MOST_REFINEMENTS", 4)
    cut = mediate(profile, "random_serial_dictatorship", k=2, seed=5)
    assert cut.ranking == full.ranking
    assert cut.scores is None
    assert cut.to_json()["complete"] is False
    assert "too many ways to draw" in cut.notes[-1]
    text = justify(profile, cut, registry.create("mediator", "random_serial_dictatorship"), k=2, seed=5)
    assert "how likely that was is not known" in text
    assert "was not computed" in text


def test_hundreds_of_tied_items_are_cut_and_said():
    profile = Profile.from_rankings([[["i0", "i1"]], ["i1"]], items=[f"i{j}" for j in range(60)])
    for rule in LOTTERIES:
        outcome = mediate(profile, rule, k=12)
        assert len(outcome.slates) == 1000
        assert sorted(outcome.slate) in [sorted(slate) for slate in outcome.slates]
        assert not outcome.complete


def random_margins(rng):
    ranks, weights = rng.integers(0, 4, (int(rng.integers(1, 5)), int(rng.integers(1, 7)))), rng.integers(1, 4, 4)
    above = np.einsum("i,iab->ab", weights[: len(ranks)], (ranks[:, :, None] < ranks[:, None, :]) * 1.0)
    return above - above.T


def test_no_item_beats_a_maximal_lottery_on_average():
    rng = np.random.default_rng(6)
    for _ in range(150):
        margins = random_margins(rng)
        lottery = maximal_lottery(margins)
        assert lottery.sum() == pytest.approx(1)
        assert lottery.min() >= 0
        assert (margins @ lottery).max() < 1e-9


def test_of_many_maximal_lotteries_the_one_of_greatest_entropy_is_taken():
    from scipy.optimize import linprog

    rng = np.random.default_rng(7)
    several = 0
    for _ in range(200):
        margins = random_margins(rng)
        m = len(margins)
        found = linprog(rng.random(m), A_ub=margins, b_ub=np.zeros(m), A_eq=np.ones((1, m)), b_eq=[1], bounds=(0, 1)).x
        lottery = maximal_lottery(margins)
        if np.abs(found - lottery).max() > 1e-6:
            several += 1
            # The face of maximal lotteries is convex and entropy is concave: no step towards another one may help.
            assert lottery[found > 1e-9].min() > 1e-9
            inside = lottery > 0
            assert -np.log(lottery[inside]) @ (found - lottery)[inside] < 1e-6
    assert several > 10


def test_a_bound_that_the_most_even_lottery_just_reaches_leaves_it_exact():
    # Any lottery between b and c is maximal as long as b has at least 1/2: a loses to b as often as it beats c.
    margins = np.array([[0, -2, 2], [2, 0, 0], [-2, 0, 0]], dtype=float)
    assert maximal_lottery(margins) == pytest.approx([0, 1 / 2, 1 / 2], abs=1e-12)


@pytest.mark.parametrize(("n", "seed"), [(4, 0), (6, 1), (6, 4)])
def test_many_items_that_could_almost_be_left_out_of_a_maximal_lottery_are_no_obstacle(n, seed):
    ranks = np.argsort(np.random.default_rng(seed).random((n, 30)), axis=1)
    wins = (ranks[:, :, None] < ranks[:, None, :]).sum(axis=0)
    outcome = mediate(Profile(tuple(map(str, range(30))), ranks, np.ones(n)), "maximal_lottery", k=15)
    lottery = np.array(list(outcome.scores.values()))
    assert ((wins - wins.T) @ lottery).max() < 1e-9
    assert lottery.min() >= 0


def test_maximal_lotteries_treat_alike_what_the_margins_treat_alike():
    rng = np.random.default_rng(3)
    for _ in range(100):
        margins = random_margins(rng)
        moved = rng.permutation(len(margins))
        assert maximal_lottery(margins[np.ix_(moved, moved)]) == pytest.approx(
            maximal_lottery(margins)[moved], abs=1e-9
        )
    assert maximal_lottery(np.zeros((3, 3))).tolist() == [1 / 3] * 3


def test_condorcet_winner_is_drawn_for_sure_and_two_weak_ones_by_a_coin():
    assert mediate(Profile.from_rankings(["abc", "bca", "bac"]), "maximal_lottery").scores == {"a": 0, "b": 1, "c": 0}
    outcome = mediate(Profile.from_rankings(["abcd", "badc"]), "maximal_lottery", k=3)
    assert outcome.scores == {"a": 0.5, "b": 0.5, "c": 0, "d": 0}
    assert outcome.slates == (("a", "b", "c"), ("a", "b", "d"))


def test_top_cycle_is_the_smallest_set_that_beats_all_others():
    rng = np.random.default_rng(1)
    for _ in range(100):
        beats = random_margins(rng) > 0
        m = len(beats)
        dominant = [
            subset
            for subset in chain.from_iterable(combinations(range(m), size) for size in range(1, m + 1))
            if all(beats[i, j] for i in subset for j in range(m) if j not in subset)
        ]
        assert tuple(top_cycle(beats).tolist()) == dominant[0]


@pytest.mark.parametrize("rule", LOTTERIES)
def test_nothing_is_drawn_where_nobody_says_anything(rule):
    for ballots in ([], [[], []], [[["a", "b", "c"]]]):
        outcome = mediate(Profile.from_rankings(ballots, items="abc"), rule, k=2, seed=1)
        assert outcome.tiers == (("a", "b", "c"),)
        assert outcome.scores == pytest.approx(dict.fromkeys("abc", 1 / 3))
        assert len(outcome.slates) == 3
        text = justify(Profile.from_rankings(ballots, items="abc"), outcome, registry.create("mediator", rule), k=2)
        assert "drawn to come first" not in text


def test_justification_says_what_was_drawn_and_what_else_could_have_been():
    profile = Profile.from_rankings(["abc", "bca", "bac"], [1, 2, 3], voters=["x", "y", "z"])
    rule = registry.create("mediator", "random_dictatorship")
    seed = next(seed for seed in range(99) if mediate(profile, rule, seed=seed).ranking[0] == "a")
    text = justify(profile, mediate(profile, rule, seed=seed), rule, k=1, seed=seed)
    assert '"a" was drawn to come first, with a probability of 0.1667: x 0.1667 + y 0 + z 0.' in text
    assert 'It could have been "b" with 0.8333.' in text
    assert 'Without the ballot of x, "a" could not have been drawn.' in text
    assert text.endswith("The draw fell on the ballot of x.")
    other = next(seed for seed in range(99) if mediate(profile, rule, seed=seed).ranking[0] == "b")
    text = justify(profile, mediate(profile, rule, seed=other), rule, k=1, seed=other)
    assert 'Whichever single ballot had stayed away, "b" could have been drawn.' in text
