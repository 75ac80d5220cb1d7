"""How a ballot is read by a rule that needs something else; every conversion is a sentence in the outcome's notes."""

from __future__ import annotations

import re

import numpy as np

from simulator.profile import Bools, Floats, Ints, Profile, positions

Notes = tuple[str, ...]

_TOP = re.compile(r"top-([1-9][0-9]{0,8})")
_THRESHOLD = re.compile(r"threshold-([0-9]{1,9}(?:\.[0-9]{1,18})?)")


def utilities_of_ranks(ranks: Ints) -> Floats:
    """Utilities `(..., n, m)` of rankings: u = (m - average position) / (m - 1), and 1 for a single item.

    Tied items share the average of the positions they span, unranked items are tied last. A ballot that ranks nothing
    says nothing about any item: 0 everywhere.
    """
    m = ranks.shape[-1]
    values = (m - positions(ranks)) / (m - 1) if m > 1 else np.ones(ranks.shape)
    silent = ranks.min(axis=-1, initial=m) == m
    if silent.any():
        values[silent] = 0.0
    return values


def utilities(profile: Profile) -> tuple[Floats, Notes]:
    """The ballots' utilities `(..., n, m)`; without any, those of their rankings."""
    values = utilities_of_ranks(profile.ranks) if profile.utilities is None else profile.utilities
    return values, utility_notes(profile)


def utility_notes(profile: Profile) -> Notes:
    """Whether utilities are read from rankings, in words."""
    if profile.utilities is not None:
        return ()
    return ("Utilities come from the rankings: u = (m - average position) / (m - 1), from 1 for first to 0 for last.",)


def nonnegative_utilities(profile: Profile, rule: str) -> tuple[Floats, Notes]:
    """The same for rules that multiply utilities.

    Raises:
        ValueError: a utility is negative.
    """
    values, notes = utilities(profile)
    if values.size and values.min() < 0:
        *_, voter, item = np.unravel_index(int(values.argmin()), values.shape)
        raise ValueError(
            f"{rule} multiplies utilities, which must be at least 0: "
            f"{profile.voters[voter]!r} gives {values.min():g} to {profile.items[item]!r}"
        )
    return values, notes


def cast_weights(profile: Profile) -> Floats:
    """Weights `(..., n)` of the ballots that rank anything: an abstention weighs nothing."""
    return np.where(profile.ranks.min(axis=-1) < profile.m, profile.weights, 0.0)


def check_approve(approve: str) -> None:
    """Refuse an `approve` parameter that names no way to read approvals.

    Raises:
        ValueError: it is none of auto, top, top-N, mean, threshold-X.
    """
    if approve not in ("auto", "top", "mean") and not _TOP.fullmatch(approve) and not _THRESHOLD.fullmatch(approve):
        raise ValueError(
            f"approve is {approve!r}; it can be auto, top (the top k), top-3, mean (at least the ballot's mean), "
            "threshold-0.5 (a utility of at least 0.5)"
        )


def approvals(profile: Profile, approve: str, k: int) -> tuple[Bools, Notes]:
    """What each ballot approves, `(..., n, m)`.

    Args:
        profile: the ballots.
        approve: `auto` takes approvals if given, else utilities at least the ballot's mean if given, else the top k of
            the ranking; `top-N` (`top` for N = k) takes items with fewer than N items strictly above them; `mean` and
            `threshold-X` take items by utility, by utilities of the rankings if none are given. Without utilities an
            unranked item is never approved, and an abstention approves nothing.
        k: the slate's size.
    """
    if approve == "auto":
        if profile.approvals is not None:
            return profile.approvals, ()
        approve = "top" if profile.utilities is None else "mean"
    if approve == "top" or (top := _TOP.fullmatch(approve)):
        depth = k if approve == "top" else int(top[1])  # type: ignore[index]  # `top` matched: the first test failed
        return _top(profile.ranks, depth), (f"Approvals come from the rankings: the top {depth} of each ballot.",)
    values, notes = utilities(profile)
    if threshold := _THRESHOLD.fullmatch(approve):
        line = np.full((*values.shape[:-1], 1), float(threshold[1]))
        said = f"utility at least {threshold[1]}"
    else:
        line = values.mean(axis=-1, keepdims=True)
        said = "utility at least the ballot's mean"
    slack = 1e-12 * np.abs(values).max(axis=-1, keepdims=True)  # the mean of equal numbers can exceed them by rounding
    cast = (profile.ranks < profile.m).any(axis=-1, keepdims=True)
    approved = (values >= line - slack) & (cast if profile.utilities is not None else profile.ranks < profile.m)
    return approved, (*notes, f"Approvals come from the utilities: {said}.")


def _top(ranks: Ints, depth: int) -> Bools:
    """Items with fewer than `depth` items strictly above them: all of the tier that reaches the depth."""
    m = ranks.shape[-1]
    ordered = np.sort(ranks, axis=-1)
    last = ordered[..., min(depth, m) - 1, None]
    return np.asarray((ranks <= last) & (ranks < m))
