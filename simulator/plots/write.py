"""Figures as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.plots.kinds import KINDS, draw, kinds_of
from simulator.plots.medium import MEDIA

if TYPE_CHECKING:
    from simulator.runs import Run

# What each format would say about the day it was written; left out, so that the same run gives the same file.
FORMATS: dict[str, dict[str, Any]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


def write_plots(
    run: Run,
    folder: Path | str,
    *,
    format: str = "png",
    kinds: Sequence[str] | None = None,
    width: str = "screen",
) -> list[Path]:
    """Write figures as `<kind>.<format>` into a folder, which is made if it is missing.

    Fonts are embedded in a PDF; the letters of an SVG are drawn as outlines, so that both look the same everywhere.

    Args:
        run: what to draw.
        folder: where to.
        format: png, svg or pdf.
        kinds: which figures; by default all that the run has something to show in.
        width: `screen`, or `page` or `column` of a paper with two columns; these carry no title.

    Returns:
        The files.

    Raises:
        ValueError: no such format, width or kind of figure.
    """
    import matplotlib

    if format not in FORMATS:
        raise ValueError(f"there is no plot format '{format}'; known: {', '.join(FORMATS)}")
    if width not in MEDIA:
        raise ValueError(f"there is no width '{width}'; known: {', '.join(MEDIA)}")
    target = Path(folder)
    files = []
    for kind in kinds_of(run) if kinds is None else kinds:
        figure = draw(kind, run, width)
        target.mkdir(parents=True, exist_ok=True)
        files.append(target / f"{kind}.{format}")
        titled = {} if format == "png" else {"Title": KINDS[kind].question}
        # Type 42 keeps the fonts as they are; journals refuse the bitmapped Type 3.
        with matplotlib.rc_context({"svg.hashsalt": kind, "pdf.fonttype": 42}):
            figure.savefig(files[-1], format=format, metadata={**FORMATS[format], **titled})
    return files
