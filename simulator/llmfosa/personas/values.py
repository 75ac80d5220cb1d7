"""How the values of an attribute are said in words, so that a language model knows what they mean."""

from __future__ import annotations

import re

from simulator.llmfosa.personas.quoting import one_line

LONGEST_VALUE = 60
_GENDER = {
    "m": "a man",
    "male": "a man",
    "man": "a man",
    "f": "a woman",
    "female": "a woman",
    "woman": "a woman",
}
_AGE = {"age", "age_band", "age_group"}


def worded(attribute: str, value: str) -> str:
    """What somebody with this value is: "a woman" for gender F, "between 18 and 24 years old" for the age band 18-24.

    A value that is not known is said as it stands.
    """
    plain = one_line(value, LONGEST_VALUE)
    name = attribute.casefold().replace(" ", "_")
    if name in ("gender", "sex"):
        return _GENDER.get(plain.casefold(), plain)
    if name in _AGE:
        return _aged(plain)
    if name == "occupation" and re.fullmatch(r"[a-z ]+", plain):
        return f"{'an' if plain[0] in 'aeiou' else 'a'} {plain}"
    return plain


def _aged(band: str) -> str:
    if found := re.fullmatch(r"(\d+)\s*[-–]\s*(\d+)", band):
        return f"between {found[1]} and {found[2]} years old"
    if found := re.fullmatch(r"(?:under|<)\s*(\d+)", band, re.IGNORECASE):
        return f"under {found[1]} years old"
    if found := re.fullmatch(r"(\d+)\s*\+|(?:over|>=?)\s*(\d+)", band, re.IGNORECASE):
        return f"{found[1] or found[2]} years old or older"
    return f"{band} years old" if band.isdecimal() else band
