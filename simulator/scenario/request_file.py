"""Requests from a file: JSON or CSV rows, their filters turned into wishes, objective and canonical sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.alignment.canonical import MOST_PHRASES, canonical_sentence
from simulator.alignment.centroids import rank_order_centroids
from simulator.catalogue import Attribute
from simulator.inputs.csvfile import CsvError, read_csv
from simulator.inputs.jsonrows import JsonRowsError, json_rows
from simulator.inputs.nearest import nearest
from simulator.inputs.textfile import TextError, read_text
from simulator.inputs.yamlfile import KeyPath
from simulator.requests import Request, month_number

if TYPE_CHECKING:
    from simulator.scenario.schema import RequestsSection

Row = Mapping[str, Any]
# Line of the request file (None = it stands in the scenario file), the key of the scenario's requests that it is about,
# and the message.
Fault = tuple[int | None, KeyPath, str]


def read_requests(
    path: Path, section: RequestsSection, attributes: Mapping[str, Attribute]
) -> tuple[tuple[Request, ...], list[Fault]]:
    """Every request that is not skipped, in the file's order, and every fault found."""
    faults: list[Fault] = []
    rows = _rows(path, faults)
    known = list(dict.fromkeys(name for _, row in rows for name in row))
    for key, name in (("id", section.id), ("text", section.text), ("filters", section.filters)):
        if rows and name is not None and name not in known:
            faults.append((None, (key,), f"no request has a field '{name}'{nearest(name, known)}"))
    if section.id not in known:
        return (), faults
    seen: dict[str, int] = {}
    requests = []
    for line, row in rows:
        name = _text(row.get(section.id))
        if not name:
            faults.append((line, ("id",), f"has no '{section.id}' to name the request by"))
        elif name in seen:
            faults.append((line, ("id",), f"request {name!r} stands twice (first in line {seen[name]})"))
        else:
            seen[name] = line
        if name not in section.skip:
            requests.append(_request(name, row, line, section, attributes, faults))
    faults += [
        (None, ("skip", name), f"there is no request '{name}' to skip{nearest(name, list(seen))}")
        for name in section.skip
        if name not in seen
    ]
    return tuple(requests), faults


def unused_filters(section: RequestsSection, requests: Sequence[Request]) -> list[str]:
    """Filters that the scenario speaks of and no request has: often a slip of the pen."""
    used = {name for request in requests for name in (*request.filters, *request.fields)}
    return [name for name in dict.fromkeys((*section.wishes, *section.facts)) if name not in used]


def _rows(path: Path, faults: list[Fault]) -> list[tuple[int, Row]]:
    try:
        if path.suffix.lower() != ".csv":
            return list(json_rows(read_text(path)))
        read = read_csv(path)
    except (TextError, JsonRowsError) as error:
        faults.append((error.line or 1, (), error.message))
        return []
    except CsvError as error:
        faults += [(line, (), message) for line, message in error.faults]
        return []
    faults += [(line, (), message) for line, message in read.faults]
    return [(line, dict(zip(read.header, row, strict=True))) for line, row in read.rows]


def _request(
    name: str,
    row: Row,
    line: int,
    section: RequestsSection,
    attributes: Mapping[str, Attribute],
    faults: list[Fault],
) -> Request:
    filters = row.get(section.filters) if section.filters else row
    if not isinstance(filters, Mapping):
        if section.filters in row:
            faults.append((line, ("filters",), f"field '{section.filters}' must be an object of filters"))
        filters = {}
    signs: dict[str, int] = {}
    phrases: dict[str, str] = {}
    unspoken: list[str] = []
    for filter_name, value in filters.items():
        for wanted in value if isinstance(value, list) else [value]:
            wish = _wish(filter_name, wanted, line, section, faults)
            if wish is None:
                continue
            attribute, sign, phrase = wish
            if attribute is None or (attribute not in signs and len(signs) == MOST_PHRASES):
                unspoken.append(f"{filter_name}: {wanted}")
            elif attribute not in signs and attribute in attributes:
                signs[attribute] = sign
                phrases[attribute] = phrase or attributes[attribute].phrase(sign)
            elif signs.get(attribute, sign) != sign:
                unspoken.append(f"{filter_name}: {wanted}")
    weights = rank_order_centroids(len(signs)).tolist()
    return Request(
        id=name,
        text=_text(row.get(section.text)) if section.text else "",
        wish=canonical_sentence(list(phrases.values())) if phrases else "",
        objective={attribute: sign * w for (attribute, sign), w in zip(signs.items(), weights, strict=True)},
        phrases=phrases,
        filters=dict(filters),
        fields={key: value for key, value in row.items() if isinstance(value, str | int | float)},
        month=_month(row, filters, line, section, faults),
        unspoken=tuple(unspoken),
    )


def _wish(
    name: str, value: Any, line: int, section: RequestsSection, faults: list[Fault]
) -> tuple[str | None, int, str] | None:
    """The attribute (None: none speaks of it), sign and phrase of one filter's value; None if it is no wish."""
    if name in section.facts or value is None or (isinstance(value, str) and not value.strip()):
        return None
    if name not in section.wishes:
        if section.filters and name != section.month:
            hint = nearest(name, [*section.wishes, *section.facts])
            faults.append((line, ("wishes",), f"filter '{name}' is neither among the wishes nor the facts{hint}"))
        return None
    table = {known.casefold(): wish for known, wish in section.wishes[name].items()}
    folded = _text(value).casefold()
    if folded not in table:
        hint = nearest(_text(value), list(section.wishes[name]))
        faults.append((line, ("wishes", name), f"filter '{name}' has no wish for {_short(value)}{hint}"))
        return None
    wish = table[folded]
    return (None, 0, "") if wish is None else (wish.attribute, wish.sign, wish.phrase)


def _month(row: Row, filters: Row, line: int, section: RequestsSection, faults: list[Fault]) -> int | None:
    if section.month is None:
        return None
    text = _text(filters.get(section.month) or row.get(section.month))
    month = month_number(text)
    if text and month is None:
        message = f"'{section.month}' is {_short(text)}, which is not a month; write January to December"
        faults.append((line, ("month",), message))
    return month


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
