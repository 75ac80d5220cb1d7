"""What the figures show, and that they are the same each time."""

import numpy as np
import pytest

from simulator.llmfosa.crowds import match
from simulator.llmfosa.figures import confusion, front, projection, roc, write_figure
from simulator.llmfosa.figures.projection import pca
from simulator.llmfosa.measures import Attack, Curve
from simulator.llmfosa.tables import Result, Results
from simulator.plots.medium import drawn_for
from tests.llmfosa.tables.trained import trained

AWKWARD = "$x_1 & \N{CJK UNIFIED IDEOGRAPH-4E2D}\n" + "long " * 20


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_the_front_has_a_line_a_method_and_fills_the_points_that_none_beats():
    results = Results.of([*trained().rows, Result("worse", 0, {"ndcg@10": 0.15, "dp@10": 0.5})])
    figure = front(results)
    (axes,) = figure.axes
    assert legend(figure) == ["fairer", "plain", "BPR_MF & co", "worse", "floor: labels permuted"]
    filled = {(round(x, 6), round(y, 6)) for line in axes.lines if line.get_zorder() == 4 for x, y in line.get_xydata()}
    means = [
        (round(results.summary(each, "dp@10").mean, 6), round(results.summary(each, "ndcg@10").mean, 6))
        for each in results.settings
        if each[0] in ("fairer", "BPR_MF & co")
    ]
    assert filled == set(means)
    floor = [line for line in axes.lines if line.get_zorder() == 1]
    assert floor[0].get_xdata()[0] == pytest.approx(0.14)


def test_the_front_has_error_bars_of_the_intervals():
    (axes,) = front(trained()).axes
    bars = [segment for collection in axes.collections for segment in collection.get_segments()]
    halves = [abs(segment[1] - segment[0]) / 2 for segment in bars]
    assert any(half[0] > 0 for half in halves)
    wanted = trained().summary(("fairer", 0.1), "ndcg@10")
    assert any(half[1] == pytest.approx(wanted.high - wanted.mean) for half in halves)


def test_a_front_without_points_says_so():
    (axes,) = front(Results.of([Result("a", 0, {"ndcg@10": 0.5})])).axes
    assert "no result has both" in axes.texts[0].get_text()


def test_estimated_matrices_stand_above_the_true_ones_after_matching():
    true = np.array([[[0.8, 0.2], [0.3, 0.7]], [[0.6, 0.4], [0.1, 0.9]]])
    estimated = true[:, ::-1] + np.array([[0.05, -0.05], [0.0, 0.0]])
    figure = confusion(estimated, true, ["film critic", AWKWARD], ["woman", "man"])
    shown = [np.asarray(axes.images[0].get_array()) for axes in figure.axes]
    np.testing.assert_allclose(shown, [*match(estimated, true)[0], *true])
    assert [text.get_text() for text in figure.axes[2].texts] == [".80", ".20", ".30", ".70"]


def test_many_personas_and_values_are_drawn_without_numbers_but_with_a_scale():
    matrices = np.random.default_rng(0).dirichlet(np.ones(21), (7, 21))
    figure = confusion(matrices, None, [f"persona {place}" for place in range(7)], [str(age) for age in range(21)])
    assert sum(len(axes.images) for axes in figure.axes) == 7
    assert not any(axes.texts for axes in figure.axes)
    assert figure.axes[-1].get_ylabel() == "probability of the label"


def test_matrices_that_fit_no_names_are_refused():
    with pytest.raises(ValueError, match="do not fit 1 personas"):
        confusion(np.ones((2, 2, 2)) / 2, None, ["a"], ["x", "y"])


def test_principal_components_carry_the_variance_of_the_singular_values():
    draw = np.random.default_rng(0)
    cloud = draw.normal(size=(200, 3)) * [5.0, 2.0, 0.5]
    places, shares = pca(cloud)
    np.testing.assert_allclose(places.var(axis=0) / cloud.var(axis=0).sum(), shares)
    assert shares[0] > shares[1] > 0.1
    flat, alone = pca(cloud[:, :1])
    assert flat.shape == (200, 2)
    assert alone.tolist() == pytest.approx([1, 0])


def test_users_are_projected_in_the_colours_of_their_groups():
    pytest.importorskip("sklearn")
    draw = np.random.default_rng(0)
    codes = np.append(np.arange(60) % 2, [-1] * 5)
    figure = projection({"s": draw.normal(size=(65, 3)), "p": draw.normal(size=(65, 2))}, codes, ["a", "b"], most=40)
    assert legend(figure) == ["a", "b"]
    for axes in figure.axes:
        (points,) = axes.collections
        assert len(points.get_offsets()) == 40
        assert len(np.unique(points.get_facecolors(), axis=0)) == 2
    assert np.isfinite(figure.axes[2].collections[0].get_offsets()).all()


def test_too_few_users_are_not_projected():
    figure = projection({"s": np.zeros((3, 2))}, [0, 1, 0], ["a", "b"])
    assert "fewer than four" in figure.axes[0].texts[0].get_text()


def attacked(area):
    """An attack whose curve is two straight lines with the given area."""
    curve = Curve(np.array([0, 0.5, 1]), np.array([0, 2 * area - 0.5, 1]))
    figures = {"logistic": area, "mlp": area}
    return Attack(figures, figures, {name: {1: curve} for name in figures}, 10)


def test_curves_are_means_over_seeds_with_their_area_beside_them():
    figure = roc({"BPR": [attacked(0.7), attacked(0.6)], "fair": attacked(0.55)})
    assert legend(figure) == ["BPR", "fair", "chance"]
    first = figure.axes[0].lines[0]
    assert np.interp(0.5, first.get_xdata(), first.get_ydata()) == pytest.approx(0.8)
    assert [text.get_text() for text in figure.axes[1].get_legend().get_texts()] == ["0.650", "0.550"]


def test_without_attacks_the_figure_says_so():
    assert "nothing was attacked" in roc({}).axes[0].texts[0].get_text()


@pytest.mark.parametrize("medium", ["screen", "column"])
def test_every_figure_can_be_drawn_for_screens_and_papers_whatever_the_names(tmp_path, medium):
    with drawn_for(medium):
        for figure in (
            front(trained(), source=AWKWARD),
            confusion(np.full((2, 2, 2), 0.5), None, [AWKWARD, "b"], [AWKWARD, "y"]),
            roc({AWKWARD: attacked(0.7)}, source=AWKWARD),
        ):
            write_figure(figure, tmp_path / "figure.png")  # a warning of the layout or of a glyph is an error


def test_the_same_figure_gives_the_same_file(tmp_path):
    one, other = (write_figure(roc({"a": attacked(0.7)}), tmp_path / name / "roc.svg") for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no plot format 'bmp'"):
        write_figure(front(trained()), tmp_path / "front.bmp")
