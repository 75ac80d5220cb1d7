"""A figure as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from simulator.plots.write import FORMATS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_figure(figure: Figure, path: Path) -> Path:
    """Write a PNG, SVG or PDF by the file's ending; the same figure always gives the same file.

    Raises:
        ValueError: there is no such format.
    """
    import matplotlib

    format = path.suffix.removeprefix(".").lower()
    if format not in FORMATS:
        raise ValueError(f"there is no plot format '{format}'; known: {', '.join(FORMATS)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": path.stem, "pdf.fonttype": 42}):
        figure.savefig(path, format=format, metadata=FORMATS[format])
    return path
