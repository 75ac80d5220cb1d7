"""Who hears whom: a directed graph over the stakeholders; an edge goes from the speaker to the hearer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from simulator.callsyntax import CallSyntaxError, parse_call
from simulator.inputs.nearest import nearest

if TYPE_CHECKING:
    import networkx as nx

SHAPES = ("complete", "ring", "star")

Pairs = Sequence[Sequence[str]]


class HearingError(ValueError):
    """A graph that cannot be drawn over these stakeholders; the message says what would be right."""


def hearing_graph(spec: str | Pairs, names: Sequence[str]) -> nx.DiGraph:
    """The graph of a scenario's `hearing`.

    Args:
        spec: `complete` (everyone hears everyone), `ring` (each hears its two neighbours in scenario order),
            `star(center=NAME)` (the others hear the centre alone, and it hears all), or a list of pairs: [a, b] hear
            each other, [a, b, one way] is heard from a by b alone.
        names: the stakeholders in scenario order.

    Raises:
        HearingError: an unknown shape, name or pair.
    """
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for speaker, hearer in _edges(spec, names):
        graph.add_edge(speaker, hearer)
    return graph


def hears(graph: nx.DiGraph) -> Mapping[str, frozenset[str]]:
    """Whom each stakeholder hears, by name."""
    return {name: frozenset(graph.predecessors(name)) for name in graph.nodes}


def _edges(spec: str | Pairs, names: Sequence[str]) -> list[tuple[str, str]]:
    if not isinstance(spec, str):
        return [edge for pair in spec for edge in _pair(pair, names)]
    try:
        shape, params = parse_call(spec)
    except CallSyntaxError as error:
        raise HearingError(str(error)) from None
    if shape not in SHAPES:
        raise HearingError(f"there is no shape '{shape}'{nearest(shape, list(SHAPES))}, or give a list of pairs")
    if sorted(params) != (["center"] if shape == "star" else []):
        raise HearingError("star takes center=NAME, complete and ring take no parameters")
    if shape == "complete":
        return [(a, b) for a in names for b in names if a != b]
    if shape == "ring":
        neighbours = zip(names, [*names[1:], *names[:1]], strict=True)
        return [edge for a, b in neighbours if a != b for edge in ((a, b), (b, a))]
    center = _known(str(params["center"]), names)
    return [edge for name in names if name != center for edge in ((center, name), (name, center))]


def _pair(pair: Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    one_way = len(pair) == 3 and pair[2] == "one way"
    if len(pair) != 2 and not one_way:
        raise HearingError("a pair is [a, b], or [a, b, one way] if b hears a and not the other way round")
    a, b = (_known(name, names) for name in pair[:2])
    if a == b:
        raise HearingError(f"'{a}' need not be told that it hears itself")
    return [(a, b)] if one_way else [(a, b), (b, a)]


def _known(name: str, names: Sequence[str]) -> str:
    if name not in names:
        raise HearingError(f"there is no stakeholder '{name}'{nearest(name, list(names))}")
    return name
