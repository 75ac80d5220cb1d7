"""Calibrated most minus least: the importance a small language model gives to attribute phrases."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.alignment.balance import balanced_orders
from simulator.alignment.canonical import MOST_PHRASES, canonical_sentence, neutral_sentence
from simulator.alignment.centroids import centroid_weights
from simulator.models.base import PhraseScorer

QUESTION = "Tell me what you want."
MOST = "What matters most to me is"
LEAST = "I do not care about"
# "I do not care about" tells the last attribute from the others and the others apart only by chance. Of the weights 0
# to 1, those from 0.3 to 0.5 recovered the order best, over 122 stated orders of 11 sets of four phrases
# (SmolLM2-135M-Instruct).
LEAST_WEIGHT = 0.4


@dataclass(frozen=True, slots=True)
class Elicited:
    """What a model made of a goal in words, in the order of the phrases.

    Attributes:
        scores: Calibrated most minus least in nats; higher is more important.
        weights: Rank-order-centroid weights of the scores; they sum to 1.
    """

    scores: tuple[float, ...]
    weights: tuple[float, ...]


async def importance(
    scorer: PhraseScorer, *, persona: str, goal: str, phrases: Sequence[str], neutral: str = ""
) -> Elicited:
    """How important every phrase is to somebody with this persona and goal, read off a model's token probabilities.

        mml(j | s) = log P(phrase_j | s, "What matters most to me is") - 0.4 log P(phrase_j | s, "I do not care about")
        score_j    = mml(j | persona + goal) - mean over calibrations c of mml(j | persona + c)

    The second opening removes how easily a phrase is repeated, the calibrations what the model thinks of it without
    the goal (contextual calibration: Zhao et al. 2021, arXiv 2102.09690): the same wording with every phrase in every
    place, from which no order can be read. The model supplies the order, the centroids the weights. The result does not
    depend on the order in which the phrases are given. One phrase is all that matters, and the model is not asked.

    Args:
        scorer: The model.
        persona: Who the model is, in the second person: "You are a traveller choosing a city."
        goal: What the stakeholder wants, in the first person; `canonical_sentence` is what small models read best.
        phrases: Distinct attribute phrases of equal length and kind, such as "low prices".
        neutral: The only calibration, if given: words of the same kind that want nothing.

    Raises:
        ValueError: No phrases, or a phrase twice.
    """
    if not phrases or len(set(phrases)) < len(phrases):
        raise ValueError(f"importance needs distinct attribute phrases, got {list(phrases)}")
    if len(phrases) == 1:
        return Elicited((0.0,), (1.0,))
    known = sorted(phrases)  # an order of importance in the calibrations would tell the model what it is asked
    sentences = [goal, *([neutral] if neutral else calibrations(known))]
    asked = await asyncio.gather(*(_most_minus_least(scorer, f"{persona} {said}", known) for said in sentences))
    stated, unstated = np.array(asked[0]), np.mean(asked[1:], axis=0)
    score = dict(zip(known, (stated - unstated).tolist(), strict=True))
    scores = [score[phrase] for phrase in phrases]
    return Elicited(scores=tuple(scores), weights=tuple(centroid_weights(scores).tolist()))


def calibrations(phrases: Sequence[str]) -> list[str]:
    """Canonical sentences with every phrase equally often in every place; one neutral sentence for too many phrases."""
    if len(phrases) > MOST_PHRASES:
        return [neutral_sentence(phrases)]
    return [canonical_sentence([phrases[place] for place in order]) for order in balanced_orders(len(phrases))]


async def _most_minus_least(scorer: PhraseScorer, system: str, phrases: Sequence[str]) -> list[float]:
    most, least = await asyncio.gather(
        *(scorer.phrase_logprobs(system, QUESTION, opening, phrases) for opening in (MOST, LEAST))
    )
    return [m - LEAST_WEIGHT * s for m, s in zip(most, least, strict=True)]
