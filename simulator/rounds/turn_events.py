"""A finished turn as events of the log: who proposed what, what came of it, who answered what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.outcome import Outcome
from simulator.profile import Floats, Proposal
from simulator.protocols.base import Turn
from simulator.records import Event


def turn_events(number: int, turn: Turn) -> Iterator[Event]:
    """The events of a turn of round `number`, in stakeholder order; nothing in them depends on time.

    They share the turn's own tuples and mappings, which nobody changes: a turn holds thousands of names.
    """
    head = {"round": number, "turn": turn.number}
    for name in turn.spoke:
        for proposal in (turn.opened.get(name), turn.proposals[name]):
            if proposal is not None:
                yield {"event": "proposal", **head, "stakeholder": name, **_proposal(proposal)}
    yield {
        "event": "outcome",
        **head,
        **_outcome(turn.outcome, tuple(turn.proposals)),
        "justification": turn.justification,
    }
    for name, response in turn.responses.items():
        yield {
            "event": "response",
            **head,
            "stakeholder": name,
            "verdict": response.verdict,
            "argument": response.argument,
            "faults": response.faults,
            "calls": response.calls,
            "prompt_tokens": response.prompt_tokens,
            "completion_tokens": response.completion_tokens,
            "details": response.details,
        }


def _proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "ranking": proposal.ranking.tiers,
        "utilities": proposal.utilities,
        "approvals": proposal.approvals,
        "argument": proposal.argument,
        "faults": proposal.faults,
        "calls": proposal.calls,
        "prompt_tokens": proposal.prompt_tokens,
        "completion_tokens": proposal.completion_tokens,
        "details": proposal.details,
    }


def _outcome(outcome: Outcome, voters: tuple[str, ...]) -> dict[str, Any]:
    trace = outcome.trace
    return {
        "mediator": outcome.mediator,
        "k": outcome.k,
        "tiers": outcome.tiers,
        "ranking": outcome.ranking,
        "slate": outcome.slate,
        "scores": outcome.scores,
        "winners": outcome.winners,
        "notes": outcome.notes,
        "trace": {
            "rule": trace.rule,
            "contributions": None
            if trace.contributions is None
            else _by_voter(voters, outcome.items, trace.contributions),
            "values": None if trace.values is None else _by_voter(voters, outcome.items, trace.values),
            "pairwise": None if trace.pairwise is None else trace.pairwise.tolist(),
            "steps": [
                {"item": step.item, "value": step.value, "note": step.note}
                | ({} if step.act == "chosen" else {"act": step.act})
                for step in trace.steps
            ],
            "slates": [
                {"slate": [outcome.items[item] for item in slate], "value": value} for slate, value in trace.slates
            ],
            **({} if trace.paths is None else {"paths": trace.paths.tolist()}),
            **({} if trace.optimal is None else {"cost": trace.cost, "optimal": trace.optimal}),
            **({} if trace.weights is None else {"weights": _of_voters(voters, trace.weights)}),
            **({"standing": {n: _of_voters(voters, v) for n, v in trace.standing.items()}} if trace.standing else {}),
        },
    }


def _by_voter(voters: tuple[str, ...], items: tuple[str, ...], values: Floats) -> dict[str, dict[str, float]]:
    return {name: dict(zip(items, row, strict=True)) for name, row in zip(voters, values.tolist(), strict=True)}


def _of_voters(voters: tuple[str, ...], values: Floats) -> dict[str, float]:
    return dict(zip(voters, values.tolist(), strict=True))
