"""Counterexamples in words."""

from simulator.axioms.counterexample import Counterexample, ballot_lines, decided
from simulator.mediation import mediate
from simulator.profile import Profile


def test_ballots_of_every_kind_in_words():
    rankings = Profile.from_rankings(["ab", [["b", "c"], "a"], []], [2, 0.5, 1], items="abc")
    assert ballot_lines(rankings) == ["2 x a > b (leaves out c)", "0.5 x b = c > a", "1 x ranks nothing"]
    approvals = Profile.from_approvals(["ab", ""], items="abc")
    assert ballot_lines(approvals) == ["1 x approves a, b", "1 x approves nothing"]
    assert ballot_lines(Profile.from_utilities([[0.5, 1]], "ab")) == ["1 x a 0.5, b 1"]


def test_outcomes_in_words():
    profile = Profile.from_rankings(["abc", "bac"])
    assert decided(mediate(profile, "borda")) == "a, b win, tied"
    assert decided(mediate(profile, "borda", k=3)) == "delivers {a, b, c}"
    assert decided(mediate(Profile.from_rankings([], items="abc"), "borda", k=2)) == (
        "delivers {a, b} or {a, c} or {b, c}"
    )


def test_both_profiles_are_shown():
    before, after = Profile.from_rankings(["ab"]), Profile.from_rankings(["ba"], items="ab")
    example = Counterexample("x", 1, before, mediate(before, "borda"), "It changes.", after, mediate(after, "borda"))
    assert example.lines() == [
        "It changes.",
        "ballots  1 x a > b",
        "         -> a wins",
        "changed  1 x b > a",
        "         -> b wins",
    ]
    assert example.to_json()["after"]["profile"]["ballots"] == [{"weight": 1, "ranking": [["b"], ["a"]]}]
