"""What holds for every index of inequality, on random values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.metrics.inequality import (
    atkinson,
    generalized_entropy,
    gini,
    jain,
    min_max_ratio,
    theil,
    variance_fairness,
)
from simulator.metrics.unfairness import chebyshev_unfairness, l2_unfairness

INDICES = {
    "gini": gini,
    "jain": jain,
    "theil": theil,
    "min_max_ratio": min_max_ratio,
    **{f"atkinson {e}": lambda x, e=e: atkinson(x, e) for e in (0, 0.5, 1, 2, 5)},
    **{f"entropy {a}": lambda x, a=a: generalized_entropy(x, a) for a in (-1, 0, 0.5, 2)},
}
EQUAL = {"jain": 1.0, "min_max_ratio": 1.0}
values = st.lists(st.floats(0.01, 1), min_size=1, max_size=8).map(np.array)
sparse = st.lists(st.sampled_from([0, 0.25, 1]), min_size=1, max_size=8).map(np.array)
index = pytest.mark.parametrize("compute", INDICES.values(), ids=INDICES)


@index
@given(values, st.floats(1e-6, 1e6))
@settings(max_examples=12)
def test_scale_does_not_matter(compute, x, factor):
    assert compute(x * factor) == pytest.approx(compute(x), abs=1e-9)


@index
@given(values, st.integers(0, 2**32 - 1))
@settings(max_examples=12)
def test_places_do_not_matter(compute, x, seed):
    assert compute(np.random.default_rng(seed).permutation(x)) == pytest.approx(compute(x), abs=1e-12)


@index
@given(values)
@settings(max_examples=12)
def test_several_of_each_are_as_unequal(compute, x):
    assert compute(np.tile(x, 3)) == pytest.approx(compute(x), abs=1e-9)


@pytest.mark.parametrize("name", INDICES)
@given(sparse)
@settings(max_examples=12)
def test_equal_values_and_only_they_have_the_value_of_equality(name, x):
    found = float(INDICES[name](x))
    equal = found == pytest.approx(EQUAL.get(name, 0.0), abs=1e-12)
    assert equal == (len(set(x)) == 1 or name == "atkinson 0")


@pytest.mark.parametrize("name", INDICES)
@given(values, st.data())
@settings(max_examples=12)
def test_a_gift_from_the_richer_to_the_poorer_never_adds_inequality(name, x, data):
    rich, poor = int(x.argmax()), int(x.argmin())
    gift = data.draw(st.floats(0, (x[rich] - x[poor]) / 2))
    after = x.copy()
    after[rich] -= gift
    after[poor] += gift
    sign = -1 if name in EQUAL else 1
    assert sign * float(INDICES[name](after)) <= sign * float(INDICES[name](x)) + 1e-9


@index
@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
@settings(max_examples=12)
def test_a_batch_is_its_single_rows(compute, n, seed):
    batch = np.random.default_rng(seed).choice([0, 0.2, 0.5, 1], (2, 3, n))
    rows = [[float(compute(row)) for row in block] for block in batch]
    assert compute(batch) == pytest.approx(np.array(rows), abs=1e-12)


@given(sparse)
@settings(max_examples=12)
def test_ranges(x):
    n = len(x)
    assert -1e-12 <= gini(x) <= (n - 1) / n + 1e-12
    assert 1 / n - 1e-12 <= jain(x) <= 1 + 1e-12
    assert -1e-12 <= theil(x) <= np.log(n) + 1e-12
    assert 0 <= atkinson(x, 2) <= 1
    assert 0.75 - 1e-12 <= variance_fairness(x) <= 1


def test_one_who_has_everything_is_the_extreme():
    one = [0, 0, 0, 5]
    assert (gini(one), jain(one), atkinson(one, 1), min_max_ratio(one)) == (0.75, 0.25, 1, 0)
    assert theil(one) == pytest.approx(np.log(4))
    assert generalized_entropy(one, 0) == np.inf


def test_nothing_to_share_is_shared_equally_and_nobody_is_undefined():
    for name, compute in INDICES.items():
        assert compute(np.zeros(3)) == EQUAL.get(name, 0.0)
        assert np.isnan(compute(np.zeros(0)))


def test_extreme_values_neither_overflow_nor_vanish():
    assert atkinson([1e-300, 1.0], 5) == 1
    assert gini([5e-324, 5e-324]) == 0
    assert jain([1e-310, 1e-310]) == pytest.approx(1)
    assert theil([1e300, 1e300]) == 0


def test_unfairness_by_hand():
    assert l2_unfairness([1, 0.5], [0.2, 0.8]) == pytest.approx(np.sqrt(0.8 * 0.25))
    assert chebyshev_unfairness([1, 0.5], [0.2, 0.8]) == pytest.approx(0.4)
    assert l2_unfairness([0, 0]) == 1
    assert chebyshev_unfairness([[0, 1], [1, 1]]).tolist() == [0.5, 0]
