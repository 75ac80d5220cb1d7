"""What a run prints on a terminal, whatever the names in it are."""

import pytest

from simulator.records import RoundRecord
from simulator.terminal import plain, print_table, round_line


def test_a_round_is_one_line_of_slate_utilities_fairness_turns_and_tokens():
    row = {
        "slate": "Bergen|Cork",
        "nash_welfare": 0.5,
        "gini": None,
        "turns": 2,
        "ending": "agreement",
        "prompt_tokens": 30,
        "completion_tokens": 4,
    }
    own = [{"stakeholder": "tourist", "utility": 0.756}, {"stakeholder": "platform", "utility": float("nan")}]
    assert round_line(RoundRecord(3, row, own, [], [])) == (
        "round 3: Bergen, Cork | tourist 0.76 platform - | Nash 0.50 | Gini - | 2 turns, agreement | 34 tokens"
    )


def test_metrics_that_are_not_logged_are_left_out():
    row = {"slate": "a", "turns": 1, "ending": "sealed", "prompt_tokens": 0, "completion_tokens": 0}
    line = round_line(RoundRecord(1, row, [{"stakeholder": "x"}], [], []))
    assert line == "round 1: a | 1 turn, sealed | 0 tokens"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Kraków 市", "Kraków 市"),
        ("\x1b[31mred\n", "?[31mred?"),
        ("a\u202eb", "a?b"),
        ("x" * 61, "x" * 57 + "..."),
        ("x" * 60, "x" * 60),
    ],
)
def test_foreign_text_is_printable_and_short(text, shown):
    assert plain(text) == shown


def test_tables_are_aligned_and_hold_no_control_characters(capsys):
    print_table([{"name": "a", "on": True, "tags": ["x", "y\x1b"]}, {"name": "long", "on": False, "tags": []}])
    assert capsys.readouterr().out == "name  on   tags\na     yes  x, y?\nlong  no   -\n"
    print_table([])
    assert capsys.readouterr().out == ""
