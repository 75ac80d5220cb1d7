"""Numbers as people read them."""

from __future__ import annotations

import math

from simulator.report.markup import Markup, el, join

LONGEST_NAME = 60
_MINUS = "\N{MINUS SIGN}"


def number(value: float, digits: int = 2) -> str:
    """A number with so many digits; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}".replace("-", _MINUS)


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign; what rounds to 0 has none."""
    rounded = round(value, digits) + 0.0  # -0.0 becomes 0.0
    return f"+{number(rounded, digits)}" if rounded > 0 else number(rounded, digits)


def percent(part: float) -> str:
    """A share as a percentage; a dash where there is none."""
    return "-" if math.isnan(part) else f"{part:.0%}".replace("-", _MINUS)


def count(amount: int, noun: str) -> str:
    """`1 round`, `1,200 rounds`."""
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"


def share(value: float) -> float:
    """How much of a bar a number fills: itself within 0..1, 0 where there is none."""
    return 0.0 if math.isnan(value) else min(max(value, 0.0), 1.0)


def bar(value: float) -> Markup:
    """A number in 0..1 with a bar of its length."""
    return join([el("span", class_="bar", style=f"--share:{share(value):.3f}"), number(value)])
