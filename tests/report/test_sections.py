"""The parts of the report about the scenario, the world, strategic ballots and cautions say what happened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simulator.report.asides import asides, cautions, manipulation
from simulator.report.conversation import conversation
from simulator.report.summary import summary
from simulator.report.terms import terms
from simulator.report.world import world
from simulator.runs import Run
from simulator.runs.read import read_run
from tests.fake_run import fake_run
from tests.report.run_folder import run_folder
from tests.report.test_report import Page


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return read_run(run_folder(tmp_path_factory.mktemp("runs")))


def with_events(events: list[dict[str, Any]]) -> Run:
    run = fake_run(3)
    return replace(run, source=lambda: iter(events))


def test_the_scenario_says_who_wants_what_and_by_which_rules(run: Run) -> None:
    text = Page(terms(run) or "").text
    for said in (
        "the request's wishes, the first of them heaviest",
        "little budget budget −0.60",
        "deliberation(turns=2)",
        "20 items of 50, random; 3 delivered",
        "crowding(decay=0.8)",
    ):
        assert said in text


def test_who_hears_whom_is_listed_where_not_everyone_hears_everyone(run: Run) -> None:
    text = Page(terms(run) or "").text
    assert "star(center=tourist)" in text
    assert "tourist hears platform, local businesses, residents and city" in text
    assert "platform hears tourist" in text
    assert run.setting is not None
    everyone = replace(run.setting, keys={**run.setting.keys, "hearing": "complete"})
    again = replace(run)
    again.__dict__["setting"] = everyone
    assert "everyone hears everyone" in Page(terms(again) or "").text


def test_a_run_whose_scenario_is_not_known_has_no_such_sections() -> None:
    memory = fake_run(2)
    assert terms(memory) is None
    assert world(memory, []) is None


def test_the_world_names_the_fullest_items_and_the_change_of_inequality(run: Run) -> None:
    course = run.course
    assert course is not None
    text = Page(world(run, []) or "").text
    fullest = course.items[int(course.arrays["crowding"][-1].argmax())]
    value = course.arrays["crowding"][-1].max()
    assert f"fullest items at the endtimes deliveredcrowding beforecrowding after{fullest}" in text
    assert f"0.00{value:.2f}" in text
    gini = course.inequality("crowding")
    change = f"{gini[-1] - gini[1]:+.2f}".replace("-", "−")
    assert f"was {gini[1]:.2f} after round 1 and {gini[-1]:.2f} at the end ({change};" in text
    assert f"{(course.delivered > 0).sum()} items of the 50 that can be drawn were delivered" in text


def test_dynamics_that_cannot_be_followed_are_said_so(run: Run) -> None:
    course = run.course
    assert course is not None
    again = replace(run)
    again.__dict__["course"] = replace(course, arrays={})
    text = Page(world(again, []) or "").text
    assert "items delivered most often" in text
    assert "it takes the scenario's own code" in text


def gain(number: int, gains: dict[str, float], misreport: str) -> dict[str, Any]:
    own = {"stakeholder": "platform", "misreport": misreport, "gain": gains["platform"], "gains": gains}
    return {"event": "manipulation", "round": number, **own}


def test_strategic_ballots_say_who_gained_and_who_paid() -> None:
    run = with_events([
        gain(1, {"tourist": -0.3, "platform": 0.2}, "burying"),
        gain(2, {"tourist": 0.1, "platform": 0.0}, "honest"),
        gain(3, {"tourist": -0.1, "platform": -0.05}, "burying"),
    ])  # fmt: skip
    text = Page(manipulation(run, asides(run)) or "").text
    assert "platform gained in 1 round of 3 and lost in 1." in text
    assert "burying (2), honest (1)" in text
    assert "tourist−0.100+0.100−0.30012" in text
    assert "platform+0.050+0.200−0.05011" in text


def test_honest_runs_have_no_such_section(run: Run) -> None:
    assert manipulation(run, asides(run)) is None
    assert cautions(run, asides(run)) is None


def test_a_caution_is_told_once_with_how_often_it_held() -> None:
    starved = {"event": "warning", "kind": "starved_stakeholder", "stakeholder": "host", "message": "host got little"}
    run = with_events([{**starved, "round": 2}, {**starved, "round": 3, "message": "host got less"}])
    run = replace(run, manifest={**run.manifest, "warnings": ["host got little", "weights differ"]})
    text = Page(cautions(run, asides(run)) or "").text
    assert text.count("host got little") == 1
    assert "host got less" not in text
    assert "Held in 2 rounds, first in round 2." in text
    assert "weights differ" in text


def test_the_summary_says_when_another_mediator_took_over() -> None:
    run = fake_run(3)
    changed = replace(run, rounds=run.rounds.assign(mediator=["borda", "nash", "nash"]))
    assert "borda decided first, then nash from round 2 on." in Page(summary(changed, [])).text
    assert "decided first" not in Page(summary(run, [])).text


@pytest.mark.parametrize(
    "text", ["catalogue: 3\nstakeholders: [1, x]\nhearing: {a: b}\ndynamics: [3]\nk: x\n", "k: 1\n"]
)
def test_a_scenario_file_that_somebody_has_edited_stops_nothing(text: str, tmp_path: Path) -> None:
    folder = run_folder(tmp_path, 1)
    (folder / "scenario.yaml").write_text(text, "utf-8")
    assert "protocol" in Page(terms(read_run(folder)) or "").text


def test_who_opens_and_offers_in_one_turn_is_shown_with_both_ballots() -> None:
    def ballot(first: str, second: str) -> dict[str, object]:
        return {"event": "proposal", "round": 1, "turn": 1, "stakeholder": "anna", "ranking": [[first], [second]]}

    told = str(conversation([ballot("Rome", "Oslo"), ballot("Oslo", "Rome")]))
    assert told.index("<li><bdi>Rome") < told.index("Then offers:") < told.rindex("<li><bdi>Oslo")
