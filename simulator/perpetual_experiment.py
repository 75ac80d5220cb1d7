"""The simulation of M. Lackner, Perpetual voting (AAAI 2020): perpetual rules on random histories in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simulator.mediators.families.histories import approval_decisions, decisions, dictated
from simulator.mediators.families.perpetual import PerpetualMediator
from simulator.metrics.long_term import (
    influence_gini,
    longest_dry_spell,
    perpetual_quotas,
    quota_compliance,
    satisfied_by,
)
from simulator.profile import Bools, Floats, Ints
from simulator.registry import create
from simulator.seeds import child_seed, generator

BLOCK = 500  # histories at once: their arrays stay in the processor's cache

DICTATORSHIPS = ("random_dictatorship", "random_serial_dictatorship")


def euclidean_histories(
    count: int,
    seed: int,
    *,
    voters: int = 20,
    items: int = 5,
    rounds: int = 20,
    sigma: float = 0.2,
    radius: float = 1.5,
) -> Bools:
    """Approvals `(count, rounds, voters, items)` of voters and items that are points in the plane.

    A third of the voters (rounded down) is normal around (-1/2, -1/2), the others around (1/2, 1/2), with standard
    deviation `sigma` in either direction; voters stay where they are, items are drawn in [-1, 1]^2 anew every round. A
    voter approves the items that are at most `radius` times as far away as the nearest.
    """
    rng = generator(seed, "euclidean histories")
    minority = np.arange(voters) < voters // 3
    places = rng.normal(0.0, sigma, (count, voters, 2)) + np.where(minority, -0.5, 0.5)[:, None]
    offered = rng.uniform(-1.0, 1.0, (count, rounds, items, 2))
    steps = places[:, None, :, None, :] - offered[:, :, None, :, :]
    distances = np.hypot(steps[..., 0], steps[..., 1])
    return np.asarray(distances <= radius * distances.min(axis=-1, keepdims=True))


def decided(rule: str, approvals: Bools, seed: int) -> Ints:
    """The items `(..., T)` that a rule decides for.

    Args:
        rule: a perpetual mediator with its parameters; `av`, approval voting; `random_dictatorship`, a voter drawn
        every
            round, or `random_serial_dictatorship`, an order of all voters, and one of the items left drawn at the end.
        approvals: `(..., T, n, m)`.
        seed: of the dictatorships.

    Raises:
        ValueError: the rule is none of these.
    """
    if rule == "av":
        return approval_decisions(approvals)
    if rule in DICTATORSHIPS:
        rng = generator(seed, rule)
        everyone = np.broadcast_to(np.arange(approvals.shape[-2]), approvals.shape[:-1])
        speakers = rng.permuted(everyone, axis=-1)
        draws = rng.random(approvals.shape[:-2])
        return dictated(approvals, speakers if "serial" in rule else speakers[..., :1], draws)
    mediator = create("mediator", rule)
    if not isinstance(mediator, PerpetualMediator):
        raise ValueError(f"{rule} is no perpetual rule; those are perpetual_..., av, {' and '.join(DICTATORSHIPS)}")
    return decisions(mediator, approvals)


def figures(approvals: Bools, chosen: Ints) -> dict[str, Floats]:
    """What decisions `(..., T)` on histories `(..., T, n, m)` come to, each figure as an array `(...)`.

    `quota_compliance`, `influence_gini`; `satisfaction`, the number of satisfied voters over all rounds relative to
    what approval voting reaches; `longest_dry_spell`, the greatest of any voter. See `simulator.metrics.long_term`.
    """
    satisfied = satisfied_by(approvals, chosen)
    by_approval = satisfied_by(approvals, approval_decisions(approvals))
    return {
        "quota_compliance": quota_compliance(satisfied, perpetual_quotas(approvals)),
        "influence_gini": influence_gini(satisfied),
        "satisfaction": satisfied.sum(axis=(-2, -1)) / by_approval.sum(axis=(-2, -1)),
        "longest_dry_spell": longest_dry_spell(satisfied).max(axis=-1).astype(np.float64),
    }


def experiment(
    rules: Sequence[str], histories: int = 10_000, seed: int = 0, **setting: Any
) -> dict[str, dict[str, Floats]]:
    """The `figures` of each rule on the same random histories, each as an array `(histories,)`.

    Args:
        rules: names as in `decided`.
        histories: how many.
        seed: root of all draws.
        setting: parameters of `euclidean_histories`.
    """
    found: dict[str, dict[str, list[Floats]]] = {rule: {} for rule in rules}
    for number, start in enumerate(range(0, histories, BLOCK)):
        drawn = child_seed(seed, "block", number)
        approvals = euclidean_histories(min(BLOCK, histories - start), drawn, **setting)
        for rule in rules:
            for name, values in figures(approvals, decided(rule, approvals, drawn)).items():
                found[rule].setdefault(name, []).append(values)
    return {rule: {name: np.concatenate(parts) for name, parts in each.items()} for rule, each in found.items()}
