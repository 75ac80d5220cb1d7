"""The strategic stakeholder: it says what moves the outcome its way, whether or not it is what it thinks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.base import Stakeholder
from simulator.manipulation.best_response import Method, Vote, best_response
from simulator.profile import Profile, Proposal, Ranking, dense_ranks
from simulator.registry import register
from simulator.table import Table


@register("stakeholder", "strategic")
class StrategicStakeholder(Stakeholder):
    """Casts the ballot whose outcome serves its stated objective best, expecting all others to be honest.

    It knows the mediator, its memory, the tie order and everybody's objective; of lotteries it knows the odds, not the
    draw. Where no misreport pays it is honest. What it expected to gain stands in its ballot's details; what it gained
    and who paid in the event `manipulation`. It answers a tentative outcome like a rational stakeholder.
    """

    immediate = True

    @dataclass(frozen=True)
    class Options(Stakeholder.Options):
        """Parameters.

        Attributes:
            method: `best_response` (search over all kinds of misreport), `compromise`, `burying` or `truncation`.
            effort: how many ballots it tries at most, from 1 to 1,000,000.
        """

        method: Method = "best_response"
        effort: int = 2000

        def __post_init__(self) -> None:
            super().__post_init__()
            if not 1 <= self.effort <= 1_000_000:
                raise ValueError(f"effort must be in 1..1000000, found {self.effort}")

    async def propose(self, table: Table) -> Proposal:
        """Its best ballot against everybody's honest ones."""
        own = self.utilities(table)
        self.honest = self.ballot(own, table, way="honest")
        others = self.model.stakeholders
        declared = np.array([other.utilities(table) for other in others])
        weights = [other.party.weight for other in others]
        voters = tuple(other.name for other in others)
        profile = Profile(
            table.candidates.ids, dense_ranks(declared), np.array(weights, dtype=np.float64), declared, None, voters
        )
        vote = Vote(utilities=own, profile=profile, voter=voters.index(self.name), **self.model.terms)
        found = best_response(vote, self.options.method, self.options.effort)
        ids = table.candidates.ids
        ranks = found.ballot.ranks[0]
        tiers = [tuple(ids[i] for i in np.flatnonzero(ranks == tier)) for tier in range(int(ranks.max()) + 1)]
        return Proposal(
            Ranking(tuple(tier for tier in tiers[: len(ids)] if tier)),
            utilities=dict(zip(ids, found.ballot.utilities[0].tolist(), strict=True)),
            details={
                "way": "strategic",
                "misreport": found.ballot.words(0, ids),
                "honest_worth": found.honest_worth,
                "expected_worth": found.worth,
                "expected_gain": found.gain,
            },
        )
