"""What an error message suggests instead of a name that is not known."""

from __future__ import annotations

import difflib


def nearest(word: str, known: list[str], *, limit: int = 12) -> str:
    """The tail of an error message: the nearest valid name in any case, or up to `limit` names when none is near."""
    folded = {name.casefold(): name for name in reversed(known)}
    close = difflib.get_close_matches(str(word)[:200].casefold(), list(folded), n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{folded[close[0]]}'?"
    if not known or not limit:
        return ""
    shown = ", ".join(sorted(known)[:limit]) + (", ..." if len(known) > limit else "")
    return f"; known: {shown}"
