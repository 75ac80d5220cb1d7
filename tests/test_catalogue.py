"""Catalogues: what is read from a CSV file, how attributes are normalised, and what objectives make of them."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from simulator.catalogue import Attribute, CatalogueError, normalise, read_catalogue, utility

nan = np.nan


def read(folder, text, id_column="item"):
    path = folder / "items.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_catalogue(path, id_column)


def faults(folder, text, id_column="item"):
    with pytest.raises(CatalogueError) as caught:
        read(folder, text, id_column)
    return list(caught.value.faults)


def test_columns_keep_their_text_and_items_their_order_and_line(tmp_path):
    catalogue = read(tmp_path, 'item, price ,note\r\n b ,1,"x, ""y"""\r\n\r\na,,\r\n')
    assert catalogue.ids == ("b", "a")
    assert catalogue.index == {"b": 0, "a": 1}
    assert catalogue.columns["note"] == ('x, "y"', "")
    assert catalogue.lines == (2, 4)
    np.testing.assert_array_equal(catalogue.numbers("price"), [1, nan])


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path):
    assert read(tmp_path, b"\xef\xbb\xbfitem,x\na,1\n").ids == ("a",)


def test_line_separators_of_unicode_do_not_end_a_row(tmp_path):
    assert read(tmp_path, "item,note\na,x\u2028y\x0cz\u0085\nb,\n").columns["note"] == ("x\u2028y\x0cz\u0085", "")


@pytest.mark.parametrize(
    "name", ["Ünïcødé 市場 🏰", "<script>alert(1)</script>", "مطعم", "a\u202eb", 'O\'Neil, "Bar"', "x" * 10_000]
)
def test_foreign_names_are_names(name, tmp_path):
    quoted = '"' + name.replace('"', '""') + '"'
    assert read(tmp_path, f"item\n{quoted}\n").ids == (name,)


@pytest.mark.parametrize("name", ["a|b", "a\nb", "a\tb", "\x1b[2J", "a\x00", "a\u2028b"])
def test_names_that_no_slate_or_prompt_can_hold_are_refused(name, tmp_path):
    ((line, message),) = faults(tmp_path, f'item\n"{name}"\n')
    assert line == 2
    assert message.startswith("item ")
    assert message.isprintable()


def test_every_fault_has_the_line_in_which_its_row_starts(tmp_path):
    text = 'item,x\n"two\nlines",1\na,1\nb\n\na,1\n,1\n'
    assert [line for line, _ in faults(tmp_path, text)] == [2, 5, 7, 8]


def test_every_repetition_of_an_item_names_the_first(tmp_path):
    said = [message for _, message in faults(tmp_path, "item\nb\na\na\na\n")]
    assert said == ["item 'a' stands twice (first in line 3)"] * 2


def test_the_rest_of_a_faulty_file_can_still_be_checked(tmp_path):
    with pytest.raises(CatalogueError) as caught:
        read(tmp_path, "item,x\na,1\na,nan\nb\n")
    assert caught.value.lost == 1
    assert caught.value.rest is not None
    with pytest.raises(CatalogueError, match=r"items\.csv:3: column 'x': 'nan' is not a finite number"):
        caught.value.rest.numbers("x")


@pytest.mark.parametrize("text", ["1", " 1.5 ", "-2e3", "+4"])
def test_numbers_are_what_floats_are(text, tmp_path):
    assert read(tmp_path, f"item,x\na,{text}\n").numbers("x").tolist() == [float(text)]


@pytest.mark.parametrize("text", ["nan", "inf", "-Infinity", "1e999", "1e301", "1_000", "0x10", "1;5", "n/a", "$5"])
def test_everything_else_is_no_number(text, tmp_path):
    with pytest.raises(CatalogueError, match=r"items\.csv:2: column 'x'"):
        read(tmp_path, f"item,x\na,{text}\n").numbers("x")


def test_faults_of_several_columns_are_told_together(tmp_path):
    catalogue = read(tmp_path, "item,x,y\na,1,?\nb,?,1\n")
    with pytest.raises(CatalogueError) as caught:
        catalogue.check_numbers(("x", "y"))
    assert [line for line, _ in caught.value.faults] == [3, 2]


def test_levels_follow_the_scale_and_blanks_are_missing(tmp_path):
    catalogue = read(tmp_path, "item,size\na,High\nb,\nc, Low\n")
    np.testing.assert_array_equal(catalogue.levels("size", ["Low", "Medium", "High"]), [2, nan, 0])
    with pytest.raises(CatalogueError, match=r"items\.csv:2: column 'size': 'High' is not on the scale Low < Medium"):
        catalogue.levels("size", ["Low", "Medium"])


def test_complete_rows_are_blank_nowhere(tmp_path):
    catalogue = read(tmp_path, "item,x,y\na,1,1\nb, ,1\nc,1,\n")
    assert catalogue.complete(["x"]).tolist() == [0, 2]
    assert catalogue.complete(["x", "y"]).tolist() == [0]
    assert catalogue.complete([]).tolist() == [0, 1, 2]


def test_a_hundred_thousand_rows_are_read_in_two_seconds(tmp_path):
    rows = "".join(f"item {n},{n},Low,{n % 7}\n" for n in range(100_000))
    started = time.process_time()
    catalogue = read(tmp_path, "item,price,size,stars\n" + rows)
    assert catalogue.numbers("price").sum() == 99_999 * 50_000
    assert time.process_time() - started < 2


def test_percentiles_are_average_ranks_among_the_known():
    values = np.array([30.0, 10.0, nan, 20.0, 20.0])
    np.testing.assert_allclose(normalise(values[None], ["percentile"])[0], [1, 0, 0.5, 0.5, 0.5])


@given(st.lists(st.integers(-3, 3) | st.none(), min_size=2, max_size=9))
@settings(deadline=None, max_examples=50)
def test_percentiles_agree_with_scipy(values):
    array = np.array([nan if value is None else float(value) for value in values])
    known = ~np.isnan(array)
    expected = np.full(len(array), 0.5)
    if known.sum() > 1:
        expected[known] = (rankdata(array[known]) - 1) / (known.sum() - 1)
    np.testing.assert_allclose(normalise(array[None], ["percentile"])[0], expected)


def test_minmax_and_a_fixed_range_scale_and_clip():
    values = np.array([[5.0, 10.0, nan, 20.0], [5.0, 10.0, nan, 20.0]])
    expected = [[0, 1 / 3, 0.5, 1], [0, 0.5, 0.5, 1]]
    np.testing.assert_allclose(normalise(values, ["minmax", (5.0, 15.0)]), expected)


@pytest.mark.parametrize("how", ["percentile", "minmax"])
@pytest.mark.parametrize("values", [[7.0, 7.0, 7.0], [7.0, nan, nan], [nan, nan, nan], [7.0]])
def test_what_tells_no_candidates_apart_is_neutral(how, values):
    np.testing.assert_array_equal(normalise(np.array([values]), [how])[0], np.full(len(values), 0.5))


def test_utility_is_the_weighted_mean_and_less_is_better_below_zero():
    normalised = np.array([[1.0, 0.0], [0.25, 0.5]])
    assert utility(normalised, np.array([3.0, -1.0])).tolist() == [(3 * 1 + 0.75) / 4, (0 + 0.5) / 4]


def test_utilities_of_several_objectives_are_those_of_each():
    normalised = np.array([[1.0, 0.0, 0.3], [0.25, 0.5, 0.9]])
    weights = np.array([[3.0, -1.0], [0.0, 2.0], [0.0, 0.0]])
    np.testing.assert_array_equal(utility(normalised, weights), [utility(normalised, row) for row in weights])
    assert utility(normalised, weights)[2].tolist() == [0.5, 0.5, 0.5]


def test_utility_does_not_depend_on_the_order_or_the_size_of_weights():
    normalised = np.array([[0.1, 0.7], [0.2, 0.1], [0.3, 0.6]])
    weights = np.array([0.1, 0.2, 0.3])
    expected = utility(normalised, weights).tolist()
    assert utility(normalised[::-1], weights[::-1]).tolist() == expected
    for factor in (1e-320, 1e300, 5e307):
        assert utility(normalised, weights * factor) == pytest.approx(expected, abs=1e-3 if factor < 1e-300 else 1e-12)


def test_wishes_are_worded_by_the_attribute_or_else_by_its_name():
    assert Attribute("air_quality").phrase(1) == "high air quality"
    assert Attribute("air_quality").phrase(-0.2) == "low air quality"
    assert Attribute("price", more="luxury", less="low prices").phrase(-1) == "low prices"
