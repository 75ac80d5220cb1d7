"""How foreign words (titles, names of attributes, what a model wrote) enter a prompt or a file: as one quoted line."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST_TITLE = 80
MOST_GENRES = 3
# What opens a quotation, a tag, a template or a control token somewhere. A title reads as well without.
_FORM = str.maketrans({'"': "'", **dict.fromkeys("<>{}[]|`\\", " ")})

_YEAR = re.compile(r"\s*\((?:18|19|20)\d\d\)\s*$")
_ARTICLE = re.compile(r"([^,]+), (The|A|An|La|Le|Les|Der|Die|Das|El|Los|Il)")


def one_line(text: str, longest: int) -> str:
    """The text as one line of at most `longest` printing characters, without anything that gives a prompt its form."""
    printed = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * longest].translate(_FORM))
    return " ".join(printed.split())[:longest].rstrip()


def quoted(title: str, genres: Sequence[str] = ()) -> str:
    """A title in double quotes, which it cannot end, with up to three genres behind it; "" if nothing prints."""
    words = one_line(title, LONGEST_TITLE)
    if not words:
        return ""
    kinds = [kind for kind in (one_line(genre, 20) for genre in genres[:MOST_GENRES]) if kind]
    return f'"{words}" ({", ".join(kinds)})' if kinds else f'"{words}"'


def short_title(title: str) -> str:
    """A title without its year and with its article in front: "Truth, The (1996)" as "The Truth".

    Small models read a third less and know the title better so.
    """
    words = _YEAR.sub("", title)
    found = _ARTICLE.fullmatch(words)
    return f"{found[2]} {found[1]}" if found else words or title


def first_words(text: str, limit: int) -> str:
    """The first `limit` words of a line, up to the last sentence that ends within them if one of five words does."""
    words = text.split()
    kept = " ".join(words[:limit])
    if len(words) <= limit:
        return kept
    end = max(kept.rfind(mark) for mark in ".!?。！？")
    return kept[: end + 1] if len(kept[: end + 1].split()) >= 5 else kept
