"""The moderator's arithmetic, by hand."""

from __future__ import annotations

import asyncio

import pytest

from simulator.profile import Proposal, Ranking
from simulator.registry import create
from simulator.table import Response
from tests.protocols.test_every_protocol import ACCEPT, ITEMS, ScriptedFloor


def ballot(*ranking: str) -> Proposal:
    return Proposal(Ranking.of(ranking))


def moderated(floor: ScriptedFloor, call: str = "moderated"):
    return asyncio.run(create("protocol", call).negotiate(floor))


def test_scores_add_weight_over_rank_and_are_scaled() -> None:
    """k = 2, every weight r + d - h = 1 + 1 - 0 = 2: a 2 + 1, b 1, c 2 -> scaled by (s - 1) / 2: a 1, b 0, c 1/2."""
    floor = ScriptedFloor([1, 1], lambda turn, name: ACCEPT, [ballot("a", "b", "c"), ballot("c", "a", "b")], k=2)
    negotiation = moderated(floor)
    outcome = negotiation.turns[-1].outcome
    assert outcome.scores == pytest.approx({"a": 1.0, "b": 0.0, "c": 0.5})
    assert outcome.slate == ("a", "c")
    assert negotiation.ending == "agreement"
    assert [(step.item, step.value) for step in outcome.trace.steps] == [("s0", 2.0), ("s1", 2.0)]


def test_who_changes_its_slate_weighs_less_by_the_moves() -> None:
    """s1 turns (c, a) into (a, b) after the offer (a, c): a moves 1, c is dropped 2, b is new at 2 against 3: 1.

    d = 1 - 4 / (2 x 2 x 2) = 1/2, so it weighs 1.5 where s0, which accepts, takes the offer over and weighs
    1 + (1 - (0 + 2 + min(2, |2 - 2|)) / 8) = 1.75.
    """

    def script(turn: int, name: str) -> Response:
        return ACCEPT if name == "s0" else Response("revise", ballot("a", "b", "c"))

    floor = ScriptedFloor([1, 1], script, [ballot("a", "b", "c"), ballot("c", "a", "b")], k=2)
    second = moderated(floor, "moderated(turns=2, keep=0.5)").turns[1].outcome
    assert {step.item: step.value for step in second.trace.steps} == pytest.approx({"s0": 1.75, "s1": 1.5})


@pytest.mark.parametrize(("rejection", "gone"), [("aggressive", True), ("majority", False)])
def test_an_item_that_one_of_three_leaves_out_is_banned_by_the_aggressive_rule_alone(
    rejection: str, gone: bool
) -> None:
    def script(turn: int, name: str) -> Response:
        return Response("revise", ballot("b", "c", "a")) if name == "s2" else ACCEPT

    floor = ScriptedFloor([1, 1, 1], script, [ballot("a", "b", "c")] * 3, k=1)
    negotiation = moderated(floor, f"moderated(turns=2, keep=0, rejection={rejection})")
    assert (negotiation.turns[1].outcome.slate == ("b",)) is gone


def test_a_slate_that_keeps_too_little_of_the_offer_gets_it_back() -> None:
    """keep 1: whatever s1 hands in, its slate is the offer, so nothing is rejected and the offer stands."""

    def script(turn: int, name: str) -> Response:
        return Response("revise", ballot("c", "b", "a")) if name == "s1" else ACCEPT

    floor = ScriptedFloor([1, 1], script, [ballot("a", "b", "c"), ballot("a", "b", "c")], k=1)
    negotiation = moderated(floor, "moderated(turns=3, keep=1, rejection=aggressive)")
    assert [turn.outcome.slate for turn in negotiation.turns] == [("a",)] * 3
    assert negotiation.ending == "limit"


def test_it_stops_when_a_turn_gains_too_little() -> None:
    floor = ScriptedFloor([1, 1], lambda turn, name: Response("revise"), [ballot(*ITEMS)] * 2, k=1)
    negotiation = moderated(floor, "moderated(turns=9, gain=0.01)")
    assert (negotiation.ending, len(negotiation.turns)) == ("deadlock", 2)
