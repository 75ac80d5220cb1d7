"""The best unseen items of every user."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.llmfosa.measures import top, top_items
from tests.llmfosa.measures.sparse import matrix


def sorted_whole(users, items, seen, k):
    """The definition: every row sorted by falling score, then item, without what was seen."""
    rows = []
    for scores, known in zip(users @ items.T, seen.toarray() > 0, strict=True):
        order = [item for item in sorted(range(len(scores)), key=lambda item: (-scores[item], item)) if not known[item]]
        rows.append([*order, *[-1] * k][:k])
    return np.array(rows).reshape(len(users), k)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_it_is_the_whole_order_cut_at_k_whatever_is_tied_or_seen(data):
    n, m = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 9))
    draw = np.random.default_rng(data.draw(st.integers(0, 999)))
    users, items = draw.integers(-2, 3, (n, 2)).astype(np.float32), draw.integers(-2, 3, (m, 2)).astype(np.float32)
    seen = matrix([np.flatnonzero(draw.random(m) < 0.4).tolist() for _ in range(n)], m)
    k = data.draw(st.integers(1, 12))
    np.testing.assert_array_equal(top_items(users, items, seen, k), sorted_whole(users, items, seen, k))


def test_some_users_in_some_order_have_the_rows_they_have_among_all(monkeypatch):
    draw = np.random.default_rng(0)
    users, items = draw.normal(size=(50, 4)), draw.normal(size=(30, 4))
    seen = matrix([draw.choice(30, 5, replace=False).tolist() for _ in range(50)], 30)
    everyone = top_items(users, items, seen, 10)
    monkeypatch.setattr(top, "CELLS", 100)  # three users at once
    rows = draw.permutation(50)[:17]
    np.testing.assert_array_equal(top_items(users, items, seen, 10, rows=rows), everyone[rows])


def test_without_a_matrix_nothing_is_left_out_and_whole_numbers_are_embeddings_too():
    np.testing.assert_array_equal(top_items([[1]], [[1], [3], [2]], None, 2), [[1, 2]])


@pytest.mark.parametrize(
    ("users", "items", "k", "message"),
    [
        (np.ones((2, 3)), np.ones((4, 2)), 1, "do not fit each other"),
        (np.ones((3, 2)), np.ones((4, 2)), 1, "do not fit the matrix"),
        (np.ones((2, 2)), np.ones((4, 2)), 0, "at least 1"),
        (np.full((2, 2), np.nan), np.ones((4, 2)), 1, "training has diverged"),
    ],
)
def test_what_cannot_be_ranked_is_refused(users, items, k, message):
    with pytest.raises(ValueError, match=message):
        top_items(users, items, matrix([[], []], 4), k)
