"""What the stakeholders of one round propose: a ranking each, and all of them together as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


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
            twice = next(item for item in flat if flat.count(item) > 1)
            raise ValueError(f"item {twice!r} stands twice in one ranking")

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


@dataclass(frozen=True)
class Profile:
    """All ballots of one round (or of a batch of rounds) as arrays.

    Attributes:
        items: the m items' names; their order is the item order of tie rules.
        ranks: integer tiers `(..., n, m)`, 0 = best without gaps, tied items share a tier, unranked items hold m.
        weights: non-negative ballot weights `(..., n)`.
        utilities: optional `(..., n, m)`, larger is better.
        approvals: optional booleans `(..., n, m)`.
        voters: the n ballots' names.
    """

    items: tuple[str, ...]
    ranks: Ints
    weights: Floats
    utilities: Floats | None = None
    approvals: Bools | None = None
    voters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n, m = self.ranks.shape[-2:]
        if m != len(self.items):
            raise ValueError(f"{len(self.items)} items but {m} columns of ranks")
        if self.weights.shape != self.ranks.shape[:-1]:
            raise ValueError(f"weights have shape {self.weights.shape}, expected {self.ranks.shape[:-1]}")
        if not np.isfinite(self.weights).all() or (self.weights < 0).any():
            raise ValueError("ballot weights must be finite and not negative")
        for name, values in (("utilities", self.utilities), ("approvals", self.approvals)):
            if values is not None and values.shape != self.ranks.shape:
                raise ValueError(f"{name} have shape {values.shape}, expected {self.ranks.shape}")
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
        ballots = [ballot if isinstance(ballot, Ranking) else Ranking.of(ballot) for ballot in rankings]
        names = tuple(items) if items is not None else tuple(dict.fromkeys(i for ballot in ballots for i in ballot))
        index = _index(names)
        rows = [[len(names)] * len(names) for _ in ballots]
        try:
            for row, ballot in zip(rows, ballots, strict=True):
                for tier, members in enumerate(ballot.tiers):
                    for item in members:
                        row[index[item]] = tier
        except KeyError as unknown:
            raise ValueError(f"ballot names {unknown}, which is not among the items") from None
        ranks = np.array(rows, dtype=np.int64).reshape(len(rows), len(names))
        return cls(names, ranks, _weights(weights, len(ballots)), voters=tuple(voters))

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
        if not np.isfinite(values).all():
            raise ValueError("utilities must be finite numbers")
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
        profile = cls.from_rankings([[list(b)] if b else [] for b in approvals], weights, items=names, voters=voters)
        return cls(names, profile.ranks, profile.weights, approvals=profile.ranks == 0, voters=profile.voters)

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
        return cls(base.items, base.ranks, base.weights, utilities, approvals, base.voters)

    def singles(self) -> Iterator[Profile]:
        """The profiles of a batch one by one, in order of the leading axes; a profile without them is its only one."""
        for place in np.ndindex(self.ranks.shape[:-2]):
            yield Profile(
                self.items,
                self.ranks[place],
                self.weights[place],
                None if self.utilities is None else self.utilities[place],
                None if self.approvals is None else self.approvals[place],
                self.voters,
            )

    def without(self, voter: int) -> Profile:
        """The same profile without one ballot (by position), for 'what if this one had stayed away'."""
        keep = np.arange(self.n) != voter
        return Profile(
            self.items,
            self.ranks[..., keep, :],
            self.weights[..., keep],
            None if self.utilities is None else self.utilities[..., keep, :],
            None if self.approvals is None else self.approvals[..., keep, :],
            tuple(name for name, kept in zip(self.voters, keep, strict=True) if kept),
        )


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
    offsets = np.arange(len(flat))[:, None] * (m + 1)
    counts = np.bincount((flat + offsets).ravel(), minlength=len(flat) * (m + 1)).reshape(len(flat), m + 1)
    before = np.cumsum(counts, axis=1) - counts
    middle = before + (counts + 1) / 2
    return np.take_along_axis(middle, flat, axis=1).reshape(ranks.shape)


def _index(names: Sequence[str]) -> dict[str, int]:
    index = {name: i for i, name in enumerate(names)}
    if len(index) != len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise ValueError(f"item {twice!r} is listed twice")
    if not index:
        raise ValueError("a profile needs at least one item")
    return index


def _weights(weights: ArrayLike | None, shape: int | tuple[int, ...]) -> Floats:
    return np.ones(shape) if weights is None else np.asarray(weights, dtype=np.float64)
