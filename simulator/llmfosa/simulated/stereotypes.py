"""Six annotators who judge by what they associate with genres, and never see the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.simulated.associations import ASSOCIATIONS, POPULATION, Stereotype
from simulator.llmfosa.simulated.texts import genre_names, genre_shares, share_words, summaries
from simulator.seeds import generator


def stereotypes(
    data: Interactions,
    attribute: str = "gender",
    seed: int = 0,
    personas: int = 6,
    *,
    share: Sequence[float] | None = None,
    lists: Sequence[Stereotype] | None = None,
) -> Annotations:
    """Labels from genres alone: each persona leans by its own list, and cuts at the share that it takes for granted.

    A user's score is the mean over the training items of the mean lean of the item's genres (negative towards the first
    value, positive towards the last). The lowest `share[0]` of the users get the first value, the next `share[1]` the
    second, and so on. The confidence is 1/A + (1 - 1/A) (1 - exp(-d / sd)) with d the distance to the nearest cut and
    sd the standard deviation of the scores. The codes of `data.attributes` are not read, only the names of the values.

    Args:
        data: The interactions with genres; a user without any known genre is not judged (-1).
        attribute: "gender" (F, M), "age" (MovieLens' bands), or "group" of synthetic data.
        seed: Where users of equal score are put in order.
        personas: How many of the lists are used, from the first.
        share: `(A,)` assumed shares of the values; else those of `POPULATION`, or equal ones.
        lists: Other stereotypes instead of `ASSOCIATIONS[attribute]`.

    Raises:
        ValueError: No such attribute or no lists for it, no genres, too many personas, or shares that do not fit.
    """
    if attribute not in data.attributes:
        raise ValueError(f"the data have no attribute '{attribute}'; they have {', '.join(data.attributes) or 'none'}")
    known = ASSOCIATIONS.get(attribute, ()) if lists is None else tuple(lists)
    if not known:
        raise ValueError(f"there are no stereotypes for '{attribute}', only for {', '.join(ASSOCIATIONS)}")
    if not 1 <= personas <= len(known):
        raise ValueError(f"personas must be 1 to {len(known)} (found {personas})")
    values = data.attributes[attribute].values
    cuts = _cuts(attribute, values, share)
    names = genre_names(data)
    if not names:
        raise ValueError("they judge by genres, and no item of the data has one; take independent, or add genres")
    shares = genre_shares(data, names)
    judged = shares.sum(axis=1) > 0
    leans = np.array([[one.leans.get(name, 0.0) for name in names] for one in known[:personas]])
    labels = np.full((len(shares), personas), -1, dtype=np.int64)
    confidence = np.full(labels.shape, np.nan)
    rng = generator(seed, "llmfosa", "simulated", "stereotypes")
    for i, scores in enumerate((shares[judged] @ leans.reshape(personas, -1).T).T):
        labels[judged, i], confidence[judged, i] = _cut(scores, cuts, rng)
    texts = [_rationales(names, shares, lean, labels[:, i], values) for i, lean in enumerate(leans)]
    phrases = _balance(names, shares, leans.mean(axis=0), values)
    return Annotations(
        attribute=attribute,
        values=values,
        personas=tuple(one.persona for one in known[:personas]),
        users=data.users,
        labels=labels,
        confidence=confidence,
        rationales=[list(row) for row in zip(*texts, strict=True)],
        summaries=summaries(phrases, labels, values),
        origin="simulated: genre stereotypes",
    )


def _cuts(attribute: str, values: Sequence[str], share: Sequence[float] | None) -> NDArray[np.float64]:
    """Cumulated shares without the last."""
    public: Mapping[str, float] = POPULATION.get(attribute, {})
    shares = np.asarray([public.get(value, np.nan) for value in values] if share is None else share, dtype=np.float64)
    if share is None and np.isnan(shares).any():
        shares = np.full(len(values), 1 / len(values))
    if len(shares) != len(values) or not (shares >= 0).all() or not np.isclose(shares.sum(), 1, atol=1e-6):
        raise ValueError(f"share must be {len(values)} shares that sum to 1, one for each of {', '.join(values)}")
    return np.cumsum(shares)[:-1]


def _cut(
    scores: NDArray[np.float64], cuts: NDArray[np.float64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Labels by rank, and how far each score is from the nearest cut."""
    n = len(scores)
    order = np.lexsort((rng.random(n), scores))
    starts = np.rint(cuts * n).astype(np.int64)
    labels = np.empty(n, dtype=np.int64)
    labels[order] = np.searchsorted(starts, np.arange(n), side="right")
    if not n:
        return labels, np.empty(0)
    ordered = scores[order]
    edges = (ordered[np.maximum(starts - 1, 0)] + ordered[np.minimum(starts, n - 1)]) / 2
    distance = np.abs(scores[:, None] - edges).min(axis=1, initial=np.inf)
    spread = max(float(scores.std()), 1e-12)
    sure = 1 - np.exp(-distance / spread)
    floor = 1 / (len(cuts) + 1)
    return labels, floor + (1 - floor) * sure


def _rationales(
    names: Sequence[str],
    shares: NDArray[np.float64],
    lean: NDArray[np.float64],
    labels: NDArray[np.int64],
    values: Sequence[str],
) -> list[str]:
    """What a persona saw: the two genres of its list that weigh most in the direction of its label."""
    middle = (len(values) - 1) / 2
    towards = np.where(labels > middle, 1.0, -1.0)[:, None] * lean * shares
    top = np.argsort(-towards, axis=1, kind="stable")[:, :2]
    weight = np.take_along_axis(towards, top, axis=1) > 0
    words = share_words((np.take_along_axis(shares, top, axis=1) * weight).sum(axis=1))
    texts = []
    for label, word, pair, counts in zip(labels.tolist(), words, top.tolist(), weight.tolist(), strict=True):
        seen = [names[at] for at, counted in zip(pair, counts, strict=True) if counted]
        if label < 0:
            texts.append("")
        elif seen:
            texts.append(f"{word} of the history is {' and '.join(seen)}, which I associate with {values[label]}.")
        else:
            texts.append(f"Little of the history speaks against {values[label]}.")
    return texts


def _balance(
    names: Sequence[str], shares: NDArray[np.float64], lean: NDArray[np.float64], values: Sequence[str]
) -> list[str]:
    """The genre that speaks most for the first and the one that speaks most for the last value."""
    weights = shares * lean
    low, high = np.argmin(weights, axis=1), np.argmax(weights, axis=1)
    rows = np.arange(len(shares))
    first, last = share_words(shares[rows, low]), share_words(shares[rows, high])
    return [
        f"{one} of the history is {names[a]} (for {values[0]}), {other.lower()} is {names[b]} (for {values[-1]})"
        for one, a, other, b in zip(first, low, last, high, strict=True)
    ]
