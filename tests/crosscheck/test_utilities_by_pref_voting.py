"""Rules on utilities against pref_voting: whole utilities, so that sums are exact and ties are frequent."""

import numpy as np
import pytest
from pref_voting import utility_methods as methods
from pref_voting.grade_methods import approval, score_voting
from pref_voting.grade_profiles import GradeProfile
from pref_voting.utility_profiles import UtilityProfile

from simulator.mediation import mediate
from simulator.profile import Profile

PROFILES = 500
RANKINGS = {
    "egalitarian": methods.maximin_ranking,
    "leximin": methods.lexicographic_maximin_ranking,
    "relative_utilitarian": methods.relative_utilitarian_ranking,
    "utilitarian": methods.sum_utilitarian_ranking,
}


def utilities(seed, least=0):
    """Utilities `(n, m)`; nobody is indifferent between all items, since relative utilities are undefined then."""
    rng = np.random.default_rng(seed)
    for number in range(PROFILES):
        n, m = int(rng.integers(1, 7)), int(rng.integers(2, 6))
        values = rng.integers(least, 4 + 8 * (number % 2), (n, m))
        values[np.arange(n), rng.integers(0, m, n)] += 3 * (values.max(axis=1) == values.min(axis=1))
        yield values


def items_of(values):
    return list(map(str, range(values.shape[1])))


@pytest.mark.parametrize("rule", RANKINGS)
def test_the_same_rankings_with_their_ties(rule):
    for values in utilities(seed=21):
        if rule == "relative_utilitarian":
            values = np.where(values == values.max(axis=1, keepdims=True), 4, values % 4)  # quarters are exact
            values[:, 0] = 0
            values[:, 1] = 4
        outcome = mediate(Profile.from_utilities(values, items_of(values)), rule)
        expected = RANKINGS[rule](UtilityProfile([dict(enumerate(row)) for row in values.tolist()]))
        expected.normalize_ranks()
        tiers = {int(item): number for number, tier in enumerate(outcome.tiers, 1) for item in tier}
        assert tiers == expected.rmap, values


def test_the_nash_product_over_a_status_quo_that_gives_nobody_anything():
    """The peer ranks items that everyone likes better than the status quo; the status quo here is an item of zeros."""
    for values in utilities(seed=22, least=1):
        with_quo = np.column_stack([np.zeros(len(values), dtype=int), values])
        ranking = methods.nash_ranking(UtilityProfile([dict(enumerate(row)) for row in with_quo.tolist()]), sq=0)
        ranking.normalize_ranks()
        outcome = mediate(Profile.from_utilities(values, items_of(values)), "nash")
        tiers = {int(item) + 1: number for number, tier in enumerate(outcome.tiers, 1) for item in tier}
        assert {item: tier for item, tier in ranking.rmap.items() if item} == tiers, values


@pytest.mark.parametrize("rule", ["range", "utilitarian"])
def test_the_same_winners_by_grades(rule):
    for values in utilities(seed=23):
        given = GradeProfile([dict(enumerate(row)) for row in values.tolist()], list(range(20)))
        outcome = mediate(Profile.from_utilities(values, items_of(values)), rule)
        assert sorted(map(int, outcome.winners)) == sorted(score_voting(given)), values


def test_the_same_winners_by_approval():
    for values in utilities(seed=24):
        approved = values > 1
        given = GradeProfile([dict(enumerate(row)) for row in approved.astype(int).tolist()], [0, 1])
        ballots = [[str(item) for item in np.flatnonzero(row)] for row in approved]
        outcome = mediate(Profile.from_approvals(ballots, items=items_of(values)), "av")
        assert sorted(map(int, outcome.winners)) == sorted(approval(given)), values
