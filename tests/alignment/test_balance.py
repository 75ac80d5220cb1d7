import itertools
from collections import Counter

import pytest

from simulator.alignment.balance import balanced_orders


def test_the_design_for_four_is_the_published_one():
    """Williams (1949): the square 0 1 3 2 and its shifts."""
    assert balanced_orders(4) == [(0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)]


@pytest.mark.parametrize("n", range(1, 8))
def test_everything_stands_equally_often_in_every_place_and_after_everything_else(n):
    orders = balanced_orders(n)
    assert all(sorted(order) == list(range(n)) for order in orders)
    places = Counter((place, number) for order in orders for place, number in enumerate(order))
    assert len(places) == n * n
    assert len(set(places.values())) == 1
    after = Counter(pair for order in orders for pair in itertools.pairwise(order))
    assert len(after) == n * (n - 1)
    assert len(set(after.values())) <= 1
