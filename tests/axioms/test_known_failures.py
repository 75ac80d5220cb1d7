"""What theory says that rules fail, the checker shows as a failure, on published profiles where there are any."""

import json
from pathlib import Path

import pytest

from simulator import registry
from simulator.axioms import AXIOMS, Subject
from simulator.axioms.profiles import random_samples
from simulator.profile import Profile
from tests.oracles.names import APPROVAL, carried

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "approval_axiom_failures.json").read_text())
NAMES = carried(APPROVAL)


def broken(rule, axiom, profile, k=1):
    return AXIOMS[axiom].search(Subject(registry.create("mediator", rule)), profile, k, None)


def rankings(counts):
    return Profile.from_rankings(list(counts), list(counts.values()), items=sorted(next(iter(counts))))


def approving(ballots):
    return Profile.from_approvals([list(map(str, ballot)) for ballot in ballots], items="01234567")


@pytest.mark.parametrize("rule", ["irv", "stv"])
def test_elimination_of_the_lowest_is_not_monotone(rule):
    """Ten ballots that raise a from last to first make c win instead of a."""
    profile = rankings({"abc": 39, "bca": 25, "cab": 26})
    split = Profile.from_rankings(["abc", "bca", "bca", "cab"], [39, 25, 10, 26], items="abc")
    assert broken(rule, "monotone", split).sentence == "Raising a in ballot 3 makes it lose."
    assert broken(rule, "monotone", profile) is None


@pytest.mark.parametrize("rule", ["irv", "stv"])
def test_elimination_of_the_lowest_has_the_no_show_paradox(rule):
    """https://en.wikipedia.org/wiki/Participation_criterion: if 2 of 4 who think a > b > c stay away, b wins, not c."""
    profile = Profile.from_rankings(["abc", "abc", "bca", "cab"], [2, 2, 3, 4], items="abc")
    found = broken(rule, "participation", profile)
    assert found.outcome.winners == ("b",)
    assert found.outcome_after.winners == ("c",)


def test_scoring_rules_are_not_condorcet_consistent():
    """Condorcet, 1785: of 81 voters, 41 prefer a to b and 60 prefer a to c, but b has more points from a > b > c."""
    votes = {"abc": 30, "acb": 1, "bac": 29, "bca": 10, "cab": 10, "cba": 1}
    for rule in ("borda", "dowdall"):
        assert broken(rule, "condorcet", rankings(votes)).outcome.winners == ("b",)
    assert broken("plurality", "condorcet", rankings({"abc": 3, "bca": 2, "cba": 2})) is not None
    assert broken("plurality", "condorcet loser", rankings({"abc": 3, "bca": 2, "cba": 2})) is not None


def test_borda_can_be_manipulated():
    """By hand: a has 8, b 7, c 0 points; the two who think b > a > c put a last, and b has 7, a 6, c 2."""
    found = broken("borda", "strategyproof", rankings({"abc": 3, "bac": 2}))
    assert found.outcome.winners == ("a",)
    assert found.outcome_after.winners == ("b",)


CONDORCET = ("copeland", "minimax", "schulze", "ranked_pairs", "kemeny", "black", "baldwin", "nanson", "split_cycle")


@pytest.mark.parametrize("rule", CONDORCET)
def test_every_condorcet_rule_has_the_no_show_paradox_with_four_items(rule):
    """H. Moulin, 1988, for correspondences J. L. Jimeno et al., 2009: some ballot had better stay at home."""
    subject = Subject(registry.create("mediator", rule))
    for axiom in ("participation", "optimists' participation"):
        samples = (sample for sample in random_samples("ranking", 700, 11) if sample.profile.m >= 4)
        assert any(AXIOMS[axiom].search(subject, sample.profile, 1, None) for sample in samples)


def test_approval_voting_gives_a_majority_every_seat():
    profile = Profile.from_approvals(["abc"] * 4 + ["d"] * 2, items="abcd")
    assert broken("av", "jr", profile, 3).outcome.slates == (("a", "b", "c"),)
    for rule in ("seq_pav", "seq_phragmen", "pav", "mes", "cc"):
        assert broken(rule, "jr", profile, 3) is None


def test_sequential_pav_fails_jr_with_ten_seats():
    """H. Aziz et al., Justified representation in approval-based committee voting, 2017: 1199 voters, 120 for k."""
    sets = ["ab", "ac", "b", "c", "de", "df", "e", "f", "gh", "gi", "gj", "h", "i", "j", "k"]
    weights = [81, 81, 80, 80, 81, 81, 80, 80, 49, 49, 49, 96, 96, 96, 120]
    profile = Profile.from_approvals(sets, weights, items="abcdefghijk")
    assert profile.weights.sum() == 1199
    assert broken("seq_pav", "jr", profile, 10).outcome.slates == (tuple("abcdefghij"),)
    assert broken("seq_phragmen", "jr", profile, 10) is None


def cases(kind):
    return [
        pytest.param(NAMES[case["rule"]], case, id=f"{case['rule']}-{number}")
        for number, case in enumerate(ORACLE[kind])
        if case["rule"] in NAMES
    ]


@pytest.mark.parametrize(("rule", "case"), cases("monotonicity_failures"))
def test_more_support_harms_as_published(rule, case):
    """Before and after the change the winning slates are those of the source, and what was supported more is lost.

    Of rules that choose item after item the source lists what comes of ties broken by item order.
    """
    subject = Subject(registry.create("mediator", rule))
    added = case["change_set"]
    if case["change"].startswith("add"):
        ballots = [*case["ballots"], added]
    else:
        ballots = [sorted({*case["ballots"][0], *added}), *case["ballots"][1:]]
    before, after = (subject.choices(approving(b), case["k"]) for b in (case["ballots"], ballots))
    for found, listed in ((before, case["before"]), (after, case["after"])):
        assert {frozenset(slate) for slate in listed} <= found
        assert len(found) == len(listed) or rule.startswith(("seq_", "revseq_", "mes"))
    assert any(not {*added} <= slate for slate in after)
    if case["change"].startswith("add"):  # the voter who joined had better stayed at home
        found = AXIOMS["participation"].search(subject, approving(ballots), case["k"], None)
        assert found is not None


@pytest.mark.parametrize(("rule", "case"), cases("manipulations"))
def test_a_false_ballot_pays_as_published(rule, case):
    """The source breaks ties by item order; its slates are among the tied ones, and the last one is better."""
    subject = Subject(registry.create("mediator", rule))
    ballots = [*case["ballots"]]
    honest = ballots[case["manipulator"]]
    ballots[case["manipulator"]] = case["insincere_ballot"]
    before, after = (subject.choices(approving(b), case["k"]) for b in (case["ballots"], ballots))
    assert frozenset(case["before"][0]) in before
    assert frozenset(case["after"][0]) in after
    assert len({*honest} & {*case["after"][0]}) > len({*honest} & {*case["before"][0]})
