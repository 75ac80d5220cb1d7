"""`check_rule` and `fairagents check mediator`: what holds, what does not, and a small counterexample in words."""

import json
import threading
from pathlib import Path

import pytest

import simulator as fa
from simulator import registry
from simulator.axioms import AXIOMS, Subject, check_rule
from simulator.axioms.shrink import shrunk, simpler
from simulator.axioms.telling import report_lines
from simulator.profile import Profile
from tests.scenario_files import command, write_scenario

RULES = '''
from dataclasses import dataclass, replace
from typing import ClassVar
import threading
import numpy as np
from simulator import ScoreMediator

@dataclass(frozen=True)
class Fine(ScoreMediator):
    """First places, shared by those who tie."""

    name: ClassVar[str] = "fine"
    rule: ClassVar[str] = "s(a) = weight of the ballots that rank a first"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone")

    def points(self, profile):
        first = (profile.ranks == 0).astype(float)
        return first / np.maximum(1, first.sum(axis=-1, keepdims=True))

@dataclass(frozen=True)
class Boastful(Fine):
    name: ClassVar[str] = "boastful"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "condorcet", "condorcet-loser")

@dataclass(frozen=True)
class WithoutComma(Fine):
    name: ClassVar[str] = "without_comma"
    properties: ClassVar[tuple[str, ...]] = ("anonymos")

@dataclass(frozen=True)
class Failing(Fine):
    name: ClassVar[str] = "failing"

    def points(self, profile):
        if (profile.weights == 2).any() or profile.n == 3:
            raise ZeroDivisionError("three are too many")
        return super().points(profile)

@dataclass(frozen=True)
class Undecided(Fine):
    name: ClassVar[str] = "undecided"

    def mediate(self, profile, memory=None, *, k=1, priority=None, seed=0):
        outcome = super().mediate(profile, memory, k=k, priority=priority, seed=seed)
        scores = np.where(profile.n == 2, np.nan, outcome.score_values)
        return replace(outcome, score_values=scores)

@dataclass(frozen=True)
class Silent(Fine):
    """Breaks ties without a word."""

    name: ClassVar[str] = "silent"

    def mediate(self, profile, memory=None, *, k=1, priority=None, seed=0):
        outcome = super().mediate(profile, memory, k=k, priority=priority, seed=seed)
        return replace(outcome, tier_indices=tuple((item,) for item in outcome.order))

@dataclass(frozen=True)
class Writing(Fine):
    name: ClassVar[str] = "writing"

    def points(self, profile):
        profile.ranks[...] = 0
        return super().points(profile)

@dataclass(frozen=True)
class Hanging(Fine):
    name: ClassVar[str] = "hanging"

    def points(self, profile):
        if profile.n == 2:
            threading.Event().wait()
        return super().points(profile)
'''


@pytest.fixture
def rules(tmp_path, monkeypatch):
    (tmp_path / "my_rules.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_a_rule_of_ones_own_that_holds_what_it_claims(rules, capsys):
    code, printed, said = command(capsys, "check", "mediator", "my_rules.py:Fine", "--profiles", 20)
    assert (code, said) == (0, "")
    assert printed.endswith("fine: the contract and all 3 claims held.\n")
    assert "holds  monotone                 held on 20 random and " in printed
    assert "FAILS  condorcet " in printed


def test_a_claim_that_is_no_axiom_is_told_with_the_nearest_one(rules, capsys):
    code, printed, _ = command(capsys, "check", "mediator", "my_rules.py:WithoutComma", "--profiles", 1)
    assert code == 1
    assert printed.splitlines()[-2:] == [
        "It claims 'anonymos', which is no axiom that can be checked here; did you mean 'anonymous'?",
        "without_comma: fails what it must hold: 'anonymos'.",
    ]


def test_a_false_claim_is_told_with_a_minimal_counterexample(rules, capsys):
    code, printed, _ = command(capsys, "check", "mediator", "./my_rules.py:Boastful", "--profiles", 5, "--json")
    report = json.loads(printed)
    axioms = {axiom["name"]: axiom for axiom in report["axioms"]}
    assert (code, report["holds"], report["mediator"]) == (1, False, "boastful")
    assert axioms["anonymous"]["held"]
    assert axioms["anonymous"]["claimed"]
    assert axioms["anonymous"]["random_profiles"] == 15
    assert report["unknown_properties"] == ["'condorcet-loser'; did you mean 'condorcet'?"]
    example = axioms["condorcet"]["counterexample"]
    assert set(example) == {"axiom", "k", "sentence", "before"}
    assert len(example["before"]["profile"]["ballots"]) <= 3  # ballots of two voters cannot show it without ties
    (path := Path("example.json")).write_text(json.dumps(example["before"]["profile"]))
    again = fa.mediate(fa.read_profile(path), registry.create("mediator", "my_rules.py:Boastful"))
    assert again.to_json() == example["before"]["outcome"]


@pytest.mark.parametrize(
    ("rule", "axiom", "told"),
    [
        ("Failing", "sound outcome", "It raises ZeroDivisionError: three are too many (my_rules.py, line"),
        ("Undecided", "sound outcome", "Its scores array([nan]) are not one number for each of 1 items."),
        ("Silent", "ties reported", "With the tie order reversed, the winners are"),
        ("Writing", "sound outcome", "It raises ValueError: assignment destination is read-only"),
    ],
)
def test_a_broken_rule_is_told_with_the_profile_that_broke_it(rule, axiom, told, rules):
    made = registry.create("mediator", f"my_rules.py:{rule}")
    report = check_rule(made, profiles=5, ballots=2, claims_only=True)
    printed = "\n".join(report_lines(report))
    assert not report.holds
    assert f"FAILS  {axiom}" in printed
    assert told in " ".join(printed.split())
    assert "ballots  " in printed


def test_a_rule_that_does_not_answer_is_told_with_the_question(rules):
    report = check_rule(registry.create("mediator", "my_rules.py:Hanging"), profiles=3, longest_answer=0.3)
    (failed,) = [verdict for verdict in report.verdicts if verdict.counterexample]
    assert not report.holds
    assert failed.axiom.name == "sound outcome"
    assert failed.counterexample.sentence == "It gives no answer within 0.3 seconds."
    assert failed.counterexample.before.n == 2
    assert "hanging: fails what it must hold: sound outcome." in report_lines(report)
    assert threading.active_count() < 50


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["brda"], "there is no mediator 'brda'; did you mean 'borda'?"),
        (["borda(x=1)"], "mediator 'borda' has no parameter 'x'"),
        (["my_rules.py:Fine"], "there is no file 'my_rules.py'"),
        (["json:dumps"], "'json:dumps' is no mediator class"),
        (["borda", "--profiles", "-1"], "Invalid value"),
        ([], "Missing argument"),
    ],
)
def test_wrong_input_ends_with_2(arguments, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, printed, error = command(capsys, "check", "mediator", *arguments)
    assert (code, printed) == (2, "")
    assert said in error


def test_a_folder_called_mediator_is_a_scenario_by_its_path(tmp_path, monkeypatch, capsys):
    (tmp_path / "mediator").mkdir()
    write_scenario(tmp_path / "mediator")
    monkeypatch.chdir(tmp_path)
    code, printed, _ = command(capsys, "check", "./mediator")
    assert code == 0
    assert ": fine. " in printed
    assert command(capsys, "check", "--no-code", "./mediator")[0] == 0
    assert "Missing argument 'WHAT'" in command(capsys, "check", "mediator")[2]


def test_help_shows_both_ways_to_check(capsys):
    code, printed, _ = command(capsys, "check", "--help")
    assert code == 0
    assert "check [OPTIONS] SCENARIO | mediator WHAT" in printed
    assert "--no-code" in command(capsys, "check", "tourism", "--help")[1]
    assert "--profiles" in command(capsys, "check", "mediator", "--help")[1]


def test_nothing_in_a_shrunk_counterexample_can_be_left_out():
    """Condorcet's 81 voters of 1785 shrink to three ballots, the fewest with which Borda's count fails him."""
    votes = {"abc": 30, "acb": 1, "bac": 29, "bca": 10, "cab": 10, "cba": 1}
    profile = Profile.from_rankings(list(votes), list(votes.values()), items="abc")
    axiom, subject = AXIOMS["condorcet"], Subject(registry.create("mediator", "borda"))
    found = axiom.search(subject, profile, 1, None)
    small = shrunk(axiom, subject, found, profile, 1)
    assert small.before.weights.sum() < 15
    assert all(axiom.search(subject, other, k, None) is None for other, k in simpler(small.before, 1))
    again = shrunk(axiom, subject, found, profile, 1)
    assert again.lines() == small.lines()
