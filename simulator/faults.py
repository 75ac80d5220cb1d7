"""The kinds of fault that are found in a stakeholder's reply, and how each is repaired. Columns of stakeholders.csv."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from simulator.profile import Proposal, Ranking

FAULTS = (
    "unknown_items",  # names that are not among the candidates: dropped
    "duplicates",  # an item named again: its first place counts
    "omissions",  # candidates that a complete ranking should name and does not: unranked, tied last
    "malformed",  # a reply that is not what was asked for: asked again with the error shown
    "empty",  # a reply without content: asked again
    "refusals",  # the model declines: asked again
    "timeouts",  # no reply in time: a model is asked again
    "errors",  # the model or the stakeholder's own code failed: a model is asked again
)
REPAIRS = (
    "retries",  # times it was asked again
    "partial_ballots",  # its reply was used without the faulty parts
    "last_ballots",  # no usable reply: its last opening ballot stands in, less the items that are not on the table
    "abstentions",  # no usable reply and no earlier ballot: it abstains
)


def clean_items(named: Sequence[str], candidates: Mapping[str, int]) -> tuple[tuple[str, ...], dict[str, int]]:
    """Drop unknown and repeated names from a ranking; omissions count candidates that are not named.

    Names are compared exactly, then without case and surrounding space where that leaves one candidate.

    Returns:
        The known items in order, and the faults found, by name.
    """
    folded: dict[str, str | None] = {}
    for item in candidates:
        key = item.strip().casefold()
        folded[key] = None if key in folded else item
    kept: dict[str, None] = {}
    unknown = duplicates = 0
    for name in named:
        known = name if name in candidates else folded.get(name.strip().casefold())
        if known is None:
            unknown += 1
        elif known in kept:
            duplicates += 1
        else:
            kept[known] = None
    found = {"unknown_items": unknown, "duplicates": duplicates, "omissions": len(candidates) - len(kept)}
    return tuple(kept), {fault: count for fault, count in found.items() if count}


def restrict(proposal: Proposal, candidates: Mapping[str, int]) -> tuple[Proposal, int]:
    """The proposal without items that are not on the table, and how many items of its ranking that were."""
    ranking, utilities, approvals = proposal.ranking, proposal.utilities, proposal.approvals
    if not candidates.keys() >= set(ranking):
        ranking = Ranking(tuple(kept for tier in ranking.tiers if (kept := tuple(i for i in tier if i in candidates))))
    if utilities is not None and not candidates.keys() >= utilities.keys():
        utilities = {item: value for item, value in utilities.items() if item in candidates}
    if approvals is not None and not candidates.keys() >= set(approvals):
        approvals = tuple(item for item in approvals if item in candidates)
    if ranking is proposal.ranking and utilities is proposal.utilities and approvals is proposal.approvals:
        return proposal, 0
    dropped = len(proposal.ranking) - len(ranking)
    return replace(proposal, ranking=ranking, utilities=utilities, approvals=approvals), dropped


def stand_in(last: Proposal | None, candidates: Mapping[str, int]) -> tuple[Proposal, str]:
    """What counts for a stakeholder that gives no usable ballot, and the name of this repair.

    The ballot with which it last opened a round, less the items that are not on the table; an abstention if nothing is
    left of it. What it conceded in that round is not carried over: it was about another outcome. Nor are utilities:
    they compared other candidates, and the order still says what it said.
    """
    if last is not None:
        kept, _ = restrict(last, candidates)
        if len(kept.ranking):
            return Proposal(kept.ranking, details={"way": "last ballot"}), "last_ballots"
    return Proposal(Ranking(), details={"way": "abstention"}), "abstentions"
