"""What a figure is made for: a screen, the width of a page, or one column of a page with two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Medium:
    """Sizes that go together.

    Attributes:
        width: of a figure, in inches.
        height: of a figure, as a share of what it is on a screen.
        font: size of the axes' letters in points; titles are larger, legends smaller.
        smallest: size in points that no letter is below.
        stroke: widths of lines and markers, as a share of those on a screen.
        dpi: dots an inch, of a PNG.
        titled: whether a figure says what it is and where it comes from.
        narrow: whether legends stand below the axes and panels above each other.
    """

    width: float
    height: float
    font: float
    smallest: float
    stroke: float
    dpi: int
    titled: bool
    narrow: bool


SCREEN = Medium(8.0, 1.0, 11, 7, 1.0, 150, titled=True, narrow=False)
# The widths of journals and conferences with two columns: 3.3 to 3.5 in, and 6.9 to 7.2 in for the text of a page.
MEDIA = {
    "screen": SCREEN,
    "page": Medium(7.0, 0.78, 8.5, 6.5, 0.8, 300, titled=False, narrow=False),
    "column": Medium(3.4, 0.54, 7.5, 6.2, 0.65, 300, titled=False, narrow=True),
}

_current: ContextVar[Medium] = ContextVar("medium", default=SCREEN)


def medium() -> Medium:
    """What is drawn for now."""
    return _current.get()


@contextmanager
def drawn_for(name: str) -> Iterator[None]:
    """Draw for another medium inside the block.

    Raises:
        ValueError: there is no such medium.
    """
    if name not in MEDIA:
        raise ValueError(f"there is no width '{name}'; known: {', '.join(MEDIA)}")
    token = _current.set(MEDIA[name])
    try:
        yield
    finally:
        _current.reset(token)
