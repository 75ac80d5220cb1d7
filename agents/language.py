"""The language-model stakeholder: an AutoGen AssistantAgent that weighs attributes or writes a ranking."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.base import Stakeholder
from agents.conversation import Conversation, Unanswered
from agents.prompts import (
    LONGEST_ARGUMENT,
    argument_task,
    ballot_schema,
    listwise_task,
    rating_task,
    response_schema,
    response_task,
    system_message,
)
from agents.wording import spoken
from simulator.alignment.cmml import importance
from simulator.alignment.rated import rating_schema, weights_from_ratings
from simulator.faults import clean_items, stand_in
from simulator.mediators.conversions import utilities_of_ranks
from simulator.models.purpose import purpose
from simulator.profile import Floats, Profile, Proposal, Ranking
from simulator.registry import register
from simulator.table import Response, Table

if TYPE_CHECKING:
    import mesa

    from simulator.models.base import Model
    from simulator.scenario import Party

MOST_REASONS = 2


@register("stakeholder", "llm")
class LanguageStakeholder(Stakeholder):
    """Proposes by `weigh` or `listwise`; whatever the model says is checked, repaired and counted.

    weigh: the model weighs the attributes of the objective in the light of goal and request; the ranking follows by
    arithmetic. It is asked by CMML where its token probabilities can be read, else for ratings. Directions are the
    objective's; the model never sees its weights. listwise: the model writes the ranking as structured output.

    Repair: a faulty reply is asked again with the error shown (`retries` times), then its usable part is taken, then
    the stakeholder's last ballot (in an answer: its ballot of this round), then it abstains.
    """

    uses_model = True

    @dataclass(frozen=True)
    class Options(Stakeholder.Options):
        """Parameters.

        Attributes:
            patience: as above; without end by default, for every single call has the model's own timeout.
            retries: how often a faulty reply is asked again, 0 to 10.
        """

        patience: float = math.inf
        retries: int = 1

        def __post_init__(self) -> None:
            super().__post_init__()
            if not 0 <= self.retries <= 10:
                raise ValueError(f"retries must be in 0..10, found {self.retries}")

    def __init__(self, world: mesa.Model, party: Party, llm: Model | None = None) -> None:
        super().__init__(world, party, llm)
        self._first = Ranking()  # of the round, before any concession
        self._believed: dict[str, float] = {}

    @property
    def way(self) -> str:
        """How it proposes: the scenario's word, else the model's default."""
        assert self.llm is not None
        return self.party.way or self.llm.way

    def judge(self, table: Table) -> Floats:
        """Utilities by the weights that the model gave this round, else by the order of its first ballot of the round.

        An order is read as everywhere: u = (m - average position) / (m - 1).
        """
        if self._believed:
            return self.utilities_by(self._believed, table)
        own = Profile.from_rankings([self._first], items=table.candidates.ids)
        return np.asarray(utilities_of_ranks(own.ranks)[0])

    async def propose(self, table: Table) -> Proposal:
        """Ask the model, check, repair."""
        purpose.set(f"{table.round}/{table.turn}/{self.name}/propose")
        talk = self._conversation(table)
        self._believed = {}
        try:
            proposal = await (self._listwise(table, talk) if self.way == "listwise" else self._weigh(table, talk))
        except Unanswered:
            proposal, repair = stand_in(self.last, table.candidates.index)
            talk.count(repair)
        self._first = proposal.ranking
        return talk.sign(proposal)

    async def respond(self, table: Table) -> Response:
        """Weighing stakeholders answer by arithmetic and argue in the model's words; others let the model decide."""
        purpose.set(f"{table.round}/{table.turn}/{self.name}/respond")
        talk = self._conversation(table)
        if self.way == "listwise":
            return talk.sign(await self._decide(table, talk))
        if not len(self._first):
            return Response("revise")  # it has said nothing yet, and silence is not consent
        response = await super().respond(table)
        if response.proposal is None:
            return response
        argument = await self._argument(response.proposal, table, talk)
        return talk.sign(replace(response, proposal=replace(response.proposal, argument=argument), argument=argument))

    async def offer(self, table: Table) -> Proposal:
        """Weighing stakeholders offer by arithmetic and argue in the model's words; others let the model rank anew."""
        purpose.set(f"{table.round}/{table.turn}/{self.name}/offer")
        talk = self._conversation(table)
        if self.way == "listwise":
            try:
                return talk.sign(await self._listwise(table, talk))
            except Unanswered:
                talk.count("last_ballots")
                assert table.own is not None
                return talk.sign(table.own)
        offered = await super().offer(table)
        if offered is table.own or not len(self._first):
            return offered
        return talk.sign(replace(offered, argument=await self._argument(offered, table, talk)))

    async def _decide(self, table: Table, talk: Conversation) -> Response:
        def faults_of(answer: Any) -> Mapping[str, int]:
            ignored = answer.accept or table.last
            return {} if ignored else clean_items(answer.ranking, table.candidates.index)[1]

        try:
            answer: Any = await talk.structured(response_task(table), response_schema(table), faults_of)
            argument = spoken(answer.argument, LONGEST_ARGUMENT)
            if answer.accept or table.last:
                return Response("accept" if answer.accept else "revise", argument=argument)
            return Response("revise", self._ballot(answer.ranking, argument, table, talk), argument)
        except Unanswered:
            talk.count("last_ballots")  # its ballot stands; silence is not consent
            return Response("revise")

    def _conversation(self, table: Table) -> Conversation:
        assert self.llm is not None
        return Conversation(self.llm, self.party, system_message(self.party, table), table, self.options.retries)

    async def _weigh(self, table: Table, talk: Conversation) -> Proposal:
        objective = self.objective(table.request)
        if not objective:
            return self.ballot(np.full(len(table.candidates.ids), 0.5), table, way="weigh", weights={})
        # by phrase: an objective's own order is often that of its weights, which the model must not see
        worded = sorted((self._phrase(name, weight, table), name) for name, weight in objective.items())
        phrases = [phrase for phrase, _ in worded]
        if self.llm is not None and self.llm.scorer is not None:
            request = table.request
            elicited = await talk.scored(
                lambda scorer: importance(
                    scorer,
                    persona=request.fill(self.party.persona),
                    goal=request.fill(self.party.goal),
                    neutral=request.fill(self.party.neutral),
                    phrases=phrases,
                )
            )
            shares: Any = elicited.weights
            how: dict[str, Any] = {
                "elicited_by": "cmml",
                "scores": dict(zip(phrases, np.round(elicited.scores, 6).tolist(), strict=True)),
            }
            argument = None
        else:
            rated: Any = await talk.structured(rating_task(phrases, table), rating_schema(phrases))
            shares, how = weights_from_ratings(rated, phrases), {"elicited_by": "ratings"}
            argument = spoken(rated.argument, LONGEST_ARGUMENT)
        believed = {
            name: float(np.copysign(share, objective[name])) for (_, name), share in zip(worded, shares, strict=True)
        }
        self._believed = believed
        proposal = self.ballot(
            self.utilities_by(believed, table),
            table,
            way="weigh",
            weights={name: round(weight, 6) for name, weight in believed.items()},
            **how,
        )
        if argument is None:
            argument = await self._argument(proposal, table, talk)
        return replace(proposal, argument=argument)

    def _phrase(self, name: str, weight: float, table: Table) -> str:
        own = table.request.phrases.get(name) if self.party.objective is None else None
        return own or table.candidates.attributes[table.candidates.attribute_index[name]].phrase(weight)

    async def _argument(self, proposal: Proposal, table: Table, talk: Conversation) -> str:
        first = proposal.ranking.tiers[0][0]
        try:
            return await talk.sentence(argument_task(first, self._reasons(first, table), table))
        except Unanswered:
            talk.count("partial_ballots")  # the ballot stands without an argument
            return ""

    def _reasons(self, item: str, table: Table) -> list[str]:
        """The words of the `MOST_REASONS` attributes that add most to an item's utility by the weights it gave."""
        column = table.candidates.index[item]
        gains = {
            name: self.utilities_by({name: weight}, table)[column] * abs(weight)
            for name, weight in self._believed.items()
        }
        best = sorted(gains, key=lambda name: -gains[name])[:MOST_REASONS]
        return [self._phrase(name, self._believed[name], table) for name in best]

    async def _listwise(self, table: Table, talk: Conversation) -> Proposal:
        def faults_of(answer: Any) -> Mapping[str, int]:
            return clean_items(answer.ranking, table.candidates.index)[1]

        answer = await talk.structured(listwise_task(table), ballot_schema(table), faults_of)
        return self._ballot(answer.ranking, spoken(answer.argument, LONGEST_ARGUMENT), table, talk)

    def _ballot(self, named: list[str], argument: str, table: Table, talk: Conversation) -> Proposal:
        items, faults = clean_items(named, table.candidates.index)
        if not items:
            raise Unanswered  # each of its names was counted as unknown
        if faults:
            talk.count("partial_ballots")
        return Proposal(Ranking.of(items), argument=argument, details={"way": "listwise"})
