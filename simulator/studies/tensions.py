"""Where interests part and where they meet, and whom each mediator serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.metrics.kendall_tau import tau_b
from simulator.profile import Floats
from simulator.studies.rational import RationalRound, rational_rounds, under_each

if TYPE_CHECKING:
    from simulator.scenario import Scenario


@dataclass(frozen=True)
class Cause:
    """An attribute of each of two stakeholders, and how far what they want of them goes together.

    Attributes:
        first, second: the attributes, one of each objective.
        tau: Kendall's tau-b between both attributes among the candidates, each in the direction in which its
            stakeholder wants it; mean over the rounds in which both are wanted and tell the candidates apart.
    """

    first: str
    second: str
    tau: float

    def __str__(self) -> str:
        names = self.first if self.first == self.second else f"{self.first}, {self.second}"
        return f"{names} {self.tau:+.2f}"


@dataclass(frozen=True)
class Pair:
    """Two stakeholders.

    Attributes:
        first, second: their names.
        tau: mean over rounds of Kendall's tau-b between their true utilities of the round's candidates; nan if one of
            them never prefers anything.
        opposed: share of the rounds with tau below 0.
        conflict, agreement: the attributes that part and that join them most: least and greatest |w| |v| tau with the
            weights w and v that they have in the two objectives; None if nothing does.
    """

    first: str
    second: str
    tau: float
    opposed: float
    conflict: Cause | None
    agreement: Cause | None


@dataclass(frozen=True)
class Service:
    """Whom one mediator serves.

    Attributes:
        mediator: its label.
        utilities: `(n,)` mean true utility of the delivered items per stakeholder, over rounds.
    """

    mediator: str
    utilities: Floats


@dataclass(frozen=True)
class Tensions:
    """What `tensions` found.

    Attributes:
        stakeholders: names, in scenario order.
        pairs: every pair, most opposed first.
        services: every mediator that could be asked, in the order given.
        left_out: a line on every mediator that failed.
    """

    stakeholders: tuple[str, ...]
    pairs: tuple[Pair, ...]
    services: tuple[Service, ...]
    left_out: tuple[str, ...]

    def pair_rows(self) -> list[dict[str, Any]]:
        """One row a pair."""
        return [
            {
                "stakeholders": f"{pair.first} / {pair.second}",
                "tau": f"{pair.tau:+.2f}",
                "opposed": f"{pair.opposed:.0%}",
                "part over": str(pair.conflict or "-"),
                "meet in": str(pair.agreement or "-"),
            }
            for pair in self.pairs
        ]

    def service_rows(self) -> list[dict[str, Any]]:
        """One row a mediator: who gets what, and who gains and loses most against the mean of all mediators."""
        if not self.services:
            return []
        table = np.array([service.utilities for service in self.services])
        against = table - table.mean(axis=0)
        rows = []
        for service, gain in zip(self.services, against, strict=True):
            shares = {name: f"{value:.2f}" for name, value in zip(self.stakeholders, service.utilities, strict=True)}
            most, least = int(np.argmax(gain)), int(np.argmin(gain))
            gains = f"{self.stakeholders[most]} {gain[most]:+.2f}" if gain[most] >= 0.005 else "-"
            loses = f"{self.stakeholders[least]} {gain[least]:+.2f}" if gain[least] <= -0.005 else "-"
            rows.append({"mediator": service.mediator, **shares, "gains": gains, "loses": loses})
        return rows

    def to_json(self) -> dict[str, Any]:
        """Everything found as one JSON-able object; an undefined tau is null."""
        return {
            "pairs": [
                {
                    "stakeholders": [pair.first, pair.second],
                    "tau": None if np.isnan(pair.tau) else pair.tau,
                    "opposed": pair.opposed,
                    "conflict": _cause_json(pair.conflict),
                    "agreement": _cause_json(pair.agreement),
                }
                for pair in self.pairs
            ],
            "utilities": {
                service.mediator: dict(zip(self.stakeholders, service.utilities.tolist(), strict=True))
                for service in self.services
            },
            "left_out": list(self.left_out),
        }


def tensions(scenario: Scenario, rules: Sequence[str], rounds: int = 200) -> Tensions:
    """Compare the stakeholders' true preferences, and what mediators give them; rational, sealed, without a model.

    The pairs are compared on the candidates that the scenario's own mediator leads to; for objectives without a state
    of the world they are the same under every mediator.
    """
    names = tuple(party.name for party in scenario.parties)
    played = list(rational_rounds(scenario, scenario.mediator, rounds))
    utilities = np.array([each.utilities for each in played])
    objectives = np.array([each.objectives for each in played])
    used = np.flatnonzero((objectives != 0).any(axis=(0, 1)))
    attributes = [scenario.attributes[place].name for place in used.tolist()]
    objectives = objectives[..., used]
    normalised = np.array([each.normalised[used] for each in played])
    alike = tau_b(normalised[:, :, None], normalised[:, None])  # (T, J, J), nan where an attribute is constant
    pairs = []
    for first, second in combinations(range(len(names)), 2):
        tau, opposed = _mean_tau(tau_b(utilities[:, first], utilities[:, second]))
        conflict, agreement = _causes(objectives[:, first], objectives[:, second], alike, attributes)
        pairs.append(Pair(names[first], names[second], tau, opposed, conflict, agreement))
    pairs.sort(key=lambda pair: np.nan_to_num(pair.tau, nan=2.0))
    services, left_out = under_each(scenario, rules, rounds, _service)
    return Tensions(names, tuple(pairs), tuple(services), tuple(left_out))


def _service(label: str, rounds: Iterator[RationalRound]) -> Service:
    return Service(label, np.mean([played.served for played in rounds], axis=0))


def _mean_tau(taus: Floats) -> tuple[float, float]:
    known = taus[~np.isnan(taus)]
    return (float(known.mean()), float((known < 0).mean())) if len(known) else (float("nan"), 0.0)


def _causes(
    first: Floats, second: Floats, alike: Floats, attributes: Sequence[str]
) -> tuple[Cause | None, Cause | None]:
    """What parts and what joins two objectives `(T, J)` most."""
    worth = np.nan_to_num(first[:, :, None] * second[:, None] * alike).mean(axis=0)
    found: list[Cause | None] = []
    for place, counts in ((int(worth.argmin()), worth.min() < 0), (int(worth.argmax()), worth.max() > 0)):
        if not counts:
            found.append(None)
            continue
        one, other = divmod(place, worth.shape[1])
        taus = (np.sign(first[:, one] * second[:, other]) * alike[:, one, other])[first[:, one] * second[:, other] != 0]
        tau = float(np.nanmean(taus))
        found.append(Cause(attributes[one], attributes[other], tau))
    return found[0], found[1]


def _cause_json(cause: Cause | None) -> dict[str, Any] | None:
    return None if cause is None else {"attributes": [cause.first, cause.second], "tau": cause.tau}
