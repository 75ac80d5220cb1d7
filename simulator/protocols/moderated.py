"""Moderated negotiation: agents hand in slates, a moderator scores them and comes back with an offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from simulator.outcome import Outcome, Step, Trace, close_ranks, tiers_of
from simulator.profile import Proposal
from simulator.protocols.base import Ending, Floor, Negotiation, Protocol, Turn
from simulator.protocols.disagreement import declared_worth
from simulator.registry import register
from simulator.table import Advice


@register("protocol", "moderated")
@dataclass(frozen=True)
class Moderated(Protocol):
    """Collab-REC: a moderator weighs the agents' slates by how much to the point, steady and sound they are.

    In every turn each agent i hands in its k best items L_i and gets the weight w_i = r_i + d_i - h_i:

    - r_i, to the point: how well its items match the request, on average (1 if the request asks for nothing);
    - d_i, steady: max(0, 1 - S / (|L| 2k)) against its slate L of the turn before, where S adds |change of rank| of
      every item it kept, k of every one it dropped, and min(k, |rank - rank in the offer|) of every new one, whose
      rank in the offer counts k + 1 if it is not there; 1 in the first turn;
    - h_i, unsound: the share of its items that had been rejected; items that are not among the candidates never reach
      a ballot.

    An agent with w_i <= 0 is passed over. The scores s(c) = s(c) + sum_i w_i / rank_i(c) are scaled to 0..1 after
    every turn, and the k best items that are not rejected are the offer. An agent accepts it or hands in a new slate,
    which must keep floor(keep k) of the offered items (where it does not, its best offered items are put back in). An
    offered item that agents leave out of their new slate is rejected for the rest of the round: by anyone
    (`aggressive`) or by at least floor(n / 2) + 1 of the n agents (`majority`), but never so many that fewer than k
    items are left.

    It ends in agreement when all accept; in deadlock when the mean worth of the offer to the agents has risen by less
    than `gain` of what it was in the first turn; at the limit otherwise. The last offer is delivered in every case.

    Attributes:
        turns: most turns in a round, at least 1.
        rejection: `aggressive` or `majority`.
        keep: share of the offer that an agent must keep, in [0, 1].
        gain: least relative gain of a turn; 0 goes on to the limit.

    Source: A. Banerjee, A. Satish, F. N. Aisyah, W. Wörndl and Y. Deldjoo, Collab-REC: An LLM-based agentic framework
    for balancing recommendations in tourism, arXiv 2508.15030, 2025.
    """

    turns: int = 10
    rejection: Literal["aggressive", "majority"] = "majority"
    keep: float = 0.7
    gain: float = 0.0

    def __post_init__(self) -> None:
        if self.turns < 1:
            raise ValueError(f"turns must be at least 1, found {self.turns}")
        if not 0 <= self.keep <= 1:
            raise ValueError(f"keep must be in [0, 1], found {self.keep}")
        if not self.gain >= 0:
            raise ValueError(f"gain must be at least 0, found {self.gain}")

    async def negotiate(self, floor: Floor) -> Negotiation:
        """Collect, score, offer, until all accept, nothing is gained any more, or the turns are used up."""
        proposals = await floor.propose(1)
        opening, _ = floor.mediate(proposals)
        moderator = _Moderator(self, floor, proposals, opening)
        spoke = tuple(proposals)
        done: list[Turn] = []
        ending: Ending = "limit"
        for number in range(1, self.turns + 1):
            outcome, words = moderator.offer(proposals)
            last = number == self.turns
            responses = await floor.respond(number, proposals, outcome, words, last=last, advice=moderator.advice())
            done.append(Turn(number, proposals, spoke, outcome, words, responses))
            floor.close(done[-1])
            if all(answer.verdict == "accept" for answer in responses.values()):
                ending = "agreement"
                break
            if moderator.stalls():
                ending = "deadlock"
                break
            revised = {name: answer.proposal for name, answer in responses.items() if answer.proposal is not None}
            accepted = {name for name, answer in responses.items() if answer.verdict == "accept"}
            moderator.hear(revised, accepted)
            proposals = {**proposals, **revised}
            spoke = tuple(revised)
        return Negotiation(tuple(done), ending)


class _Moderator:
    """Scores, offers and rejections of one round.

    Args:
        protocol: its parameters.
        floor: the round.
        proposals: the opening ballots.
        opening: what the mediator makes of them; its tie order is used.
    """

    def __init__(self, protocol: Moderated, floor: Floor, proposals: Mapping[str, Proposal], opening: Outcome) -> None:
        self.protocol, self.floor, self.opening = protocol, floor, opening
        self.names = list(proposals)
        self.place = {item: i for i, item in enumerate(floor.items)}
        self.declared = declared_worth(proposals, floor)
        self.scores = np.zeros(len(floor.items))
        self.rejected = np.zeros(len(floor.items), dtype=np.bool_)
        self.offered: list[int] = []
        self.before: dict[str, list[int]] = {}
        self.lists = {name: self._list(proposal) for name, proposal in proposals.items()}
        self.worth: list[float] = []
        self.kept = int(protocol.keep * floor.k + 1e-9)

    def offer(self, proposals: Mapping[str, Proposal]) -> tuple[Outcome, str]:
        """Score the slates in hand and make the next offer."""
        weights = {name: self._weight(name) for name in self.names}
        gained = np.zeros(len(self.scores))
        for name, weight in weights.items():
            if weight > 0:
                chosen = self.lists[name]
                gained[chosen] += weight / np.arange(1, len(chosen) + 1)
        total = self.scores + gained
        span = float(np.ptp(total))
        self.scores = (total - total.min()) / span if span > 0 else np.zeros(len(total))
        shown = np.where(self.rejected, -1.0, self.scores)
        tiers = tiers_of(close_ranks(shown), self.opening.order)
        order = tuple(item for tier in tiers for item in tier)
        self.offered = list(order[: self.floor.k])
        self.worth.append(float(self.declared[:, self.offered].mean()))
        trace = Trace(
            "the moderator adds weight / rank of every slate, by how much to the point, steady and sound it is",
            values=self.declared,
            steps=tuple(Step(name, weight, "passed over" if weight <= 0 else "") for name, weight in weights.items()),
        )
        outcome = Outcome(
            "moderated", tuple(self.floor.items), self.floor.k, order, tiers, order[: self.floor.k], shown, trace
        )
        return self.floor.settle(outcome), self._words(weights)

    def advice(self) -> dict[str, Advice]:
        """For each agent, the slate that is worth most to it and keeps what must be kept; accepting is its affair."""
        k = self.floor.k
        offers = np.array(self.offered)
        advised = {}
        for name, worth in zip(self.names, self.declared, strict=True):
            open_items = np.flatnonzero(~self.rejected)
            best = open_items[np.argsort(-worth[open_items], kind="stable")]
            kept = offers[np.argsort(-worth[offers], kind="stable")][: self.kept]
            rest = best[~np.isin(best, kept)][: k - len(kept)]
            slate = np.concatenate([kept, rest])
            reason = f"of the {k} offered items, {len(kept)} must be kept"
            advised[name] = Advice(tuple(slate.tolist()), reason=reason)
        return advised

    def hear(self, revised: Mapping[str, Proposal], accepted: set[str]) -> None:
        """Take over new slates; count who leaves out which offered item."""
        self.before = dict(self.lists)
        left_out = np.zeros(len(self.scores), dtype=np.int64)
        for name, proposal in revised.items():
            self.lists[name] = self._keeping(self._list(proposal))
            left_out[np.setdiff1d(self.offered, self.lists[name])] += 1
        for name in accepted:
            self.lists[name] = list(self.offered)
        bar = 1 if self.protocol.rejection == "aggressive" else len(self.names) // 2 + 1
        candidates = np.flatnonzero((left_out >= bar) & ~self.rejected)
        room = len(self.scores) - int(self.rejected.sum()) - self.floor.k
        worst_first = candidates[np.lexsort((candidates, -left_out[candidates]))]
        self.rejected[worst_first[: max(room, 0)]] = True

    def stalls(self) -> bool:
        """Whether the last turn gained too little, relative to the first."""
        if self.protocol.gain == 0 or len(self.worth) < 2:
            return False
        return self.worth[-1] - self.worth[-2] < self.protocol.gain * self.worth[0]

    def _weight(self, name: str) -> float:
        chosen = self.lists[name]
        if not chosen:
            return 0.0
        relevance = float(self.floor.relevance[chosen].mean())
        return relevance + self._steadiness(name) - float(self.rejected[chosen].mean())

    def _steadiness(self, name: str) -> float:
        before, now, k = self.before.get(name), self.lists[name], self.floor.k
        if not before:
            return 1.0
        old, new = _ranks(before), _ranks(now)
        offer = _ranks(self.offered)
        moves = sum(
            abs(new[item] - old[item]) if item in old else min(k, abs(new[item] - offer.get(item, k + 1)))
            for item in now
        )
        moves += k * sum(item not in new for item in before)
        return max(0.0, 1.0 - moves / (len(before) * 2 * k))

    def _list(self, proposal: Proposal) -> list[int]:
        """The k best items of a ballot, best first; ties in the opening outcome's order; nothing for an abstention."""
        standing = self.opening.positions
        ranked = [
            item
            for tier in proposal.ranking.tiers
            for item in sorted((self.place[name] for name in tier), key=lambda i: int(standing[i]))
        ]
        return ranked[: self.floor.k]

    def _keeping(self, chosen: list[int]) -> list[int]:
        """The slate with as many of the offered items as must be kept, those that it lacks in the offer's order."""
        lacking = [item for item in self.offered if item not in chosen][
            : max(0, self.kept - sum(i in chosen for i in self.offered))
        ]
        own = [item for item in chosen if item not in self.offered]
        room = self.floor.k - len(lacking) - (len(chosen) - len(own))
        allowed = set(own[: max(room, 0)]) | set(self.offered)
        return [item for item in chosen if item in allowed] + lacking

    def _words(self, weights: Mapping[str, float]) -> str:
        items = ", ".join(f'"{self.floor.items[i]}"' for i in self.offered)
        shares = "; ".join(f"{name} {weight:.4g}" for name, weight in weights.items())
        out: list[int] = np.flatnonzero(self.rejected).tolist()
        banned = f" Rejected: {', '.join(self.floor.items[i] for i in out)}." if out else ""
        return f"By moderation: the offer is {items}. Weights of the agents' slates: {shares}.{banned}"


def _ranks(items: Sequence[int]) -> dict[int, int]:
    return {item: rank for rank, item in enumerate(items, start=1)}
