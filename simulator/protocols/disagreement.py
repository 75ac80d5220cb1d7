"""What a round delivers when its parties do not agree, stated beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from simulator.bargaining.settlement import settlement
from simulator.mediators.conversions import utilities
from simulator.outcome import Outcome
from simulator.profile import Floats, Profile, Proposal
from simulator.protocols.base import Floor
from simulator.seeds import generator

Disagreement = Literal["mediator", "draw"]


def check_disagreement(disagreement: str) -> None:
    """Refuse a word that names no disagreement outcome.

    Raises:
        ValueError: it is neither `mediator` nor `draw`.
    """
    if disagreement not in get_args(Disagreement):
        raise ValueError(f"disagreement is {disagreement!r}; it can be mediator or draw")


def declared_worth(proposals: Mapping[str, Proposal], floor: Floor) -> Floats:
    """What the ballots declare the candidates to be worth, `(n, m)`; a ranking counts (m - position) / (m - 1)."""
    return utilities(Profile.from_proposals(proposals, floor.items, floor.weights))[0]


def disagreement_outcome(
    disagreement: Disagreement, floor: Floor, opening: Outcome, declared: Floats
) -> tuple[Outcome, str]:
    """The stated outcome of a round without agreement, and why.

    Args:
        disagreement: `mediator`, what the scenario's mediator made of the opening ballots; `draw`, a slate drawn by
            the round's seed.
        floor: the round.
        opening: the mediator's outcome of the opening ballots.
        declared: `(n, m)` what the ballots declare.
    """
    if disagreement == "mediator":
        return opening, "No agreement: the mediator's decision on the opening ballots stands."
    slate = np.sort(generator(floor.seed, "disagreement").permutation(len(floor.items))[: floor.k]).tolist()
    drawn = settlement("draw", slate, opening, rule="a slate drawn by the round's seed", declared=declared)
    return floor.settle(drawn), "No agreement: the slate was drawn."
