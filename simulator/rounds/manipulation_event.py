"""What a strategic stakeholder gained over honesty in a round, and who paid for it, as an event of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.mediators.base import Mediator
from simulator.profile import Profile, Proposal
from simulator.records import Event
from simulator.table import Table

if TYPE_CHECKING:
    from agents.base import Stakeholder


def manipulation_event(
    strategist: Stakeholder,
    stakeholders: Sequence[Stakeholder],
    opened: Mapping[str, Proposal],
    table: Table,
    terms: Mapping[str, Any],
) -> Event:
    """The mediator's outcome of the opening ballots beside that with the honest ballot in the strategist's place.

    `gains` holds, for everyone, the mean true utility of the first slate less that of the second: what is below 0 is
    what the others paid. Later turns of a protocol do not count.

    Args:
        strategist: its `honest` is its honest ballot.
        stakeholders: in scenario order.
        opened: the ballots that opened the round.
        table: request, candidates and k of the round.
        terms: mediator, memory, k, priority and seed of the round.
    """
    assert strategist.honest is not None
    rule: Mediator = terms["mediator"]
    settings = {key: terms[key] for key in ("k", "priority", "seed")}
    weights = np.array([member.party.weight for member in stakeholders])

    def slate(ballots: Mapping[str, Proposal]) -> tuple[int, ...]:
        profile = Profile.from_proposals(ballots, table.candidates.ids, weights)
        return rule.mediate(profile, terms["memory"], **settings).slate_indices

    told, true = slate(opened), slate({**opened, strategist.name: strategist.honest})
    gains = {}
    for member in stakeholders:
        worth = member.utilities(table)
        gains[member.name] = round(float(worth[list(told)].mean() - worth[list(true)].mean()), 12)
    ids = table.candidates.ids
    return {
        "event": "manipulation",
        "round": table.round,
        "stakeholder": strategist.name,
        "misreport": opened[strategist.name].details.get("misreport", ""),
        "gain": gains[strategist.name],
        "gains": gains,
        "slate": [ids[item] for item in told],
        "honest_slate": [ids[item] for item in true],
    }
