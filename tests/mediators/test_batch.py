"""A batch of profiles is decided as its profiles are one by one."""

import numpy as np
import pytest

from simulator import registry
from simulator.batch import BatchOutcome, close_ranks_along
from simulator.mediation import mediate, mediate_batch
from simulator.mediators import base
from simulator.outcome import close_ranks
from simulator.profile import Profile

ITEMS = "abcdefg"
RULES = (
    "anti_plurality",
    "av",
    "borda",
    "borda(truncation=zero_points)",
    "dowdall",
    "egalitarian",
    "gfar",
    "k_approval",
    "leximin",
    "maximal_lottery",
    "nash",
    "nash_ranking",
    "owa_pav",
    "plurality",
    "random_dictatorship",
    "random_serial_dictatorship",
    "range",
    "relative_utilitarian",
    "round_robin",
    "rrf",
    "sav",
    "scoring",
    "utilitarian",
)


def batches(rng, shape=(3, 4), n=4):
    """Strict, tied and truncated rankings, utilities with zeros, approvals."""
    strict = rng.random((*shape, n, len(ITEMS))).argsort(axis=-1)
    weights = rng.integers(0, 4, size=(*shape, n)).astype(float)
    tied = Profile.from_utilities(rng.integers(0, 4, strict.shape), ITEMS).ranks
    some = np.where(rng.random((*shape, 1, 1)) < 0.5, strict, tied)
    cut = np.where(strict < rng.integers(0, 8, (*shape, n, 1)), strict, len(ITEMS))
    yield Profile(tuple(ITEMS), strict, weights)
    yield Profile(tuple(ITEMS), some, weights)
    yield Profile(tuple(ITEMS), cut, weights)
    yield Profile.from_utilities(rng.integers(0, 5, strict.shape) / 4, ITEMS, weights)
    yield Profile(tuple(ITEMS), np.where(tied == 0, 0, len(ITEMS)), weights, approvals=tied == 0)


@pytest.mark.parametrize("block", [base.BLOCK, 60])
@pytest.mark.parametrize("rule", RULES)
def test_every_profile_of_a_batch_is_decided_as_alone(rule, block, monkeypatch):
    monkeypatch.setattr("simulator.mediators.base.BLOCK", block)
    monkeypatch.setattr("simulator.mediators.nash.BLOCK", block)
    mediator = registry.create("mediator", rule)
    order = np.random.default_rng(9).permutation(len(ITEMS)).tolist()
    for profile in batches(np.random.default_rng(5), (2, 2) if mediator.lottery else (3, 4)):
        many = mediator.batch(profile, k=2, priority=order, seed=3)
        first = mediator.batch(profile, k=1, priority=order, seed=3)
        for place, one in zip(np.ndindex(profile.ranks.shape[:-2]), profile.singles(), strict=True):
            if mediator.lottery:
                assert set(many.order[place][:1]) <= set(np.flatnonzero(many.winners[place]).tolist())
                outcome = mediator.mediate(one, k=2, priority=order)
            else:
                outcome = mediator.mediate(one, k=2, priority=order)
                assert tuple(many.ranks[place].tolist()) == tuple(outcome.tier_numbers.tolist())
                assert tuple(many.order[place].tolist()) == outcome.order
                assert tuple(many.slates[place].tolist()) == outcome.slate_indices
                alone = mediator.mediate(one, k=1, priority=order)
                assert tuple(first.slates[place].tolist()) == alone.slate_indices
            assert [ITEMS[i] for i in np.flatnonzero(many.winners[place])] == sorted(outcome.winners)
            if outcome.score_values is not None:
                assert many.scores[place] == pytest.approx(outcome.score_values, abs=1e-12)


@pytest.mark.parametrize("rule", [rule for rule in RULES if registry.create("mediator", rule).batched])
def test_array_batches_and_a_batch_of_nothing(rule):
    many = mediate_batch(Profile(("a", "b"), np.zeros((0, 3, 2), int), np.ones((0, 3))), rule)
    assert many.scores.shape == many.order.shape == (0, 2)
    no_ballots = mediate_batch(Profile(("a", "b"), np.zeros((4, 0, 2), int), np.ones((4, 0))), rule)
    assert no_ballots.slates.tolist() == [[0]] * 4
    assert no_ballots.winners.all()


def test_every_profile_of_a_lottery_gets_a_draw_of_its_own():
    ranks = np.broadcast_to(np.array([[0, 1], [1, 0]]), (200, 2, 2))
    batch = Profile(("a", "b"), ranks, np.ones((200, 2)))
    drawn = mediate_batch(batch, "random_dictatorship", seed=1).slates[:, 0]
    assert 70 < drawn.sum() < 130
    assert (mediate_batch(batch, "random_dictatorship", seed=1).slates[:, 0] == drawn).all()
    assert (mediate_batch(batch, "random_dictatorship", seed=2).slates[:, 0] != drawn).any()


def test_ties_up_to_rounding_are_chains_in_a_batch_as_alone():
    step = 0.9e-9
    rows = np.array(
        [
            [1, 1 - step, 1 - 2 * step, 1 - 4 * step],
            [1, 1, 0.5, 0.5],
            [1, 1 - 1.9e-9, 0, 0],
            [-1, -1 - step, -2, -2],
            [0, 0, -1e-300, 0],
            [np.inf, np.inf, 1, 0],
            [3, 2, 1, 0],
        ]
    )
    expected = [close_ranks(row).tolist() for row in rows]
    assert close_ranks_along(rows).tolist() == expected
    winners = BatchOutcome("x", tuple("abcd"), 1, rows, range(4)).winners
    assert winners.tolist() == [[rank == 0 for rank in row] for row in expected]
    assert winners[0].tolist() == [True, True, True, False]


def test_scores_whose_terms_cancel_tie_in_a_batch_as_alone():
    values = [[[0.1, 0.0], [0.2, 0.0], [-0.3, 0.0]]]  # 0.1 + 0.2 - 0.3 is not 0 in binary
    batch = Profile.from_utilities(values, "ab")
    assert mediate(Profile.from_utilities(values[0], "ab"), "utilitarian").winners == ("a", "b")
    assert mediate_batch(batch, "utilitarian").winners.tolist() == [[True, True]]


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["borda", "utilitarian", "range"])
def test_ten_thousand_profiles_of_five_ballots_take_microseconds_each(rule):
    from time import process_time

    rng = np.random.default_rng(0)
    ranks, values = rng.random((10_000, 5, 50)).argsort(axis=-1), rng.random((10_000, 5, 50))
    items, weights = tuple(f"item {j}" for j in range(50)), np.ones((10_000, 5))
    took = []
    for _ in range(5):
        start = process_time()
        outcome = mediate_batch(Profile(items, ranks, weights, None if rule == "borda" else values), rule)
        assert outcome.slates.shape == (10_000, 1)
        took.append(process_time() - start)
    assert sorted(took)[2] < 10_000 * 5e-6
