"""Calibrated most minus least: the importance a small language model gives to attribute phrases."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from simulator.alignment.canonical import neutral_sentence
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
        score_j    = mml(j | persona + goal) - mml(j | persona + neutral)

    The second opening removes how easily a phrase is repeated, the neutral sentence what the model thinks of it
    without the goal (contextual calibration: Zhao et al. 2021, arXiv 2102.09690). The model supplies the order, the
    centroids the weights.

    Args:
        scorer: The model.
        persona: Who the model is, in the second person: "You are a traveller choosing a city."
        goal: What the stakeholder wants, in the first person; `canonical_sentence` is what small models read best.
        phrases: Distinct attribute phrases of equal length and kind, such as "low prices".
        neutral: The goal's place-holder, equally for or against every phrase; `neutral_sentence(phrases)` if empty.

    Raises:
        ValueError: No phrases, or a phrase twice.
    """
    if not phrases or len(set(phrases)) < len(phrases):
        raise ValueError(f"importance needs distinct attribute phrases, got {list(phrases)}")
    neutral = neutral or neutral_sentence(phrases)
    stated, unstated = await asyncio.gather(
        _most_minus_least(scorer, f"{persona} {goal}", phrases),
        _most_minus_least(scorer, f"{persona} {neutral}", phrases),
    )
    scores = [with_goal - without for with_goal, without in zip(stated, unstated, strict=True)]
    return Elicited(scores=tuple(scores), weights=tuple(centroid_weights(scores).tolist()))


async def _most_minus_least(scorer: PhraseScorer, system: str, phrases: Sequence[str]) -> list[float]:
    most, least = await asyncio.gather(
        *(scorer.phrase_logprobs(system, QUESTION, opening, phrases) for opening in (MOST, LEAST))
    )
    return [m - LEAST_WEIGHT * s for m, s in zip(most, least, strict=True)]
