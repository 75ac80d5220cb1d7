import numpy as np
import pytest
from scipy.sparse import csr_array

from simulator.llmfosa.split import split, take_validation


def dense(users=50, items=40):
    return csr_array(np.arange(1.0, users * items + 1).reshape(users, items).astype(np.float32))


def test_parts_make_up_the_whole_and_keep_its_values():
    pairs = dense()
    train, valid, test = split(pairs, seed=0)
    assert (train + valid + test).toarray().tolist() == pairs.toarray().tolist()
    assert train.nnz + valid.nnz + test.nnz == pairs.nnz
    assert all(part.has_sorted_indices for part in (train, valid, test))


def test_every_user_gives_its_share():
    train, valid, test = split(dense(), seed=0)
    assert set(np.diff(train.indptr)) == {32}
    assert set(np.diff((valid + test).tocsr().indptr)) == {8}
    assert valid.nnz == pytest.approx(0.1 * 400, abs=20)  # 50 users of 0.8 each: 3 standard deviations are 9


def test_every_item_is_held_out_equally_often():
    held = sum((split(dense(), seed=seed)[2] > 0).toarray().sum(axis=0) for seed in range(40))
    assert held == pytest.approx(np.full(40, 40 * 50 * 0.18), rel=0.25)


def test_the_seed_alone_decides():
    first, again, other = (split(dense(), seed=seed)[0].toarray().tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_who_has_one_interaction_trains_with_it_and_who_has_none_stays_empty():
    pairs = csr_array(np.array([[1, 0, 0], [0, 0, 0], [1, 1, 0]], dtype=np.float32))
    train, valid, test = split(pairs, test=0.99, seed=0)
    assert np.diff(train.indptr).tolist() == [1, 0, 1]
    assert (valid.nnz, test.nnz) == (0, 1)


def test_validation_takes_its_share_also_from_users_with_few_test_items():
    few = csr_array(np.ones((2000, 3), dtype=np.float32))
    valid, rest = take_validation(few, seed=0)
    assert valid.nnz == pytest.approx(600, abs=3 * np.sqrt(2000 * 0.3 * 0.7))
    assert np.diff(rest.indptr).min() == 2
    assert take_validation(csr_array(np.ones((9, 1))), seed=0)[0].nnz == 0
