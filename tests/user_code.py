"""Code as users write it, right and wrong, for scenarios that name it by file."""

STAKEHOLDER = '''
from dataclasses import dataclass
from agents import Stakeholder
from simulator import Proposal, Table

class Fan(Stakeholder):
    """Likes one item."""

    @dataclass(frozen=True)
    class Options(Stakeholder.Options):
        item: str = "a"

    async def propose(self, table: Table) -> Proposal:
        utilities = self.utilities(table)
        utilities[table.candidates.index.get(self.options.item, 0)] = 1.0
        return self.ballot(utilities, table)

class Slow(Fan):
    def propose(self, table):
        return None

class Bare(Fan):
    class Options:
        item = "a"

class Lost:
    pass
'''

MEDIATOR = '''
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from simulator import ScoreMediator

@dataclass(frozen=True)
class Plurality(ScoreMediator):
    """First places."""

    name: ClassVar[str] = "plurality"
    rule: ClassVar[str] = "s(a) = weight of the ballots that rank a first"
    places: int = 1
    extra: float | None = 1.0

    def points(self, profile):
        return (profile.ranks < self.places).astype(float)

class Plain(ScoreMediator):
    name = "plain"
    rule = "none"

    def points(self, profile):
        return profile.ranks

@dataclass(frozen=True)
class Nameless(ScoreMediator):
    def points(self, profile):
        return profile.ranks

@dataclass(frozen=True)
class Pointless(ScoreMediator):
    name: ClassVar[str] = "pointless"
    rule: ClassVar[str] = "none"

@dataclass(frozen=True)
class Odd(Plurality):
    def __post_init__(self):
        raise KeyError("odd")

@dataclass(frozen=True)
class Array(Plurality):
    values: np.ndarray = None
'''

METRIC = '''
import simulator as fa

@fa.metric("spread", scope="collective", better="lower")
def spread(view):
    """Largest minus smallest utility."""
    return float(view.slate_utilities.max() - view.slate_utilities.min())

@fa.metric("turns", scope="collective")
def turns(view):
    return 1.0

def undecorated(view):
    return 1.0
'''

DERIVATION = """
from dataclasses import dataclass
import numpy as np
from simulator.derivations.base import Derivation

@dataclass(frozen=True)
class Half(Derivation):
    of: str

    def columns(self):
        return (self.of,)

    def compute(self, moment):
        return moment.catalogue.numbers(self.of) / 2

@dataclass(frozen=True)
class Failing(Half):
    def check(self, catalogue):
        raise ZeroDivisionError("no")
"""

DYNAMIC = """
from dataclasses import dataclass, replace
from simulator.dynamics.base import Dynamic

@dataclass(frozen=True)
class Frost(Dynamic):
    month: int = 1

    def start(self, catalogue, state):
        return replace(state, month=self.month)

    def evolve(self, state, delivered):
        return state
"""
