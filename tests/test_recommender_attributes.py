"""What a recommender's scenario derives: list scores, taste, usual popularity, and what narrows the gap of groups."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from simulator.catalogue import Catalogue, read_catalogue
from simulator.derivations.closeness import Closeness
from simulator.derivations.listed import Listed
from simulator.derivations.narrowing import Narrowing
from simulator.derivations.taste import Taste
from simulator.dynamics.group_attention import GroupAttention
from simulator.requests import Request
from simulator.state import Moment, WorldState

CSV = """\
title,genre,popularity
A,Crime,0.5
B,War,0.1
C,Crime,
D,,0.3
E,Drama,0.2
F,Drama,0.2
"""


@pytest.fixture
def catalogue(tmp_path) -> Catalogue:
    (tmp_path / "titles.csv").write_text(CSV, encoding="utf-8")
    return read_catalogue(tmp_path / "titles.csv", "title")


def user(*shares: float, **fields: object) -> Request:
    return Request("u", fields=fields, scores={"B": 2.0, "A": 0.5}, membership=shares)


def at(catalogue: Catalogue, request: Request, state: WorldState | None = None) -> Moment:
    return Moment(catalogue, request, state or WorldState())


def test_a_listed_item_has_its_score_and_others_have_none(catalogue):
    nan = np.nan
    np.testing.assert_array_equal(Listed().compute(at(catalogue, user())), [0.5, 2, nan, nan, nan, nan])
    assert Listed().check_request(user()) == []
    assert len(Listed().check_request(Request("u"))) == 1


def test_closeness_is_0_at_what_is_usual_and_falls_to_both_sides(catalogue):
    closeness = Closeness("popularity", "usual")
    found = closeness.compute(at(catalogue, user(usual="0.3")))
    assert found == pytest.approx([-0.2, -0.2, np.nan, 0, -0.1, -0.1], nan_ok=True)
    assert np.isnan(closeness.compute(at(catalogue, user(usual="")))).all()
    assert closeness.check(catalogue) == []
    assert closeness.check_request(user(usual=0.3)) == []
    assert len(closeness.check_request(user(usual="much"))) == len(closeness.check_request(user(usual="inf"))) == 1


def test_taste_is_the_share_of_the_items_kind_in_the_profile(catalogue):
    taste = Taste("genre")
    found = taste.compute(at(catalogue, user(likes_Crime="0.75", likes_War=0.25)))
    np.testing.assert_array_equal(found, [0.75, 0.25, 0.75, np.nan, 0, 0])
    assert taste.check_request(user(likes_Crime=1)) == []
    assert "no field 'likes_<genre>'" in taste.check_request(user())[0]
    assert "likes_War" in taste.check_request(user(likes_Crime=1, likes_War="x"))[0]


def started(catalogue: Catalogue, prior: float = 1.0) -> tuple[GroupAttention, WorldState]:
    dynamic = GroupAttention("genre", prior)
    return dynamic, dynamic.start(catalogue, WorldState())


def test_groups_gain_attention_by_their_share_in_the_user_and_nothing_shows_it(catalogue):
    dynamic, state = started(catalogue)
    prior = np.array([2, 2, 1]) / 5  # Crime, Drama, War
    after = dynamic.deliver(state, np.array([1, 0, 3]), user(0.9, 0.1))  # War, Crime, no genre
    shown = np.array([1 / np.log2(3), 0, 1])
    assert after.hidden["group_attention"] == pytest.approx(np.array([prior + 0.9 * shown, prior + 0.1 * shown]))
    assert after.items == state.items == {}
    assert "group_attention" not in repr(after).split("constants")[0]
    assert dynamic.arrays() == ()
    assert dynamic.hidden_arrays() == ("group_attention",)
    assert dynamic.evolve(state, np.array([1])) is state
    assert dynamic.deliver(state, np.array([1]), Request("nobody")) is state


def test_attention_needs_two_kinds_and_a_prior(catalogue):
    dynamic, _ = started(catalogue)
    assert dynamic.check(catalogue) == []
    only = Catalogue(catalogue.path, ("A", "B"), {"genre": ("x", "")})
    assert len(dynamic.check(only)) == 1
    with pytest.raises(ValueError, match="above 0"):
        GroupAttention("genre", prior=0)


def gaps(attention: np.ndarray, shares: tuple[float, ...]) -> np.ndarray:
    """The gap of two groups after one more place for each kind, by SciPy."""
    found = []
    for kind in range(attention.shape[1]):
        after = attention.copy()
        after[:, kind] += shares
        found.append(jensenshannon(*after))
    return np.array(found)


@pytest.mark.parametrize("shares", [(0.9, 0.1), (0.2, 0.8)])
def test_narrowing_puts_kinds_in_the_order_of_the_gap_that_they_leave(catalogue, shares):
    dynamic, state = started(catalogue)
    for delivered, who in (([0, 1], (0.8, 0.2)), ([4, 0], (0.1, 0.9)), ([1, 4], (0.7, 0.3))):
        state = dynamic.deliver(state, np.array(delivered), user(*who))
    found = Narrowing().compute(at(catalogue, user(*shares), state))
    crime, war, again, none, drama, same = found
    assert (crime, drama) == (again, same)
    assert np.isnan(none)
    expected = gaps(state.hidden["group_attention"], shares)
    assert np.argsort(-np.array([crime, drama, war])).tolist() == np.argsort(expected).tolist()
    assert sorted({crime, drama, war}) == [0, 0.5, 1]


def test_whoever_may_be_in_any_group_narrows_nothing(catalogue):
    _, state = started(catalogue)
    assert set(Narrowing().compute(at(catalogue, user(0.5, 0.5), state))[[0, 1, 4]]) == {0.5}
    assert Narrowing().check_request(user(0.5, 0.5)) == []
    assert len(Narrowing().check_request(Request("u"))) == 1
    assert np.isnan(Narrowing().compute(at(catalogue, Request("u"), state))).all()
