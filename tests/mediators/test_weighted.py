"""Rules at weights that earlier outcomes changed."""

import json
from math import exp

import pytest

from simulator import registry
from simulator.justification import justify
from simulator.mediation import mediate
from simulator.mediators.families.reweighting import UPDATES
from simulator.profile import Profile

ANN_FIRST = {"ann": "abc", "bob": "cba"}


def profile(ballots, weights=None):
    items = sorted({item for ballot in ballots.values() for item in ballot})
    return Profile.from_rankings(list(ballots.values()), weights, items=items, voters=list(ballots))


def factors(update, rounds=2, *, weights=(2, 1), **more):
    """What each round leaves behind where `borda` follows ann, at three pairs of distance from bob."""
    memory, found = None, []
    for _ in range(rounds):
        rule = {"name": "weighted", "update": update, **more}
        memory = json.loads(json.dumps(mediate(profile(ANN_FIRST, weights), rule, memory=memory).memory))
        found.append((memory["factor"]["ann"], memory["factor"]["bob"]))
    return found


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ("constant", [(1, 1), (1, 1)]),
        ("myopic", [(0, 3), (3, 0)]),  # ann weighs nothing in the second round, so it follows bob
        ("cumulative", [(1, 4), (4, 4)]),  # 2 x 1 against 4: the second round follows bob
        ("squared", [(1, 10), (10, 10)]),
        # In the second round of these, all items tie, which orders 1.5 of the 3 pairs differently from either ballot.
        ("unit_cost", [(1, 2), (1, 2)]),
        ("reset", [(1, 2), (1, 1)]),
        ("pav", [(1 / 2, 1), (1 / 3, 1 / 2)]),
    ],
)
def test_weights_change_by_the_distance_from_the_outcome(update, expected):
    assert factors(update) == [pytest.approx(pair) for pair in expected]


def test_exponential_weights_grow_by_what_is_missing_to_the_target():
    (found,) = factors("exponential", 1, eta=2.0, target=0.5)
    content, starved = exp(2 * (0.5 - 1)), exp(2 * 0.5)
    mean = (content + starved) / 2
    assert found == pytest.approx((content / mean, starved / mean))


@pytest.mark.parametrize("update", UPDATES)
def test_a_round_without_ballots_changes_no_factor(update):
    empty = Profile.from_rankings([], items=["a", "b"])
    rule = {"name": "weighted", "update": update}
    assert mediate(empty, rule, memory={"factor": {"ann": 2.0}}).memory["factor"] == {"ann": 2.0}


def test_exponential_weights_take_over_a_factor_of_zero():
    rule = {"name": "weighted", "update": "exponential"}
    found = mediate(profile(ANN_FIRST), rule, memory={"factor": {"ann": 0, "bob": 0}}).memory["factor"]
    assert found == pytest.approx({"ann": 1.0, "bob": 1.0})  # a tie of all items is as far from either ballot


def test_threshold_says_who_is_satisfied():
    strict = factors("unit_cost", 2, threshold=0.4)
    assert strict == [(1, 2), (2, 3)]


def test_a_minority_gets_its_turn_in_proportion_to_its_size():
    ballots, memory, first = {"ann": "ab", "bob": "ab", "cy": "ba"}, None, []
    for _ in range(30):
        outcome = mediate(profile(ballots), "weighted(update=cumulative)", memory=memory)
        memory = outcome.memory
        first.append(outcome.ranking[0])
    assert 8 <= first.count("b") <= 12
    assert mediate(profile(ballots), "weighted(update=constant)").ranking[0] == "a"


def test_ties_of_one_ranking_alone_count_a_half():
    tied = Profile.from_rankings([[["a", "b"], "c"], "abc"], items="abc", voters=["ann", "bob"])
    outcome = mediate(tied, "weighted")
    assert outcome.ranking == ("a", "b", "c")
    assert outcome.memory["factor"] == {"ann": 1.5, "bob": 1.0}


def test_abstentions_and_weightless_ballots_keep_their_factor():
    present = Profile.from_rankings(["ab", [], "ba"], [1, 1, 0], items="ab", voters=["ann", "bob", "cy"])
    before = {"factor": {"ann": 1.0, "bob": 5.0, "cy": 7.0, "dee": 2.0}}
    after = mediate(present, "weighted", memory=before).memory["factor"]
    assert after == {"ann": 1.0, "bob": 5.0, "cy": 7.0, "dee": 2.0}


@pytest.mark.parametrize("choice", ["copeland(alpha=1)", "perpetual_pav(approve=top-2)", "weighted(update=pav)"])
def test_label_with_a_rule_inside_is_read_back(choice):
    rule = registry.create("mediator", {"name": "weighted", "choice": choice, "update": "reset"})
    assert rule.label == f"weighted(choice={choice}, update=reset)"
    assert registry.create("mediator", rule.label) == rule
    quoted = registry.create("mediator", f'weighted(choice="{choice}", update=reset)')
    assert quoted == rule


def test_memory_of_the_rule_inside_is_kept_beside_the_factors():
    ballots, memory = profile({"ann": "ab", "bob": "ba"}), None
    for expected in ({"ann": 1.0, "bob": 0.0}, {"ann": 1.0, "bob": 1.0}):
        outcome = mediate(ballots, "weighted(choice=perpetual_pav, update=constant)", memory=memory)
        memory = json.loads(json.dumps(outcome.memory))
        assert memory["choice"] == {"satisfaction": expected}


def test_needs_are_those_of_the_rule_inside():
    assert registry.create("mediator", "weighted(choice=utilitarian)").needs == "utility"
    assert registry.create("mediator", "weighted").needs == "ranking"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("weighted(choice=egalitarian)", "egalitarian cannot use the weights"),
        ("weighted(choice=bordo)", "no mediator 'bordo'; did you mean 'borda'?"),
        ("weighted(update=sometimes)", "update"),
        ("weighted(threshold=2)", "threshold is 2.0"),
        ("weighted(eta=-1)", "eta is -1.0"),
    ],
)
def test_what_cannot_be_is_refused_at_once(spec, said):
    with pytest.raises(ValueError, match="weighted") as caught:
        registry.create("mediator", spec)
    assert said in str(caught.value)


def test_justification_states_the_weights_that_counted():
    rule = registry.create("mediator", "weighted")
    memory = {"factor": {"ann": 1.0, "bob": 4.0}}
    ballots = profile(ANN_FIRST, (2, 1))
    outcome = mediate(ballots, rule, memory=memory)
    words = justify(ballots, outcome, rule, k=1, memory=memory)
    assert "The ballots weigh 2 for ann and 4 for bob." in words
    assert '"c" comes first with 8: bob 8 + ann 0.' in words
    assert 'Without the ballot of bob, "a" would have come first.' in words


def test_myopic_weights_start_anew_where_everyone_got_its_ranking():
    outcome = mediate(profile({"ann": "ab", "bob": "ab"}), "weighted(update=myopic)")
    assert outcome.memory["factor"] == {"ann": 1.0, "bob": 1.0}
