"""Figures for papers have the width of a column or a page, letters that can be read at that size, and their fonts."""

from __future__ import annotations

import re
import zlib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from simulator.plots import MEDIA, draw, write_plots
from simulator.runs import Run
from tests.fake_run import fake_run


@pytest.fixture(scope="module")
def crowded() -> Run:
    return fake_run(12, stakeholders=8, items=50)


def shown(figure: Figure) -> list[Text]:
    FigureCanvasAgg(figure).draw()
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


@pytest.mark.parametrize("kind", ["utilities", "satisfaction", "agreement", "rank_paths"])
@pytest.mark.parametrize(("width", "inches", "smallest"), [("column", 3.4, 6.2), ("page", 7.0, 6.5)])
def test_widths_and_letters_of_papers(kind: str, width: str, inches: float, smallest: float, crowded: Run) -> None:
    figure = draw(kind, crowded, width)
    assert figure.get_figwidth() == inches
    assert min(text.get_fontsize() for text in shown(figure)) >= smallest - 1e-9
    assert not figure.get_suptitle()


@pytest.mark.parametrize("kind", ["utilities", "satisfaction", "cost"])
def test_in_a_column_the_legend_stands_below_and_the_figure_grows_for_it(kind: str, crowded: Run) -> None:
    figure = draw(kind, crowded, "column")
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (legend,) = figure.legends
    box = legend.get_window_extent()
    assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
    assert figure.bbox.y0 <= box.y0
    assert all(box.y1 <= axes.get_tightbbox().y0 for axes in figure.axes if axes.axison)
    assert min(axes.get_window_extent().height for axes in figure.axes) / figure.dpi > 0.55  # inches


def test_the_table_of_agreement_has_room_for_its_values_in_a_column(crowded: Run) -> None:
    figure = draw("agreement", crowded, "column")
    FigureCanvasAgg(figure).draw()
    table = next(axes for axes in figure.axes if axes.get_images())
    boxes = [text.get_window_extent() for text in table.texts]
    assert len(boxes) == 36
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_a_pdf_embeds_its_fonts_as_they_are(tmp_path: Path) -> None:
    (path,) = write_plots(fake_run(2), tmp_path, format="pdf", kinds=["utilities"], width="column")
    raw = path.read_bytes()
    streams = re.findall(rb"stream\r?\n(.*?)endstream", raw, re.DOTALL)
    text = raw + b"".join(_inflated(stream) for stream in streams)
    assert b"/FontFile2" in text  # TrueType, embedded
    assert b"/Type3" not in text
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ", text)
    assert box is not None
    assert float(box[1]) == pytest.approx(3.4 * 72)


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_an_svg_needs_no_font(tmp_path: Path) -> None:
    (path,) = write_plots(fake_run(2), tmp_path, format="svg", kinds=["utilities"], width="page")
    assert "<text" not in path.read_text("utf-8")
    assert 'width="504pt"' in path.read_text("utf-8")


def test_a_png_has_300_dots_an_inch(tmp_path: Path) -> None:
    from matplotlib.image import imread

    (path,) = write_plots(fake_run(2), tmp_path, kinds=["turns"], width="column")
    assert np.asarray(imread(path)).shape[1] == 1020


def test_an_unknown_width_is_named_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no width 'poster'; known: screen, page, column"):
        write_plots(fake_run(1), tmp_path / "x", width="poster")
    assert not (tmp_path / "x").exists()
    assert list(MEDIA) == ["screen", "page", "column"]
