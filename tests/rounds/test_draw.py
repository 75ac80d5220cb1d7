"""Which items are on the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator import NegotiationWorld, load_scenario
from tests.scenario_files import changed, problems, write_scenario

DRAWN = "{draw: random, count: 4, complete: [price]}"
PLACES = """[{"id": "q1", "latitude": 41.9, "longitude": 12.5}, {"id": "q2", "latitude": 51.5, "longitude": -0.1}]"""


def candidates(folder: Path, rounds: int = 2) -> list[list[str]]:
    world = NegotiationWorld(load_scenario(folder, model="none"))
    drawn = []
    for _ in range(rounds):
        world.step()
        assert world.last is not None
        drawn.append(world.last.events[0]["candidates"])
    return drawn


def test_lowest_draws_what_is_nearest_to_the_request(tmp_path: Path):
    text = changed(DRAWN, "{draw: lowest, by: far, count: 2}")
    text = changed("    objective: request", "    objective: {price: -1}", text)
    requests = text[text.index("requests:") : text.index("stakeholders:")]
    text = text.replace(requests, "requests: {file: queries.json}\n").replace("{request.wish}", "Cheap.")
    folder = write_scenario(tmp_path, text.replace("{request.text}", ""), queries__json=PLACES)
    assert candidates(folder) == [["a", "d"], ["a", "b"]]  # Rome and then Paris; London and Paris


def test_lowest_takes_equal_values_in_catalogue_order_and_blanks_last(tmp_path: Path):
    text = changed(DRAWN, "{draw: lowest, by: size, count: 3}")  # a and d are Low, b Medium, e blank
    assert candidates(write_scenario(tmp_path, text), 1) == [["a", "b", "d"]]
    assert candidates(write_scenario(tmp_path, text.replace("count: 3", "count: 5")), 1) == [["a", "b", "c", "d", "e"]]


def test_lowest_follows_the_state_of_the_world(tmp_path: Path):
    folder = write_scenario(tmp_path, changed(DRAWN, "{draw: lowest, by: crowding, count: 3}"))
    first, second = candidates(folder)
    assert first == ["a", "b", "c"]
    assert {"d", "e"} < set(second)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("{draw: lowest, count: 2}", "needs 'by', an attribute, with draw: lowest, and with nothing else"),
        ("{draw: random, count: 2, by: far}", "needs 'by', an attribute, with draw: lowest, and with nothing else"),
        ("{draw: lowest, by: far}", "needs a 'count' with draw: lowest"),
        ("{draw: lowest, by: fur, count: 2}", "there is no attribute 'fur'; did you mean 'far'?"),
    ],
)
def test_a_wrong_lowest_is_one_clear_problem(tmp_path: Path, section: str, message: str):
    (problem,) = problems(write_scenario(tmp_path, changed(DRAWN, section)))
    assert message in problem
