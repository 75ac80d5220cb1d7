"""Stakeholders that do what no stakeholder should."""

import asyncio
import math
from dataclasses import replace

from agents import Stakeholder
from agents.utility import UtilityStakeholder
from simulator import Proposal, Ranking, Response, Table


class Honest(Stakeholder):
    """Ranks by its objective."""

    async def propose(self, table: Table) -> Proposal:
        return self.ballot(self.utilities(table), table)


class Raises(Honest):
    async def propose(self, table: Table) -> Proposal:
        raise RuntimeError("no ballot today")


class RaisesLater(Honest):
    """Fails in round 2 alone."""

    async def propose(self, table: Table) -> Proposal:
        if table.round == 2:
            raise RuntimeError("no ballot in this round")
        return await super().propose(table)


class RaisesInAnswer(Honest):
    async def respond(self, table: Table) -> Response:
        raise RuntimeError("no answer today")


class Nothing(Honest):
    async def propose(self, table: Table) -> Proposal:
        return None  # type: ignore[return-value]


class NothingInAnswer(Honest):
    async def respond(self, table: Table) -> Response:
        return None  # type: ignore[return-value]


class Mumbles(Honest):
    """Says neither accept nor revise."""

    async def respond(self, table: Table) -> Response:
        return Response("perhaps")  # type: ignore[arg-type]


class Unknown(Honest):
    """Ranks two items that are not on the table."""

    async def propose(self, table: Table) -> Proposal:
        return Proposal(Ranking.of(["x", "e", "y"]), utilities={"x": 1.0, "e": 0.5, "y": 0.1})


class AllUnknown(Honest):
    async def propose(self, table: Table) -> Proposal:
        return Proposal(Ranking.of(["x", "y"]))


class UnknownInAnswer(Honest):
    async def respond(self, table: Table) -> Response:
        return Response("revise", Proposal(Ranking.of(["x", "a", "b", "c", "d", "e"])))


class NotANumber(Honest):
    async def propose(self, table: Table) -> Proposal:
        honest = await super().propose(table)
        return replace(honest, utilities={**(honest.utilities or {}), "a": math.nan})


class Negative(Honest):
    async def propose(self, table: Table) -> Proposal:
        honest = await super().propose(table)
        return replace(honest, utilities={**(honest.utilities or {}), "a": -0.5})


class Astronomical(Honest):
    async def propose(self, table: Table) -> Proposal:
        honest = await super().propose(table)
        return replace(honest, utilities={**(honest.utilities or {}), "a": 1e200})


class Stubborn(Honest):
    async def propose(self, table: Table) -> Proposal:
        return replace(await super().propose(table), calls=1)

    async def offer(self, table: Table) -> Proposal:
        return replace(await super().propose(table), argument="No.", calls=10)


class Texts(Honest):
    """Utilities that are texts, for one item that is not on the table instead of one that is."""

    async def propose(self, table: Table) -> Proposal:
        honest = await super().propose(table)
        return replace(honest, utilities={"x": "high", "b": "low", "c": "low", "d": "low", "e": "low"})  # type: ignore[dict-item]


class WholeCatalogue(Honest):
    """Utilities for items that are not on the table, too."""

    async def propose(self, table: Table) -> Proposal:
        honest = await super().propose(table)
        return replace(honest, utilities={**(honest.utilities or {}), "somewhere else": 0.5})


class RankingAlone(Honest):
    async def propose(self, table: Table) -> Proposal:
        return replace(await super().propose(table), utilities=None)


class Abstains(Honest):
    async def propose(self, table: Table) -> Proposal:
        return Proposal(Ranking())


class OwnFaults(Honest):
    """Counts faults that the simulator does not know, and logs what JSON does not know."""

    async def propose(self, table: Table) -> Proposal:
        honest = await super().propose(table)
        return replace(honest, faults={"typos": 3, "empty": 2}, details={"seen": {"a"}, "by": self})


class Hangs(Honest):
    async def propose(self, table: Table) -> Proposal:
        await asyncio.Event().wait()
        raise AssertionError


class RationalUntilItHangs(UtilityStakeholder):
    async def propose(self, table: Table) -> Proposal:
        await asyncio.Event().wait()
        raise AssertionError


class CancelsItself(Honest):
    async def propose(self, table: Table) -> Proposal:
        raise asyncio.CancelledError


class Interrupts(Honest):
    """A person presses Ctrl-C in round 2."""

    async def propose(self, table: Table) -> Proposal:
        if table.round == 2:
            raise KeyboardInterrupt
        return await super().propose(table)


class Scribbles(Honest):
    """Tries to change what is on the table for everybody."""

    async def propose(self, table: Table) -> Proposal:
        table.candidates.normalised[:] = 0.0
        return await super().propose(table)


class Shouts(Honest):
    """Argues with control characters and markup."""

    async def propose(self, table: Table) -> Proposal:
        argument = "<script>alert(1)</script>\x1b[31m\x00\u202eevil\nline\ud83d" + "!" * 10_000
        return replace(await super().propose(table), argument=argument)


class Slow(Honest):
    """Takes its time, so that a run can be killed."""

    async def propose(self, table: Table) -> Proposal:
        await asyncio.sleep(0.2)
        return await super().propose(table)


class RaisesWithoutWords(Honest):
    async def propose(self, table: Table) -> Proposal:
        raise _Wordless


class _Wordless(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words either")


class CountsBackwards(Honest):
    async def propose(self, table: Table) -> Proposal:
        return replace(await super().propose(table), prompt_tokens=-3)


class LongNumbers(Honest):
    async def propose(self, table: Table) -> Proposal:
        return replace(await super().propose(table), details={"long": 10**5000, "longer than JSON's": 2**70})


class ClearsTheTable(Honest):
    async def propose(self, table: Table) -> Proposal:
        table.candidates.index.clear()  # type: ignore[attr-defined]
        return await super().propose(table)


class RaisesWhenClosed(Honest):
    async def close(self) -> None:
        raise RuntimeError("it does not close")


class StaysOpen(Honest):
    async def close(self) -> None:
        await asyncio.Event().wait()


class RaisesPastEverything(Honest):
    async def propose(self, table: Table) -> Proposal:
        raise BaseException("past everything")
