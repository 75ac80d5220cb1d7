"""What every registered mediator must hold, on random ballots with ties, gaps, abstentions and zero weights."""

from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import registry
from simulator.justification import justify
from simulator.mediation import mediate
from simulator.outcome import MOST_SLATES
from simulator.profile import Profile

ITEMS = "abcdef"


@st.composite
def profiles(draw, min_ballots=0):
    items = ITEMS[: draw(st.integers(1, len(ITEMS)))]
    n = draw(st.integers(min_ballots, 5))
    weights = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=n, max_size=n))
    kind = draw(st.sampled_from(["rankings", "utilities", "approvals"]))
    if kind == "utilities":
        values = draw(
            st.lists(
                st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=len(items), max_size=len(items)),
                min_size=n,
                max_size=n,
            )
        )
        return Profile.from_utilities(np.array(values).reshape(n, len(items)), items, weights)
    if kind == "approvals":
        ballots = draw(st.lists(st.sets(st.sampled_from(items)).map(sorted), min_size=n, max_size=n))
        return Profile.from_approvals(ballots, weights, items=items)
    return Profile.from_rankings([draw(rankings(items)) for _ in range(n)], weights, items=items)


@st.composite
def rankings(draw, items):
    """Tiers of some of the items, none of them for an abstention."""
    ranked = draw(st.permutations(items))[: draw(st.integers(0, len(items)))]
    breaks = draw(st.lists(st.booleans(), min_size=len(ranked), max_size=len(ranked)))
    tiers: list[list[str]] = []
    for item, new_tier in zip(ranked, breaks, strict=True):
        if new_tier or not tiers:
            tiers.append([])
        tiers[-1].append(item)
    return tiers


def names(claim=None):
    found = registry.names("mediator")
    return [name for name in found if claim is None or claim in registry.find("mediator", name).properties]


@pytest.mark.parametrize("name", names())
@given(profile=profiles(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_outcome_is_consistent_in_itself(name, profile, data):
    k = data.draw(st.integers(1, profile.m))
    outcome = mediate(profile, name, k=k)
    assert sorted(outcome.ranking) == sorted(profile.items)
    assert list(chain.from_iterable(outcome.tiers)) == list(outcome.ranking)
    assert len(outcome.slate) == k
    assert outcome.winners
    assert outcome.winners[0] in outcome.tiers[0]
    assert outcome.slates is not None
    assert len(outcome.slates) <= MOST_SLATES
    assert sorted(outcome.slate) in [sorted(slate) for slate in outcome.slates]
    assert all(len(set(slate)) == k for slate in outcome.slates)
    assert outcome.mediator == name
    if outcome.scores is not None:
        scores = [outcome.scores[item] for item in outcome.ranking]
        assert all(better >= worse - 1e-9 for better, worse in pairwise(scores))
    if outcome.trace.contributions is not None:
        assert outcome.trace.contributions.sum(axis=0) == pytest.approx(outcome.score_values)
    assert justify(profile, outcome, registry.create("mediator", name), k=k).startswith(f"By {name}")


@pytest.mark.parametrize("name", names())
@given(profile=profiles(), data=st.data())
@settings(max_examples=40, deadline=None)
def test_tie_order_orders_what_is_delivered_and_never_changes_who_wins(name, profile, data):
    k = data.draw(st.integers(1, profile.m))
    mediator = registry.create("mediator", name)
    first = mediator.mediate(profile, k=k)
    other = mediator.mediate(profile, k=k, priority=data.draw(st.permutations(range(profile.m))))
    assert sorted(first.winners) == sorted(other.winners)
    assert [sorted(tier) for tier in first.tiers] == [sorted(tier) for tier in other.tiers]
    assert sorted(map(sorted, first.slates)) == sorted(map(sorted, other.slates))
    assert first.scores == other.scores
    for tier in first.tiers:
        if len(tier) > 1 and first.tied_slates is None and first.tied_winners is None:
            assert list(tier) == sorted(tier, key=profile.items.index)


@pytest.mark.parametrize("name", names("neutral"))
@given(profile=profiles(), data=st.data())
@settings(max_examples=40, deadline=None)
def test_neutral_rules_rename_the_outcome_with_the_items(name, profile, data):
    mediator = registry.create("mediator", name)
    k = data.draw(st.integers(1, profile.m))
    moved = data.draw(st.permutations(range(profile.m)))
    pick = [None if part is None else part[:, moved] for part in (profile.utilities, profile.approvals)]
    renamed = Profile(
        tuple(profile.items[i] for i in moved), profile.ranks[:, moved], profile.weights, *pick, profile.voters
    )
    before, after = mediator.mediate(profile, k=k), mediator.mediate(renamed, k=k)
    assert [sorted(tier) for tier in before.tiers] == [sorted(tier) for tier in after.tiers]
    assert sorted(map(sorted, before.slates)) == sorted(map(sorted, after.slates))


@pytest.mark.parametrize("name", names("anonymous"))
@given(profile=profiles(), data=st.data())
@settings(max_examples=40, deadline=None)
def test_anonymous_rules_do_not_care_whose_ballot_it_is(name, profile, data):
    mediator = registry.create("mediator", name)
    moved = data.draw(st.permutations(range(profile.n)))
    pick = [None if part is None else part[moved] for part in (profile.utilities, profile.approvals)]
    shuffled = Profile(profile.items, profile.ranks[moved], profile.weights[moved], *pick)
    before, after = mediator.mediate(profile, k=1), mediator.mediate(shuffled, k=1)
    assert before.tiers == after.tiers
    assert before.slates == after.slates


@pytest.mark.parametrize("name", names())
@given(profile=profiles(min_ballots=1))
@settings(max_examples=40, deadline=None)
def test_a_weight_of_two_stands_for_two_ballots(name, profile):
    mediator = registry.create("mediator", name)
    twice = [
        np.concatenate([part, part[:1]]) if part is not None else None
        for part in (profile.utilities, profile.approvals)
    ]
    weights = profile.weights.copy()
    weights[0] *= 2
    heavy = Profile(profile.items, profile.ranks, weights, profile.utilities, profile.approvals)
    split = Profile(
        profile.items,
        np.concatenate([profile.ranks, profile.ranks[:1]]),
        np.concatenate([profile.weights, profile.weights[:1]]),
        *twice,
    )
    assert mediator.mediate(heavy, k=1).tiers == mediator.mediate(split, k=1).tiers


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(Profile.from_rankings([], items="abc"), id="no ballot"),
        pytest.param(Profile.from_rankings([[], []], items="abc"), id="abstentions only"),
        pytest.param(Profile.from_rankings(["abc", "cab"], [0, 0]), id="zero weights"),
        pytest.param(Profile.from_rankings([[["a", "b", "c"]]]), id="one tie of all"),
    ],
)
def test_everything_ties_where_nobody_says_anything(name, profile):
    outcome = mediate(profile, name, k=2)
    assert outcome.tiers == (("a", "b", "c"),)
    assert sorted(outcome.winners) == ["a", "b", "c"]
    assert sorted(map(sorted, outcome.slates)) == [["a", "b"], ["a", "c"], ["b", "c"]]


@pytest.mark.parametrize("name", names())
def test_single_ballot_wins_with_its_first_item(name):
    outcome = mediate(Profile.from_rankings(["bca"], items="abc"), name)
    assert outcome.winners == ("b",)
    assert outcome.slate == ("b",)


@pytest.mark.parametrize("name", names())
def test_an_abstention_changes_nothing(name):
    ballots = ["abcd", "bdca", ["c", ["a", "b"]]]
    without = mediate(Profile.from_rankings(ballots, items="abcd"), name, k=2)
    with_one = mediate(Profile.from_rankings([*ballots, []], items="abcd"), name, k=2)
    assert with_one.tiers == without.tiers
    assert with_one.slates == without.slates


@pytest.mark.parametrize("name", [name for name in names() if hasattr(registry.find("mediator", name), "scores")])
def test_scores_of_a_batch_are_the_scores_of_its_profiles(name):
    mediator = registry.create("mediator", name)
    draws = np.random.default_rng(3).integers(0, 4, size=(2, 5, 4, 6)) / 4
    weights = np.random.default_rng(4).integers(0, 3, size=(2, 5, 4))
    batch = Profile.from_utilities(draws, ITEMS, weights)
    rows = Profile(batch.items, batch.ranks, batch.weights)
    for many in (batch, rows):
        scores = mediator.scores(many)
        assert scores.shape == (2, 5, 6)
        for at in np.ndindex(2, 5):
            one = Profile(
                many.items, many.ranks[at], many.weights[at], None if many.utilities is None else many.utilities[at]
            )
            assert scores[at] == pytest.approx(mediator.mediate(one).score_values)
