"""Allocation, ballots, fairness and choice against recorded steps of SCRUF-D, to 1e-9."""

import numpy as np
import pytest

from simulator.allocation import strategy
from simulator.allocation.ballots import binary_ballot, cascade_ballot
from simulator.allocation.item_fairness import proportional_item
from simulator.mediation import mediate
from simulator.profile import Profile
from tests.allocation.scruf import AGENTS, items_of, profile_of, protected_of, recorded, scores_of, steps, utilities_of

EVERYTHING = [step for part in recorded()[1].values() for step in part]


def test_weights_are_allocated_alike():
    product = strategy("weighted_product(fairness_exponent=1, compatibility_exponent=2)")
    fairness = np.array([[step["fairness"][agent] for agent in AGENTS] for step in EVERYTHING])
    compatibility = np.array([[step["compat"][agent] for agent in AGENTS] for step in EVERYTHING])
    expected = [[step["weights"].get(agent, 0.0) for agent in AGENTS] for step in EVERYTHING]
    given = product.allocate(fairness, compatibility, np.ones(fairness.shape))
    rounded = np.array([step["config"].startswith("casc") for step in EVERYTHING])  # fairness has three digits there
    assert given[~rounded] == pytest.approx(np.array(expected)[~rounded], abs=1e-12)
    assert given[rounded] == pytest.approx(np.array(expected)[rounded], abs=2e-3)


@pytest.mark.parametrize("configuration", recorded()[1])
def test_fairness_of_the_delivered_lists_is_the_same(configuration):
    """Proportional item, target 0.2; the recorded window of 100 lists is longer than the record."""
    lists = []
    for step in steps(configuration):
        for agent in AGENTS:
            shown = np.array([protected_of(items, agent) for items in lists], dtype=bool).reshape(len(lists), 10)
            assert proportional_item(shown, 0.2) == pytest.approx(step["fairness"][agent], abs=5e-4)
        lists.append([item for item, _ in step["output"]])


@pytest.mark.parametrize("step", steps("bin_borda", "casc_borda"), ids=lambda s: f"{s['config']}-{s['step']}")
def test_agents_cast_the_same_ballots(step):
    base = utilities_of(step, "__rec")
    for agent in set(AGENTS) & set(step["ballots"]):
        protected = protected_of(items_of(step), agent)
        ballot = cascade_ballot(base, protected) if step["config"] == "casc_borda" else binary_ballot(protected)
        assert ballot == pytest.approx(utilities_of(step, agent), abs=1e-12)


@pytest.mark.parametrize("step", steps("bin_rescore"), ids=lambda s: s["step"])
@pytest.mark.parametrize("rule", ["utilitarian", "range"])
def test_rescoring_is_the_weighted_sum_of_scores(step, rule):
    assert mediate(profile_of(step), rule).score_values == pytest.approx(scores_of(step), abs=1e-9)


@pytest.mark.parametrize("step", steps("bin_borda", "casc_borda"), ids=lambda s: f"{s['config']}-{s['step']}")
def test_borda_scores_agree_per_unit_of_weight(step):
    profile = profile_of(step)
    assert mediate(profile, "borda").score_values / profile.weights.sum() == pytest.approx(scores_of(step), abs=1e-9)


@pytest.mark.parametrize("step", steps("bin_copeland"), ids=lambda s: s["step"])
def test_copeland_scores_agree(step):
    assert mediate(profile_of(step), "copeland").score_values == pytest.approx(scores_of(step), abs=1e-9)


@pytest.mark.parametrize("step", steps("bin_maximin"), ids=lambda s: s["step"])
def test_maximin_scores_agree_as_shares_of_the_weight(step):
    """Theirs is the smallest share of the weight that prefers the item, ties counted half: (1 + margin / total) / 2."""
    profile = profile_of(step)
    margins = mediate(profile, "minimax").score_values
    assert (1 + margins / profile.weights.sum()) / 2 == pytest.approx(scores_of(step), abs=1e-9)


@pytest.mark.parametrize("step", steps("bin_approval"), ids=lambda s: s["step"])
def test_approval_scores_agree_on_ballots_scaled_to_0_to_1(step):
    """Theirs approves from the middle of the ballot's own scale, nothing where all is level, per unit of weight."""
    profile = profile_of(step)
    low, high = (end(profile.utilities, axis=1, keepdims=True) for end in (np.min, np.max))
    scaled = (profile.utilities - low) / np.where(high > low, high - low, 1)
    approved = Profile.from_utilities(scaled, profile.items, profile.weights)
    scores = mediate(approved, "av(approve=threshold-0.5)").score_values / profile.weights.sum()
    assert scores == pytest.approx(scores_of(step), abs=1e-9)


@pytest.mark.parametrize("step", steps("casc_schulze", "casc_rankedpairs"), ids=lambda s: f"{s['config']}-{s['step']}")
def test_schulze_and_ranked_pairs_deliver_the_same_items(step):
    """Equal scores come in an order of their own there: a delivered item stands in a tier that reaches its place."""
    rule = "schulze" if step["config"] == "casc_schulze" else "ranked_pairs"
    tiers = mediate(profile_of(step), rule).tiers
    reached = [tier for tier in tiers for _ in tier]
    for place, (item, _) in enumerate(step["output"]):
        assert item in reached[place]


@pytest.mark.parametrize("step", steps("bin_copeland")[1:], ids=lambda s: s["step"])
def test_a_step_is_one_round_of_the_mediator(step):
    """From what agents report to the score table, with the base recommender's list beside them."""
    present = list(step["ballots"])
    unweighted = profile_of(step)
    profile = Profile(
        unweighted.items,
        unweighted.ranks,
        np.ones(len(present)),
        unweighted.utilities,
        voters=unweighted.voters,
        fairness=np.array([step["fairness"].get(name, np.nan) for name in present]),
        compatibility=np.array([step["compat"].get(name, np.nan) for name in present]),
    )
    outcome = mediate(
        profile,
        "allocated(allocation=weighted_product(compatibility_exponent=2), choice=copeland, recommender=__rec, "
        "recommender_weight=0.8, cold_start=nobody)",
    )
    assert outcome.trace.weights == pytest.approx([step["weights"][name] for name in present], abs=1e-12)
    assert outcome.score_values == pytest.approx(scores_of(step), abs=1e-9)
