"""Evaluating a negotiated round: the arrays that metrics read, and the lines of both CSV files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.catalogue import utility
from simulator.faults import FAULTS, REPAIRS
from simulator.metrics.base import Evaluation, History, Metric
from simulator.metrics.group_sums import GroupSums
from simulator.metrics.items import Columns, Items
from simulator.profile import Floats, Profile, Proposal
from simulator.protocols.base import Negotiation, Turn
from simulator.records import Row
from simulator.requests import Request
from simulator.table import Candidates, Response

if TYPE_CHECKING:
    from agents.base import Stakeholder
    from simulator.scenario import Scenario

_COUNTS = ("calls", "prompt_tokens", "completion_tokens")


def round_columns(metrics: Sequence[Metric]) -> list[str]:
    """Columns of rounds.csv."""
    named = [metric.name for metric in metrics if metric.scope != "stakeholder"]
    return [
        "round",
        "request",
        "mediator",
        "turns",
        "agreed",
        "ending",
        "slate",
        *named,
        "missing_values",
        *_COUNTS[1:],
    ]


def stakeholder_columns(metrics: Sequence[Metric]) -> list[str]:
    """Columns of stakeholders.csv."""
    named = [metric.name for metric in metrics if metric.scope == "stakeholder"]
    return ["round", "stakeholder", *named, "accepted", *FAULTS, *REPAIRS, *_COUNTS]


class Evaluator:
    """Measures rounds against the stakeholders' stated objectives; holds the history that cumulative metrics need."""

    def __init__(self, scenario: Scenario, stakeholders: Sequence[Stakeholder], weights: Floats) -> None:
        self._metrics = scenario.metrics
        self._stakeholders = stakeholders
        self._weights = weights
        scales = {attribute.name: attribute.labels for attribute in scenario.attributes if attribute.labels}
        self._columns = Columns(scenario.catalogue, scenario.columns, scales)
        groups = _group_sums(scenario, len(stakeholders))
        self.history = History(len(stakeholders), len(scenario.catalogue), groups)

    def rows(
        self,
        number: int,
        request: Request,
        candidates: Candidates,
        negotiation: Negotiation,
        profiles: Sequence[Profile],
    ) -> tuple[Row, list[Row]]:
        """The line of rounds.csv and the lines of stakeholders.csv, in scenario order."""
        objectives = self._objectives(request, candidates)
        view = self._view(objectives, request, candidates, negotiation, profiles)
        figures = {metric.name: metric.compute(view) for metric in self._metrics}
        counts = [self._counts(stakeholder.name, negotiation) for stakeholder in self._stakeholders]
        final = negotiation.turns[-1]
        used = np.any(objectives != 0, axis=0)
        row: Row = {
            "round": number,
            "request": request.id,
            "mediator": final.outcome.mediator,
            "turns": len(negotiation.turns),
            "agreed": negotiation.agreed,
            "ending": negotiation.ending,
            "slate": "|".join(final.outcome.slate),
        }
        row.update({m.name: _number(figures[m.name]) for m in self._metrics if m.scope != "stakeholder"})
        row["missing_values"] = int(np.isnan(candidates.values[used]).sum())
        row.update({name: sum(count[name] for count in counts) for name in _COUNTS[1:]})
        own = [m for m in self._metrics if m.scope == "stakeholder"]
        lines: list[Row] = []
        for place, (stakeholder, count) in enumerate(zip(self._stakeholders, counts, strict=True)):
            answer = final.responses.get(stakeholder.name)
            line: Row = {"round": number, "stakeholder": stakeholder.name}
            line.update({m.name: _number(np.asarray(figures[m.name])[place]) for m in own})
            line["accepted"] = None if answer is None else answer.verdict == "accept"
            line.update(count)
            lines.append(line)
        return row, lines

    def _objectives(self, request: Request, candidates: Candidates) -> Floats:
        """Signed weights `(n, J)` of this round."""
        weights = np.zeros((len(self._stakeholders), len(candidates.attributes)))
        for row, stakeholder in zip(weights, self._stakeholders, strict=True):
            for name, weight in stakeholder.objective(request).items():
                row[candidates.attribute_index[name]] = weight
        return weights

    def _view(
        self,
        objectives: Floats,
        request: Request,
        candidates: Candidates,
        negotiation: Negotiation,
        profiles: Sequence[Profile],
    ) -> Evaluation:
        outcome = negotiation.turns[-1].outcome
        utilities = utility(candidates.normalised, objectives)
        slate = np.array(outcome.slate_indices, dtype=np.int64)
        slate_utilities = utilities[:, slate].mean(axis=1)
        best = np.partition(utilities, -len(slate), axis=1)[:, -len(slate) :]
        # What is worth as much as one's own k-th best is among one's own best: no tie is broken against anybody.
        wanted = utilities >= best[:, :1]
        index = self._columns.catalogue.index
        self.history.append(
            slate_utilities,
            np.asarray(wanted[:, slate].any(axis=1)),
            best=best.sum(axis=1) / len(slate),
            claims=(wanted * wanted.sum(axis=0)).max(axis=1),
            slate=np.array([index[item] for item in outcome.slate], dtype=np.int64),
            membership=np.array(request.membership) if request.membership else None,
        )
        tiers = np.empty(len(candidates.ids), dtype=np.int64)
        for tier, members in enumerate(outcome.tier_indices):
            tiers[list(members)] = tier
        return Evaluation(
            weights=self._weights,
            utilities=utilities,
            equal_utilities=utility(candidates.normalised, np.sign(objectives)),
            first_ranks=profiles[0].ranks,
            ranks=profiles[-1].ranks,
            order=np.array(outcome.order, dtype=np.int64),
            tiers=tiers,
            slate=slate,
            slate_utilities=slate_utilities,
            history=self.history,
            items=Items(candidates.ids, candidates.normalised, self._columns),
            names=tuple(stakeholder.name for stakeholder in self._stakeholders),
        )

    def _counts(self, name: str, negotiation: Negotiation) -> dict[str, int]:
        """Faults, repairs, calls and tokens of one stakeholder in the round: first proposal, answers and offers.

        A ballot that came with an answer is counted with the answer.
        """
        said: list[Proposal | Response] = [
            negotiation.openings[name],
            *(turn.proposals[name] for turn in negotiation.turns if name in turn.opened),
            *(turn.responses[name] for turn in negotiation.turns if name in turn.responses),
            *(
                turn.proposals[name]
                for before, turn in pairwise(negotiation.turns)
                if name in turn.spoke and not _answered(before, name, turn.proposals[name])
            ),
        ]
        counts = dict.fromkeys((*FAULTS, *REPAIRS), 0)
        for part in said:
            for fault, times in part.faults.items():
                if fault in counts:  # a user's own kinds stand in events.jsonl
                    counts[fault] += times
        counts.update({field: sum(getattr(part, field) for part in said) for field in _COUNTS})
        return counts


def _group_sums(scenario: Scenario, stakeholders: int) -> GroupSums | None:
    section = None if scenario.file.requests is None else scenario.file.requests.membership
    if section is None:
        return None
    return GroupSums(len(scenario.requests[0].membership), stakeholders, len(scenario.catalogue), section.block)


def _answered(turn: Turn, name: str, proposal: Proposal) -> bool:
    """Whether a ballot came with the stakeholder's answer in a turn."""
    return name in turn.responses and turn.responses[name].proposal is proposal


def _number(value: Any) -> float | int | None:
    """A plain number, or None where a metric is undefined."""
    if isinstance(value, int | np.integer):
        return int(value)
    number = float(value)
    return number if math.isfinite(number) else None
