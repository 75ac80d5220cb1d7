"""In which groups of users the requests are thought to be: shares from a private file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.inputs.csvfile import CsvError, read_csv
from simulator.inputs.yamlfile import KeyPath, Problem
from simulator.requests import Request

if TYPE_CHECKING:
    from simulator.scenario.check import Check
    from simulator.scenario.schema import MembershipSection

_SLACK = 1e-3  # written shares are rounded
_KEY: KeyPath = ("requests", "membership", "file")


def with_membership(check: Check, section: MembershipSection, requests: Sequence[Request]) -> tuple[Request, ...]:
    """The requests with their shares in the groups; problems are said to `check`, by line and never by share.

    The first column of the file names the request, every further one is a group of which it holds the share; the
    shares of a row add up to 1, within a thousandth, and are scaled to that.
    """
    path = check.path(_KEY, section.file, private=True)
    if path is None:
        check.wrong.add(_KEY)
        return tuple(requests)
    try:
        read = read_csv(path)
    except CsvError as error:
        check.problems += [Problem(f"{path}:{line}", message) for line, message in error.faults]
        check.wrong.add(_KEY)
        return tuple(requests)
    check.problems += [Problem(f"{path}:{line}", message) for line, message in read.faults]
    if len(read.header) < 3:
        check.say_once(
            _KEY, f"'{section.file}' needs a column that names the request, and one for each of two or more groups"
        )
        return tuple(requests)
    shares: dict[str, tuple[float, ...]] = {}
    for line, row in read.rows:
        name, found = row[0].strip(), _shares(row[1:])
        if found is None:
            check.problems.append(Problem(f"{path}:{line}", "needs shares from 0 to 1 that add up to 1, one a group"))
        elif name in shares:
            check.problems.append(Problem(f"{path}:{line}", "its request stands in the file twice"))
        shares[name] = found or (1 / (len(row) - 1),) * (len(row) - 1)
    unknown = [request.id for request in requests if request.id not in shares]
    if unknown and not read.faults:
        check.say_once(_KEY, f"'{section.file}' has no row for request '{unknown[0]}'")
    return tuple(replace(request, membership=shares.get(request.id, ())) for request in requests)


def _shares(written: Sequence[str]) -> tuple[float, ...] | None:
    try:
        shares = [float(text) for text in written]
    except ValueError:
        return None
    total = sum(shares)
    valid = all(0 <= share <= 1 for share in shares) and math.isclose(total, 1, abs_tol=_SLACK)
    return tuple(share / total for share in shares) if valid else None
