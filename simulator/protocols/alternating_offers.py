"""Alternating offers: one proposes a slate, the others accept or reject it, and delay costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from simulator.bargaining.deals import Deals, offered
from simulator.bargaining.equilibrium import Equilibrium, Game, solve
from simulator.bargaining.settlement import settlement
from simulator.outcome import TOLERANCE, Outcome, Step
from simulator.profile import Ints, Proposal
from simulator.protocols.base import Ending, Floor, Negotiation, Protocol, Turn
from simulator.protocols.disagreement import Disagreement, check_disagreement, declared_worth, disagreement_outcome
from simulator.registry import register
from simulator.seeds import generator
from simulator.table import Advice, Response


@register("protocol", "alternating_offers")
@dataclass(frozen=True)
class AlternatingOffers(Protocol):
    """Alternating offers with discounting, for any number of parties.

    Everyone opens with a ballot, which declares what deals are worth: the mean utility of a slate of k items. In every
    turn one party offers a slate, the best k items of its ballot, and the others accept or reject it. It is agreed on
    when enough weight accepts, the proposer's included. What is agreed on in turn t is worth discount^(t - 1) times as
    much to a party (its option `discount`); the figures of a run count the slate itself, and the turns stand beside
    them. After a rejected offer the negotiation breaks down with probability `breakdown`.

    Two parties, order rotating: Rubinstein's game. More: with quorum 1 and order rotating the stacked alternating
    offers protocol; with order drawn and a quorum below 1 the legislature of Baron and Ferejohn.

    Stakeholders are told what the subgame-perfect strategy would do (`simulator.bargaining.equilibrium`: backward
    induction over the turns that are left, all opening ballots being known) and follow it unless they are of another
    mind.

    Attributes:
        turns: most turns in a round, at least 1.
        quorum: share of the total weight that must agree, in (0, 1].
        order: who offers: `rotating` in scenario order, `drawn` anew every turn by the seed, or `first` always.
        breakdown: chance of a breakdown after a rejected offer, in [0, 1).
        disagreement: what is delivered without agreement: `mediator`, the scenario's mediator on the opening ballots,
            or `draw`, a slate by the round's seed.

    Sources: as in `simulator.bargaining.equilibrium`; R. Aydogan, D. Festen, K. V. Hindriks and C. M. Jonker,
    Alternating offers protocols for multilateral negotiation, 2017 (the stacked form).
    """

    turns: int = 12
    quorum: float = 1.0
    order: Literal["rotating", "drawn", "first"] = "rotating"
    breakdown: float = 0.0
    disagreement: Disagreement = "mediator"

    def __post_init__(self) -> None:
        if self.turns < 1:
            raise ValueError(f"turns must be at least 1, found {self.turns}")
        if not 0 < self.quorum <= 1:
            raise ValueError(f"quorum must be in (0, 1], found {self.quorum}")
        if not 0 <= self.breakdown < 1:
            raise ValueError(f"breakdown must be in [0, 1), found {self.breakdown}")
        check_disagreement(self.disagreement)

    async def negotiate(self, floor: Floor) -> Negotiation:
        """Open, then offer and answer until enough accept."""
        proposals = await floor.propose(1)
        opening, _ = floor.mediate(proposals)
        game = _Course(self, floor, proposals, opening)
        spoke = tuple(proposals)
        done: list[Turn] = []
        ending: Ending = "limit"
        for number in range(1, self.turns + 1):
            proposer = game.proposer(number)
            made = await floor.offer(number, proposals, opening, {proposer: game.advised_offer(number)})
            opened = {proposer: proposals[proposer]} if number == 1 else {}
            proposals = {**proposals, **made}
            spoke = spoke if number == 1 else (proposer,)
            slate = offered(proposals[proposer], floor.items, floor.k)
            outcome, words = game.tentative(number, slate)
            answers = game.advised_answers(number, slate)
            last = number == self.turns
            responses = await floor.respond(number, proposals, outcome, words, last=last, advice=answers)
            done.append(Turn(number, proposals, spoke, outcome, words, responses, opened))
            floor.close(done[-1])
            if game.accepted(proposer, responses):
                return Negotiation(tuple(done), "agreement")
            if generator(floor.seed, "breakdown", number).random() < self.breakdown:
                ending = "deadlock"
                break
        outcome, why = disagreement_outcome(self.disagreement, floor, opening, game.declared)
        why = f"The negotiation broke down after turn {len(done)}. {why}" if ending == "deadlock" else why
        done.append(Turn(len(done) + 1, proposals, (), outcome, why))
        floor.close(done[-1])
        return Negotiation(tuple(done), ending)


class _Course:
    """The offers of one round and what the equilibrium strategies say about them.

    Args:
        protocol: its parameters.
        floor: the round.
        proposals: the opening ballots.
        opening: what the mediator makes of them.
    """

    def __init__(
        self, protocol: AlternatingOffers, floor: Floor, proposals: Mapping[str, Proposal], opening: Outcome
    ) -> None:
        self.floor, self.opening = floor, opening
        self.names = list(proposals)
        self.declared = declared_worth(proposals, floor)
        self.deals = Deals.of(self.declared, floor.k)
        self.game = Game(
            worth=self.deals.worth,
            reservations=floor.reservations,
            discounts=floor.discounts,
            breakdown=protocol.breakdown,
            weights=np.array(floor.weights),
            quorum=protocol.quorum,
            proposers=self._order(protocol),
        )
        self.equilibrium: Equilibrium = solve(self.game)
        self.steps: list[Step] = []

    def proposer(self, number: int) -> str:
        """Who offers in a turn."""
        return self.names[int(self.game.proposers[number - 1])]

    def advised_offer(self, number: int) -> Advice:
        """The equilibrium's offer of a turn; none where being rejected is worth more to its proposer."""
        row = int(self.equilibrium.offers[number - 1])
        if row < 0:
            return Advice(None, reason="no slate that would be accepted is worth making")
        least = ", ".join(f"{value:.4f}" for value in self.equilibrium.lines[number - 1])
        reason = f"the best slate that the others would accept; rejecting is worth {least} to the parties"
        return Advice(tuple(self.deals.slates[row].tolist()), reason=reason)

    def advised_answers(self, number: int, slate: tuple[int, ...]) -> dict[str, Advice]:
        """Whether each of the others would accept a slate in equilibrium."""
        worth = self.declared[:, slate].mean(axis=1)
        line = self.equilibrium.lines[number - 1]
        proposer = self.game.proposers[number - 1]
        return {
            name: Advice(
                accept=bool(worth[i] >= line[i] - TOLERANCE),
                reason=f"the offer is worth {worth[i]:.4f}, rejecting it {line[i]:.4f}",
            )
            for i, name in enumerate(self.names)
            if i != proposer
        }

    def accepted(self, proposer: str, responses: Mapping[str, Response]) -> bool:
        """Whether enough weight agrees, the proposer's included."""
        agree = [name == proposer or responses[name].verdict == "accept" for name in self.names]
        return bool(self.game.weights[agree].sum() >= self.game.quorum * self.game.weights.sum() * (1 - TOLERANCE))

    def tentative(self, number: int, slate: tuple[int, ...]) -> tuple[Outcome, str]:
        """The offer of a turn as an outcome, and in words."""
        proposer, items = self.proposer(number), self.floor.items
        worth = self.declared[:, slate].mean(axis=1)
        self.steps.append(Step("|".join(items[i] for i in slate), float(worth[self.names.index(proposer)]), proposer))
        notes = () if self.deals.complete else ("Strategies consider the slates of the parties' best items alone.",)
        rule = "one party offers a slate, the others accept or reject it"
        made = settlement(
            "alternating_offers", slate, self.opening, rule=rule, declared=self.declared, steps=self.steps, notes=notes
        )
        shown = ", ".join(f'"{items[i]}"' for i in slate)
        values = "; ".join(f"{name} {value:.4g}" for name, value in zip(self.names, worth, strict=True))
        offer = f"turn {number}: {proposer} offers {shown}"
        return self.floor.settle(made), f"By alternating offers, {offer}. Its worth by the opening ballots: {values}."

    def _order(self, protocol: AlternatingOffers) -> Ints:
        turns, n = np.arange(protocol.turns), len(self.names)
        if protocol.order == "rotating":
            return turns % n
        if protocol.order == "first":
            return np.zeros_like(turns)
        return generator(self.floor.seed, "proposers").integers(n, size=protocol.turns)
