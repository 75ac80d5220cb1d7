"""Tables as LaTeX: foreign text, numbers with intervals, and the table around them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "[": "{[}", "*": "{*}",  # both are arguments of a line break
}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))


def escape(text: object) -> str:
    """Foreign text for LaTeX, on one line."""
    return _SPECIAL.sub(lambda found: _LATEX[found[0]], " ".join(str(text).split()))


def booktabs(head: Sequence[str], body: Sequence[Sequence[str]], note: str) -> str:
    """A booktabs table of cells that are LaTeX already, the first column left and the others right, and a comment."""
    lines = [" & ".join(row) + r" \\" for row in [head, *body]]
    columns = "l" + "r" * (len(head) - 1)
    parts = ["% needs \\usepackage{booktabs}", f"\\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule"]
    parts += [*lines[1:], r"\bottomrule", r"\end{tabular}", f"% {note}"]
    return "\n".join(parts) + "\n"


def with_half(mean: float, half: float, digits: int = 3) -> str:
    """A mean and the half width of its interval, where there is one."""
    return number(mean, digits) if math.isnan(half) else f"{number(mean, digits)} $\\pm$ {number(half, digits)}"


def number(value: float, digits: int = 3) -> str:
    """A number with so many decimals and a true minus; two dashes for nan."""
    return "--" if math.isnan(value) else f"{value:.{digits}f}".replace("-", "$-$")
