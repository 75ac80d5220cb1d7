"""An outcome shows the numbers that it can be redone from, whatever kind of rule made it."""

from __future__ import annotations

from typing import Any

from simulator.records import Event
from simulator.report.arithmetic import outcome
from simulator.report.conversation import conversation
from tests.report.test_report import Page


def told(items: tuple[str, ...] = ("x", "y", "z"), **changes: Any) -> str:
    event = {"event": "outcome", "mediator": "rule", "slate": ["x"], "ranking": list(items), "trace": {}, **changes}
    return Page(outcome(event, items)).text


def test_contributions_add_up_to_the_score() -> None:
    text = told(scores={"x": 5.0}, trace={"contributions": {"a": {"x": 3}, "b": {"x": 2}}})
    assert "what each gavexa3b2score5" in text


def test_what_each_ballot_says_stands_in_for_contributions() -> None:
    assert "what each ballot saysxa0.25" in told(trace={"values": {"a": {"x": 0.25}}})


def test_weights_and_what_a_rule_with_memory_held() -> None:
    trace = {"weights": {"a": 2, "b": 1}, "standing": {"load": {"a": 0.5, "b": 1.5}}}
    assert "before the roundloadweight in this rounda0.52b1.51" in told(trace=trace)


def test_pairwise_weights_stand_in_the_order_of_the_ranking() -> None:
    pairwise = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
    text = told(ranking=["z", "x", "y"], trace={"pairwise": pairwise})
    assert "ranked abovezxyz56x21y43" in text


def test_a_pairwise_table_of_other_items_is_left_out() -> None:
    assert "ranked above" not in told(items=("x",), trace={"pairwise": [[0, 1], [1, 0]]})


def test_the_chosen_slate_and_the_next_best_one() -> None:
    slates = [{"slate": ["x", "y"], "value": 2.5}, {"slate": ["x", "z"], "value": 2}]
    text = told(trace={"slates": slates})
    assert "the slate: x, y, worth 2.5" in text
    assert "the next best one: x, z, worth 2" in text


def test_steps_say_what_happened_and_whose_offer_it_was() -> None:
    steps = [{"item": "x|y", "value": 0.5, "note": "host"}, {"item": "z", "value": 1, "note": "", "act": "eliminated"}]
    text = told(trace={"steps": steps})
    assert "x, y 0.5 host" in text
    assert "z eliminated 1" in text


def test_of_very_many_steps_the_first_and_the_last_are_told() -> None:
    steps = [{"item": f"i{number}", "value": number, "note": ""} for number in range(100)]
    text = told(trace={"steps": steps})
    assert "i2 2… 88 more in events.jsonl …i91 91" in text
    assert "i99 99" in text


def test_whether_the_least_cost_is_proved() -> None:
    assert "The order costs 12, proved to be the least." in told(trace={"cost": 12, "optimal": True})
    assert "without proof" in told(trace={"cost": 12, "optimal": False})


def test_of_a_very_long_bargain_the_turns_between_are_named_and_left_out() -> None:
    events: list[Event] = [
        {"event": "outcome", "round": 1, "turn": turn, "mediator": "concession", "slate": ["x"], "trace": {}}
        for turn in range(1, 31)
    ]
    text = Page(conversation(events)).text
    assert "Turn 4O" in text
    assert "Turn 5O" not in text
    assert "Turns 5 to 26 went on in the same way" in text
    assert "Turn 27O" in text
    assert "Turn 30O" in text


def test_a_strategic_ballot_and_a_caution_are_told_after_the_turns() -> None:
    events: list[Event] = [
        {"event": "manipulation", "round": 1, "stakeholder": "a", "misreport": "lie", "gains": {"a": 0.1, "b": -0.2}},
        {"event": "warning", "round": 1, "kind": "k", "message": "look out"},
    ]  # fmt: skip
    text = Page(conversation(events)).text
    assert (
        "a opened with a strategic ballot (lie); beside honesty, everyone's utility changed by: a 0.100, b −0.200"
        in text
    )
    assert "Caution: look out" in text
