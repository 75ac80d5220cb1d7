"""The mediator that allocates before it chooses."""

import json

import numpy as np
import pytest

from simulator import registry
from simulator.justification import justify
from simulator.mediation import mediate
from simulator.profile import Profile, Proposal, Ranking
from simulator.rounds.received import checked_proposal
from simulator.table import Candidates

BALLOTS = {"ann": "abcd", "bob": "abdc", "cy": "dcba"}


def profile(ballots=BALLOTS, weights=None, **told):
    return Profile.from_proposals(
        {
            name: Proposal(Ranking.of(ballot), **{key: values[name] for key, values in told.items() if name in values})
            for name, ballot in ballots.items()
        },
        "abcd",
        np.ones(len(ballots)) if weights is None else weights,
    )


def weights(outcome, ballots=BALLOTS):
    return dict(zip(ballots, outcome.trace.weights.tolist(), strict=True))


def test_what_ballots_say_of_themselves_is_allocated():
    told = {"fairness": {"ann": 0.5, "bob": 1.0, "cy": 0.0}, "compatibility": {"cy": 0.5}}
    outcome = mediate(profile(**told), "allocated")
    assert weights(outcome) == {"ann": 0.5, "bob": 0.0, "cy": 0.5}
    assert outcome.mediator == "allocated"


def test_who_got_less_weighs_more_in_the_next_rounds():
    memory, first = None, []
    for _ in range(12):
        outcome = mediate(profile(), "allocated(allocation=least_fair)", memory=memory)
        first.append(outcome.ranking[0])
        memory = json.loads(json.dumps(outcome.memory))
        assert memory == outcome.memory
    assert first[:2] == ["a", "d"]
    assert 4 <= first.count("d") <= 8
    assert mediate(profile(), "borda").ranking[0] == "a"


def test_fairness_is_the_mean_agreement_over_the_window():
    memory = {"agreement": {"ann": [0.0, 0.5, 1.0], "bob": [1.0], "cy": [0.25]}}
    outcome = mediate(profile(), "allocated(window=3)", memory=memory)
    assert outcome.trace.standing["fairness"].tolist() == [0.5, 1.0, 0.25]
    assert weights(outcome) == pytest.approx({"ann": 0.4, "bob": 0.0, "cy": 0.6})
    assert outcome.ranking[0] == "d"
    assert outcome.memory["agreement"] == {"ann": [0.5, 1.0, 0.0], "bob": [1.0, 0.0], "cy": [0.25, 1.0]}


def test_the_absent_keep_their_window_and_newcomers_are_owed_nothing():
    memory = {"agreement": {"zed": [0.5], "ann": [0.0]}}
    outcome = mediate(profile(), "allocated", memory=memory)
    assert weights(outcome) == {"ann": 1.0, "bob": 0.0, "cy": 0.0}
    assert outcome.memory["agreement"]["zed"] == [0.5]


@pytest.mark.parametrize(
    ("cold_start", "expected", "note"),
    [
        ("all", [1.0, 1.0, 2.0], "No round has gone before: all ballots count at their own weights."),
        ("nobody", [1.0, 1.0, 2.0], "The allocation gives nobody any weight: all ballots count at their own weights."),
    ],
)
def test_a_first_round_counts_everyone(cold_start, expected, note):
    outcome = mediate(profile(weights=[1, 1, 2]), f"allocated(cold_start={cold_start})")
    assert outcome.trace.weights.tolist() == expected
    assert outcome.notes[0] == note


def test_a_first_round_can_be_drawn_by_weight():
    drawn = [
        mediate(profile(weights=[1, 1, 2]), "allocated(cold_start=uniform)", seed=seed).trace.weights.tolist()
        for seed in range(300)
    ]
    assert all(sorted(weights) == [0, 0, 1] for weights in drawn)
    assert np.mean(drawn, axis=0) == pytest.approx([0.25, 0.25, 0.5], abs=0.08)


def test_the_recommender_takes_part_in_the_choice_and_not_in_the_allocation():
    ballots = {**BALLOTS, "base": "cabd"}
    told = {"fairness": {"ann": 1.0, "bob": 1.0, "cy": 1.0}}
    spec = "allocated(recommender=base, recommender_weight=0.8)"
    outcome = mediate(profile(ballots, **told), spec)
    assert weights(outcome, ballots) == {"ann": 0, "bob": 0, "cy": 0, "base": 0.8}
    assert outcome.ranking == tuple("cabd")
    assert "base" not in outcome.memory["agreement"]
    without = mediate(profile(**told), spec)
    assert without.trace.weights.tolist() == [1, 1, 1]


def test_floor_keeps_everybody_in():
    told = {"fairness": {"ann": 0.0, "bob": 1.0, "cy": 1.0}}
    assert weights(mediate(profile(weights=[1, 1, 3], **told), "allocated(floor=0.1)")) == pytest.approx(
        {"ann": 1.0, "bob": 0.1, "cy": 0.3}
    )


def test_abstentions_and_weightless_ballots_are_not_allocated_anything():
    ballots = {"ann": "abcd", "bob": "", "cy": "dcba"}
    told = {"fairness": {"ann": 0.5, "bob": 0.0, "cy": 0.0}}
    outcome = mediate(profile(ballots, weights=[1, 1, 0], **told), "allocated")
    assert weights(outcome, ballots) == {"ann": 1.0, "bob": 0.0, "cy": 0.0}
    assert list(outcome.memory["agreement"]) == ["ann"]


def test_what_an_inner_rule_remembers_is_handed_on():
    outcome = mediate(profile(), "allocated(choice=perpetual_pav)")
    again = mediate(profile(), "allocated(choice=perpetual_pav)", memory=outcome.memory)
    assert again.trace.standing["satisfaction"].tolist() == [1.0, 1.0, 0.0]


def test_label_is_read_back():
    spec = "allocated(allocation=weighted_product(compatibility_exponent=2), choice=copeland(alpha=1), window=3)"
    rule = registry.create("mediator", spec)
    assert rule.label == spec
    assert registry.create("mediator", rule.label) == rule


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("allocated(allocation=prodct)", "no allocation 'prodct'"),
        ("allocated(choice=egalitarian)", "cannot use the weights"),
        ("allocated(window=0)", "window is 0"),
        ("allocated(floor=-1)", "floor"),
        ("allocated(persistence=1)", "persistence is 1.0"),
        ("allocated(cold_start=later)", "cold_start"),
    ],
)
def test_what_cannot_be_is_refused_at_once(spec, said):
    with pytest.raises(ValueError, match="allocated") as caught:
        registry.create("mediator", spec)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "memory", [{"agreement": [1]}, {"agreement": {"ann": [2.0]}}, {"agreement": {"ann": ["x"]}}, {"choice": 3}]
)
def test_memory_that_is_none_is_refused(memory):
    with pytest.raises(ValueError, match=r"memory: '(agreement|choice)'"):
        mediate(profile(), "allocated", memory=memory)


def test_justification_states_what_was_owed_and_what_ballots_weighed():
    told = {"fairness": {"ann": 0.5, "bob": 1.0, "cy": 0.0}}
    ballots, rule = profile(**told), registry.create("mediator", "allocated")
    outcome = mediate(ballots, rule)
    words = justify(ballots, outcome, rule, k=1)
    assert "at weights that product allocates" in words
    assert "fairness is 0.5 for ann, 1 for bob and 0 for cy; compatibility is 1 for all." in words
    assert "The ballots weigh 0.3333 for ann, 0 for bob and 0.6667 for cy." in words
    assert 'Without the ballot of cy, "a" would have come first.' in words


def test_a_profile_checks_what_it_is_told():
    with pytest.raises(ValueError, match="fairness must have shape"):
        profile(fairness={"ann": 1.5})
    alone = profile(fairness={"cy": 0.5}).without(0)
    assert np.isnan(alone.fairness[0])
    assert alone.fairness[1] == 0.5


@pytest.mark.parametrize("told", [2.0, -0.1, float("nan"), "much"])
def test_what_a_stakeholder_says_of_itself_counts_only_in_0_to_1(told):
    table = Candidates(("a", "b"), (), np.empty((0, 2)), np.empty((0, 2)))
    said = Proposal(Ranking.of("ab"), fairness=0.5, compatibility=told)
    kept, found = checked_proposal(said, table)
    assert kept.ranking == said.ranking
    assert (kept.fairness, kept.compatibility) == (None, None)
    assert found == {"malformed": 1, "partial_ballots": 1}
    assert checked_proposal(Proposal(Ranking.of("ab"), fairness=0.5, compatibility=1), table)[0].fairness == 0.5
