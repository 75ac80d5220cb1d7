"""Importance by rating: how a model without token probabilities is asked what the attributes are worth."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, create_model

LOWEST, HIGHEST = 0, 10
ARGUMENT_LENGTH = 280


def rating_prompt(phrases: Sequence[str]) -> str:
    """The request that goes with `rating_schema`: one rating per phrase and an argument."""
    names = rating_fields(phrases)
    lines = "\n".join(f"- {name}: {phrase}" for name, phrase in zip(names, phrases, strict=True))
    return (
        f"How important is each of these to you, from {LOWEST} (not at all) to {HIGHEST} (more than anything)? "
        f"Use the whole scale, and give two of them the same rating only if they matter equally to you.\n{lines}\n"
        f"In `argument`, say in one or two sentences (at most {ARGUMENT_LENGTH} characters) what you want and why."
    )


def rating_schema(phrases: Sequence[str]) -> type[BaseModel]:
    """The answer's form: a whole number from 0 to 10 per phrase, named by `rating_fields`, and a bounded `argument`.

    Raises:
        ValueError: No phrases.
    """
    if not phrases:
        raise ValueError("a rating needs at least one attribute phrase")
    ratings: dict[str, Any] = {
        name: (int, Field(ge=LOWEST, le=HIGHEST, description=phrase))
        for name, phrase in zip(rating_fields(phrases), phrases, strict=True)
    }
    argument = (str, Field(min_length=1, max_length=ARGUMENT_LENGTH, description="what you want and why"))
    return create_model("Ratings", __config__=ConfigDict(extra="forbid"), **ratings, argument=argument)


def rating_fields(phrases: Sequence[str]) -> tuple[str, ...]:
    """The field name of every phrase: `importance_of_low_prices`; all numbered where that would not tell them apart."""
    slugs = [re.sub(r"[^a-z0-9]+", "_", phrase.lower()).strip("_")[:40] for phrase in phrases]
    if all(slugs) and len(set(slugs)) == len(slugs):
        return tuple(f"importance_of_{slug}" for slug in slugs)
    return tuple(f"importance_of_{index}_{slug}".rstrip("_") for index, slug in enumerate(slugs, start=1))


def weights_from_ratings(answer: BaseModel, phrases: Sequence[str]) -> NDArray[np.float64]:
    """Direct rating: w_j = r_j / sum_k r_k; equal weights if every rating is 0.

    Source: Bottomley, Doyle & Green (2000), Testing the reliability of weight elicitation methods, J. Marketing
    Research 37(4).

    Args:
        answer: An instance of `rating_schema(phrases)`.
        phrases: The phrases in the order of the result.

    Returns:
        Shape `(n,)`; sums to 1.
    """
    ratings = np.array([getattr(answer, name) for name in rating_fields(phrases)], dtype=np.float64)
    total = ratings.sum()
    return ratings / total if total > 0 else np.full(ratings.size, 1.0 / ratings.size)
