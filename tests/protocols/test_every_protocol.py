"""What a protocol asks of the floor, in which order, and how it ends, on a floor that answers by a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Outcome, Profile, Proposal, Ranking, Response, mediate
from simulator.protocols.base import Negotiation, Protocol, Turn
from simulator.registry import create, names
from simulator.rounds.ballots import ranking_by
from simulator.table import Advice

Verdicts = Callable[[int, str], Response]
ITEMS = ("a", "b", "c")


@dataclass
class ScriptedFloor:
    """Everyone proposes a > b > c; answers come from the script."""

    weights: Sequence[float]
    script: Verdicts
    ballots: Sequence[Proposal] = ()
    k: int = 1
    seed: int = 3
    closed: list[Turn] = field(default_factory=list)
    shown: list[tuple[int, bool]] = field(default_factory=list)

    @property
    def stakeholders(self) -> Sequence[str]:
        return [f"s{place}" for place in range(len(self.weights))]

    @property
    def items(self) -> Sequence[str]:
        return ITEMS

    @property
    def reservations(self) -> np.ndarray:
        return np.zeros(len(self.weights))

    @property
    def discounts(self) -> np.ndarray:
        return np.full(len(self.weights), 0.9)

    @property
    def relevance(self) -> np.ndarray:
        return np.ones(len(ITEMS))

    async def propose(self, turn: int) -> dict[str, Proposal]:
        own = self.ballots or [Proposal(Ranking.of(ITEMS))] * len(self.weights)
        return dict(zip(self.stakeholders, own, strict=True))

    async def offer(
        self, turn: int, proposals: Mapping[str, Proposal], outcome: Outcome, advice: Mapping[str, Advice]
    ) -> dict[str, Proposal]:
        """What is advised, or what the script says for somebody who has a mind of its own."""
        made = {}
        for name, word in advice.items():
            said = self.script(turn, name)
            own = said.proposal if said.proposal is not None and len(said.proposal.ranking) else None
            slate = [] if word.slate is None else [ITEMS[i] for i in word.slate]
            made[name] = own or Proposal(Ranking.of([*slate, *(i for i in ITEMS if i not in slate)]))
        return made

    def settle(self, outcome: Outcome) -> Outcome:
        return outcome

    def mediate(self, proposals: Mapping[str, Proposal]) -> tuple[Outcome, str]:
        return mediate(Profile.from_proposals(proposals, ITEMS, self.weights), "borda", k=self.k), "because"

    async def respond(
        self,
        turn: int,
        proposals: Mapping[str, Proposal],
        outcome: Outcome,
        justification: str,
        *,
        last: bool,
        advice: Mapping[str, Advice] | None = None,
    ) -> dict[str, Response]:
        self.shown.append((turn, last))
        return {name: self.script(turn, name) for name in self.stakeholders if advice is None or name in advice}

    def close(self, turn: Turn) -> None:
        self.closed.append(turn)


def negotiate(protocol: str, floor: ScriptedFloor) -> Negotiation:
    made: Protocol = create("protocol", protocol)
    negotiation = asyncio.run(asyncio.wait_for(made.negotiate(floor), 20))
    assert floor.closed == list(negotiation.turns)
    assert [turn.number for turn in negotiation.turns] == list(range(1, len(negotiation.turns) + 1))
    return negotiation


def revise(*ranking: str, argument: str = "") -> Response:
    return Response("revise", Proposal(Ranking.of(ranking), argument=argument))


ACCEPT = Response("accept")
STAY = Response("revise")


def test_sealed_asks_once_and_shows_nothing() -> None:
    floor = ScriptedFloor([1, 1], lambda turn, name: ACCEPT)
    negotiation = negotiate("sealed", floor)
    assert (negotiation.ending, negotiation.agreed, len(negotiation.turns)) == ("sealed", False, 1)
    assert floor.shown == []
    assert negotiation.turns[0].responses == {}


def test_deliberation_ends_in_agreement_as_soon_as_all_accept() -> None:
    floor = ScriptedFloor([1, 1], lambda turn, name: ACCEPT)
    negotiation = negotiate("deliberation(turns=5)", floor)
    assert (negotiation.ending, len(negotiation.turns)) == ("agreement", 1)


def test_who_revises_speaks_in_the_next_turn_and_the_others_keep_their_ballots() -> None:
    floor = ScriptedFloor([1, 1], lambda turn, name: revise("b", "a", "c") if (turn, name) == (1, "s1") else ACCEPT)
    first, second = negotiate("deliberation", floor).turns
    assert first.spoke == ("s0", "s1")
    assert second.spoke == ("s1",)
    assert second.proposals["s0"] is first.proposals["s0"]
    assert list(second.proposals["s1"].ranking) == ["b", "a", "c"]


def test_deliberation_ends_at_the_limit_and_says_which_turn_is_the_last() -> None:
    floor = ScriptedFloor([1, 1], lambda turn, name: revise(*(ITEMS[turn % 3 :] + ITEMS[: turn % 3])))
    negotiation = negotiate("deliberation(turns=4)", floor)
    assert (negotiation.ending, len(negotiation.turns)) == ("limit", 4)
    assert floor.shown == [(1, False), (2, False), (3, False), (4, True)]


@pytest.mark.parametrize("answer", [STAY, revise("a", "b", "c")])
def test_too_few_accept_and_nobody_moves_is_a_deadlock(answer: Response) -> None:
    floor = ScriptedFloor([1, 1], lambda turn, name: ACCEPT if name == "s0" else answer)
    negotiation = negotiate("deliberation(turns=50)", floor)
    assert (negotiation.ending, len(negotiation.turns)) == ("deadlock", 1)


def test_a_new_argument_for_an_old_ballot_is_a_move() -> None:
    floor = ScriptedFloor([1, 1], lambda turn, name: revise("a", "b", "c", argument=f"argument {min(turn, 3)}"))
    assert len(negotiate("deliberation(turns=50)", floor).turns) == 4


@pytest.mark.parametrize(
    ("quorum", "weights", "accepting", "agreed"),
    [
        (1.0, [1, 1, 1], {"s0", "s1"}, False),
        (2 / 3, [1, 1, 1], {"s0", "s1"}, True),
        (0.67, [1, 1, 1], {"s0", "s1"}, False),
        (0.5, [3, 1, 1], {"s0"}, True),
        (0.5, [3, 1, 1], {"s1", "s2"}, False),
        (1.0, [0.1] * 3, {"s0", "s1", "s2"}, True),  # 0.1 + 0.1 + 0.1 > 0.3
        (1.0, [1e-12, 1e-12], set(), False),
        (1.0, [1e12, 1e-3], {"s0", "s1"}, True),
    ],
)
def test_agreement_is_a_share_of_the_weight(
    quorum: float, weights: list[float], accepting: set[str], agreed: bool
) -> None:
    floor = ScriptedFloor(weights, lambda turn, name: ACCEPT if name in accepting else STAY)
    assert negotiate(f"deliberation(quorum={quorum})", floor).agreed is agreed


@pytest.mark.parametrize("wrong", ["turns=0", "turns=-1", "quorum=0", "quorum=1.1", "turns=two", "turns=true"])
def test_wrong_parameters_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong.split("=")[0]):
        create("protocol", f"deliberation({wrong})")


answers = st.sampled_from([ACCEPT, STAY, revise("b", "a"), revise("c"), Response("revise", Proposal(Ranking()))])


ballots = st.one_of(
    st.permutations(ITEMS).map(lambda order: Proposal(Ranking.of(order))),
    st.just(Proposal(Ranking())),
    st.sampled_from([["a", "b"], [["a", "c"], "b"], ["c"]]).map(lambda ballot: Proposal(Ranking.of(ballot))),
    st.lists(st.sampled_from([0.0, 0.2, 0.5, 1.0]), min_size=3, max_size=3).map(
        lambda worth: Proposal(ranking_by(np.array(worth), ITEMS), dict(zip(ITEMS, worth, strict=True)))
    ),
)
ENDINGS = {"agreement", "limit", "deadlock", "sealed"}


@pytest.mark.parametrize("n", [1, 2, 3, 8])
@pytest.mark.parametrize("protocol", names("protocol"))
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_every_protocol_ends_whatever_is_answered(protocol: str, n: int, data: st.DataObject) -> None:
    opened = data.draw(st.lists(ballots, min_size=n, max_size=n))
    k = data.draw(st.integers(1, 3))
    floor = ScriptedFloor([1.0] * n, lambda turn, name: data.draw(answers), opened, k)
    negotiation = negotiate(protocol, floor)
    assert len(negotiation.turns) <= getattr(create("protocol", protocol), "turns", 1) + 1
    assert negotiation.ending in ENDINGS
    last = negotiation.turns[-1]
    assert set(last.proposals) == set(floor.stakeholders)
    assert len(last.outcome.slate) == k
    assert sorted(last.outcome.ranking) == sorted(ITEMS)
    assert sorted(last.outcome.slate) in [sorted(slate) for slate in last.outcome.slates or []]


@pytest.mark.parametrize("n", [1, 2, 3, 8])
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_long_deliberations_end_by_their_limit(n: int, data: st.DataObject) -> None:
    floor = ScriptedFloor([1.0] * n, lambda turn, name: data.draw(answers))
    assert len(negotiate("deliberation(turns=12, quorum=0.6)", floor).turns) <= 12
