"""The recorded stakeholder: it says what somebody said in an earlier run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from agents.base import Stakeholder
from simulator.profile import Proposal, Ranking
from simulator.registry import register
from simulator.table import Response, Table


@register("stakeholder", "recorded")
class RecordedStakeholder(Stakeholder):
    """Hands in the ballots and answers of a stakeholder of an earlier run, by round and turn, without a model.

    What the recording does not have is an error of this stakeholder: its last ballot stands in, and the run goes on.
    """

    files: ClassVar[tuple[str, ...]] = ("events",)

    @dataclass(frozen=True)
    class Options(Stakeholder.Options):
        """Parameters.

        Attributes:
            events: the earlier run's events.jsonl, relative to the scenario file.
            stakeholder: whose ballots; its own name by default.
        """

        events: str = "events.jsonl"
        stakeholder: str = ""

    async def propose(self, table: Table) -> Proposal:
        """The ballot that was handed in in this round's first turn."""
        return self._ballot(table.round, table.turn)

    async def respond(self, table: Table) -> Response:
        """The answer that was given in this turn, with the ballot that followed it."""
        said = self._found("response", table.round, table.turn)
        revised = self._said("proposal", table.round, table.turn + 1)
        verdict: Literal["accept", "revise"] = "accept" if said.get("verdict") == "accept" else "revise"
        argument = str(said.get("argument", ""))
        details = {"way": "recorded"}
        if verdict == "accept" or revised is None:
            return Response(verdict, argument=argument, details=details)
        return Response(verdict, self._ballot(table.round, table.turn + 1), argument, details)

    async def offer(self, table: Table) -> Proposal:
        """The ballot that was handed in in this turn; the last one, where it opened in the same turn."""
        return self._ballot(table.round, table.turn, -1)

    def _ballot(self, number: int, turn: int, place: int = 0) -> Proposal:
        said = self._found("proposal", number, turn, place)
        utilities, approvals = said.get("utilities"), said.get("approvals")
        return Proposal(
            Ranking.of(said["ranking"]),
            utilities=utilities if isinstance(utilities, dict) else None,
            approvals=tuple(approvals) if isinstance(approvals, list) else None,
            argument=str(said.get("argument", "")),
            details={"way": "recorded"},
        )

    def _found(self, event: str, number: int, turn: int, place: int = 0) -> Mapping[str, Any]:
        said = self._said(event, number, turn, place)
        if said is None:
            name = self.options.stakeholder or self.name
            raise LookupError(f"the recording has no {event} of '{name}' in round {number}, turn {turn}")
        return said

    def _said(self, event: str, number: int, turn: int, place: int = 0) -> Mapping[str, Any] | None:
        name = self.options.stakeholder or self.name
        path = Path(self.options.events)
        said = _recording(path, path.stat().st_mtime_ns).get((event, name, number, turn))
        return None if said is None else said[place]


@lru_cache(maxsize=8)
def _recording(path: Path, changed: int) -> Mapping[tuple[str, str, int, int], Sequence[Mapping[str, Any]]]:
    """Proposals and responses by kind, stakeholder, round and turn, in the order of the file as it was last changed."""
    said: dict[tuple[str, str, int, int], list[Mapping[str, Any]]] = {}
    for line in _lines(path):
        number, turn = line.get("round"), line.get("turn")
        if line.get("event") in ("proposal", "response") and isinstance(number, int) and isinstance(turn, int):
            said.setdefault((line["event"], str(line.get("stakeholder")), number, turn), []).append(line)
    return said


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        for text in file:
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):  # the last line of a run that was killed, or somebody's joke
                continue
            if isinstance(line, dict):
                yield line
