"""What each alignment method makes of a stakeholder's goal, beside the objective that the scenario states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from simulator.alignment.learned import Learned, learn
from simulator.catalogue import Attribute, utility
from simulator.metrics.kendall_tau import tau_b
from simulator.profile import Floats, Ints, Profile
from simulator.table import Table

if TYPE_CHECKING:
    from agents.base import Stakeholder
    from simulator.profile import Proposal
    from simulator.scenario import Party, Scenario
    from simulator.world import NegotiationWorld

Weights = Mapping[str, float]


@dataclass(frozen=True)
class Reading:
    """The objective that one method gives a stakeholder.

    Attributes:
        stakeholder, method: whose, and `stated`, `elicited`, `learned` or `human`.
        weights: signed, |weights| adding up to 1; the mean over rounds where they differ between rounds.
        errors: standard errors of learned weights; empty for other methods.
        tau: Kendall's tau-b between utilities by these weights and by the stated ones, over all items that can be
            drawn, mean over rounds; nan where either values nothing.
        weight_error: half the sum of |weight - stated weight|, from 0 to 1, mean over rounds.
        note: what else should be known.
    """

    stakeholder: str
    method: str
    weights: Weights
    errors: Weights = field(default_factory=dict)
    tau: float = 1.0
    weight_error: float = 0.0
    note: str = ""


@dataclass(frozen=True)
class Drift:
    """How a stakeholder's alignment moves over rounds.

    Attributes:
        stakeholder: whose.
        first, last: alignment of its first ballots, mean over the first and the last half of the rounds.
        slope: change of alignment a round, by least squares; nan with fewer than three rounds.
        error: the slope's standard error.
    """

    stakeholder: str
    first: float
    last: float
    slope: float
    error: float


@dataclass(frozen=True)
class Alignment:
    """What `align` found.

    Attributes:
        stakeholders: names in scenario order.
        readings: by stakeholder and method.
        cross: `(n, n)` mean utility, by the row's stated objective, of the k best items of the column's ballots, over
            the rounds in which it handed one in; nan if it never did.
        drifts: by stakeholder.
        rounds: how many rounds were played.
    """

    stakeholders: tuple[str, ...]
    readings: tuple[Reading, ...]
    cross: Floats
    drifts: tuple[Drift, ...]
    rounds: int

    @property
    def faithful(self) -> tuple[bool, ...]:
        """Per stakeholder, whether it has a list, and nobody's serves its own metric better."""
        own = np.diagonal(self.cross)
        return tuple(
            bool(not np.isnan(worth) and not (row > worth + 1e-9).any())
            for row, worth in zip(self.cross, own, strict=True)
        )


@dataclass
class _Heard:
    """What a stakeholder said in the rounds played."""

    ranks: list[Ints] = field(default_factory=list)
    elicited: list[Weights | None] = field(default_factory=list)
    taus: list[float] = field(default_factory=list)


def align(scenario: Scenario, rounds: int, ratings: Mapping[str, Weights] | None = None) -> Alignment:
    """Play sealed rounds and read every stakeholder's objective off what it was told, said and chose.

    Args:
        scenario: its model answers.
        rounds: how many rounds are played, at least 1.
        ratings: by stakeholder, unsigned importances that a person gave the attributes of its stated objective.
    """
    from simulator.world import NegotiationWorld

    world = NegotiationWorld(scenario.replace(protocol="sealed", rounds=rounds))
    names = tuple(party.name for party in scenario.parties)
    heard = {name: _Heard() for name in names}
    try:
        seen = [_play(world, heard) for _ in range(rounds)]
    finally:
        world.close()
    readings = [
        reading
        for party, member in zip(scenario.parties, world.stakeholders, strict=True)
        for reading in _readings(party, member, seen, heard[party.name], (ratings or {}).get(party.name))
    ]
    lists = np.array([each.cross for each in seen])
    heard_of = (~np.isnan(lists)).sum(axis=0)
    cross = np.where(heard_of > 0, np.nansum(lists, axis=0) / np.maximum(heard_of, 1), np.nan)
    return Alignment(names, tuple(readings), cross, tuple(_drift(name, heard[name].taus) for name in names), rounds)


def objective_words(weights: Weights, attributes: Mapping[str, Attribute]) -> str:
    """An objective in words: what is wanted of each attribute, in its unit, by falling share."""
    total = sum(map(abs, weights.values())) or 1.0
    parts = []
    for name, weight in sorted(weights.items(), key=lambda pair: -abs(pair[1])):
        attribute = attributes[name]
        unit = f" ({attribute.unit})" if attribute.unit else ""
        parts.append(f"{'more' if weight > 0 else 'less'} {name.replace('_', ' ')}{unit} {abs(weight) / total:.0%}")
    return ", ".join(parts)


@dataclass(frozen=True)
class _Round:
    """One round: its table, the attributes of all items that can be drawn, and the cross-check."""

    table: Table
    normalised: Floats
    cross: Floats


def _play(world: NegotiationWorld, heard: Mapping[str, _Heard]) -> _Round:
    state = world.state
    world.step()
    assert world.table is not None
    assert world.negotiation is not None
    table, proposals = world.table, world.negotiation.turns[0].proposals
    everything = world.publisher.candidates(world.asked, state, world.scenario.drawable)
    truth = np.array([member.utilities(table) for member in world.stakeholders])
    profile = Profile.from_proposals(proposals, table.candidates.ids)
    taus = tau_b(-profile.ranks, truth)
    for row, member in enumerate(world.stakeholders):
        own = heard[member.name]
        own.ranks.append(profile.ranks[row])
        own.taus.append(float(taus[row]))
        own.elicited.append(_believed(proposals[member.name]))
    best = np.argsort(profile.ranks, axis=1, kind="stable")[:, : table.k]
    abstained = profile.ranks.min(axis=1) == profile.m
    return _Round(table, everything.normalised, np.where(abstained, np.nan, truth[:, best].mean(axis=2)))


def _believed(proposal: Proposal) -> Weights | None:
    weights = proposal.details.get("weights")
    if proposal.details.get("way") != "weigh" or not isinstance(weights, Mapping) or not weights:
        return None
    return _scaled(weights)


def _readings(
    party: Party, member: Stakeholder, seen: Sequence[_Round], heard: _Heard, ratings: Weights | None
) -> list[Reading]:
    stated = [_scaled(member.objective(each.table.request)) for each in seen]
    fixed = party.objective is not None
    found = [Reading(party.name, "stated", _mean(stated), note="" if fixed else "varies with the request; mean")]
    if any(heard.elicited):
        found.append(_compared(party.name, "elicited", heard.elicited, stated, seen))
    found.append(_learned(party.name, seen, heard.ranks, stated, fixed))
    if ratings is not None:
        sign = _mean(stated)
        given = _scaled({name: float(np.copysign(value, sign[name])) for name, value in ratings.items()})
        found.append(_compared(party.name, "human", [given] * len(seen), stated, seen))
    return found


def _learned(
    name: str, seen: Sequence[_Round], ranks: Sequence[Ints], stated: Sequence[Weights], fixed: bool
) -> Reading:
    """A fit on the attributes that tell the candidates of any round apart, normalised as they were on the table."""
    if not fixed:
        return Reading(name, "learned", {}, tau=float("nan"), weight_error=float("nan"), note="varies with the request")
    features = [each.table.candidates.normalised.T for each in seen]
    telling = np.flatnonzero(np.any([np.ptp(x, axis=0) > 0 for x in features], axis=0))
    fit: Learned = learn([x[:, telling] for x in features], ranks)
    if fit.choices == 0:
        return Reading(name, "learned", {}, tau=float("nan"), weight_error=float("nan"), note="it chose nothing")
    names = [seen[0].table.candidates.attributes[place].name for place in telling]
    weights = dict(zip(names, fit.weights.tolist(), strict=True))
    compared = _compared(name, "learned", [weights] * len(seen), stated, seen)
    errors = dict(zip(names, fit.errors.tolist(), strict=True))
    note = f"{fit.choices} choices, McFadden's fit {fit.fit:.2f}"
    return Reading(name, "learned", weights, errors, compared.tau, compared.weight_error, note)


def _compared(
    name: str, method: str, weights: Sequence[Weights | None], stated: Sequence[Weights], seen: Sequence[_Round]
) -> Reading:
    """The reading's mean over the rounds in which there is one."""
    known = [(given, told, each) for given, told, each in zip(weights, stated, seen, strict=True) if given]
    taus, misses = [], []
    for given, told, each in known:
        order = each.table.candidates.attribute_index
        vectors = np.zeros((2, len(order)))
        for row, objective in enumerate((given, told)):
            for attribute, weight in objective.items():
                vectors[row, order[attribute]] = weight
        utilities = utility(each.normalised, vectors)
        taus.append(float(tau_b(utilities[0], utilities[1])))
        misses.append(float(np.abs(vectors[0] - vectors[1]).sum() / 2))
    note = "" if len(known) == len(seen) else f"in {len(known)} of {len(seen)} rounds"
    return Reading(
        name,
        method,
        _mean([given for given, _, _ in known]),
        {},
        _nanmean(np.array(taus)),
        float(np.mean(misses)),
        note,
    )


def _drift(name: str, taus: Sequence[float]) -> Drift:
    values = np.array(taus)
    known = np.flatnonzero(~np.isnan(values))
    half = (len(values) + 1) // 2
    first, last = _nanmean(values[:half]), _nanmean(values[-half:])
    if len(known) < 3:
        return Drift(name, first, last, float("nan"), float("nan"))
    x, y = known - known.mean(), values[known]
    slope = float(x @ y / (x @ x))
    rest = y - y.mean() - slope * x
    return Drift(name, first, last, slope, float(np.sqrt(rest @ rest / (len(known) - 2) / (x @ x))))


def _nanmean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _scaled(weights: Weights) -> Weights:
    total = sum(map(abs, weights.values())) or 1.0
    return {name: weight / total for name, weight in weights.items()}


def _mean(weights: Sequence[Weights]) -> Weights:
    names = dict.fromkeys(name for each in weights for name in each)
    return {name: float(np.mean([each.get(name, 0.0) for each in weights])) for name in names}
