"""Random serial dictatorship."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from simulator.mediators.base import Cost
from simulator.mediators.families.lottery import Chances, LotteryMediator, Slate, Voices, all_tied, lottery_outcome
from simulator.mediators.families.serial import Ending, endings, items_of
from simulator.outcome import Memory, Outcome, Trace
from simulator.profile import Floats, Ints, Profile
from simulator.registry import register
from simulator.seeds import generator

_NAMED = 8


@register("mediator", "random_serial_dictatorship")
@dataclass(frozen=True)
class RandomSerialDictatorship(LotteryMediator):
    """The ballots are drawn into an order; the first one decides, what it ties the second one decides, and so on.

    The next ballot is drawn with a probability in proportion to its weight, so a weight is a multiplicity. The ranking
    is the lexicographic one: two items stand in the order of the first ballot that does not tie them; items that no
    ballot tells apart tie. Abstentions decide nothing. `scores` holds the exact probabilities to come first, found by
    following every set of items that some order of ballots can leave. These may be exponentially many, and telling what
    can be drawn is hard (Aziz, Brandt and Brill): after 300,000 refinements by a ballot `scores` is None, only the
    drawn outcome is listed, and the outcome is not `complete`. A batch is taken one profile after another.

    Sources: A. Abdulkadiroglu and T. Sonmez, Random serial dictatorship and the core from random endowments in house
    allocation problems, 1998; with ties, H. Aziz, F. Brandt and M. Brill, The computational complexity of random serial
    dictatorship, 2013.
    """

    name: ClassVar[str] = "random_serial_dictatorship"
    properties: ClassVar[tuple[str, ...]] = (
        "anonymous",
        "neutral",
        "monotone",
        "pareto",
        "participation",
        "strategyproof",
    )
    cost: ClassVar[Cost] = "exponential"
    rule: ClassVar[str] = "ballots in a drawn order: the first decides, what it ties the next one decides, and so on"

    def chances(self, profile: Profile) -> Chances:
        """What can come first, of one profile."""
        found = endings(Voices.of(profile), 1)
        if found is None:
            return Chances(np.zeros(profile.m, dtype=np.bool_), None)
        probabilities = _probabilities(found, profile.m)
        return Chances(probabilities > 0, probabilities)

    def mediate(
        self,
        profile: Profile,
        memory: Memory | None = None,
        *,
        k: int = 1,
        priority: Sequence[int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Draw an order of the ballots."""
        voices = Voices.of(profile)
        if not len(voices.weights):
            return all_tied(self, profile, k, priority)
        drawn = _drawn_order(voices.weights, generator(seed, self.name))
        first, ends = endings(voices, 1), endings(voices, k)
        if first is None:
            chances = Chances(np.zeros(profile.m, dtype=np.bool_), None)
        else:
            probabilities = _probabilities(first, profile.m)
            chances = Chances(probabilities > 0, probabilities)
        names = [voices.name(profile, voice) for voice in drawn[:_NAMED].tolist()]
        more = f" and {len(drawn) - _NAMED} more" if len(drawn) > _NAMED else ""
        notes = [f"The draw put the ballots into this order: {', '.join(names)}{more}."]
        if first is None or ends is None:
            notes.append("There are too many ways to draw to list what else could have been drawn.")
        return lottery_outcome(
            self,
            profile,
            _lexicographic(voices.ranks[drawn]),
            chances,
            None if ends is None else _slates(ends, k),
            Trace(self.rule),
            k,
            priority,
            tuple(notes),
        )


def _drawn_order(weights: Floats, rng: np.random.Generator) -> Ints:
    """An order of all ballots in which the next one is drawn in proportion to the weights: a race of their clocks."""
    return np.asarray(np.argsort(rng.exponential(size=len(weights)) / weights, kind="stable"))


def _lexicographic(ballots: Ints) -> Ints:
    """Tiers `(m,)`: items in the order of the first of the ballots `(d, m)` that does not tie them."""
    order = np.lexsort(ballots[::-1])
    columns = ballots[:, order]
    ranks = np.zeros(ballots.shape[1], dtype=np.int64)
    ranks[order[1:]] = np.cumsum((columns[:, 1:] != columns[:, :-1]).any(axis=0))
    return ranks


def _probabilities(ends: Sequence[Ending], m: int) -> Floats:
    """Probabilities `(m,)` to come first; items that end tied share evenly."""
    probabilities = np.zeros(m)
    for end in ends:
        items = items_of(end.fixed or end.open)
        probabilities[items] += end.probability / len(items)
    return probabilities


def _slates(ends: Sequence[Ending], k: int) -> Iterator[Slate]:
    for end in ends:
        fixed = items_of(end.fixed)
        for rest in combinations(items_of(end.open), k - len(fixed)):
            yield tuple(sorted([*fixed, *rest]))
