"""A profile from a PrefLib file, with every fault named by its line."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from simulator.inputs.preflib.header import Fault, Header, Line, read_header, read_old_header
from simulator.inputs.textfile import TextError, read_text
from simulator.inputs.yamlfile import InputError, Problem
from simulator.profile import Profile

MOST_VOTERS = 2**53  # the largest count up to which weights are exact

_GROUP = re.compile(r"\s*(?:\{([^{}]*)\}|([^{},]*?))\s*(?:,|$)")
_NUMBER = re.compile(r"[0-9]{1,17}")

Groups = list[list[str]]  # the numbers of a ballot's tiers or categories, as they are written


def read_preflib(path: Path, form: str) -> Profile:
    """Read a PrefLib file; see `simulator.inputs.preflib` for what its ballots mean.

    The header of today (`# ALTERNATIVE NAME 1: ...`) and, for orders, the one from before 2022 are read.

    Args:
        path: the file.
        form: soc, soi, toc, toi or cat.

    Raises:
        InputError: the file cannot be read, or a line is wrong; every wrong line is named.
    """
    try:
        text = read_text(path)
    except TextError as error:
        place = str(path) if error.line is None else f"{path}:{error.line}"
        raise InputError([Problem(place, error.message)]) from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [(number, stripped) for number, line in enumerate(text.split("\n"), start=1) if (stripped := line.strip())]
    header, ballots = _parted(lines, form)
    reader = _Ballots(header, form)
    faults = list(header.faults)
    if not faults:
        for line, ballot in ballots:
            if fault := reader.add(ballot):
                faults.append((line, fault))
    faults = faults or reader.faults_of_totals()
    if faults:
        raise InputError([Problem(f"{path}:{line}", message) for line, message in faults])
    try:
        return reader.profile()
    except ValueError as error:  # names that cannot be told apart
        raise InputError([Problem(str(path), str(error))]) from None


def _parted(lines: list[Line], form: str) -> tuple[Header, list[Line]]:
    if lines and lines[0][1].isascii() and lines[0][1].isdecimal() and form != "cat":
        header, taken = read_old_header(lines)
        return header, lines[taken:]
    above = [line for line in lines if line[1].startswith("#")]
    return read_header(above, form), [line for line in lines if not line[1].startswith("#")]


class _Ballots:
    """The ballots read so far."""

    def __init__(self, header: Header, form: str) -> None:
        self._header = header
        self._form = form
        self._index = {number: place for place, number in enumerate(header.numbers)}
        self._most_entries = len(header.numbers) + (header.categories if form == "cat" else 0)
        self._rows: list[list[int]] = []
        self._approved: list[list[int]] = []
        self._counts: list[int] = []
        self._voters = 0

    def add(self, text: str) -> str | None:
        """Take one ballot; what is wrong with it, if anything."""
        count, mark, order = text.partition(self._header.separator)
        if not mark:
            return f"must be 'count{self._header.separator} order', found {_shown(text)}"
        count = count.strip()
        if not _NUMBER.fullmatch(count) or int(count) > MOST_VOTERS:
            return f"a ballot's count must be a whole number from 0 to {MOST_VOTERS}, found {_shown(count)}"
        if order.count(",") >= self._most_entries:  # before anything is made of a line that may be endless
            return f"has {order.count(',') + 1} entries, but there are {len(self._index)} alternatives"
        if "{" not in order and "}" not in order:
            groups: Groups | str = [[entry.strip()] for entry in order.split(",")]
        else:
            groups = _groups(order)
        if isinstance(groups, str):
            return groups
        return self._add_groups(int(count), groups)

    def _add_groups(self, count: int, groups: Groups) -> str | None:
        index, m = self._index, len(self._index)
        row = [m] * m
        tier = ranked = 0
        try:
            for group in groups:
                for number in group:
                    if row[index[number]] != m:
                        return f"alternative {number} stands twice"
                    row[index[number]] = tier
                ranked += len(group)
                tier += bool(group)
        except KeyError as unknown:
            return self._unknown(str(unknown.args[0]))
        if fault := self._form_fault(groups, tier, ranked):
            return fault
        self._rows.append(row)
        self._approved.append([index[number] for number in groups[0]])
        self._counts.append(count)
        self._voters += count
        return None if self._voters <= MOST_VOTERS else f"there are more than {MOST_VOTERS} voters up to here"

    def _unknown(self, number: str) -> str:
        if not number:
            return "has an empty entry; alternatives are numbers with a comma between them"
        if not _NUMBER.fullmatch(number):
            return f"{_shown(number)} is no alternative's number; they stand with a comma between them, ties in braces"
        known = f"{self._header.numbers[0]} to {self._header.numbers[-1]}"
        return f"there is no alternative {number} (the header names {known})"

    def _form_fault(self, groups: Groups, tiers: int, ranked: int) -> str | None:
        form, m = self._form, len(self._index)
        if form == "cat":
            most = self._header.categories
            return f"has {len(groups)} categories, NUMBER CATEGORIES is {most}" if len(groups) > most else None
        if any(not group for group in groups) and len(groups) > 1:
            return "has an empty tie"
        if form in ("soc", "soi") and tiers < ranked:
            return f"ties alternatives; a file with ties is a .to{form[-1]} file"
        if form in ("soc", "toc") and ranked < m:
            return f"ranks {ranked} of {m} alternatives; a file with incomplete orders is a .{form[:-1]}i file"
        return None

    def faults_of_totals(self) -> list[Fault]:
        """Where the header counts other ballots than there are."""
        faults = []
        if self._header.voters is not None and self._header.voters[0] != self._voters:
            said, line = self._header.voters
            faults.append((line, f"says {said} voters, but the ballots' counts add up to {self._voters}"))
        if self._header.distinct is not None:
            said, line = self._header.distinct
            distinct = len(set(map(tuple, self._rows)))
            if said not in (distinct, len(self._rows)) and self._form != "cat":
                faults.append((line, f"says {said} different orders, but there are {distinct}"))
            elif said > len(self._rows):
                faults.append((line, f"says {said} different ballots, but there are only {len(self._rows)} lines"))
        return faults

    def profile(self) -> Profile:
        """All ballots."""
        n, m = len(self._rows), len(self._index)
        ranks = np.array(self._rows, dtype=np.int64).reshape(n, m)
        weights = np.array(self._counts, dtype=np.float64)
        names = self._header.names
        base = Profile.from_rankings([], items=names)  # checks the names
        approvals = None
        if self._form == "cat":
            approvals = np.zeros((n, m), dtype=np.bool_)
            for row, approved in zip(approvals, self._approved, strict=True):
                row[approved] = True
        return Profile(base.items, ranks, weights, approvals=approvals)


def _groups(order: str) -> Groups | str:
    """The groups of an order with braces, or what is wrong with it."""
    groups: Groups = []
    at = 0
    while True:
        found = _GROUP.match(order, at)
        if found is None:
            return f"is no list of numbers and ties in braces: {_shown(order[at:].strip())}"
        inside, single = found.groups()
        if inside is None:
            groups.append([single])
        else:
            groups.append([entry.strip() for entry in inside.split(",")] if inside.strip() else [])
        at = found.end()
        if not found.group().endswith(","):
            return groups


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
