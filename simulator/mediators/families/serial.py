"""What ballots can leave of the items when they refine them one after another, in every order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from simulator.mediators.families.lottery import Voices
from simulator.profile import Ints

MOST_REFINEMENTS = 300_000


@dataclass(frozen=True, slots=True)
class Ending:
    """Where a course of refinement can end; sets of items are bit masks.

    Attributes:
        fixed: items that are in the slate.
        open: items of which the rest of the slate is made; no ballot prefers one of them to another.
        probability: how likely a random order of the ballots ends here.
    """

    fixed: int
    open: int
    probability: float


def endings(voices: Voices, k: int) -> list[Ending] | None:
    """All endings of choosing k items by ballots in random order; None if there is too much to follow.

    The next ballot fills the slate with its best items, tier by tier, and leaves open the tier that is too large; later
    ballots decide about that one. A ballot that is indifferent between the open items changes nothing, and one that
    was asked before is; so the course depends on the open items alone, whoever was asked before, and equal ones are
    followed once, from large to small. Among the ballots that are not indifferent, each is the next with a probability
    in proportion to its weight.
    """
    m = voices.ranks.shape[1]
    ballots = list(zip(map(_tiers, voices.ranks), voices.weights.tolist(), strict=True))
    everything = (1 << m) - 1
    waiting: dict[int, dict[tuple[int, int], float]] = {m: {(0, everything): 1.0}}
    ends: dict[tuple[int, int], float] = defaultdict(float)
    refined = 0
    while waiting:
        for (fixed, open_), probability in waiting.pop(max(waiting)).items():
            refined += len(ballots)
            if refined > MOST_REFINEMENTS:
                return None
            room = k - fixed.bit_count()
            after: dict[tuple[int, int], float] = defaultdict(float)
            for tiers, weight in ballots if room else ():
                taken, left = _refine(tiers, open_, room)
                if taken or left != open_:
                    after[fixed | taken, left] += weight
            total = sum(after.values())
            if not after:
                ends[fixed, open_] += probability
            for state, weight in after.items():
                size = state[1].bit_count()
                layer = waiting.setdefault(size, {}) if size else waiting.setdefault(0, {})
                layer[state] = layer.get(state, 0.0) + probability * weight / total
    return [Ending(fixed, open_, probability) for (fixed, open_), probability in sorted(ends.items())]


def items_of(mask: int) -> list[int]:
    """The items of a bit mask, ascending."""
    return [item for item in range(mask.bit_length()) if mask >> item & 1]


def _tiers(ballot: Ints) -> list[int]:
    masks: dict[int, int] = {}
    for item, tier in enumerate(ballot.tolist()):
        masks[tier] = masks.get(tier, 0) | 1 << item
    return [masks[tier] for tier in sorted(masks)]


def _refine(tiers: list[int], open_: int, room: int) -> tuple[int, int]:
    """What a ballot takes of the open items for sure, and which tier it leaves open."""
    taken = 0
    for tier in tiers:
        best = tier & open_
        size = best.bit_count()
        if size > room:
            return taken, best
        taken |= best
        room -= size
        if not room:
            return taken, 0
    return taken, 0
