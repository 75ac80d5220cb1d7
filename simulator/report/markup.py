"""HTML in which every text is escaped unless it was built here."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Child: TypeAlias = "str | Iterable[Child] | None"

# Characters that HTML forbids, halves of surrogate pairs, which UTF-8 cannot hold, and marks that turn the direction of
# the text after them: shown as replaced.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_VOID = frozenset({"meta", "br", "hr", "col"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Foreign text as HTML: what it says, never what it would do."""
    return Markup(html.escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)))


def el(tag: str, *children: Child, **attributes: str | None) -> Markup:
    """An element; strings among the children are escaped, None is nothing, an iterable gives its members.

    Attributes: a trailing underscore is dropped (`class_`), other underscores are hyphens, None leaves one out.
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{given}>" if tag in _VOID else f"<{tag}{given}>{join(children)}</{tag}>")


def join(children: Iterable[Child]) -> Markup:
    """The children one after another."""
    return Markup("".join(_child(child) for child in children))


def foreign(text: object, longest: int | None = None) -> Markup:
    """Foreign text in its own direction; cut openly if it is longer than `longest`."""
    shown = str(text)
    if longest is None or len(shown) <= longest:
        return el("bdi", shown)
    return el("bdi", shown[: longest - 1] + "…", title=f"{len(shown):,} characters; cut here")


def separated(parts: Sequence[Child], mark: str = " · ") -> Markup:
    """The parts with a mark between them."""
    return join([mark if place else None, part] for place, part in enumerate(parts))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    return escaped(child) if isinstance(child, str) else join(child)
