"""Outcomes: names for indices, all tied slates, and JSON that any reader takes."""

import json
from math import comb, inf, nan

import numpy as np
import pytest

from simulator.outcome import MOST_SLATES, Outcome, Trace, close_ranks, tiers_of


def outcome(tiers, k=1, **fields):
    order = tuple(item for tier in tiers for item in tier)
    given = {
        "mediator": "m",
        "items": tuple("abcdef")[: len(order)],
        "k": k,
        "order": order,
        "tier_indices": tuple(map(tuple, tiers)),
        "slate_indices": order[:k],
        "score_values": None,
        "trace": Trace("r"),
    }
    return Outcome(**{**given, **fields})


def test_names_stand_for_indices():
    found = outcome([[2], [0, 1]], k=2)
    assert found.ranking == ("c", "a", "b")
    assert found.tiers == (("c",), ("a", "b"))
    assert found.winners == ("c",)
    assert found.slate == ("c", "a")
    assert found.positions.tolist() == [1, 2, 0]
    assert outcome([[0], [1]], tied_winners=(0, 1)).winners == ("a", "b")


@pytest.mark.parametrize(
    ("tiers", "k", "slates"),
    [
        ([[2], [0, 1]], 1, [("c",)]),
        ([[2], [0, 1]], 2, [("c", "a"), ("c", "b")]),
        ([[2], [0, 1]], 3, [("c", "a", "b")]),
        ([[0, 1, 2]], 2, [("a", "b"), ("a", "c"), ("b", "c")]),
    ],
)
def test_all_slates_under_some_tie_breaking_are_listed(tiers, k, slates):
    assert list(outcome(tiers, k).slates) == slates


def test_too_many_slates_are_not_listed_and_that_is_said():
    m = 14
    assert comb(m, 7) > MOST_SLATES
    found = outcome([range(m)], 7, items=tuple(map(str, range(m))))
    assert found.slates is None
    assert found.to_json()["slates"] is None
    assert found.to_json()["complete"] is False


def test_json_has_the_documented_keys_and_no_infinities():
    data = outcome([[0], [1, 2]], 1, score_values=np.array([inf, -inf, nan])).to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == {
        "mediator": "m", "k": 1, "scores": {"a": None, "b": None, "c": None}, "tiers": [["a"], ["b", "c"]],
        "winners": ["a"], "slates": [["a"]], "complete": True,
    }  # fmt: skip


def test_scores_that_differ_by_rounding_are_one_tier():
    assert close_ranks(np.array([0.1 + 0.2, 0.3, 0.2])).tolist() == [0, 0, 1]
    assert close_ranks(np.array([0.1 + 0.2 - 0.3, 0.0]), sizes=np.array([0.6, 0.6])).tolist() == [0, 0]
    assert close_ranks(np.array([1e-12, 2e-12])).tolist() == [1, 0]
    assert close_ranks(np.array([-inf, inf, 0.0, -inf])).tolist() == [2, 0, 1, 2]


def test_items_of_one_tier_stand_in_the_order_of_priority():
    assert tiers_of(np.array([0, 1, 0, 1]), [3, 2, 1, 0]) == ((2, 0), (3, 1))
