"""Monotonic concession: everyone has an offer on the table, and whoever can least afford a conflict gives way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simulator.bargaining.deals import Deals, offered
from simulator.bargaining.settlement import settlement
from simulator.bargaining.zeuthen import concession, log_nash_product, risks
from simulator.outcome import TOLERANCE, Outcome, Step
from simulator.profile import Floats, Proposal
from simulator.protocols.base import Ending, Floor, Negotiation, Protocol, Turn
from simulator.protocols.disagreement import Disagreement, check_disagreement, declared_worth, disagreement_outcome
from simulator.registry import register
from simulator.seeds import generator
from simulator.table import Advice, Response


@register("protocol", "concession")
@dataclass(frozen=True)
class Concession(Protocol):
    """Monotonic concession by Zeuthen's risk, for any number of parties; ends at Nash's bargaining solution.

    An abstention has no say. Every ballot's best k items are its party's offer. A deal is a slate of k items; its worth
    to a party is the mean of the utilities that its opening ballot declares, its surplus what it is worth above the
    party's `reservation`.
    An offer that is worth as much to everyone as their own offers ends the round in agreement. Otherwise the party
    with the smallest risk w_i -log(1 - r_i) concedes (`simulator.bargaining.zeuthen`; several at once if theirs are
    equal): to the deal that it likes best among those whose Nash product prod_i s_i^(w_i / sum w) has risen to that
    of the best standing offer, and by at least `step` of the greatest product. A new offer that does not raise the
    product is no concession: it is not taken over, and its party stands firm from then on. Where all offers have the
    greatest product and still differ, the round's seed draws one.

    Without agreement (no deal is worth everyone's reservation: deadlock; all stand firm: deadlock; turns used up:
    limit) the stated disagreement outcome is delivered.

    Attributes:
        turns: most turns in a round, at least 1.
        step: least rise of the Nash product by a concession, as a share of the greatest one, in [0, 1]; 0 gives the
            finest steps.
        disagreement: `mediator`, the scenario's mediator on the opening ballots, or `draw`, a slate by the round's
            seed.

    Sources: as in `simulator.bargaining.zeuthen`.
    """

    turns: int = 100
    step: float = 0.02
    disagreement: Disagreement = "mediator"

    def __post_init__(self) -> None:
        if self.turns < 1:
            raise ValueError(f"turns must be at least 1, found {self.turns}")
        if not 0 <= self.step <= 1:
            raise ValueError(f"step must be in [0, 1], found {self.step}")
        check_disagreement(self.disagreement)

    async def negotiate(self, floor: Floor) -> Negotiation:
        """Open, then concede until an offer is worth everyone's own."""
        proposals = await floor.propose(1)
        opening, _ = floor.mediate(proposals)
        table = _Standing(floor, proposals, opening, self.step)
        spoke = tuple(proposals)
        done: list[Turn] = []
        ending: Ending = "limit"
        for number in range(1, self.turns + 1):
            agreed = table.agreed()
            due = {} if agreed is not None else table.due()
            if agreed is None and not due:
                agreed, ending = table.drawn(), "deadlock"
            if agreed is not None:
                done.append(table.closing_turn(number, proposals, spoke, agreed))
                floor.close(done[-1])
                return Negotiation(tuple(done), "agreement")
            if not due or number == self.turns:
                break
            done.append(table.open_turn(number, proposals, spoke))
            floor.close(done[-1])
            made = await floor.offer(number + 1, proposals, opening, due)
            proposals = {**proposals, **table.take_over(made, proposals)}
            spoke = tuple(made)
        outcome, why = disagreement_outcome(self.disagreement, floor, opening, table.declared)
        done.append(Turn(len(done) + 1, proposals, spoke, outcome, why))
        floor.close(done[-1])
        return Negotiation(tuple(done), ending)


class _Standing:
    """The offers on the table, and what they are worth.

    Args:
        floor: the round.
        proposals: the opening ballots.
        opening: what the mediator makes of them.
        step: as in `Concession`.
    """

    def __init__(self, floor: Floor, proposals: Mapping[str, Proposal], opening: Outcome, step: float) -> None:
        self.floor, self.opening, self.step = floor, opening, step
        self.names = list(proposals)
        self.declared = declared_worth(proposals, floor)
        self.deals = Deals.of(self.declared, floor.k)
        self.speaks = np.array([len(proposals[name].ranking) > 0 for name in self.names])
        power = np.where(self.speaks, floor.weights, 0.0)
        self.power = power / max(power.sum(), np.finfo(np.float64).tiny)
        self.reservations = np.where(self.speaks, floor.reservations, 0.0)
        self.surplus = self.deals.worth - self.reservations[:, None]
        self.products = log_nash_product(self.surplus, self.power)
        self.best = float(np.nanmax(self.products, initial=-np.inf))
        self.firm: set[str] = set()
        self.rows = [self._row(offered(proposals[name], floor.items, floor.k)) for name in self.names]
        self.steps: list[Step] = [self._step(name) for name in self.names]

    @property
    def possible(self) -> bool:
        """Whether some deal is worth more than everyone's reservation value."""
        return bool(np.isfinite(self.best)) and bool(self.speaks.any())

    def agreed(self) -> int | None:
        """The party whose offer is worth as much to everyone as their own, the best such offer; None without one."""
        crossed = self.surplus[:, self.rows]
        own = np.diagonal(crossed)
        fine = (crossed >= own[:, None] - TOLERANCE).all(axis=0) & (crossed >= -TOLERANCE).all(axis=0) & self.speaks
        parties = np.flatnonzero(fine)
        return int(parties[np.argmax(self._product(parties))]) if len(parties) else None

    def due(self) -> dict[str, Advice]:
        """Who concedes now, with the concession that Zeuthen's rule asks for; empty if nobody can."""
        if not self.possible:
            return {}
        willing = -np.log1p(-np.minimum(risks(self.surplus[:, self.rows]), 1 - 1e-15)) * self.power
        target = self._target()
        moves = {
            party: move
            for party, name in enumerate(self.names)
            if self.speaks[party]
            and name not in self.firm
            and (move := concession(party, self.rows[party], self.surplus, self.products, target)) is not None
        }
        if not moves:
            return {}
        least = min(willing[party] for party in moves)
        return {
            self.names[party]: Advice(tuple(self.deals.slates[move].tolist()), reason=self._reason(party))
            for party, move in moves.items()
            if willing[party] <= least + TOLERANCE
        }

    def take_over(self, made: Mapping[str, Proposal], standing: Mapping[str, Proposal]) -> dict[str, Proposal]:
        """The new ballots; whoever made no concession stands firm on the ballot in hand, whatever it says beside it."""
        taken = {}
        for name, proposal in made.items():
            row = self._row(offered(proposal, self.floor.items, self.floor.k))
            party = self.names.index(name)
            before, after = self.products[self.rows[party]], self.products[row]
            if np.isnan(after) or not (after > before + TOLERANCE or np.isnan(before)):
                self.firm.add(name)
                held = standing[name]
                taken[name] = replace(
                    proposal, ranking=held.ranking, utilities=held.utilities, approvals=held.approvals
                )
                continue
            self.rows[party] = row
            self.steps.append(self._step(name))
            taken[name] = proposal
        return taken

    def drawn(self) -> int | None:
        """One of the offers, if all have the greatest product there is; None otherwise."""
        parties = np.flatnonzero(self.speaks)
        if not self.possible or not (np.abs(self._product(parties) - self.best) <= TOLERANCE).all():
            return None
        return int(generator(self.floor.seed, "equal offers").choice(parties))

    def open_turn(self, number: int, proposals: Mapping[str, Proposal], spoke: tuple[str, ...]) -> Turn:
        """A turn without agreement; the standing offer of the greatest product is shown as the tentative outcome."""
        parties = np.flatnonzero(self.speaks)
        party = int(parties[np.argmax(np.nan_to_num(self._product(parties), nan=-np.inf))])
        outcome = self._outcome(party, "No agreement yet.")
        return Turn(number, proposals, spoke, outcome, self._words(party, "is the best offer so far"))

    def closing_turn(self, number: int, proposals: Mapping[str, Proposal], spoke: tuple[str, ...], party: int) -> Turn:
        """The turn of the agreement."""
        details: dict[str, Any] = {"advice": "worth as much as its own offer"}
        responses = {name: Response("accept", details=details) for name in self.names}
        return Turn(number, proposals, spoke, self._outcome(party), self._words(party, "is agreed on"), responses)

    def _outcome(self, party: int, *notes: str) -> Outcome:
        if not self.deals.complete:
            notes = (*notes, f"The {len(self.deals.slates)} slates of the parties' best items were considered.")
        rule = "the least able to afford a conflict concedes until one offer is worth everyone's own"
        slate = self.deals.slates[self.rows[party]].tolist()
        made = settlement(
            "concession", slate, self.opening, rule=rule, declared=self.declared, steps=self.steps, notes=notes
        )
        return self.floor.settle(made)

    def _words(self, party: int, verb: str) -> str:
        row = self.rows[party]
        worth = "; ".join(f"{name} {self.deals.worth[i, row]:.4g}" for i, name in enumerate(self.names))
        items = ", ".join(f'"{self.floor.items[i]}"' for i in self.deals.slates[row])
        offer = f"{items}, offered by {self.names[party]}, {verb}"
        return f"By concession: {offer}. Its worth by the opening ballots: {worth}."

    def _reason(self, party: int) -> str:
        shares = risks(self.surplus[:, self.rows])
        return f"smallest risk of a conflict: it would lose {shares[party]:.4f} of its own offer's surplus by giving in"

    def _target(self) -> float:
        standing = np.nanmax(self._product(np.flatnonzero(self.speaks)), initial=-np.inf)
        if self.step == 0 or not np.isfinite(self.best):
            return float(standing)
        return float(np.logaddexp(standing, self.best + np.log(self.step)))

    def _product(self, parties: Any) -> Floats:
        return np.asarray(self.products[np.asarray(self.rows)[parties]])

    def _row(self, slate: tuple[int, ...]) -> int:
        """The deal's row; a slate that is not among those considered is added to them."""
        found = self.deals.find(slate)
        if found is not None:
            return found
        worth = self.declared[:, slate].mean(axis=1, keepdims=True)
        slates = np.concatenate([self.deals.slates, [slate]])
        self.deals = Deals(slates, np.concatenate([self.deals.worth, worth], axis=1), self.deals.complete)
        extra = worth - self.reservations[:, None]
        self.surplus = np.concatenate([self.surplus, extra], axis=1)
        self.products = np.concatenate([self.products, log_nash_product(extra, self.power)])
        self.best = float(np.nanmax(self.products, initial=-np.inf))
        return len(slates) - 1

    def _step(self, name: str) -> Step:
        row = self.rows[self.names.index(name)]
        items = "|".join(self.floor.items[i] for i in self.deals.slates[row])
        return Step(items, float(np.exp(self.products[row])), name)
