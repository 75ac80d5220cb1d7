"""Copeland and the pairwise matrix under it."""

import numpy as np
import pytest

from simulator.mediation import mediate
from simulator.mediators.families import pairwise
from simulator.mediators.families.pairwise import pairwise_support
from simulator.profile import Profile


def test_support_counts_the_weight_of_strict_preferences_alone():
    profile = Profile.from_rankings(["abc", ["c", ["a", "b"]], ["b"]], [3, 2, 1])
    assert pairwise_support(profile).tolist() == [[0, 3, 3], [1, 0, 4], [2, 2, 0]]


def test_support_does_not_depend_on_the_size_of_blocks(monkeypatch):
    rng = np.random.default_rng(5)
    profile = Profile.from_utilities(rng.integers(0, 5, (3, 40, 7)), "abcdefg", rng.integers(0, 9, (3, 40)))
    at_once = pairwise_support(profile)
    monkeypatch.setattr(pairwise, "_BLOCK", 500)
    assert (pairwise_support(profile) == at_once).all()
    by_loop = [
        [[sum(w * (r[a] < r[b]) for r, w in zip(ranks, weights, strict=True)) for b in range(7)] for a in range(7)]
        for ranks, weights in zip(profile.ranks, profile.weights, strict=True)
    ]
    assert at_once.tolist() == by_loop


def test_alpha_is_what_a_tied_pair_counts():
    profile = Profile.from_rankings(["abc", "bac"])
    assert mediate(profile, "copeland").scores == {"a": 1.5, "b": 1.5, "c": 0}
    assert mediate(profile, "copeland(alpha=0)").scores == {"a": 1, "b": 1, "c": 0}
    assert mediate(profile, "copeland(alpha=1)").scores == {"a": 2, "b": 2, "c": 0}


@pytest.mark.parametrize("alpha", [-0.1, 1.5, float("nan")])
def test_alpha_outside_the_unit_interval_is_refused(alpha):
    with pytest.raises(ValueError, match=r"0\.\.1"):
        mediate(Profile.from_rankings(["ab"]), {"name": "copeland", "alpha": alpha})


def test_margins_that_differ_by_rounding_are_tied_pairs():
    profile = Profile.from_rankings(["ab", "ab", "ba"], [0.1, 0.2, 0.3])
    assert mediate(profile, "copeland").winners == ("a", "b")
