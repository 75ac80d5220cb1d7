"""Dynamics: what a delivery changes, by hand."""

import math

import numpy as np
import pytest

from simulator.catalogue import Catalogue
from simulator.dynamics.calendar import Calendar
from simulator.dynamics.capacity import Capacity
from simulator.dynamics.crowding import Crowding
from simulator.dynamics.exposure import Exposure
from simulator.dynamics.shortfall import Shortfall
from simulator.state import WorldState

COLUMNS = {"beds": ("10", "20", ""), "days": ("4", "1", "2"), "rural": ("1", "4.1", "99"), "kind": ("x", "y", "x"),
           "size": ("1", "3", "")}  # fmt: skip
CATALOGUE = Catalogue(path=None, ids=("a", "b", "c"), columns=COLUMNS, lines=(2, 3, 4))  # type: ignore[arg-type]


def evolve(dynamic, *deliveries):
    assert not [problem for problem in dynamic.check(CATALOGUE) if problem]
    state = dynamic.start(CATALOGUE, WorldState(items={"other": np.ones(3)}))
    for delivered in deliveries:
        state = dynamic.evolve(state, np.array(delivered, dtype=np.int64))
    assert state.items["other"].tolist() == [1, 1, 1]
    return state


def test_crowding_rises_where_it_was_sent_and_decays():
    assert evolve(Crowding(rise=2, decay=0.5)).items["crowding"].tolist() == [0, 0, 0]
    assert evolve(Crowding(rise=2, decay=0.5), [0], [0, 2], []).items["crowding"].tolist() == [1.5, 0, 1]


def test_crowding_stays_below_its_limit():
    crowding = evolve(Crowding(rise=1, decay=0.7), *[[1]] * 200).items["crowding"][1]
    assert crowding == pytest.approx(1 / 0.3)


def test_crowding_leaves_the_state_before_as_it_was():
    crowding = Crowding()
    before = crowding.start(CATALOGUE, WorldState())
    crowding.evolve(before, np.array([0]))
    assert before.items["crowding"].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "wrong", [{"decay": 1}, {"decay": -0.1}, {"decay": math.nan}, {"rise": -1}, {"rise": math.inf}]
)
def test_crowding_without_bounds_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Crowding(**wrong)


def test_exposure_adds_the_attention_of_each_place():
    # 1 / log2(1 + place): 1, 0.6309, 0.5 (Jarvelin and Kekalainen 2002; Singh and Joachims 2018)
    exposure = evolve(Exposure(), [2, 0, 1], [2]).items["exposure"]
    assert exposure == pytest.approx([0.6309297535714575, 0.5, 2])


def test_months_pass_and_years_too():
    assert evolve(Calendar("november")).month == 11
    assert evolve(Calendar("November"), []).month == 12
    assert evolve(Calendar("November"), [], []).month == 1
    assert evolve(Calendar("March", months=5), [], []).month == 1
    assert evolve(Calendar("May", months=0), []).month == 5
    with pytest.raises(ValueError, match=r"start_month must be one of January, .* found 'Mai'"):
        Calendar("Mai")


def test_what_has_decayed_long_enough_is_gone():
    assert evolve(Crowding(), [0], *[[]] * 100).items["crowding"].tolist() == [0, 0, 0]
    assert evolve(Capacity("beds"), [0], *[[]] * 150).items["load"][:2].tolist() == [0, 0]
    assert evolve(Shortfall("kind"), [0], *[[]] * 250).items["shortfall"].tolist() == [0, 0, 0]


def test_capacity_fills_the_share_of_places_that_a_delivery_takes():
    load = evolve(Capacity("beds", per_delivery=5, decay=0.5), [0, 1], [0]).items["load"]
    np.testing.assert_array_equal(load, [5 / 10 * 0.5 + 5 / 10, 5 / 20 * 0.5, np.nan])


def test_capacity_obeys_littles_law():
    """Arrivals x mean stay = people in the beds: 2 a day who stay 4 days each fill 8 of 10 beds."""
    load = evolve(Capacity("beds", per_delivery=2, stay="days"), *[[0]] * 300).items["load"]
    assert load[0] == pytest.approx(8 / 10)
    assert evolve(Capacity("beds", per_delivery=2, stay="days"), [1], []).items["load"][1] == 0  # a stay of one day


@pytest.mark.parametrize("wrong", [{"decay": 1}, {"decay": math.nan}, {"per_delivery": -1}, {"per_delivery": math.inf}])
def test_capacity_without_bounds_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Capacity("beds", **wrong)


def test_places_and_stays_that_cannot_be_are_problems():
    assert Capacity("none").check(with_column("none", "0", "1", "2")) == [
        "column 'none' must be above 0 to be a number of places; leave it blank if unknown"
    ]
    (problem,) = Capacity("beds", stay="short").check(with_column("short", "0.5", "1", "2"))
    assert problem.startswith("column 'short' must be at least 1 round to be a stay")


def with_column(name, *values):
    return Catalogue(None, CATALOGUE.ids, {**COLUMNS, name: values}, CATALOGUE.lines)  # type: ignore[arg-type]


def test_a_group_that_is_passed_over_falls_short_by_its_share_and_catches_up_by_one_a_delivery():
    # kind x is two of three items: due 2/3 of every delivery
    gaps = [evolve(Shortfall("kind", decay=0.5), *d).items["shortfall"] for d in ([[1]], [[1], [0]], [[1], []])]
    assert gaps[0] == pytest.approx([2 / 3, -2 / 3, 2 / 3])
    assert gaps[1] == pytest.approx([1 / 3 - 1 / 3, -1 / 3 + 1 / 3, 0])
    assert gaps[2] == pytest.approx([1 / 3, -1 / 3, 1 / 3])


def test_groups_by_intervals_and_targets_by_size():
    # below 4, from 4 to below 11, from 11: three groups; sizes 1, 3, unknown
    gap = evolve(Shortfall("rural", edges=(4, 11), share="size"), [0, 1]).items["shortfall"]
    assert gap == pytest.approx([2 * 1 / 4 - 1, 2 * 3 / 4 - 1, 0])


def test_what_is_blank_is_a_group_of_its_own():
    catalogue = with_column("code", "1", "", "5")
    shortfall = Shortfall("code", edges=(4,))
    state = shortfall.evolve(shortfall.start(catalogue, WorldState()), np.array([1]))
    assert state.items["shortfall"] == pytest.approx([1 / 3, 1 / 3 - 1, 1 / 3])


@pytest.mark.parametrize("wrong", [{"decay": 1}, {"edges": (4, 4)}, {"edges": (math.nan,)}])
def test_shortfalls_without_bounds_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Shortfall("rural", **wrong)


def test_one_group_alone_and_sizes_that_cannot_be_are_problems():
    same = with_column("same", "u", "u", "u")
    assert Shortfall("same").check(same) == [
        "column 'same' puts all items into one group, which can be short of nothing"
    ]
    negative = with_column("size", "-1", "3", "")
    assert Shortfall("kind", share="size").check(negative) == ["column 'size' must not be negative to be a size"]
    nothing = with_column("size", "0", "", "")
    assert Shortfall("kind", share="size").check(nothing) == ["column 'size' adds up to nothing that could be shared"]
