"""Misreports that textbooks know to pay, where they do not, and what the log says about them."""

from __future__ import annotations

import numpy as np
import pytest

import simulator as fa
from simulator.manipulation import misreports
from simulator.manipulation.best_response import Vote, best_response
from simulator.profile import dense_ranks
from simulator.registry import create

LETTERS = "tests/worlds/letters"


def vote(mediator: str, utilities: list[list[float]], voter: int = 0, k: int = 1) -> Vote:
    declared = np.array(utilities)
    profile = fa.Profile(
        tuple("abcdefghij"[: declared.shape[1]]), dense_ranks(declared), np.ones(len(declared)), declared
    )
    return Vote(create("mediator", mediator), profile, voter, declared[voter], k)


# Two voters a > b > c > d, three b > a > c > d. By Borda b wins 13 to 12; one of the first two buries b: 12 to 11.
BORDA = [[1, 2 / 3, 1 / 3, 0]] * 2 + [[2 / 3, 1, 1 / 3, 0]] * 3


@pytest.mark.parametrize("method", ["best_response", "burying"])
def test_burying_pays_under_borda(method: str) -> None:
    found = best_response(vote("borda", BORDA), method)
    assert found.honest_worth == pytest.approx(2 / 3)
    assert found.worth == 1.0
    assert found.gain == pytest.approx(1 / 3)


@pytest.mark.parametrize("method", ["best_response", "compromise", "burying", "truncation"])
def test_nothing_pays_under_random_dictatorship(method: str) -> None:
    found = best_response(vote("random_dictatorship", BORDA), method)
    assert found.gain == 0.0
    assert found.ballot.kinds == (("honest", ()),)


def test_compromise_pays_under_plurality() -> None:
    """Three c > a > b, two a > b > c, two b > a > c: one of the last raises a, and a wins 3 to 3 by item order."""
    preferences = [[0.5, 0, 1]] * 3 + [[1, 0.5, 0]] * 2 + [[0.5, 1, 0]] * 2
    found = best_response(vote("plurality", preferences, voter=5), "compromise")
    assert (found.honest_worth, found.worth) == (0.0, 0.5)


def test_exaggeration_pays_under_the_sum_of_utilities() -> None:
    found = best_response(vote("utilitarian", [[1, 0.9, 0, 0], [0.4, 1, 0, 0]]))
    assert found.worth == 1.0
    assert found.gain == pytest.approx(0.1)


def test_moves_are_all_orders_at_one_move_and_each_once() -> None:
    near = misreports.moves(np.array([2, 0, 1, 3]))
    assert len({tuple(row) for row in near.ranks.tolist()}) == len(near) == (4 - 1) ** 2
    assert sorted(near.ranks[0].tolist()) == [0, 1, 2, 3]


def test_misreports_say_what_they_are() -> None:
    utilities = np.array([0.9, 0.5, 0.1])
    assert misreports.burials(utilities).words(1, ("Rome", "Oslo", "{0}")) == "burying Oslo"
    assert misreports.burials(utilities).words(2, ("Rome", "Oslo", "{0}")) == "burying {0}"
    assert misreports.pushes(utilities).ranks[0].tolist() == [0, 2, 1]  # the first raised, the second sunk
    assert misreports.truncations(utilities).ranks.tolist() == [[0, 3, 3], [0, 1, 3]]


def test_a_run_reports_the_gain_and_who_paid() -> None:
    settings = [
        "stakeholders.saver.agent=strategic", "stakeholders.gourmet.weight=1.2", "protocol=sealed", "metrics=[utility]"
    ]  # fmt: skip
    result = fa.run(fa.load_scenario(LETTERS, settings, rounds=8), seed=1, model="none")
    events = [event for event in result.events if event["event"] == "manipulation"]
    assert [event["round"] for event in events] == list(range(1, 9))
    gaining = [event for event in events if event["gain"] > 0]
    assert gaining
    for event in gaining:
        assert event["slate"] != event["honest_slate"]
        assert event["gains"]["saver"] == event["gain"]
        assert event["gains"]["gourmet"] < 0
    assert all(event["gain"] >= 0 for event in events)  # the other one is honest, as was expected


@pytest.mark.parametrize("protocol", ["concession", "alternating_offers"])
def test_the_report_is_about_the_opening_ballot_whatever_was_offered_later(protocol: str) -> None:
    def reports(protocol: str) -> list[dict]:
        settings = ["stakeholders.saver.agent=strategic", "stakeholders.gourmet.weight=1.2", f"protocol={protocol}"]
        result = fa.run(fa.load_scenario(LETTERS, settings, rounds=1), seed=2, model="none")
        return [event for event in result.events if event["event"] == "manipulation"]

    assert reports(protocol) == reports("sealed")
    assert reports("sealed")[0]["misreport"] != "honest"
