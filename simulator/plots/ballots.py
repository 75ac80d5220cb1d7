"""The last word of every round as arrays: the stakeholders' final ballots and the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.profile import Ints
from simulator.runs import Run


@dataclass(frozen=True)
class LastWord:
    """How one round ended.

    Attributes:
        round: counts from 1.
        ranks: `(n + 1, m)` tiers of the stakeholders' last ballots in scenario order, then of the outcome; unranked
            items and the ballots of those who said nothing hold m.
    """

    round: int
    ranks: Ints


def last_words(run: Run) -> Iterator[LastWord]:
    """Every finished round's last ballots and outcome."""
    finished = set(run.rounds["round"]) if "round" in run.rounds else set()
    for number, events in run.conversations():
        if number not in finished:
            continue
        ballots: dict[str, Sequence[Sequence[str]]] = {}
        outcome: Mapping[str, Any] | None = None
        for event in events:
            if event["event"] == "proposal":
                ballots[event["stakeholder"]] = event["ranking"]
            elif event["event"] == "outcome":
                outcome = event
        if outcome is None:
            continue
        items = {item: place for place, item in enumerate(item for tier in outcome["tiers"] for item in tier)}
        rows = [*(ballots.get(name, ()) for name in run.names), outcome["tiers"]]
        yield LastWord(number, np.array([_ranks(tiers, items) for tiers in rows]))


def _ranks(tiers: Sequence[Sequence[str]], items: Mapping[str, int]) -> Ints:
    ranks = np.full(len(items), len(items), dtype=np.int64)
    for tier, members in enumerate(tiers):
        for item in members:
            if item in items:
                ranks[items[item]] = tier
    return ranks
