"""A recommender's lists from a file: for every user, who is a request, what it would show, with its scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.catalogue import LARGEST, Catalogue
from simulator.inputs.csvfile import CsvError, read_csv
from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import KeyPath, Problem
from simulator.requests import Request

if TYPE_CHECKING:
    from simulator.scenario.check import Check
    from simulator.scenario.schema import RequestsSection

COLUMNS = ("user", "item", "score")
_KEY: KeyPath = ("requests", "lists")


def with_lists(
    check: Check, section: RequestsSection, requests: Sequence[Request], catalogue: Catalogue | None
) -> tuple[Request, ...]:
    """The requests with the scores of their lists; without a file of requests, a request for every user of the lists.

    Users come in the order in which they first stand in the lists, or in that of the file of requests. Problems are
    said to `check`: a column that is missing, a score that is no finite number, an item that the catalogue does not
    have or that stands on a list twice, a request without a list, a list without a request.
    """
    assert section.lists is not None
    path = check.path(_KEY, section.lists)
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
    missing = [name for name in COLUMNS if name not in read.header]
    if missing:
        known = list(read.header)
        check.say_once(_KEY, f"'{section.lists}' has no column '{missing[0]}'{nearest(missing[0], known, limit=40)}")
        return tuple(requests)
    places = [read.header.index(name) for name in COLUMNS]
    lists: dict[str, dict[str, float]] = {}
    for line, row in read.rows:
        user, item, written = (row[place].strip() for place in places)
        scores = lists.setdefault(user, {})
        if user in section.skip:
            continue
        fault = _fault(user, item, written, scores, catalogue)
        if fault is not None:
            check.problems.append(Problem(f"{path}:{line}", fault))
        else:
            scores[item] = float(written)
    if section.file is None:
        requests = [Request(user) for user in lists if user and user not in section.skip]
    elif requests:
        named = {request.id for request in requests}
        unlisted = [request.id for request in requests if request.id not in lists]
        if unlisted:
            check.say_once(_KEY, f"'{section.lists}' has no list for request '{unlisted[0]}'")
        strange = [user for user in lists if user not in named and user not in section.skip]
        if strange:
            check.say_once(_KEY, f"'{section.lists}' has a list for '{strange[0]}', which is no request")
    return tuple(replace(request, scores=lists.get(request.id, {})) for request in requests)


def _fault(user: str, item: str, written: str, scores: dict[str, float], catalogue: Catalogue | None) -> str | None:
    if not user:
        return "has no 'user' whose list it is about"
    if item in scores:
        return f"item {item!r:.60} stands twice on the list of '{user}'"
    if catalogue is not None and item not in catalogue.index:
        return f"the catalogue has no item {item!r:.60}"
    try:
        score = math.nan if "_" in written else float(written)
    except ValueError:
        score = math.nan
    return None if abs(score) <= LARGEST else f"score {written!r:.60} is not a finite number"
