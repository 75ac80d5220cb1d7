"""Two warnings: comparisons that say nothing about mediators, and stakeholders whom a fine average hides."""

import json

import numpy as np
import pytest

import simulator as fa
from simulator.metrics.base import History
from simulator.rounds.cautions import Starvation, degenerate_comparison
from simulator.scenario import load_scenario
from tests.scenario_files import DEGENERATE, changed, command, problems, write_scenario

NAMES = ["ann", "bob", "cem", "dot"]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, 1, 1], None),
        ([2, 1, 1], None),  # exactly half: the others can still tie
        ([0.2, 0.1, 0.1], None),
        ([3, 1, 1], "'ann' weighs more than all others together (3 of 5)"),
        ([1, 2.5, 1, 0.4], "'bob' weighs more than all others together (2.5 of 4.9)"),
        ([1, 1], "only two ballots are effective, of equal weight"),
        ([1, 0, 0, 1], "only two ballots are effective, of equal weight"),
        ([1, 2], "'bob' weighs more than all others together (2 of 3)"),
        ([0, 0, 1], "'cem' alone has an effective ballot"),
        ([0, 0], None),  # nobody voted: nothing to compare at all
        ([], None),
    ],
)
def test_degenerate_comparisons(weights, said):
    found = degenerate_comparison(NAMES, np.array(weights, dtype=float))
    assert (found is None) if said is None else (said in found)


def history(rounds, *given, best=(1.0, 1.0, 1.0)):
    made = History(3)
    for _ in range(rounds):
        made.append(np.array(given, dtype=float), np.ones(3, dtype=bool), best=np.array(best))
    return made


def starved(made, **thresholds):
    rule = Starvation(**thresholds)
    satisfaction = rule.satisfaction(made)
    return None if satisfaction is None else rule.starved(satisfaction)


def test_starved_is_far_under_the_others_while_the_average_is_fine():
    assert starved(history(10, 0.8, 0.3, 0.9)) == [1]
    assert starved(history(10, 0.8, 0.45, 0.9)) == []  # more than half of what the others get
    assert starved(history(10, 0.6, 0.1, 0.6)) == []  # the average shows it: 0.43
    assert starved(history(10, 0.6, 0.1, 0.6), average=0.4) == [1]
    assert starved(history(10, 0.8, 0.45, 0.9), share=0.6) == [1]


def test_what_could_be_had_is_the_measure():
    assert starved(history(10, 0.8, 0.3, 0.9, best=(1.0, 0.3, 1.0))) == []  # it got all that there was
    assert starved(history(10, 0.8, 0.0, 0.9, best=(1.0, 0.0, 1.0))) == []


def test_nothing_is_said_before_the_window_is_full_and_only_the_window_counts():
    assert starved(history(9, 0.8, 0.3, 0.9)) is None
    assert starved(history(3, 0.8, 0.3, 0.9), window=3) == [1]
    made = history(50, 0.8, 0.0, 0.9)
    for _ in range(10):
        made.append(np.array([0.8, 0.8, 0.8]), np.ones(3, dtype=bool))
    assert starved(made) == []


def warnings_of(events):
    return [
        (event["round"], event["kind"], event.get("stakeholder")) for event in events if event["event"] == "warning"
    ]


THIRD = "  - {name: third, agent: utility, objective: {size: 1}}\nmediator: borda"


def test_check_warns_of_weights_that_decide_alone(tmp_path, capsys):
    code, printed, _ = command(capsys, "check", write_scenario(tmp_path))
    assert (code, printed.splitlines()[0] + "\n") == (0, DEGENERATE)
    text = changed("mediator: borda", THIRD)
    assert load_scenario(write_scenario(tmp_path, text)).warnings == ()
    (warning,) = load_scenario(tmp_path, ["stakeholders.2.weight=9"]).warnings
    assert "'third' weighs more than all others together (9 of 12)" in warning


def test_a_wrong_weight_is_a_problem_and_no_warning(tmp_path):
    (found,) = problems(write_scenario(tmp_path, changed("weight: 2", "weight: -2")))
    assert "weight -2" in found


def test_every_round_in_which_too_few_vote_is_logged_and_said_once(tmp_path, capsys):
    silent = """
from agents import Stakeholder
from simulator import Proposal, Ranking

class Silent(Stakeholder):
    async def propose(self, table):
        return Proposal(Ranking()) if table.round in (2, 3) else self.ballot(self.utilities(table), table)
"""
    text = changed("mediator: borda", THIRD.replace("agent: utility", "agent: ./silent.py:Silent"))
    folder = write_scenario(
        tmp_path, text.replace("protocol: deliberation(turns=2)", "protocol: sealed"), silent__py=silent
    )
    code, printed, said = command(capsys, "run", folder, "--rounds", 4, "--no-plots", "--out", tmp_path / "out")
    assert code == 0
    path = next((tmp_path / "out").iterdir())
    events = [json.loads(line) for line in (path / "events.jsonl").read_text().splitlines()]
    assert warnings_of(events) == [(2, "degenerate_comparison", None), (3, "degenerate_comparison", None)]
    assert said == DEGENERATE
    assert "warning" not in printed
    assert json.loads((path / "manifest.json").read_text())["warnings"] == [
        DEGENERATE.removeprefix("warning: ").strip()
    ]


def starving(tmp_path, *settings):
    """Two want dear items and one cheap ones; the majority has its way in every round."""
    both = "  - {name: other, agent: utility, objective: {price: 1}}\n  - {name: third, agent: utility, objective: "
    text = changed("mediator: borda", both + "{price: -1}}\nmediator: copeland")
    text = text.replace("objective: {stars: 0.8, crowding: -0.2}\n    weight: 2", "objective: {price: 1}")
    text = text.replace("objective: request", "objective: {price: 1}").replace("deliberation(turns=2)", "sealed")
    text = text.replace("{draw: random, count: 4, complete: [price]}", "{}")
    return write_scenario(tmp_path, text), ["starvation.window=3", *settings]


def test_a_starved_stakeholder_is_logged_from_the_round_on_that_fills_the_window(tmp_path):
    folder, settings = starving(tmp_path)
    result = fa.run(load_scenario(folder, settings, rounds=5), out=tmp_path / "out", plots=False)
    assert warnings_of(result.events) == [(number, "starved_stakeholder", "third") for number in (3, 4, 5)]
    event = next(event for event in result.events if event["event"] == "warning")
    assert event["satisfaction"] == pytest.approx(0.125 / 0.875)  # percentile ranks 0 and 1/4 against 1 and 3/4
    assert event["others"] == 1
    (said,) = json.loads((result.path / "manifest.json").read_text())["warnings"]
    assert said.startswith("starved stakeholder: over 3 rounds up to round 3, 'third' got 0.14")


def test_thresholds_are_the_scenarios(tmp_path):
    folder, settings = starving(tmp_path, "starvation.share=0.1")
    assert warnings_of(fa.run(load_scenario(folder, settings, rounds=5)).events) == []
    folder, settings = starving(tmp_path, "starvation.average=0.9")
    assert warnings_of(fa.run(load_scenario(folder, settings, rounds=5)).events) == []


def test_a_wrong_threshold_is_a_problem(tmp_path):
    folder, _ = starving(tmp_path)
    (found,) = problems(folder, "starvation.widow=3")
    assert "unknown key 'starvation.widow'; did you mean 'window'?" in found
    (found,) = problems(folder, "starvation.share=0")
    assert "'starvation.share' must be greater than 0" in found
