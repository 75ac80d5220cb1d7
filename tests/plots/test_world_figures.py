"""What fills up, how unequally, and where it is."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.text import Annotation

from simulator.plots import draw, kinds_of
from simulator.plots.world import distinct_paths
from simulator.runs import Run
from simulator.runs.read import read_run
from tests.fake_run import fake_run
from tests.report.run_folder import run_folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return read_run(run_folder(tmp_path_factory.mktemp("runs"), 8, items=50))


def test_a_run_without_a_folder_has_neither_and_says_so() -> None:
    memory = fake_run(2)
    assert {"world", "map"}.isdisjoint(kinds_of(memory))
    assert [text.get_text() for text in draw("map", memory).axes[0].texts] == [
        "no items with latitude and longitude were delivered"
    ]
    assert draw("world", memory).axes[0].texts


def test_the_fullest_item_s_line_is_its_crowding(run: Run) -> None:
    assert {"world", "map"} <= set(kinds_of(run))
    course = run.course
    assert course is not None
    fullest = int(course.arrays["crowding"].mean(axis=0).argmax())
    upper, lower = draw("world", run).axes
    line = upper.get_lines()[0]
    assert line.get_xdata().tolist() == list(range(9))
    assert line.get_ydata().tolist() == course.arrays["crowding"][:, fullest].tolist()
    assert upper.get_ylabel() == "crowding"
    assert upper.get_title(loc="left") == "visits"
    np.testing.assert_allclose(lower.get_lines()[0].get_ydata()[1:], course.inequality("crowding")[1:])


def test_items_with_the_same_course_share_a_line(run: Run) -> None:
    course = run.course
    assert course is not None
    found = distinct_paths(course, "crowding")
    assert sum(1 + path.others for path in found) == (course.delivered > 0).sum()
    assert len({path.values.tobytes() for path in found}) == len(found)


def test_the_map_shows_every_delivered_item_at_its_place_and_the_others_in_grey(run: Run) -> None:
    course = run.course
    assert course is not None
    assert course.coordinates is not None
    axes = draw("map", run).axes[0]
    idle, delivered = (group for group in axes.collections if isinstance(group, PathCollection))
    assert len(idle.get_offsets()) == (course.delivered == 0).sum()
    places = {tuple(place) for place in np.asarray(delivered.get_offsets()).tolist()}
    assert places == {tuple(place) for place in course.coordinates[:, course.delivered > 0].T.tolist()}
    order = np.argsort(-course.delivered[course.delivered > 0], kind="stable")
    assert np.diff(delivered.get_sizes()).max() <= 0
    np.testing.assert_allclose(delivered.get_array(), course.arrays["crowding"][-1][course.delivered > 0][order])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("longitude (°)", "latitude (°)")


@pytest.mark.parametrize("width", ["screen", "column"])
def test_names_on_the_map_are_clear_of_each_other(width: str, run: Run) -> None:
    figure = draw("map", run, width)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    notes = [note for note in figure.axes[0].get_children() if isinstance(note, Annotation)]
    boxes = [note.get_window_extent() for note in notes]
    assert len(boxes) >= 5
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
