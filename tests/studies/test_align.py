"""Objectives by each alignment method, and the cross-check and the drift beside them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import simulator as fa
from simulator.catalogue import Attribute
from simulator.inputs.yamlfile import InputError
from simulator.studies.align import Alignment, align, objective_words
from tests.scenario_files import command

LETTERS = "tests/worlds/letters"


def found(rounds: int = 12, *settings: str, **ratings: dict[str, float]) -> Alignment:
    return align(fa.load_scenario(LETTERS, settings), rounds, ratings)


def reading(result: Alignment, stakeholder: str, method: str):
    return next(r for r in result.readings if (r.stakeholder, r.method) == (stakeholder, method))


def test_rational_stakeholders_teach_their_own_objective() -> None:
    tourism = fa.load_scenario("tourism", model="none")
    learned = reading(align(tourism, 20), "platform", "learned")
    assert learned.tau > 0.85
    stated = {"popularity_match": 0.5, "budget": 0.3, "season": 0.15}
    assert {name: learned.weights[name] for name in stated} == pytest.approx(stated, abs=0.12)
    assert max(learned.errors.values()) < 0.05


def test_a_random_stakeholder_teaches_nothing_that_stands_out_of_its_error() -> None:
    learned = reading(found(30, "stakeholders.saver.agent=random"), "saver", "learned")
    assert all(abs(weight) < 4 * learned.errors[name] for name, weight in learned.weights.items())


def test_the_cross_check_fails_for_somebody_who_votes_for_others() -> None:
    assert found().faithful == (True, True)
    odd = align(fa.load_scenario("tourism", ["stakeholders.platform.agent=random"], model="none"), 4)
    assert odd.faithful[1] is False


def test_a_silent_one_has_neither_choices_nor_drift() -> None:
    result = found(4, "stakeholders.saver.agent=silent")
    assert reading(result, "saver", "learned").note == "it chose nothing"
    assert np.isnan(result.drifts[0].slope)


def test_who_handed_in_no_ballot_has_no_list_to_compare(capsys) -> None:
    result = found(4, "stakeholders.saver.agent=silent")
    assert np.isnan(result.cross[:, 0]).all()
    assert not np.isnan(result.cross[:, 1]).any()
    assert result.faithful == (False, True)
    late = found(4, "stakeholders.saver.agent=newcomer(arrives=4)")
    assert not np.isnan(late.cross).any()
    code, printed, _ = command(
        capsys, "align", LETTERS, "--rounds", 2, "--set", "stakeholders.saver.agent=silent", "--json"
    )
    assert code == 0
    assert json.loads(printed)["cross"]["gourmet"]["saver"] is None


def test_a_persons_ratings_are_compared_by_direction_and_size() -> None:
    """Stated -0.7 and 0.3; ratings 5 and 5 are -0.5 and 0.5: half of 0.2 + 0.2."""
    human = reading(found(2, saver={"price": 5, "stars": 5}), "saver", "human")
    assert human.weights == pytest.approx({"price": -0.5, "stars": 0.5})
    assert human.weight_error == pytest.approx(0.2)


def test_what_a_model_makes_of_a_goal_stands_beside_what_was_stated() -> None:
    result = align(fa.load_scenario("tests/worlds/talkers", model="fake"), 2)
    elicited = [r for r in result.readings if r.method == "elicited"]
    assert elicited
    assert all(0 <= r.weight_error <= 1 for r in elicited)


def test_an_objective_is_said_in_words_with_units_and_directions() -> None:
    attributes = {"price": Attribute("price", "USD"), "stars": Attribute("stars")}
    assert objective_words({"stars": 0.2, "price": -0.6}, attributes) == "less price (USD) 75%, more stars 25%"


def test_the_command_prints_tables_and_json(capsys) -> None:
    code, printed, _ = command(capsys, "align", LETTERS, "--rounds", 3)
    assert code == 0
    for words in ("less price (USD) 70%", "learned", "own list should serve it best", "drift a round"):
        assert words in printed
    code, printed, _ = command(capsys, "align", LETTERS, "--rounds", 3, "--json")
    data = json.loads(printed)
    assert set(data) == {"rounds", "objectives", "cross", "holds", "drift"}
    assert data["holds"] == {"saver": True, "gourmet": True}


def test_a_person_is_asked_attribute_by_attribute(capsys, monkeypatch) -> None:
    answers = iter(["8", "2"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    code, printed, _ = command(capsys, "align", LETTERS, "--rounds", 1, "--human", "saver", "--json")
    human = next(r for r in json.loads(printed.partition("\n")[2])["objectives"] if r["method"] == "human")
    assert human["weights"] == pytest.approx({"price": -0.8, "stars": 0.2})
    assert code == 0


@pytest.mark.parametrize(
    ("answer", "message"), [("lots", "is no number"), ("11", "not in 0..10"), ("0", "at least one")]
)
def test_ratings_that_say_nothing_are_refused(capsys, monkeypatch, answer: str, message: str) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    code, _, said = command(capsys, "align", LETTERS, "--human", "saver")
    assert code == 2
    assert message in said


def test_an_unknown_person_is_refused_with_those_that_can_be_asked(capsys) -> None:
    code, _, said = command(capsys, "align", LETTERS, "--human", "nobody")
    assert code == 2
    assert "saver, gourmet" in said
    with pytest.raises(InputError):
        fa.load_scenario("tests/worlds/nowhere")
