"""Foreign text in a figure is shown as text, short, and never warns or becomes mathematics."""

from __future__ import annotations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from simulator.plots.style import label, labels


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kraków", "Kraków"),
        ("two\nlines\tand  more", "two lines and more"),
        ("🏨 hotel", "□ hotel"),
        ("🗼🌍市", "□"),
        ("a\u202eb\u2066c", "abc"),
        ("\0\x1b[31mred", "[31mred"),
        ("half \ud83d", "half"),
        ("", "□"),
        ("x" * 10_000, "x" * 25 + "…"),
        ("$5 or $6", r"\$5 or \$6"),
    ],
)
def test_label(text: str, expected: str) -> None:
    assert label(text) == expected


def test_labels_of_different_names_differ() -> None:
    assert labels(["市", "町", "x" * 50, "x" * 60]) == ["□", "□ (2)", "x" * 25 + "…", "x" * 25 + "… (2)"]


@pytest.mark.parametrize("text", ["$\\frac{1}{0}$", "$$", "a$b$c", "\\$x\\$", "{}^_\\", "שלום $"])
def test_a_label_is_drawn_as_text(text: str) -> None:
    figure = Figure()
    figure.text(0.5, 0.5, label(text))
    FigureCanvasAgg(figure).draw()  # broken mathematics would raise, a missing glyph would warn
