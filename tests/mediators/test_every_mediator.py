"""What every registered mediator must hold, and what it claims, on ballots with ties, gaps, weights and abstentions.

`simulator/axioms` says what the contract and the axioms are; here they are asked of all rules. Each family of questions
has 200 examples of profiles, each of them put to a few rules; the slow tests ask every rule everything, the nightly
ones have 10,000 examples.
"""

import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import registry
from simulator.axioms import AXIOMS, RuleFailed, Subject, check_rule
from simulator.axioms.ballots import profile_of
from simulator.axioms.profiles import worst_cases
from simulator.mediation import mediate
from simulator.mediators.base import PROPERTIES
from simulator.profile import Profile

ITEMS = "abcde"
KINDS = ("ranking", "approval", "utility")
FEW, MANY = 3, 12  # rules that one example is put to with all questions, and just to see whether they decide
DAILY, NIGHTLY = 200, 10_000

RULES = {name: registry.create("mediator", name) for name in registry.names("mediator")}
CONTRACT = [axiom for axiom in AXIOMS.values() if axiom.part == "contract"]


@st.composite
def profiles(draw, kind):
    m, n = draw(st.integers(1, len(ITEMS))), draw(st.integers(0, 5))
    weights = draw(st.lists(st.sampled_from([1.0, 2.0, 0.5, 0.0, 3.0]), min_size=n, max_size=n))
    cell = {
        "ranking": st.integers(0, m),
        "approval": st.booleans(),
        "utility": st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]),
    }
    rows = np.array(draw(st.lists(cell[kind], min_size=n * m, max_size=n * m)), dtype=np.float64).reshape(n, m)
    return profile_of(kind, ITEMS[:m], -rows if kind == "ranking" else rows, np.array(weights))


def asked(axioms, profile, k, rules, most=1):
    """Put a profile to some rules; a failure is told in words."""
    for rule in rules:
        subject = Subject(rule)
        for axiom in axioms:
            try:
                found = axiom.search(subject, profile, k, most)
            except RuleFailed as failed:
                pytest.fail(f"{rule.label} fails to decide: {failed}")
            if found is not None:
                pytest.fail("\n".join([f"{rule.label} breaks '{found.axiom}', k = {found.k}", *found.lines()]))


def some(rules, profile, most=FEW):
    """A few of the rules, chosen by the profile, so that all have their turn."""
    if len(rules) <= most:
        return rules
    start = zlib.crc32(profile.ranks.tobytes() + profile.weights.tobytes())
    chosen = np.random.default_rng(start).choice(len(rules), size=most, replace=False)
    return [rules[place] for place in chosen.tolist()]


def decides(data, kind):
    profile = data.draw(profiles(kind))
    k = data.draw(st.integers(1, profile.m))
    for rule in some(list(RULES.values()), profile, MANY):
        try:
            Subject(rule).outcome(profile, k)
        except RuleFailed as failed:
            pytest.fail(f"{rule.label} with k = {k}: {failed}")


def holds_the_contract(data, kind):
    profile = data.draw(profiles(kind))
    asked(CONTRACT, profile, data.draw(st.integers(1, profile.m)), some(list(RULES.values()), profile))


def holds_its_claim(data, claim):
    rules = [rule for rule in RULES.values() if claim in rule.properties]
    axiom = AXIOMS[claim]
    kinds = KINDS if axiom.any_ballots else [kind for kind in KINDS if any(rule.needs == kind for rule in rules)]
    kind = data.draw(st.sampled_from(kinds))
    profile = data.draw(profiles(kind))
    able = [rule for rule in rules if axiom.any_ballots or rule.needs == kind]
    asked([axiom], profile, data.draw(st.integers(1, profile.m)), some(able, profile), most=2)


CLAIMS = [claim for claim in AXIOMS if any(claim in rule.properties for rule in RULES.values())]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=DAILY, deadline=None)
def test_no_rule_raises_or_returns_nonsense(kind, data):
    decides(data, kind)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=DAILY, deadline=None)
def test_every_rule_holds_the_contract(kind, data):
    holds_the_contract(data, kind)


@pytest.mark.parametrize("claim", CLAIMS)
@given(data=st.data())
@settings(max_examples=DAILY, deadline=None)
def test_every_rule_holds_what_it_claims(claim, data):
    holds_its_claim(data, claim)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=NIGHTLY, deadline=None)
def test_no_rule_raises_or_returns_nonsense_on_many_profiles(kind, data):
    decides(data, kind)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=NIGHTLY, deadline=None)
def test_every_rule_holds_the_contract_on_many_profiles(kind, data):
    holds_the_contract(data, kind)


@pytest.mark.nightly
@pytest.mark.parametrize("claim", CLAIMS)
@given(data=st.data())
@settings(max_examples=NIGHTLY, deadline=None)
def test_every_rule_holds_what_it_claims_on_many_profiles(claim, data):
    holds_its_claim(data, claim)


@pytest.mark.parametrize("name", RULES)
def test_known_bad_profiles_break_neither_contract_nor_claims(name):
    rule = RULES[name]
    axioms = [*CONTRACT, *(axiom for axiom in AXIOMS.values() if axiom.name in rule.properties)]
    for sample in worst_cases(rule.needs):
        asked(axioms, sample.profile, sample.k, [rule], most=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_every_small_profile_breaks_neither_contract_nor_claims(name):
    report = check_rule(RULES[name], profiles=30, ballots=2, claims_only=True)
    failed = [line for verdict in report.verdicts if verdict.counterexample for line in verdict.counterexample.lines()]
    assert report.holds, "\n".join(failed)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_claims_what_can_be_checked(name):
    assert set(RULES[name].properties) <= set(PROPERTIES)
    assert set(RULES[name].properties) <= set(AXIOMS)


@pytest.mark.parametrize("name", RULES)
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
    assert sorted(outcome.winners) == ["a", "b", "c"]
    assert sorted(map(sorted, outcome.slates)) == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert RULES[name].lottery or outcome.tiers == (("a", "b", "c"),)


@pytest.mark.parametrize("name", RULES)
def test_a_slate_of_many_tied_items_is_delivered_though_not_all_ways_can_be_listed(name):
    tied = Profile.from_rankings([[[f"item {place}" for place in range(30)]]] * 2)
    outcome = mediate(tied, name, k=15)  # one of 155 million
    assert len(outcome.slate) == 15
    assert not outcome.to_json()["complete"]


@pytest.mark.parametrize("name", RULES)
def test_the_first_item_of_a_single_ballot_is_among_the_winners(name):
    outcome = mediate(Profile.from_rankings(["bca"], items="abc"), name)
    assert "b" in outcome.winners


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.batched and hasattr(rule, "scores")])
def test_scores_of_a_batch_are_the_scores_of_its_profiles(name):
    mediator = RULES[name]
    draws = np.random.default_rng(3).integers(0, 4, size=(2, 5, 4, 5)) / 4
    weights = np.random.default_rng(4).integers(0, 3, size=(2, 5, 4))
    batch = Profile.from_utilities(draws, ITEMS, weights)
    for many in (batch, Profile(batch.items, batch.ranks, batch.weights)):
        scores = mediator.scores(many)
        assert scores.shape == (2, 5, 5)
        for place, one in zip(np.ndindex(2, 5), many.singles(), strict=True):
            single = mediator.mediate(one).score_values
            assert single is None or scores[place] == pytest.approx(single)
