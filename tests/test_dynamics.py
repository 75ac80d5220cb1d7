"""Dynamics: what a delivery changes, by hand."""

import math

import numpy as np
import pytest

from simulator.catalogue import Catalogue
from simulator.dynamics.calendar import Calendar
from simulator.dynamics.crowding import Crowding
from simulator.dynamics.exposure import Exposure
from simulator.state import WorldState

CATALOGUE = Catalogue(path=None, ids=("a", "b", "c"), columns={})  # type: ignore[arg-type]  # nothing is read


def evolve(dynamic, *deliveries):
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
