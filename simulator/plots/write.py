"""Figures as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.plots.kinds import KINDS, draw

if TYPE_CHECKING:
    from simulator.runs import Run

# What each format would say about the day it was written; left out, so that the same run gives the same file.
FORMATS: dict[str, dict[str, Any]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


def write_plots(
    run: Run, folder: Path | str, *, format: str = "png", kinds: Sequence[str] = tuple(KINDS)
) -> list[Path]:
    """Write figures as `<kind>.<format>` into a folder, which is made if it is missing.

    Args:
        run: what to draw.
        folder: where to.
        format: png, svg or pdf.
        kinds: which figures; all by default.

    Returns:
        The files.

    Raises:
        ValueError: no such format or kind of figure.
    """
    import matplotlib

    if format not in FORMATS:
        raise ValueError(f"there is no plot format '{format}'; known: {', '.join(FORMATS)}")
    target = Path(folder)
    files = []
    for kind in kinds:
        figure = draw(kind, run)
        target.mkdir(parents=True, exist_ok=True)
        files.append(target / f"{kind}.{format}")
        with matplotlib.rc_context({"svg.hashsalt": kind}):
            figure.savefig(files[-1], format=format, metadata=FORMATS[format])
    return files
