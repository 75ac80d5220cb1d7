"""Triplets of BPR: every interaction once an epoch, each with an item that its user did not choose."""

from collections import Counter

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.matrices import sparse  # noqa: E402
from simulator.llmfosa.training.sampling import Triplets  # noqa: E402


def interactions(chosen):
    rows, columns = np.nonzero(chosen)
    return sparse(rows, columns, np.ones(len(rows)), chosen.shape)


def epoch(chosen, batch=7, seed=0):
    triplets = Triplets(interactions(chosen), torch.Generator().manual_seed(seed), torch.device("cpu"))
    return list(triplets.epoch(batch)), triplets


@pytest.mark.parametrize("density", [0.05, 0.5, 0.95])
def test_every_interaction_comes_once_and_no_chosen_item_is_the_other(density):
    chosen = np.random.default_rng(1).random((30, 20)) < density
    chosen[:, 0] = False  # nobody has everything
    batches, triplets = epoch(chosen)
    for _ in range(5):
        pairs = Counter(
            (u, i) for users, items, _ in batches for u, i in zip(users.tolist(), items.tolist(), strict=True)
        )
        assert pairs == Counter(zip(*(each.tolist() for each in np.nonzero(chosen)), strict=True))
        for users, _, others in batches:
            assert not chosen[users, others].any()
            assert ((others >= 0) & (others < 20)).all()
        batches = list(triplets.epoch(7))


def test_all_items_that_a_user_did_not_choose_come_up_alike():
    chosen = np.zeros((1, 6), dtype=bool)
    chosen[0, [0, 3]] = True
    _, triplets = epoch(chosen)
    counts = Counter(int(other) for _ in range(1500) for *_, others in triplets.epoch(8) for other in others)
    assert set(counts) == {1, 2, 4, 5}
    assert max(counts.values()) < 1.3 * min(counts.values())


def test_a_user_with_all_items_is_left_out_and_one_without_any_does_no_harm():
    chosen = np.array([[1, 1, 1], [0, 0, 0], [1, 0, 1]], dtype=bool)
    batches, _ = epoch(chosen)
    users, items, others = batches[0]
    assert sorted(zip(users.tolist(), items.tolist(), others.tolist(), strict=True)) == [(2, 0, 1), (2, 2, 1)]
    assert epoch(np.ones((2, 3), dtype=bool))[0] == []
    assert epoch(np.zeros((2, 3), dtype=bool))[0] == []


def test_batches_have_the_size_and_the_last_one_the_rest():
    chosen = np.zeros((10, 4), dtype=bool)
    chosen[:, 1] = True
    assert [len(users) for users, *_ in epoch(chosen, 4)[0]] == [4, 4, 2]


def test_the_draws_follow_the_seed_and_change_between_epochs():
    chosen = np.random.default_rng(2).random((30, 20)) < 0.3
    (first, triplets), (same, _), (other, _) = epoch(chosen), epoch(chosen), epoch(chosen, seed=1)

    def flat(batches):
        return torch.cat([torch.stack(batch) for batch in batches], 1)

    assert torch.equal(flat(first), flat(same))
    assert not torch.equal(flat(first), flat(other))
    assert not torch.equal(flat(first), flat(list(triplets.epoch(7))))
