"""Made-up users whose tastes shift with a known attribute, for tests and demonstrations; nothing is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.llmfosa.interactions import Interactions, UserAttribute
from simulator.llmfosa.split import split
from simulator.seeds import generator

GENRE_LEANS = {
    "Romance": -1.0,
    "Musical": -0.7,
    "Children's": -0.6,
    "Drama": -0.4,
    "Comedy": 0.0,
    "Mystery": 0.0,
    "Documentary": 0.0,
    "Crime": 0.3,
    "Western": 0.5,
    "War": 0.6,
    "Sci-Fi": 0.7,
    "Action": 1.0,
}
"""Genres of made-up items with the direction of the shift that they go with."""

LIKES = ((0.8, 0.2, 0.2), (0.8, 0.8, 0.2), (0.2, 0.8, 0.8), (0.2, 0.2, 0.8))
OBSERVED = ((0.6, 0.2, 0.1), (0.3, 0.4, 0.2), (0.1, 0.3, 0.5), (0.05, 0.5, 0.35))
_BATCH = 1024


def generate(
    users: int = 400,
    items: int = 300,
    *,
    seed: int,
    shift: float = 1.0,
    per_user: int = 30,
    values: Sequence[str] = ("a", "b"),
    share: Sequence[float] = (0.5, 0.5),
    factors: int = 8,
    attribute: str = "group",
) -> Interactions:
    """Latent factors with a shift of taste by group.

    A user takes the `per_user` items of the largest score plus a Gumbel draw, which is a draw without replacement with
    odds exp(score), where

        score(u, i) = z_u . v_i / sqrt(factors) + shift c(a_u) t_i + b_i

    with z, v, t and b standard normal; c puts the A values evenly on the line from -1 to 1, so that two values are
    2a - 1. An item's one to three genres g are drawn with odds exp(2 lean_g t_i).

    Args:
        users: How many, n.
        items: How many, m.
        seed: Where everything is drawn from.
        shift: How much the groups differ; 0 for not at all.
        per_user: Interactions of each user, at most m.
        values: The attribute's values by name, two or more.
        share: `(A,)` shares of the values; the counts are these, rounded.
        factors: Dimensions of taste.
        attribute: The attribute's name.

    Raises:
        ValueError: Fewer than two values, shares that do not fit, or sizes out of range.
    """
    if min(users, items, per_user, factors) < 1 or per_user > items:
        raise ValueError("users, items, per_user and factors must be at least 1, and per_user at most items")
    codes = _codes(users, values, share, generator(seed, "llmfosa", "synthetic", "groups"))
    rng = generator(seed, "llmfosa", "synthetic", "tastes")
    z, v = rng.standard_normal((users, factors)), rng.standard_normal((items, factors))
    t, b = rng.standard_normal(items), rng.standard_normal(items)
    place = np.linspace(-1, 1, len(values))[codes]
    draws = generator(seed, "llmfosa", "synthetic", "choices")
    taken = np.empty((users, per_user), dtype=np.int64)
    for start in range(0, users, _BATCH):
        at = slice(start, start + _BATCH)
        scores = z[at] @ v.T / np.sqrt(factors) + shift * place[at, None] * t + b
        scores += draws.gumbel(size=scores.shape)
        taken[at] = np.argpartition(-scores, per_user - 1, axis=1)[:, :per_user]
    genres = _genres(t, generator(seed, "llmfosa", "synthetic", "genres"))
    years = generator(seed, "llmfosa", "synthetic", "years").integers(1950, 2001, items)
    titles = tuple(f"{own[0]} No. {i + 1} ({year})" for i, (own, year) in enumerate(zip(genres, years, strict=True)))
    rows = np.repeat(np.arange(users), per_user)
    return _interactions(
        "synthetic",
        (users, items),
        (rows, taken.ravel(), np.ones(rows.size)),
        titles,
        genres,
        {attribute: UserAttribute(tuple(values), codes)},
        seed,
    )


def block_model(
    users: int = 400,
    items: int = 300,
    *,
    seed: int,
    population: Sequence[float] = (0.4, 0.1, 0.4, 0.1),
    likes: ArrayLike = LIKES,
    observed: ArrayLike = OBSERVED,
) -> Interactions:
    """Four groups of users and three of items (Yao and Huang, Beyond Parity, NeurIPS 2017).

    A user of group g rates an item of group h with probability observed[g, h], and likes it with probability
    likes[g, h]; the strength is 5 for a liked item and 1 for another. The groups are women (W), women in STEM (WS), men
    in STEM (MS) and men (M); the items' genres are Fem, STEM and Masc, a third each.

    Args:
        users: How many, n.
        items: How many, m.
        seed: Where everything is drawn from.
        population: Shares of W, WS, MS and M; the paper also has uniform ones.
        likes: `(4, 3)` probabilities.
        observed: `(4, 3)` probabilities.

    Returns:
        Interactions with the attributes "gender" (F, M) and "group" (W, WS, MS, M).
    """
    like, seen = np.asarray(likes, dtype=np.float64), np.asarray(observed, dtype=np.float64)
    if like.shape != (4, 3) or seen.shape != (4, 3) or min(users, items) < 1:
        raise ValueError("likes and observed must have the shape (4, 3), and users and items be at least 1")
    groups, kinds = ("W", "WS", "MS", "M"), ("Fem", "STEM", "Masc")
    codes = _codes(users, groups, population, generator(seed, "llmfosa", "block model", "groups"))
    kind = np.arange(items) * 3 // items
    rng = generator(seed, "llmfosa", "block model", "ratings")
    rated = rng.random((users, items)) < seen[codes][:, kind]
    liked = rng.random((users, items)) < like[codes][:, kind]
    rows, columns = np.nonzero(rated)
    return _interactions(
        "block model",
        (users, items),
        (rows, columns, np.where(liked[rows, columns], 5.0, 1.0)),
        tuple(f"{kinds[k]} No. {i + 1}" for i, k in enumerate(kind)),
        tuple((kinds[k],) for k in kind),
        {"gender": UserAttribute(("F", "M"), codes // 2), "group": UserAttribute(groups, codes)},
        seed,
    )


def attach(
    data: Interactions,
    name: str,
    genres: Sequence[str],
    *,
    seed: int,
    strength: float = 2.0,
    values: Sequence[str] = ("a", "b"),
    share: Sequence[float] = (0.5, 0.5),
) -> Interactions:
    """The same interactions with a made-up attribute that goes with how often users take some genres.

    The users are put in order of strength * (standardised share of training items with one of the genres) + a logistic
    draw; the lowest share[0] of them get the first value, and so on. With two values this is logistic regression on the
    frequency, in the manner of FLAG (Burke, Kontny and Sonboli, FATRec 2018).

    Args:
        data: Real or made-up interactions with genres.
        name: The new attribute's name.
        genres: The genres that go with the last value.
        seed: Where the draws come from.
        strength: How closely the attribute follows the frequency; 0 for not at all.
        values: The values by name, two or more.
        share: `(A,)` shares of the values.

    Raises:
        ValueError: A genre that no item has, fewer than two values, or shares that do not fit.
    """
    known = {genre for own in data.genres for genre in own}
    unknown = [genre for genre in genres if genre not in known]
    if unknown or not genres:
        raise ValueError(f"no item has the genre {unknown[0]!r}" if unknown else "name at least one genre")
    wanted = frozenset(genres)
    counted = np.array([not wanted.isdisjoint(own) for own in data.genres], dtype=np.float64)
    frequency = (data.train > 0).astype(np.float64) @ counted / np.maximum(np.diff(data.train.indptr), 1)
    centred = (frequency - frequency.mean()) / max(float(frequency.std()), 1e-12)
    latent = strength * centred + generator(seed, "llmfosa", "attach", name).logistic(size=len(centred))
    codes = np.empty(len(latent), dtype=np.int64)
    codes[np.argsort(latent, kind="stable")] = np.repeat(np.arange(len(values)), _counts(len(latent), values, share))
    return replace(data, attributes={**data.attributes, name: UserAttribute(tuple(values), codes)})


def _codes(n: int, values: Sequence[str], share: Sequence[float], rng: np.random.Generator) -> NDArray[np.int64]:
    """Codes in random order whose counts are the shares, rounded."""
    return rng.permutation(np.repeat(np.arange(len(values)), _counts(n, values, share))).astype(np.int64)


def _counts(n: int, values: Sequence[str], share: Sequence[float]) -> NDArray[np.int64]:
    shares = np.asarray(share, dtype=np.float64)
    if len(values) < 2 or len(set(values)) < len(values):
        raise ValueError("values must be two or more different names")
    if shares.shape != (len(values),) or not (shares >= 0).all() or not np.isclose(shares.sum(), 1, atol=1e-6):
        raise ValueError(f"share must be {len(values)} shares that sum to 1 (found {list(share)})")
    ends = np.rint(np.cumsum(shares) * n).astype(np.int64)
    return np.asarray(ends - np.append(0, ends[:-1]), dtype=np.int64)


def _genres(t: NDArray[np.float64], rng: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """One to three genres an item by Gumbel draws on 2 lean t."""
    names, leans = tuple(GENRE_LEANS), np.array(list(GENRE_LEANS.values()))
    counts = rng.integers(1, 4, len(t))
    order = np.argsort(-(2 * t[:, None] * leans + rng.gumbel(size=(len(t), len(names)))), axis=1)
    return tuple(tuple(names[g] for g in row[:count]) for row, count in zip(order, counts, strict=True))


def _interactions(
    name: str,
    shape: tuple[int, int],
    entries: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
    titles: tuple[str, ...],
    genres: tuple[tuple[str, ...], ...],
    attributes: dict[str, UserAttribute],
    seed: int,
) -> Interactions:
    from simulator.llmfosa.matrices import sparse

    rows, columns, strengths = entries
    train, valid, test = split(sparse(rows, columns, strengths, shape), seed=seed)
    users, items = (tuple(f"{letter}{i + 1}" for i in range(n)) for letter, n in zip("ui", shape, strict=True))
    return Interactions(name, users, items, train, valid, test, titles, genres, attributes)
