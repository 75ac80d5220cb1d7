"""Every figure is drawn from any run, shows its numbers, and can be read."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from scipy.stats import kendalltau

from simulator.plots import FORMATS, KINDS, draw, write_plots
from simulator.plots.agreement import mean_agreement
from simulator.plots.end_labels import spread
from simulator.plots.rank_paths import paths
from simulator.plots.thinning import rounds_per_point, thin
from simulator.records import RoundRecord
from simulator.runs import MemoryRecorder, Run
from tests.fake_run import fake_run

RUNS: dict[str, dict[str, Any]] = {
    "8 rounds, 4 stakeholders": {"rounds": 8},
    "8 rounds, 8 stakeholders, 50 items": {"rounds": 8, "stakeholders": 8, "items": 50},
    "1 round, 1 stakeholder": {"rounds": 1, "stakeholders": 1},
    "no round": {"rounds": 0},
    "1000 rounds": {"rounds": 1000, "items": 10},
    "hostile names": {"rounds": 6, "items": 10, "hostile": True, "model": False},
}
DRAWN_DAILY = ("8 rounds, 8 stakeholders, 50 items", "hostile names")


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    return {name: fake_run(**options) for name, options in RUNS.items()}


def small_run(
    ballots: list[dict[str, list[list[str]]]], tiers: list[list[list[str]]], ending: str = "agreement"
) -> Run:
    """Rounds of one turn each: the ballots by stakeholder, and the collective ranking."""
    recorder = MemoryRecorder()
    for number, (cast, outcome) in enumerate(zip(ballots, tiers, strict=True), start=1):
        for name, ranking in cast.items():
            recorder.event({"event": "proposal", "round": number, "turn": 1, "stakeholder": name, "ranking": ranking})
        recorder.event({"event": "outcome", "round": number, "turn": 1, "tiers": outcome, "slate": outcome[0]})
        rows = [{"round": number, "stakeholder": name, "utility": 0.25 * number} for name in cast]
        row = {"round": number, "mediator": "borda", "turns": 1, "ending": ending}
        recorder.round(RoundRecord(number, row, rows, [], []))
    return recorder.run({})


def rendered(figure: Figure) -> Any:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in DRAWN_DAILY else [pytest.mark.slow]) for name in RUNS]
)
@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_is_drawn_without_a_warning(kind: str, name: str, runs: dict[str, Run]) -> None:
    figure = draw(kind, runs[name])
    pixels = np.asarray(rendered(figure).buffer_rgba())
    assert pixels[..., :3].std() > 1  # not an empty sheet


@pytest.mark.parametrize("name", ["8 rounds, 8 stakeholders, 50 items", "hostile names"])
@pytest.mark.parametrize("kind", ["utilities", "fairness", "satisfaction", "turns", "cost"])
def test_legends_stay_on_the_sheet_and_clear_of_the_axes(kind: str, name: str, runs: dict[str, Run]) -> None:
    figure = draw(kind, runs[name])
    renderer = rendered(figure)
    assert figure.legends
    for legend in figure.legends:
        box = legend.get_window_extent(renderer)
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1
        assert all(box.x0 >= axes.get_window_extent(renderer).x1 for axes in figure.axes if axes.axison)


@pytest.mark.parametrize("name", ["8 rounds, 4 stakeholders", "8 rounds, 8 stakeholders, 50 items", "hostile names"])
def test_item_names_at_the_right_do_not_overlap(name: str, runs: dict[str, Run]) -> None:
    figure = draw("rank_paths", runs[name])
    renderer = rendered(figure)
    notes = [child for child in figure.axes[0].get_children() if isinstance(child, Annotation)]
    boxes = [note.get_bbox_patch() or super(Annotation, note).get_window_extent(renderer) for note in notes]
    assert len(boxes) >= 5
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_lines_of_8_stakeholders_differ_in_more_than_colour(runs: dict[str, Run]) -> None:
    (axes,) = draw("utilities", runs["8 rounds, 8 stakeholders, 50 items"]).axes
    looks = {(line.get_marker(), str(line.get_linestyle())) for line in axes.get_lines()}
    assert len(looks) == 8


def test_utilities_are_those_of_the_run(runs: dict[str, Run]) -> None:
    run = runs["8 rounds, 4 stakeholders"]
    figure = draw("utilities", run)
    for line, name in zip(figure.axes[0].get_lines(), run.names, strict=True):
        rows = run.stakeholders[run.stakeholders["stakeholder"] == name]
        assert line.get_xdata().tolist() == rows["round"].tolist()
        assert line.get_ydata().tolist() == rows["utility"].tolist()
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    mean = run.stakeholders.loc[run.stakeholders["stakeholder"] == "tourist", "utility"].mean()
    assert shown[0] == f"tourist\nmean {mean:.2f}"


def test_fairness_shows_what_is_logged_and_says_what_is_not() -> None:
    run = fake_run(3)
    without = Run(
        run.manifest, run.rounds.drop(columns=["gini", "cumulative_gini"]), run.stakeholders, run.timings, run.source
    )
    upper, lower = draw("fairness", without).axes
    assert [line.get_ydata().tolist() for line in upper.get_lines()][2] == run.rounds["nash_welfare"].tolist()
    assert [text.get_text() for text in lower.texts] == ["not logged: gini"]


def test_fairness_shows_gaps_between_groups_once_a_block_is_complete() -> None:
    run = fake_run(4)

    def with_gaps(*gaps: float) -> Run:
        rounds = run.rounds.assign(**{"soft_exposure_js(by=genre)": gaps, "soft_group_utility_gap": np.nan})
        return Run(run.manifest, rounds, run.stakeholders, run.timings, run.source)

    figure = draw("fairness", with_gaps(np.nan, 0.5, 0.5, 0.4))
    (line,) = figure.axes[2].get_lines()
    assert np.nan_to_num(line.get_ydata()).tolist() == [0, 0.5, 0.5, 0.4]
    assert line.get_drawstyle() == "steps-post"
    assert "exposure js: genre" in [text.get_text() for text in figure.legends[0].get_texts()]
    assert len(draw("fairness", with_gaps(*[np.nan] * 4)).axes) == 2


def test_satisfaction_is_the_lead_over_the_average() -> None:
    run = fake_run(5)
    upper, lower = draw("satisfaction", run).axes
    leads = np.array([line.get_ydata() for line in upper.get_lines()[1:]])
    sums = run.by_stakeholder("cumulative_utility").to_numpy().T
    np.testing.assert_allclose(leads, sums - sums.mean(axis=0))
    assert [text.get_text() for text in lower.texts] == [f"{v:.0f}" for v in run.by_stakeholder("dry_spell").iloc[-1]]


def test_agreement_is_scipy_s_tau_b_averaged_over_rounds() -> None:
    ballots = [
        {"a": [["x"], ["y"], ["z"], ["w"]], "b": [["w", "z"], ["x"]]},
        {"a": [["z"], ["y"], ["x"], ["w"]], "b": [["y"], ["z", "x", "w"]]},
    ]
    tiers = [[["x", "w"], ["y"], ["z"]], [["w"], ["x"], ["y", "z"]]]
    places = {
        "a": [(0, 1, 2, 3), (2, 1, 0, 3)],
        "b": [(1, 2, 0, 0), (1, 0, 1, 1)],
        "outcome": [(0, 1, 2, 0), (1, 2, 2, 0)],
    }
    expected = [
        [np.mean([kendalltau(places[p][r], places[q][r]).statistic for r in range(2)]) for q in places] for p in places
    ]
    np.testing.assert_allclose(mean_agreement(small_run(ballots, tiers)), expected)


def test_the_last_ballot_counts_and_an_abstention_does_not() -> None:
    recorder = MemoryRecorder()
    for turn, ranking in ((1, [["y"], ["x"]]), (2, [["x"], ["y"]])):
        recorder.event({"event": "proposal", "round": 1, "turn": turn, "stakeholder": "a", "ranking": ranking})
        recorder.event({"event": "proposal", "round": 1, "turn": turn, "stakeholder": "b", "ranking": []})
        recorder.event({"event": "outcome", "round": 1, "turn": turn, "tiers": [["x"], ["y"]], "slate": ["x"]})
    recorder.round(RoundRecord(1, {"round": 1}, [{"round": 1, "stakeholder": name} for name in "ab"], [], []))
    tau = mean_agreement(recorder.run({}))
    assert tau[0, 2] == 1
    assert np.isnan(tau[1]).all()


def test_paths_give_tied_items_the_mean_of_their_positions() -> None:
    run = small_run([{}, {}], [[["x", "y"], ["z"]], [["z"], ["x"]]])
    found = paths(run)
    assert found.places.tolist() == [1, 2]
    assert found.positions["x"].tolist() == [1.5, 2]
    assert found.positions["z"].tolist() == [3, 1]
    np.testing.assert_equal(found.positions["y"], [1.5, np.nan])
    assert dict(found.delivered) == {"x": 1, "y": 1, "z": 1}


def test_earlier_turns_stand_before_their_round() -> None:
    recorder = MemoryRecorder()
    for turn in (1, 2):
        recorder.event({"event": "outcome", "round": 1, "turn": turn, "tiers": [["x"]], "slate": ["x"]})
    recorder.event({"event": "outcome", "round": 2, "turn": 1, "tiers": [["x"]], "slate": ["x"]})
    for number in (1, 2):
        recorder.round(RoundRecord(number, {"round": number}, [], [], []))
    found = paths(recorder.run({}))
    assert found.places.tolist() == [0.5, 1, 2]
    assert found.delivered["x"] == 2


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([1, 5, 9], [1, 5, 9]),
        ([5, 5], [4.5, 5.5]),
        ([5, 5, 5.5], [4.166667, 5.166667, 6.166667]),
        ([1, 1, 1], [1, 2, 3]),
        ([10, 10], [9, 10]),
        ([9, 1], [9, 1]),
        ([1] * 12, [*range(1, 13)]),
    ],
)
def test_spread_moves_neighbours_apart_and_nothing_else(wanted: list[float], expected: list[float]) -> None:
    np.testing.assert_allclose(spread(wanted, gap=1, low=1, high=10), expected, atol=1e-6)


def test_turns_count_agreements_by_ending() -> None:
    run = small_run([{"a": [["x"]]}] * 3, [[["x"]]] * 3, ending="sealed")
    figure = draw("turns", run)
    assert figure.get_suptitle() == "Turns to agreement: 0 of 3 rounds agreed"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["sealed: nobody\nis asked to agree"]


def test_shares_of_a_long_run_s_endings_add_up(runs: dict[str, Run]) -> None:
    (axes,) = draw("turns", runs["1000 rounds"]).axes
    heights: dict[float, float] = {}
    for bar in axes.patches:
        heights[round(bar.get_x(), 6)] = heights.get(round(bar.get_x(), 6), 0) + bar.get_height()
    assert len(heights) == 30
    assert all(abs(height - 100) < 1e-9 for height in heights.values())


def test_tokens_stack_up_to_the_round_s_total(runs: dict[str, Run]) -> None:
    run = runs["8 rounds, 4 stakeholders"]
    upper, lower = draw("cost", run).axes
    tops = [bar.get_y() + bar.get_height() for bar in upper.patches[-8:]]
    assert tops == (run.rounds["prompt_tokens"] + run.rounds["completion_tokens"]).tolist()
    whole = run.timings[run.timings["stakeholder"].isna()]["seconds"]
    assert lower.get_lines()[-1].get_ydata().tolist() == whole.tolist()


def test_a_run_without_a_model_says_so(runs: dict[str, Run]) -> None:
    upper, _ = draw("cost", runs["hostile names"]).axes
    assert [text.get_text() for text in upper.texts] == ["no tokens: no model was asked"]


def test_long_runs_are_averaged_and_short_ones_are_not() -> None:
    table = pd.DataFrame({"a": np.arange(120.0)}, index=pd.RangeIndex(1, 121, name="round"))
    assert rounds_per_point(50) == 1
    assert thin(table.head(50)).equals(table.head(50))
    thinned = thin(table)
    assert len(thinned) == 40
    assert thinned.index[0] == 2
    assert thinned["a"].iloc[0] == 1


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_run_gives_the_same_files(format: str, tmp_path: Path) -> None:
    run = fake_run(2)
    files = [write_plots(run, tmp_path / name, format=format, kinds=["utilities", "agreement"]) for name in "ab"]
    assert [file.name for file in files[0]] == [f"utilities.{format}", f"agreement.{format}"]
    assert [file.read_bytes() for file in files[0]] == [file.read_bytes() for file in files[1]]


def test_an_unknown_kind_or_format_is_named_with_the_known_ones(tmp_path: Path) -> None:
    run = fake_run(1)
    with pytest.raises(ValueError, match="no plot 'utility'; known: utilities, fairness"):
        write_plots(run, tmp_path / "x", kinds=["utility"])
    with pytest.raises(ValueError, match="no plot format 'gif'; known: png, svg, pdf"):
        write_plots(run, tmp_path / "x", format="gif")
    assert not (tmp_path / "x").exists()


def test_figures_need_no_pyplot_and_naming_them_no_matplotlib() -> None:
    script = (
        "import sys; from simulator.plots import KINDS, draw\n"
        "assert 'matplotlib' not in sys.modules and 'pandas' not in sys.modules\n"
        "from tests.fake_run import fake_run; run = fake_run(2)\n"
        "for kind in KINDS: draw(kind, run)\n"
        "assert 'matplotlib.pyplot' not in sys.modules, 'pyplot'\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
