"""What a delivery changes in each shipped world: load lowers exactly the objectives that name it, decay restores them.

The mechanism, not its size: which stakeholders' utilities move, and that they come back to what they were.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from simulator.catalogue import utility
from simulator.profile import Floats
from simulator.requests import Request
from simulator.rounds.publish import Publisher
from simulator.scenario import Scenario, load_scenario
from simulator.state import WorldState
from simulator.studies.rational import objectives

DELIVERIES = 12
IDLE = 300

# scenario, request, state array, the item that is delivered, the stakeholders who mind
CASES = [
    ("tourism", "c_p_143_pop_high_hard", "crowding", "Geneva", {"residents"}),
    ("tourism", "c_p_143_pop_high_hard", "exposure", "Geneva", {"businesses"}),
    ("tourism/getaway", "c_p_143_pop_high_hard", "crowding", "Geneva", {"civic"}),
    ("healthcare", "los_angeles_pneumonia", "load", "COMMUNITY HOSPITAL OF HUNTINGTON PARK",
     {"patient", "clinical_operations", "public_health_equity"}),
    ("healthcare", "long_beach_heart_failure", "load", "COMMUNITY HOSPITAL OF HUNTINGTON PARK",
     {"clinical_operations", "public_health_equity"}),
    ("healthcare/north_carolina", "charlotte_pneumonia", "load", "NORTHERN REGIONAL HOSPITAL",
     {"patient", "clinical_operations"}),
    ("healthcare/north_carolina", "charlotte_pneumonia", "shortfall", "NORTHERN REGIONAL HOSPITAL",
     {"public_health_equity"}),
    ("education", "san_diego_low_income", "load", "California College of the Arts", {"learner"}),
    ("education", "los_angeles_low_income", "load", "California College of the Arts", set()),
    ("education", "los_angeles_low_income", "shortfall", "California Baptist University", {"equity_regulator"}),
    ("education/open_university", "no_a_levels", "load", "EEE_2013J", {"learner", "tutor"}),
    ("education/open_university", "deprived_area", "load", "EEE_2013J", {"tutor"}),
    ("education/open_university", "no_a_levels", "shortfall", "BBB_2013B", {"equity_office"}),
]  # fmt: skip


@cache
def loaded(name: str) -> tuple[Scenario, Publisher]:
    scenario = load_scenario(name)
    return scenario, Publisher(scenario)


def started(scenario: Scenario) -> WorldState:
    state = WorldState()
    for dynamic in scenario.dynamics:
        state = dynamic.start(scenario.catalogue, state)
    return state


def view(name: str, request: Request, state: WorldState) -> tuple[Floats, Floats]:
    """Normalised attributes `(J, m)` and true utilities `(n, m)` of all items that can be drawn."""
    scenario, publisher = loaded(name)
    candidates = publisher.candidates(request, state, scenario.drawable)
    return candidates.normalised, utility(candidates.normalised, objectives(scenario, request))


@pytest.mark.parametrize(("name", "request_id", "array", "item", "minding"), CASES)
def test_a_delivery_lowers_exactly_the_objectives_that_name_what_it_fills(
    name: str, request_id: str, array: str, item: str, minding: set[str]
):
    scenario, _ = loaded(name)
    request = next(request for request in scenario.requests if request.id == request_id)
    dynamic = next(dynamic for dynamic in scenario.dynamics if array in dynamic.arrays())
    row = scenario.catalogue.index[item]
    place = scenario.drawable.tolist().index(row)
    before = started(scenario)
    after = before
    for _ in range(DELIVERIES):
        after = dynamic.evolve(after, np.array([row]))
    (attributes, utilities), (loaded_attributes, loaded_utilities) = (
        view(name, request, state) for state in (before, after)
    )

    reading = {a for a, how in scenario.derivations.items() if array in how.state_arrays()}
    moved = {
        attribute.name
        for attribute, old, new in zip(scenario.attributes, attributes, loaded_attributes, strict=True)
        if (old != new).any()
    }
    assert moved == reading
    changed = {
        party.name: new[place] - old[place]
        for party, old, new in zip(scenario.parties, utilities, loaded_utilities, strict=True)
        if (old != new).any()
    }
    assert set(changed) == minding
    assert all(change < 0 for change in changed.values())

    if array == "exposure":
        return  # attention that an item has had stays had
    for _ in range(IDLE):
        after = dynamic.evolve(after, np.array([], dtype=np.int64))
    np.testing.assert_array_equal(view(name, request, after)[1], utilities)


@pytest.mark.parametrize("name", ["healthcare", "education", "education/open_university", "tourism"])
def test_decay_lifts_the_objectives_step_by_step(name: str):
    scenario, _ = loaded(name)
    dynamic = scenario.dynamics[0]
    (array,) = dynamic.arrays()
    state = dynamic.evolve(started(scenario), scenario.drawable[:1])
    loads = []
    for _ in range(5):
        loads.append(state.items[array][scenario.drawable[0]])
        state = dynamic.evolve(state, np.array([], dtype=np.int64))
    assert all(later < earlier for earlier, later in pairwise(loads))
    assert loads[-1] > 0


def test_referrals_lengthen_the_emergency_wait_by_the_stated_minutes():
    """Ten patients into 81 beds are a load of 10/81, and a load of 1 is 180 minutes."""
    scenario, publisher = loaded("healthcare")
    (capacity,) = scenario.dynamics
    row = scenario.catalogue.index["COMMUNITY HOSPITAL OF HUNTINGTON PARK"]
    before = started(scenario)
    after = capacity.evolve(before, np.array([row]))
    waits = [publisher.values("wait", scenario.requests[0], state)[row] for state in (before, after)]
    assert waits == [192, pytest.approx(192 + 180 * 10 / 81)]
    once_more = capacity.evolve(after, np.array([], dtype=np.int64))
    stay = scenario.catalogue.numbers("avg_length_of_stay_days")[row]
    assert once_more.items["load"][row] == pytest.approx(10 / 81 * (1 - 1 / stay))


def test_admission_tightens_as_seats_fill():
    scenario, publisher = loaded("education")
    row = scenario.catalogue.index["California College of the Arts"]  # 1012 undergraduates, 75.69 % admitted
    state = scenario.dynamics[0].evolve(started(scenario), np.array([row]))
    entry = publisher.values("entry", scenario.requests[0], state)[row]
    assert entry == pytest.approx(0.7569 / (1 + 4 * 100 / 1012))


def test_the_regulators_gap_opens_for_those_passed_over_and_closes_for_those_advised():
    scenario, _ = loaded("education")
    shortfall = scenario.dynamics[1]
    rows = {kind: scenario.catalogue.columns["is_hsi"].index(kind) for kind in ("0", "1")}
    state = started(scenario)
    for _ in range(3):
        state = shortfall.evolve(state, np.array([rows["0"]]))
    opened = state.items["shortfall"]
    assert opened[rows["1"]] > 0 > opened[rows["0"]]
    closed = shortfall.evolve(state, np.array([rows["1"]])).items["shortfall"]
    assert closed[rows["1"]] < opened[rows["1"]]


def test_an_unknown_size_leaves_the_load_unknown_and_every_other_one_known():
    scenario, _ = loaded("education")
    capacity = replace(scenario.dynamics[0], size="median_debt_completers_usd")  # blank in one row
    state = capacity.start(scenario.catalogue, WorldState())
    assert np.isnan(state.items["load"]).sum() == 1
