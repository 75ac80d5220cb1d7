"""Derived attributes: distances against published ones, levels, seasons, sums and the world's state."""

import math

import numpy as np
import pytest

from simulator.catalogue import CatalogueError, read_catalogue
from simulator.derivations.diluted import Diluted
from simulator.derivations.distance import EARTH_RADIUS_KM, Distance, haversine_km
from simulator.derivations.match import Match
from simulator.derivations.season import Season
from simulator.derivations.state import State
from simulator.derivations.strained import Strained
from simulator.derivations.total import Total
from simulator.requests import Request
from simulator.state import Moment, WorldState

CSV = """\
city,latitude,longitude,size,n_eat,n_drink,low_season,medium_season,high_season
Paris,48.8567,2.3522,High,20,10,January|February,March,April | may
Nowhere,,,,5,,,,
Pole,90,0,Low,1,1,June,,
"""


@pytest.fixture
def catalogue(tmp_path):
    (tmp_path / "cities.csv").write_text(CSV, encoding="utf-8")
    return read_catalogue(tmp_path / "cities.csv", "city")


def at(catalogue, request=Request("q"), **state):  # noqa: B008  # a request is a value
    return Moment(catalogue, request, WorldState(**state))


# Rosetta Code, "Haversine formula": Nashville to Los Angeles, 2887.2599506 km on a sphere of R = 6372.8 km.
# movable-type.co.uk, "Calculate distance": Land's End to John o' Groats, 968.9 km on a sphere of R = 6371 km.
# London to Paris: the distance commonly given is 343 to 344 km.
@pytest.mark.parametrize(
    ("start", "end", "km", "within"),
    [
        ((36.12, -86.67), (33.94, -118.40), 2887.2599506071106 * EARTH_RADIUS_KM / 6372.8, 1e-6),
        ((50.06639, -5.71472), (58.64389, -3.07), 968.9, 0.06),
        ((51.5072, -0.1275), (48.8567, 2.3522), 343.5, 0.5),
        ((0, 0), (90, 0), math.pi / 2 * EARTH_RADIUS_KM, 1e-6),
        ((30, 20), (-30, -160), math.pi * EARTH_RADIUS_KM, 1e-6),
        ((10, 179.5), (10, -179.5), math.radians(1) * math.cos(math.radians(10)) * EARTH_RADIUS_KM, 0.01),
        ((12, 34), (12, 34), 0, 1e-9),
    ],
)  # fmt: skip
def test_great_circle_distances_are_the_published_ones(start, end, km, within):
    assert haversine_km(np.array([start[0]]), np.array([start[1]]), *end)[0] == pytest.approx(km, abs=within)
    assert haversine_km(np.array([end[0]]), np.array([end[1]]), *start)[0] == pytest.approx(km, abs=within)


@pytest.mark.parametrize(("latitude", "longitude"), [(-82.62, -177.03), (-84.9, -157.63), (86.62, -7.7), (0, 0)])
def test_antipodes_whose_rounding_errors_add_up_are_half_the_globe_apart(latitude, longitude):
    there = haversine_km(np.array([latitude]), np.array([longitude]), -latitude, longitude + 180)[0]
    assert there == pytest.approx(math.pi * EARTH_RADIUS_KM)


def test_distance_starts_at_the_request_if_it_has_a_place_and_is_missing_without_coordinates(catalogue):
    distance = Distance(51.5072, -0.1275)
    assert distance.check(catalogue) == []
    from_london = distance.compute(at(catalogue))
    assert from_london[0] == pytest.approx(343.5, abs=0.5)
    assert np.isnan(from_london[1])
    there = Request("q", fields={"latitude": "48.8567", "longitude": 2.3522})
    assert distance.compute(at(catalogue, there))[0] == 0
    assert distance.check_request(there) == []
    blank = Request("q", fields={"latitude": "", "longitude": ""})
    assert distance.compute(at(catalogue, blank))[0] == from_london[0]


@pytest.mark.parametrize(
    "fields", [{"latitude": "north", "longitude": 0}, {"latitude": 91, "longitude": 0}, {"latitude": 1}]
)
def test_a_request_from_no_place_is_a_problem(fields):
    assert len(Distance(0.0, 0.0).check_request(Request("q", fields=fields))) == 1


def test_match_is_closeness_on_the_scale_to_what_the_request_wants(catalogue):
    match = Match("size", ("Low", "Medium", "High"), "wanted")
    assert match.check(catalogue) == []
    found = match.compute(at(catalogue, Request("q", filters={"wanted": "medium"})))
    np.testing.assert_array_equal(found, [0.5, np.nan, 0.5])
    found = match.compute(at(catalogue, Request("q", filters={"wanted": "LOW"})))
    np.testing.assert_array_equal(found, [0, np.nan, 1])
    assert np.isnan(match.compute(at(catalogue))).all()


@pytest.mark.parametrize("scale", [(), ("Low",), ("Low", "low")])
def test_match_needs_a_scale_of_different_levels(scale):
    with pytest.raises(ValueError, match="at least two levels, each once"):
        Match("size", scale)


def test_season_is_the_level_of_the_requests_month_or_else_the_calendars(catalogue):
    season = Season()
    assert season.check(catalogue) == []
    march, may = at(catalogue, month=3), at(catalogue, Request("q", month=5), month=3)
    np.testing.assert_array_equal(season.compute(march), [1, np.nan, np.nan])
    np.testing.assert_array_equal(season.compute(may), [2, np.nan, np.nan])
    np.testing.assert_array_equal(season.compute(at(catalogue, month=6)), [np.nan, np.nan, 0])
    assert np.isnan(season.compute(at(catalogue))).all()


def test_a_season_in_no_month_is_a_problem_of_its_line(tmp_path):
    (tmp_path / "c.csv").write_text(CSV.replace("|February", "|Febuary").replace("June", "Juno"), encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        Season().check(read_catalogue(tmp_path / "c.csv", "city"))
    assert [line for line, _ in caught.value.faults] == [2, 4]


def test_total_adds_columns_and_is_missing_where_one_is(catalogue):
    np.testing.assert_array_equal(Total(("n_eat", "n_drink")).compute(at(catalogue)), [30, np.nan, 2])
    with pytest.raises(ValueError, match="at least one column"):
        Total(())


def test_state_is_the_worlds_array(catalogue):
    array = np.array([1.0, 2.0, 3.0])
    assert State("crowding").compute(at(catalogue, items={"crowding": array})) is array
    assert State("crowding").state_arrays() == ("crowding",)


def test_strained_values_grow_with_the_load_from_what_the_column_says(catalogue):
    idle, full = (at(catalogue, items={"load": np.array(load)}) for load in ([0.0, 0.0, 0.0], [0.5, 0.5, np.nan]))
    for how in (Strained("n_eat", grow=1), Strained("n_eat", add=180)):
        assert how.check(catalogue) == []
        np.testing.assert_array_equal(how.compute(idle), [20, 5, 1])
        assert how.state_arrays() == ("load",)
    np.testing.assert_array_equal(Strained("n_eat", grow=1).compute(full), [30, 7.5, np.nan])
    np.testing.assert_array_equal(Strained("n_eat", add=180).compute(full), [110, 95, np.nan])
    np.testing.assert_array_equal(Strained("n_eat", grow=1, add=180).compute(full), [120, 97.5, np.nan])
    np.testing.assert_array_equal(Strained("n_drink", add=1).compute(full), [10.5, np.nan, np.nan])


def test_diluted_rates_are_shared_by_more_people(catalogue):
    full = at(catalogue, items={"seats": np.array([0.25, 0.0, np.nan])})
    np.testing.assert_array_equal(Diluted("n_eat", "seats", share=4).compute(full), [10, 5, np.nan])
    assert Diluted("n_eat").check(catalogue) == []
    assert Diluted("n_eat", "seats").state_arrays() == ("seats",)


@pytest.mark.parametrize("wrong", [{}, {"grow": math.nan}, {"add": math.inf}])
def test_a_strain_without_effect_or_bounds_is_refused(wrong):
    with pytest.raises(ValueError, match="a finite number other than 0"):
        Strained("n_eat", **wrong)


@pytest.mark.parametrize("share", [0, -1, math.inf, math.nan])
def test_a_dilution_without_effect_or_bounds_is_refused(share):
    with pytest.raises(ValueError, match="a finite number above 0"):
        Diluted("n_eat", share=share)
