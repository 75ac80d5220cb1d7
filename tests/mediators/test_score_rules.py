"""Score rules: points for positions, utilities and approvals."""

from itertools import chain, permutations, product

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.profile import Profile

TENNESSEE = Profile.from_rankings(
    [
        ["Memphis", "Nashville", "Chattanooga", "Knoxville"],
        ["Nashville", "Chattanooga", "Knoxville", "Memphis"],
        ["Chattanooga", "Knoxville", "Nashville", "Memphis"],
        ["Knoxville", "Chattanooga", "Nashville", "Memphis"],
    ],
    [42, 26, 15, 17],
)
POSITIONAL = {
    "borda": lambda m: np.arange(m - 1, -1, -1.0),
    "plurality": lambda m: np.eye(m)[0],
    "anti_plurality": lambda m: 1 - np.eye(m)[-1],
    "k_approval(top=3)": lambda m: (np.arange(m) < 3) * 1.0,
    "scoring(vector=[5, 4, -1])": lambda m: np.array([5, 4, -1, 0, 0, 0])[:m],
}


@pytest.mark.parametrize(("rule", "c"), [("dowdall", 0), ("rrf", 60), ("rrf(c=2)", 2)])
def test_what_divides_by_the_position_divides_by_the_average_of_tied_ones(rule, c):
    """a and b span positions 1 and 2, c and d, which the second ballot leaves out, 3 and 4."""
    profile = Profile.from_rankings([[["a", "b"], "c", "d"], ["b", "a"]], [2, 1], items="abcd")
    expected = {
        "a": 2 / (c + 1.5) + 1 / (c + 2),
        "b": 2 / (c + 1.5) + 1 / (c + 1),
        "c": 2 / (c + 3) + 1 / (c + 3.5),
        "d": 2 / (c + 4) + 1 / (c + 3.5),
    }
    assert mediate(profile, rule).scores == pytest.approx(expected)


def random_ballots(rng, items, n):
    """Rankings with ties and gaps."""
    ballots = []
    for _ in range(n):
        ranked = rng.permutation(list(items))[: rng.integers(0, len(items) + 1)].tolist()
        tiers = []
        for item in ranked:
            if tiers and rng.random() < 0.4:
                tiers[-1].append(item)
            else:
                tiers.append([item])
        ballots.append(tiers)
    return ballots


def mean_over_strict_orders(tiers, items, vector):
    """Points of the items, averaged over every strict order that breaks the ballot's ties; unranked items tie last."""
    ranked = set(chain.from_iterable(tiers))
    tiers = [*tiers, [item for item in items if item not in ranked]]
    orders = [list(chain.from_iterable(parts)) for parts in product(*(permutations(tier) for tier in tiers))]
    return [np.mean([vector[order.index(item)] for order in orders]) for item in items]


# https://electowiki.org/wiki/Kemeny-Young_method, https://en.wikipedia.org/wiki/Borda_count; the last one: pref_voting
@pytest.mark.parametrize(
    ("rule", "scores"),
    [
        ("plurality", {"Memphis": 42, "Nashville": 26, "Chattanooga": 15, "Knoxville": 17}),
        ("borda", {"Memphis": 126, "Nashville": 194, "Chattanooga": 173, "Knoxville": 107}),
        ("anti_plurality", {"Memphis": 42, "Nashville": 100, "Chattanooga": 100, "Knoxville": 58}),
    ],
)
def test_capital_of_tennessee(rule, scores):
    assert mediate(TENNESSEE, rule).scores == scores


def test_dowdall_fails_on_a_minimal_profile_of_prefvoting():
    profile = Profile.from_rankings(["bac", "cab", "acb"], [2, 2, 1])
    assert mediate(profile, "dowdall").winners == ("c",)
    assert mediate(profile, "harmonic").scores == pytest.approx(
        {"a": 3, "b": 2 + 2 / 3 + 1 / 3, "c": 2 + 2 / 3 + 1 / 2}
    )


@pytest.mark.parametrize("rule", POSITIONAL)
def test_ties_share_the_mean_of_the_points_over_all_ways_to_break_them(rule):
    rng = np.random.default_rng(1)
    items = "abcde"
    vector = POSITIONAL[rule](len(items))
    for _ in range(15):
        ballots, weights = random_ballots(rng, items, 4), rng.integers(0, 4, 4)
        points = [mean_over_strict_orders(ballot, items, vector) for ballot in ballots]
        scores = mediate(Profile.from_rankings(ballots, weights, items=items), rule).score_values
        assert scores == pytest.approx(weights @ np.array(points))


@pytest.mark.parametrize("rule", POSITIONAL)
def test_unranked_items_get_nothing_if_told_so(rule):
    name, _, rest = rule.partition("(")
    told = f"{name}(truncation=zero_points{', ' + rest if rest else ')'}"
    profile = Profile.from_rankings([["a", "b"], [["c", "a"]], []], [2, 1, 5], items="abcd")
    points = POSITIONAL[rule](4)
    both = points[:2].mean()
    assert mediate(profile, told).scores == pytest.approx(
        {"a": 2 * points[0] + both, "b": 2 * points[1], "c": both, "d": 0}
    )


def test_truncated_borda_by_either_convention():
    # 3 unranked items share positions 3 to 5: (2 + 1 + 0) / 3 = 1 point each
    profile = Profile.from_rankings(["ab"], items="abcde")
    assert mediate(profile, "borda").scores == {"a": 4, "b": 3, "c": 1, "d": 1, "e": 1}
    assert mediate(profile, "borda(truncation=zero_points)").scores == {"a": 4, "b": 3, "c": 0, "d": 0, "e": 0}


def test_rrf_of_the_paper():
    outcome = mediate(Profile.from_rankings(["abc", "cab"]), "rrf")
    assert outcome.scores == pytest.approx({"a": 1 / 61 + 1 / 62, "b": 1 / 62 + 1 / 63, "c": 1 / 63 + 1 / 61})


def test_score_vector_is_filled_up_and_cut():
    profile = Profile.from_rankings(["abc"])
    assert mediate(profile, "scoring(vector=[3])").scores == {"a": 3, "b": 0, "c": 0}
    assert mediate(profile, "scoring(vector=[4, 3, 2, 1])").scores == {"a": 4, "b": 3, "c": 2}
    assert mediate(profile, "scoring").scores == {"a": 12, "b": 10, "c": 8}
    assert mediate(profile, "scoring(vector=[4, 3.5])").mediator == "scoring(vector=[4.0, 3.5])"


def test_k_approval_shares_a_point_where_approval_gives_it_to_both():
    profile = Profile.from_rankings([["a", ["b", "c"], "d"]])
    assert mediate(profile, "k_approval").scores == {"a": 1, "b": 0.5, "c": 0.5, "d": 0}
    assert mediate(profile, "av(approve=top-2)").scores == {"a": 1, "b": 1, "c": 1, "d": 0}


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("borda(truncation=zero)", "truncation"),
        ("k_approval(top=0)", "at least 1"),
        ("rrf(c=-1)", "0..1,000,000"),
        ("scoring(vector=[])", "at least one number"),
        ("scoring(vector=[1e300])", "1e12"),
        ("av(approve=all)", r"threshold-0\.5"),
    ],
)
def test_wrong_parameters_are_refused(rule, message):
    with pytest.raises(ValueError, match=message):
        mediate(TENNESSEE, rule)


def test_range_reads_approvals_as_scores_and_utilities_as_they_are():
    approving = Profile.from_approvals(["ab", "a", "c"], [1, 1, 3], items="abc")
    assert mediate(approving, "range").scores == mediate(approving, "av").scores == {"a": 2, "b": 1, "c": 3}
    assert "approvals" in mediate(approving, "score").notes[0]
    assert mediate(approving, "utilitarian").scores == {"a": 2.5, "b": 1.75, "c": 3.25}
    scored = Profile.from_utilities([[7, -1.5]], "ab", [2])
    assert mediate(scored, "range").scores == mediate(scored, "utilitarian").scores == {"a": 14, "b": -3}


def test_relative_utilitarian_does_not_depend_on_anyones_scale():
    values = np.random.default_rng(2).random((3, 5))
    scaled = values * [[1], [1000], [1e-6]] + [[0], [5], [-7]]
    first, second = (
        mediate(Profile.from_utilities(u, "abcde", [1, 2, 1]), "relative_utilitarian") for u in (values, scaled)
    )
    assert first.score_values == pytest.approx(second.score_values, rel=1e-6)
    assert first.scores == pytest.approx(
        dict(zip("abcde", [1, 2, 1] @ ((values.T - values.min(1)) / np.ptp(values, axis=1)).T, strict=True))
    )


def test_rounding_is_no_preference_for_relative_utilitarian():
    profile = Profile.from_utilities([[0.1 + 0.2, 0.3], [0, 1]], "ab", [9, 1])
    assert mediate(profile, "relative_utilitarian").scores == {"a": 0, "b": 1}


def test_committees_of_the_approval_voting_book_and_of_abcvoting():
    # M. Lackner and P. Skowron, Multi-winner voting with approval preferences, 2023, examples 2.1 and 2.14
    example = Profile.from_approvals(["ab", "ac", "ad", "bcf", "e", "f", "g"], [3, 3, 2, 1, 1, 1, 1], items="abcdefgh")
    assert slates(example, "av", 4) == ["abcd", "abcf"]
    example = Profile.from_approvals(["a", "bcde"], [1, 3], items="abcde")
    assert slates(example, "av", 1) == ["b", "c", "d", "e"]
    assert slates(example, "sav", 1) == ["a"]
    # abcvoting, tests/test_abcrules.py, profile 3
    ballots = ["0345", "12", "025", "2", "01234", "034", "024", "01"]
    example = Profile.from_approvals(ballots, items="012345")
    assert slates(example, "av", 4) == ["0124", "0234"]
    assert slates(example, "sav", 4) == ["0124"]


def slates(profile, rule, k):
    return sorted("".join(sorted(slate)) for slate in mediate(profile, rule, k=k).slates)


def test_satisfaction_approval_voting_divides_every_ballot():
    profile = Profile.from_approvals(["ab", "abc", "d", ""], [1, 1, 0.75, 2], items="abcd")
    outcome = mediate(profile, "sav", k=3)
    assert outcome.scores == pytest.approx({"a": 5 / 6, "b": 5 / 6, "c": 1 / 3, "d": 0.75})
    assert slates(profile, "sav", 3) == ["abd"]
    assert slates(profile, "av", 3) == ["abc"]


def test_approvals_of_rankings_follow_the_size_of_the_slate():
    profile = Profile.from_rankings(["abc", "bac", "bca"])
    assert mediate(profile, "av", k=1).scores == {"a": 1, "b": 2, "c": 0}
    assert mediate(profile, "av", k=2).scores == {"a": 2, "b": 3, "c": 1}
    assert mediate(profile, "sav", k=2).scores == {"a": 1, "b": 1.5, "c": 0.5}


@pytest.mark.parametrize("rule", [*POSITIONAL, "range", "relative_utilitarian", "av", "sav"])
def test_the_largest_weights_and_utilities_overflow_nowhere(rule):
    profile = Profile.from_utilities([[1e100, 0, -1e100], [0, 1e100, 1]], "abc", [1e100, 1e-100])
    outcome = mediate(profile, rule)
    assert np.isfinite(outcome.score_values).all()
    assert "a" in outcome.winners
    with pytest.raises(ValueError, match="1e-100"):
        Profile.from_rankings(["ab"], [1e308])
    with pytest.raises(ValueError, match=r"1e\+100"):
        Profile.from_utilities([[1e200, 0]], "ab")
