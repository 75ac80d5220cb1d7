"""A scenario played by rational stakeholders with sealed ballots, without Mesa, models and logs, at speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from simulator.catalogue import utility
from simulator.keys import error_line
from simulator.profile import Floats, Ints, Profile
from simulator.registry import create, everything
from simulator.requests import Request
from simulator.rounds.draw import drawn_rows
from simulator.rounds.publish import Publisher
from simulator.seeds import child_seed
from simulator.state import WorldState
from simulator.tie import priority

if TYPE_CHECKING:
    from simulator.mediators.base import Mediator
    from simulator.outcome import Memory
    from simulator.scenario import Scenario

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RationalRound:
    """One round.

    Attributes:
        rows: `(m,)` the candidates as rows of the catalogue.
        normalised: `(J, m)` their attributes on [0, 1].
        objectives: `(n, J)` signed weights of the stakeholders, by their stated objectives.
        utilities: `(n, m)` true utilities in [0, 1] by these, which are also the ballots.
        slate: `(k,)` the delivered candidates as places in `rows`, best first.
        state: the world after the delivery.
        profile: the ballots.
        terms: what the mediator was asked with: mediator, memory, k, priority, seed.
    """

    rows: Ints
    normalised: Floats
    objectives: Floats
    utilities: Floats
    slate: Ints
    state: WorldState
    profile: Profile
    terms: Mapping[str, Any]

    @property
    def served(self) -> Floats:
        """`(n,)` mean utility of the delivered items."""
        return np.asarray(self.utilities[:, self.slate].mean(axis=1))


def rational_rounds(
    scenario: Scenario, mediator: Mediator, rounds: int, publisher: Publisher | None = None
) -> Iterator[RationalRound]:
    """Play rounds; the same slates as `run` with `model="none"`, `protocol="sealed"` and rational stakeholders alone.

    Args:
        scenario: what is negotiated; every stakeholder is taken to be rational, whatever its agent.
        mediator: the rule, in the place of the scenario's.
        rounds: how many.
        publisher: of the same scenario, to share what it has computed.
    """
    publisher = publisher or Publisher(scenario)
    seed, names = scenario.file.seed, tuple(party.name for party in scenario.parties)
    weights = np.array([party.weight for party in scenario.parties])
    last_delivered = np.zeros(len(scenario.catalogue), dtype=np.int64)
    state = WorldState()
    memory: Memory | None = None
    for dynamic in scenario.dynamics:
        state = dynamic.start(scenario.catalogue, state)
    for number in range(1, rounds + 1):
        request = scenario.requests[(number - 1) % len(scenario.requests)]
        rows = drawn_rows(scenario, publisher, request, state, seed=seed, number=number)
        candidates = publisher.candidates(request, state, rows)
        wanted = objectives(scenario, request)
        utilities = utility(candidates.normalised, wanted)
        order = priority(
            scenario.file.tie, len(rows), seed=child_seed(seed, "tie", number), last_delivered=last_delivered[rows]
        )
        profile = Profile.from_utilities(utilities, candidates.ids, weights, voters=names)
        given = {"k": scenario.file.k, "priority": order.tolist(), "seed": child_seed(seed, "mediator", number)}
        outcome = mediator.mediate(profile, memory, **given)
        terms = {"mediator": mediator, "memory": memory, **given}
        memory = outcome.memory
        slate = np.array(outcome.slate_indices, dtype=np.int64)
        last_delivered[rows[slate]] = number
        for dynamic in scenario.dynamics:
            state = dynamic.deliver(state, rows[slate], request)
        yield RationalRound(rows, candidates.normalised, wanted, utilities, slate, state, profile, terms)


def objectives(scenario: Scenario, request: Request) -> Floats:
    """Signed weights `(n, J)` of all stakeholders over the scenario's attributes."""
    place = {attribute.name: column for column, attribute in enumerate(scenario.attributes)}
    weights = np.zeros((len(scenario.parties), len(place)))
    for row, party in zip(weights, scenario.parties, strict=True):
        for name, weight in (request.objective if party.objective is None else party.objective).items():
            row[place[name]] = weight
    return weights


def under_each(
    scenario: Scenario, rules: Sequence[str], rounds: int, measure: Callable[[str, Iterator[RationalRound]], T]
) -> tuple[list[T], list[str]]:
    """Measure the same scenario under several mediators.

    Args:
        scenario: what is negotiated.
        rules: mediators as names or calls such as `mes(completion=none)`.
        rounds: how many each of them decides.
        measure: is given the rule's label and its rounds.

    Returns:
        The measures, and a line on every rule that had to be left out because it failed.

    Raises:
        RegistryError: a rule's name or parameters are wrong.
    """
    publisher = Publisher(scenario)
    made = [create("mediator", rule, scenario.base) for rule in rules]
    measures, left_out = [], []
    for mediator in made:
        try:
            measures.append(measure(mediator.label, rational_rounds(scenario, mediator, rounds, publisher)))
        except Exception as error:  # one rule, perhaps a user's own, must not take the others' figures along
            left_out.append(f"{mediator.label} is left out: {error_line(error)}")
    return measures, left_out


def every_rule() -> tuple[str, ...]:
    """All registered mediators that can be made without parameters, by name."""
    return tuple(name for name, kind in everything("mediator").items() if _complete(kind))


def _complete(kind: type[Mediator]) -> bool:
    try:
        kind()
    except TypeError:  # a parameter without a default
        return False
    return True
