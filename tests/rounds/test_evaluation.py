"""A whole round of the letters world, worked out by hand from the formulas of the metrics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simulator import NegotiationWorld, load_scenario, run
from simulator.faults import FAULTS, REPAIRS
from simulator.registry import names

LETTERS = Path(__file__).parent.parent / "worlds" / "letters"
TALKERS = Path(__file__).parent.parent / "worlds" / "talkers"


@pytest.fixture
def world() -> NegotiationWorld:
    world = NegotiationWorld(load_scenario(LETTERS))
    world.step()
    return world


def test_utilities_are_weighted_percentile_ranks_with_missing_values_in_the_middle(world: NegotiationWorld) -> None:
    # price ranks 0 1/4 1/2 3/4 1; stars 0 1/3 (missing: 1/2) 2/3 1; crowding 0 everywhere: 1/2
    saver, gourmet = (world.negotiation.turns[0].proposals[name].utilities for name in ("saver", "gourmet"))
    assert list(saver.values()) == pytest.approx([0.7, 0.525 + 0.1, 0.35 + 0.15, 0.175 + 0.2, 0.3], abs=1e-12)
    assert list(gourmet.values()) == pytest.approx([0.1, 0.8 / 3 + 0.1, 0.5, 1.6 / 3 + 0.1, 0.9], abs=1e-12)


def test_tied_values_share_their_percentile_rank(world: NegotiationWorld) -> None:
    world.step()  # e and b were delivered: crowding 0 1 0 0 1 has ranks 1/4 7/8 1/4 1/4 7/8
    gourmet = world.negotiation.turns[0].proposals["gourmet"].utilities
    expected = [0.15, 0.8 / 3 + 0.025, 0.4 + 0.15, 1.6 / 3 + 0.15, 0.825]
    assert list(gourmet.values()) == pytest.approx(expected, abs=1e-12)


def test_the_row_of_a_round_by_hand(world: NegotiationWorld) -> None:
    # turn 1: Borda 4 5 6 7 8, slate e d; saver concedes to b a c e d; turn 2: Borda 3 6 6 6 9, slate e and, by item
    # order, b
    row = world.last.row
    assert row["slate"] == "e|b"
    assert (row["turns"], row["agreed"], row["ending"]) == (2, False, "limit")
    assert row["missing_values"] == 1  # the stars of c
    saver, gourmet = (0.3 + 0.625) / 2, (0.9 + 0.8 / 3 + 0.1) / 2
    assert row["minimum"] == pytest.approx(saver)
    assert row["utilitarian"] == pytest.approx((saver + 2 * gourmet) / 3)
    assert row["nash_welfare"] == pytest.approx((saver * gourmet**2) ** (1 / 3))
    assert row["gini"] == pytest.approx((gourmet - saver) / (2 * (gourmet + saver)))


def test_alignment_of_a_rational_stakeholder_is_one_and_of_equal_weights_as_by_hand(world: NegotiationWorld) -> None:
    saver, gourmet = world.last.stakeholder_rows
    assert saver["alignment"] == gourmet["alignment"] == pytest.approx(1)
    # equal weights order b > a = c = e > d where the objective orders a > b > c > d > e: 5 pairs agree, 2 do not, 3 tie
    assert saver["alignment_equal_weights"] == pytest.approx((5 - 2) / np.sqrt(10 * 7))
    assert gourmet["alignment_equal_weights"] == pytest.approx(1)  # a constant attribute shifts nothing


def test_alignment_is_about_the_first_proposal_not_about_a_concession(world: NegotiationWorld) -> None:
    assert world.negotiation.turns[1].spoke == ("saver",)
    assert world.last.stakeholder_rows[0]["alignment"] == pytest.approx(1)
    assert world.last.stakeholder_rows[0]["kendall_tau"] < 1


def test_a_slate_with_an_item_worth_as_much_as_ones_own_kth_best_ends_a_dry_spell() -> None:
    # what crowding is worth to the indifferent one is the same everywhere: every item is among its best two
    scenario = load_scenario(LETTERS, ["stakeholders.0.objective={crowding: -1}", "rounds=1"])
    rows = run(scenario).stakeholders
    assert rows.set_index("stakeholder")["dry_spell"]["saver"] == 0


def test_dry_spells_are_counted_while_the_slate_holds_none_of_ones_own_best() -> None:
    settings = ["stakeholders.1.weight=9", "protocol=sealed", "rounds=3"]
    rows = run(load_scenario(LETTERS, settings)).stakeholders
    saver = rows[rows["stakeholder"] == "saver"]
    slates = run(load_scenario(LETTERS, settings)).rounds["slate"].tolist()
    spell, longest = 0, []
    for slate in slates:
        spell = 0 if {"a", "b"} & set(slate.split("|")) else spell + 1  # price decides: a and b are its best two
        longest.append(max([spell, *longest]))
    assert longest[-1] > 1
    assert saver["dry_spell"].tolist() == longest


def test_negative_weights_turn_an_attribute_round() -> None:
    rows = run(load_scenario(LETTERS, ["stakeholders.0.objective={price: 0.7, stars: -0.3}", "rounds=1"])).events
    proposal = next(event for event in rows if event["event"] == "proposal")
    assert [tier[0] for tier in proposal["ranking"]] == ["e", "d", "c", "b", "a"]


@pytest.mark.parametrize("protocol", names("protocol"))
def test_tokens_of_rounds_stakeholders_and_events_add_up(protocol: str) -> None:
    result = run(load_scenario(TALKERS, ["stakeholders.1.way=listwise", f"protocol={protocol}"]))
    said = [event for event in result.events if event["event"] in ("proposal", "response")]
    for tokens in ("prompt_tokens", "completion_tokens"):
        assert result.rounds[tokens].min() > 0
        assert result.stakeholders.groupby("round")[tokens].sum().tolist() == result.rounds[tokens].tolist()
        assert sum(event[tokens] for event in said) == result.rounds[tokens].sum()
    assert sum(event["calls"] for event in said) == result.stakeholders["calls"].sum()


@pytest.mark.parametrize("protocol", ["concession", "alternating_offers"])
def test_an_opening_ballot_and_every_offer_are_logged_and_counted_once(protocol: str) -> None:
    settings = ["stakeholders.0.agent=./odd.py:Stubborn", f"protocol={protocol}", "rounds=1"]
    result = run(load_scenario(LETTERS, settings))
    said = [e for e in result.events if e["event"] == "proposal" and e["stakeholder"] == "saver"]
    opening, offer = said
    assert (opening["calls"], offer["calls"], offer["argument"]) == (1, 10, "No.")
    assert opening["ranking"] == offer["ranking"]
    assert result.stakeholders["calls"].tolist()[0] == 11


def test_every_fault_and_repair_is_a_column_even_if_nothing_went_wrong(world: NegotiationWorld) -> None:
    for line in world.last.stakeholder_rows:
        assert {line[name] for name in (*FAULTS, *REPAIRS)} == {0}


def test_an_abstainer_has_no_alignment_and_no_agreement() -> None:
    rows = run(load_scenario(LETTERS, ["stakeholders.0.agent=./odd.py:Abstains", "protocol=sealed"])).stakeholders
    abstainer = rows[rows["stakeholder"] == "saver"]
    assert abstainer[["alignment", "kendall_tau"]].isna().all().all()
    assert abstainer["utility"].notna().all()


def test_quotas_grow_with_those_who_want_the_same() -> None:
    # three of four want the same two items and one outweighs them: their quota is 3/4 a round, and they get nothing
    alike = ", ".join(f"{{name: {name}, agent: utility, objective: {{price: 1}}}}" for name in "abc")
    other = "{name: d, agent: utility, objective: {price: -1}, weight: 9}"
    settings = [f"stakeholders=[{alike}, {other}]", "protocol=sealed", "rounds=5"]
    metrics = ["quota_compliance", "influence_gini", "cumulative_regret", "catalogue_coverage"]
    result = run(load_scenario(LETTERS, settings, metrics=metrics))
    # served often enough: the heavy one always, the three only in the first round, when 3/4 is rounded down to 0
    assert result.rounds["quota_compliance"].tolist() == [4 / 4, 5 / 8, 6 / 12, 7 / 16, 8 / 20]
    assert result.rounds["influence_gini"].tolist() == pytest.approx([3 / 4] * 5)
    assert result.rounds["catalogue_coverage"].tolist() == [2 / 5] * 5
    regret = result.stakeholders.pivot(index="round", columns="stakeholder", values="cumulative_regret")
    assert regret["d"].tolist() == pytest.approx([0] * 5)
    # percentile ranks 1 and 3/4 that the three would have had, 1/4 and 0 that they got
    assert regret["a"].tolist() == pytest.approx([0.75 * number for number in range(1, 6)])
