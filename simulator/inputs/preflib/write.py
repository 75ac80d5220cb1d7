"""A profile as the text of a PrefLib file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.inputs.preflib.read import MOST_VOTERS
from simulator.profile import Profile

_WORDS = {
    "soc": "strict orders of all alternatives",
    "soi": "strict orders",
    "toc": "orders of all alternatives",
    "toi": "orders",
    "cat": "approvals",
}


def preflib_text(profile: Profile, form: str) -> str:
    """The text of a PrefLib file that is read back as the same profile; voters' names alone are left out.

    Ballots stay in their order, one a line, with their weights as counts. A .cat ballot's first category is what it
    approves, further ones the further tiers of its ranking; categories that it does not use stand empty, `{}`.

    Args:
        profile: one profile, without batch axes.
        form: soc, soi, toc, toi or cat.

    Raises:
        ValueError: the format cannot hold this profile exactly; the message says why and what can.
    """
    _check(profile, form)
    tiers = [ballot_tiers(row) for row in profile.ranks.tolist()]
    if form == "cat":
        assert profile.approvals is not None, "checked above"
        groups = [
            _categories(profile, ballot, np.flatnonzero(approved).tolist(), found)
            for ballot, (approved, found) in enumerate(zip(profile.approvals, tiers, strict=True))
        ]
        count = max(2, *map(len, groups)) if groups else 2
        orders = [",".join([*map(_braced, ballot), *["{}"] * (count - len(ballot))]) for ballot in groups]
    else:
        for ballot, found in enumerate(tiers):
            _check_order(profile, form, ballot, found)
        count = 0
        orders = [",".join(map(_plain, found)) or "{}" for found in tiers]
    counts = [int(weight) for weight in profile.weights.tolist()]
    lines = [*_header(profile, form, sum(counts), len(set(orders)), count)]
    lines += [f"{number}: {order}" for number, order in zip(counts, orders, strict=True)]
    return "\n".join([*lines, ""])


def ballot_tiers(ranks: list[int]) -> list[list[int]]:
    """The items of each tier of one ballot, best first, from its row of a profile's ranks."""
    tiers: dict[int, list[int]] = {}
    for item, tier in enumerate(ranks):
        if tier < len(ranks):
            tiers.setdefault(tier, []).append(item)
    return [tiers[tier] for tier in sorted(tiers)]


def _header(profile: Profile, form: str, voters: int, distinct: int, categories: int) -> list[str]:
    kind = "PREFERENCES" if form == "cat" else "ORDERS"
    lines = [
        f"# DATA TYPE: {form}",
        "# MODIFICATION TYPE:",
        f"# NUMBER ALTERNATIVES: {profile.m}",
        f"# NUMBER VOTERS: {voters}",
        f"# NUMBER UNIQUE {kind}: {distinct}",
    ]
    if categories:
        lines.append(f"# NUMBER CATEGORIES: {categories}")
        lines += [f"# CATEGORY NAME {i}: {'Approved' if i == 1 else f'Tier {i}'}" for i in range(1, categories + 1)]
    return [*lines, *(f"# ALTERNATIVE NAME {i}: {name}" for i, name in enumerate(profile.items, start=1))]


def _check(profile: Profile, form: str) -> None:
    if profile.ranks.ndim != 2:
        raise ValueError(f"one profile at a time: ranks have shape {profile.ranks.shape}, expected (n, m)")
    if profile.utilities is not None:
        raise ValueError(f"the ballots have utilities, which a .{form} file cannot hold; write a .json file")
    if (profile.approvals is None) == (form == "cat"):
        has = "no approvals" if form == "cat" else "approvals"
        better = ".toi or .json" if form == "cat" else ".cat or .json"
        raise ValueError(f"the ballots have {has}, but a .{form} file holds {_WORDS[form]}; write a {better} file")
    for name in profile.items:
        if not name or name != name.strip() or "\n" in name or "\r" in name:
            raise ValueError(
                f"{name!r} cannot be an alternative's name in a .{form} file, which must be one line without space at "
                "its ends; write a .json file"
            )
    weights = profile.weights
    odd = np.flatnonzero((weights != np.floor(weights)) | (weights > MOST_VOTERS))
    if len(odd):
        raise ValueError(
            f"{profile.voters[odd[0]]!r} has the weight {weights[odd[0]]:g}, but a .{form} file counts voters; "
            "write a .json file"
        )


def _check_order(profile: Profile, form: str, ballot: int, tiers: Sequence[Sequence[int]]) -> None:
    tied = next((tier for tier in tiers if len(tier) > 1), None)
    if form in ("soc", "soi") and tied is not None:
        one, other = (profile.items[item] for item in tied[:2])
        raise ValueError(
            f"{profile.voters[ballot]!r} ties {one!r} and {other!r}, but a .{form} file holds {_WORDS[form]}; "
            f"write a .to{form[-1]} file"
        )
    ranked = {item for tier in tiers for item in tier}
    if form in ("soc", "toc") and len(ranked) < profile.m:
        missing = next(name for item, name in enumerate(profile.items) if item not in ranked)
        raise ValueError(
            f"{profile.voters[ballot]!r} leaves out {missing!r}, but a .{form} file holds {_WORDS[form]}; "
            f"write a .{form[:-1]}i file"
        )


def _categories(profile: Profile, ballot: int, approved: list[int], tiers: list[list[int]]) -> list[list[int]]:
    if approved and (not tiers or tiers[0] != approved):
        raise ValueError(
            f"{profile.voters[ballot]!r} approves other items than those it ranks first, which a .cat file cannot say; "
            "write a .json file"
        )
    return tiers if approved else [[], *tiers]


def _braced(items: Sequence[int]) -> str:
    return f"{{{','.join(str(item + 1) for item in items)}}}"


def _plain(items: Sequence[int]) -> str:
    return str(items[0] + 1) if len(items) == 1 else _braced(items)
