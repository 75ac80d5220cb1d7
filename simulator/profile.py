"""What the stakeholders of one round propose: a ranking each, and all of them together as arrays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LARGEST = 1e100
SMALLEST_WEIGHT = 1e-100


@dataclass(frozen=True, slots=True)
class Ranking:
    """Items from best to worst as tiers; items in one tier are tied, items in no tier are unranked (tied last).

    Raises:
        ValueError: an item stands in it twice, or a tier is empty.
    """

    tiers: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        if not all(self.tiers):
            raise ValueError("a ranking has an empty tier")
        flat = list(self)
        if len(set(flat)) != len(flat):
            raise ValueError(f"item {_first_twice(flat)!r} stands twice in one ranking")

    @classmethod
    def of(cls, ballot: Sequence[str | Sequence[str]]) -> Ranking:
        """Build a ranking from a list; a list inside it is a tie: `["b", ["a", "c"]]`."""
        return cls(tuple((entry,) if isinstance(entry, str) else tuple(entry) for entry in ballot))

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self.tiers)

    def __len__(self) -> int:
        return sum(map(len, self.tiers))


@dataclass(frozen=True, slots=True)
class Proposal:
    """One stakeholder's answer: a ranking (empty = abstention), optionally utilities or approvals, and an argument.

    Attributes:
        ranking: the items it ranks; unknown items never reach a proposal.
        utilities: numbers of at least 0 per item behind the ranking, larger is better; None if it has only a ranking.
        approvals: items it approves; None if it says nothing about approval.
        argument: its argument in words, as a model or a person wrote it; "" if it gives none.
        details: what the log keeps beside it, JSON-able: way of proposing, weights, prompts, replies.
        faults: how often each kind of fault was found in the reply and repaired, by name.
        prompt_tokens, completion_tokens: what the model counted for it.
        calls: model calls made for it.
        fairness: how fairly its goal was served so far, in 0..1 (1 = nothing is owed); None if it does not say.
        compatibility: how well this request suits its goal, in 0..1; None if it says nothing about it.
    """

    ranking: Ranking
    utilities: Mapping[str, float] | None = None
    approvals: tuple[str, ...] | None = None
    argument: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    fairness: float | None = None
    compatibility: float | None = None


@dataclass(frozen=True)
class Profile:
    """All ballots of one round (or of a batch of rounds) as arrays.

    Attributes:
        items: the m items' names; their order is the item order of tie rules.
        ranks: integer tiers `(..., n, m)`, 0 = best without gaps, tied items share a tier, unranked items hold m.
        weights: ballot weights `(..., n)`: 0, or from 1e-100 to 1e100, so that no sum or quotient of them overflows.
        utilities: optional `(..., n, m)`, larger is better, at most 1e100 in size.
        approvals: optional booleans `(..., n, m)`.
        voters: the n ballots' names.
        fairness, compatibility: optional `(..., n)` in 0..1, nan = not known: how fairly each voter was served so far,
            and how well the request suits it, for mediators that allocate before they choose.
    """

    items: tuple[str, ...]
    ranks: Ints
    weights: Floats
    utilities: Floats | None = None
    approvals: Bools | None = None
    voters: tuple[str, ...] = ()
    fairness: Floats | None = None
    compatibility: Floats | None = None

    def __post_init__(self) -> None:
        n, m = self.ranks.shape[-2:]
        if m != len(self.items):
            raise ValueError(f"{len(self.items)} items but {m} columns of ranks")
        if self.weights.shape != self.ranks.shape[:-1]:
            raise ValueError(f"weights have shape {self.weights.shape}, expected {self.ranks.shape[:-1]}")
        if not (self.weights.min(initial=0.0) >= 0.0 and self.weights.max(initial=0.0) < np.inf):
            raise ValueError("ballot weights must be finite and not negative")
        if self.weights.max(initial=0.0) > LARGEST or ((self.weights > 0) & (self.weights < SMALLEST_WEIGHT)).any():
            raise ValueError(
                f"ballot weights must be 0 or lie in {SMALLEST_WEIGHT:g}..{LARGEST:g}; scale them all alike"
            )
        for name, values in (("utilities", self.utilities), ("approvals", self.approvals)):
            if values is not None and values.shape != self.ranks.shape:
                raise ValueError(f"{name} have shape {values.shape}, expected {self.ranks.shape}")
        if self.utilities is not None and not (
            self.utilities.max(initial=0.0) <= LARGEST and self.utilities.min(initial=0.0) >= -LARGEST
        ):
            raise ValueError(f"utilities must be finite numbers of at most {LARGEST:g} in size")
        for name, shares in (("fairness", self.fairness), ("compatibility", self.compatibility)):
            if shares is not None and (shares.shape != self.weights.shape or ((shares < 0) | (shares > 1)).any()):
                raise ValueError(f"{name} must have shape {self.weights.shape} and lie in 0..1")
        if not self.voters:
            object.__setattr__(self, "voters", tuple(f"ballot {i + 1}" for i in range(n)))
        elif len(self.voters) != n:
            raise ValueError(f"{len(self.voters)} voters but {n} ballots")

    @property
    def n(self) -> int:
        """Number of ballots."""
        return int(self.ranks.shape[-2])

    @property
    def m(self) -> int:
        """Number of items."""
        return int(self.ranks.shape[-1])

    @classmethod
    def from_rankings(
        cls,
        rankings: Sequence[Sequence[str | Sequence[str]] | Ranking],
        weights: ArrayLike | None = None,
        *,
        items: Sequence[str] | None = None,
        voters: Sequence[str] = (),
    ) -> Profile:
        """Build a profile from ballots; a list inside a ballot is a tie, a missing item is unranked.

        Args:
            rankings: one ballot per voter, best first.
            weights: one weight per ballot, 1 by default.
            items: the item order; the order of first appearance by default.
            voters: the ballots' names.

        Raises:
            ValueError: an item twice in a ballot, an item that `items` does not list, or no item at all.
        """
        ballots = [_flat(ballot) for ballot in rankings]
        flat = [ballot for ballot, _ in ballots]
        names = tuple(items) if items is not None else tuple(dict.fromkeys(chain.from_iterable(flat)))
        columns, lengths, m = *_columns(flat, names), len(names)
        starts = np.cumsum(lengths) - lengths
        tiers = np.arange(len(columns)) - np.repeat(starts, lengths)
        for (_, sizes), start, length in zip(ballots, starts.tolist(), lengths.tolist(), strict=True):
            if sizes is not None:
                tiers[start : start + length] = np.repeat(np.arange(len(sizes)), sizes)
        ranks = np.full((len(flat), m), m, dtype=np.int64)
        ranks.reshape(-1)[columns + np.repeat(np.arange(len(flat)) * m, lengths)] = tiers
        _check_once(ranks < m, flat, lengths)
        return cls(names, ranks, _weights(weights, len(flat)), voters=tuple(voters))

    @classmethod
    def from_utilities(
        cls,
        utilities: ArrayLike,
        items: Sequence[str],
        weights: ArrayLike | None = None,
        *,
        voters: Sequence[str] = (),
    ) -> Profile:
        """Build a profile from an array `(..., n, m)` of utilities; equal utilities are ties of the ranking.

        Raises:
            ValueError: an item twice or none at all, a utility that is not finite, or another number of columns.
        """
        _index(items)
        values = np.asarray(utilities, dtype=np.float64)
        return cls(
            tuple(items), dense_ranks(values), _weights(weights, values.shape[:-1]), values, voters=tuple(voters)
        )

    @classmethod
    def from_approvals(
        cls,
        approvals: Sequence[Sequence[str]],
        weights: ArrayLike | None = None,
        *,
        items: Sequence[str] | None = None,
        voters: Sequence[str] = (),
    ) -> Profile:
        """Build a profile from approved items per ballot; its ranking ties the approved items above all others."""
        names = tuple(items) if items is not None else tuple(dict.fromkeys(i for ballot in approvals for i in ballot))
        columns, lengths, m = *_columns(approvals, names), len(names)
        approved = np.zeros((len(approvals), m), dtype=np.bool_)
        approved.reshape(-1)[columns + np.repeat(np.arange(len(approvals)) * m, lengths)] = True
        _check_once(approved, approvals, lengths)
        ranks = np.where(approved, 0, m)
        return cls(names, ranks, _weights(weights, len(approvals)), approvals=approved, voters=tuple(voters))

    @classmethod
    def from_proposals(
        cls, proposals: Mapping[str, Proposal], items: Sequence[str], weights: ArrayLike | None = None
    ) -> Profile:
        """Build the profile of a round from the stakeholders' proposals, in the mapping's order.

        Utilities are kept when every proposal that ranks anything has them for every item; otherwise rules on
        utilities convert all rankings. Converting only those without would put two scales side by side: a ranking
        always spans 0 to 1, a weighted mean of attributes seldom does, so whoever failed to give numbers would weigh
        more. Approvals likewise. An abstention's utilities stand as 0 for every item, and no rule counts them: see
        `simulator.mediators.conversions.cast_weights`.
        """
        base = cls.from_rankings(
            [proposal.ranking for proposal in proposals.values()], weights, items=items, voters=list(proposals)
        )
        wanted = set(items)
        cast = [proposal for proposal in proposals.values() if len(proposal.ranking)]
        utilities = approvals = None
        if cast and all(proposal.utilities is not None and proposal.utilities.keys() >= wanted for proposal in cast):
            nothing = dict.fromkeys(items, 0.0)
            rows = [p.utilities if len(p.ranking) and p.utilities else nothing for p in proposals.values()]
            utilities = np.array([[row[item] for item in items] for row in rows], dtype=np.float64)
        if cast and all(proposal.approvals is not None for proposal in cast):
            approved = [set(proposal.approvals or ()) for proposal in proposals.values()]
            approvals = np.array([[item in names for item in items] for names in approved], dtype=np.bool_)
        told = [
            _shares([proposal.fairness for proposal in proposals.values()]),
            _shares([proposal.compatibility for proposal in proposals.values()]),
        ]
        return cls(base.items, base.ranks, base.weights, utilities, approvals, base.voters, *told)

    def singles(self) -> Iterator[Profile]:
        """The profiles of a batch one by one, in order of the leading axes; a profile without them is its only one."""
        for place in np.ndindex(self.ranks.shape[:-2]):
            yield self._each(partial(_taken, place), self.voters)

    def blocks(self, most: int) -> Iterator[tuple[slice, Profile]]:
        """The profiles of a batch, leading axes flattened, in blocks of about `most` numbers, with their places."""
        (*batch, n, m) = self.ranks.shape
        count, step = math.prod(batch), max(1, most // max(1, n * m))
        flat = self._each(lambda array: array.reshape(count, *array.shape[len(batch) :]), self.voters)
        for place in map(slice, range(0, count, step), range(step, count + step, step)):
            yield place, flat._each(partial(_taken, place), self.voters)

    def without(self, voter: int) -> Profile:
        """The same profile without one ballot (by position), for 'what if this one had stayed away'."""
        axis = self.ranks.ndim - 2
        others = tuple(name for place, name in enumerate(self.voters) if place != voter)
        return self._each(lambda array: np.delete(array, voter, axis=axis), others)

    def _each(self, change: Callable[[NDArray[Any]], NDArray[Any]], voters: tuple[str, ...]) -> Profile:
        """A profile of changed arrays."""
        arrays = (self.ranks, self.weights, self.utilities, self.approvals, self.fairness, self.compatibility)
        ranks, weights, *others = (None if array is None else change(array) for array in arrays)
        utilities, approvals, fairness, compatibility = others
        assert ranks is not None
        assert weights is not None
        return Profile(self.items, ranks, weights, utilities, approvals, voters, fairness, compatibility)


def _taken(place: Any, array: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(array[place])


def dense_ranks(values: Floats) -> Ints:
    """Tiers `(..., m)` of values, 0 = largest, equal values share a tier, no gaps."""
    order = np.argsort(-values, axis=-1, kind="stable")
    descending = np.take_along_axis(values, order, axis=-1)
    step = np.zeros(values.shape, dtype=np.int64)
    step[..., 1:] = descending[..., 1:] != descending[..., :-1]
    ranks = np.empty_like(step)
    np.put_along_axis(ranks, order, np.cumsum(step, axis=-1), axis=-1)
    return ranks


def positions(ranks: Ints) -> Floats:
    """Positions `(..., m)` from 1 (best) to m; items that tie share the average of the positions they span.

    Unranked items (tier m) are one tied tier at the bottom.
    """
    m = ranks.shape[-1]
    flat = ranks.reshape(-1, m)
    tied = tied_rows(flat)
    if not tied.any():
        return np.asarray(ranks + 1.0)
    cells, before, after = spans(flat if tied.all() else flat[tied])
    shared = np.asarray((before + after + 1) * 0.5, dtype=np.float64).ravel()[cells]
    if tied.all():
        return np.asarray(shared.reshape(ranks.shape))
    result = np.asarray(flat + 1.0, dtype=np.float64)
    result[tied] = shared
    return result.reshape(ranks.shape)


def tied_rows(ranks: Ints) -> Bools:
    """Which ballots `(b,)` of ranks `(b, m)` tie any items, unranked ones included."""
    m = ranks.shape[-1]
    return np.asarray(ranks.max(axis=-1, initial=0) != m - 1)  # without gaps, m tiers are m different positions


def spans(ranks: Ints) -> tuple[Ints, Ints, Ints]:
    """Which positions the tiers of ballots `(b, m)` span: those above `before` up to `after`.

    Returns:
        cells: `(b, m)`, where in a flattened `(b, m + 1)` array over ballots and tiers the tier of every item stands.
        before, after: `(b, m + 1)`; equal where a tier is empty.
    """
    m = ranks.shape[-1]
    cells = ranks + np.arange(0, len(ranks) * (m + 1), m + 1)[:, None]
    counts = np.bincount(cells.ravel(), minlength=len(ranks) * (m + 1)).reshape(len(ranks), m + 1)
    after = np.cumsum(counts.ravel()).reshape(counts.shape) - np.arange(0, len(ranks) * m, m)[:, None]
    return cells, after - counts, after


def _flat(ballot: Sequence[str | Sequence[str]] | Ranking) -> tuple[Sequence[str], list[int] | None]:
    """The items of a ballot, best first, and the sizes of its tiers; None = it ties nothing."""
    if not isinstance(ballot, Ranking):
        if isinstance(ballot, str) or set(map(type, ballot)) <= {str}:
            return ballot, None  # type: ignore[return-value]  # every entry is an item
        ballot = Ranking.of(ballot)
    flat, sizes = list(ballot), list(map(len, ballot.tiers))
    return flat, None if len(flat) == len(sizes) else sizes


def _columns(ballots: Sequence[Sequence[str]], names: Sequence[str]) -> tuple[Ints, Ints]:
    """The items of all ballots, one after another, as indices into `names`, and the lengths of the ballots."""
    index = _index(names)
    lengths = np.fromiter(map(len, ballots), np.int64, len(ballots))
    try:
        columns = np.fromiter(map(index.__getitem__, chain.from_iterable(ballots)), np.int64, int(lengths.sum()))
    except KeyError as unknown:
        raise ValueError(f"ballot names {unknown}, which is not among the items") from None
    return columns, lengths


def _check_once(named: Bools, ballots: Sequence[Sequence[str]], lengths: Ints) -> None:
    """Refuse an item that stands twice in one ballot: of the named ones `(n, m)` there are less than names then."""
    if np.count_nonzero(named) != lengths.sum():
        ballot = ballots[int(np.flatnonzero(named.sum(axis=1) < lengths)[0])]
        raise ValueError(f"item {_first_twice(ballot)!r} stands twice in one ranking")


def _shares(told: Sequence[float | None]) -> Floats | None:
    """Numbers that some voters give, nan for the others; None if nobody gives any."""
    if all(share is None for share in told):
        return None
    return np.array([np.nan if share is None else share for share in told], dtype=np.float64)


def _first_twice(names: Sequence[str]) -> str:
    return next(name for name, count in Counter(names).items() if count > 1)


def _index(names: Sequence[str]) -> dict[str, int]:
    index = {name: i for i, name in enumerate(names)}
    if len(index) != len(names):
        raise ValueError(f"item {_first_twice(names)!r} is listed twice")
    if not index:
        raise ValueError("a profile needs at least one item")
    return index


def _weights(weights: ArrayLike | None, shape: int | tuple[int, ...]) -> Floats:
    return np.ones(shape) if weights is None else np.asarray(weights, dtype=np.float64)
