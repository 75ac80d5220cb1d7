from dataclasses import replace

from scipy.sparse import csr_array

from simulator.llmfosa import history
from simulator.llmfosa.interactions import Interactions


def made_up(strengths, times=None):
    train = csr_array([strengths], dtype="float32")
    nothing = csr_array(train.shape, dtype="float32")
    items = tuple(f"i{at}" for at in range(train.shape[1]))
    seconds = None if times is None else csr_array([times], dtype="float64")
    return Interactions("made up", ("u",), items, train, nothing, nothing, times=seconds)


def test_the_strongest_come_first_then_the_latest():
    data = made_up([3, 5, 5, 0, 1], [9, 10, 20, 99, 50])
    assert history(data, 0, 10) == (2, 1, 0, 4)
    assert history(data, 0, 2) == (2, 1)
    assert history(data, 0, 0) == ()


def test_test_items_do_not_show_though_their_times_are_known():
    data = made_up([3, 0, 5], [1, 2, 3])
    assert history(replace(data, test=csr_array([[0, 5, 0]])), 0, 5) == (2, 0)


def test_ties_are_drawn_by_seed_and_stay_so():
    data = made_up([1.0] * 40)
    drawn = history(data, 0, 40, seed=1)
    assert drawn == history(data, 0, 40, seed=1)
    assert drawn != history(data, 0, 40, seed=2)
    assert drawn != tuple(range(40))
    assert sorted(drawn) == list(range(40))


def test_a_user_without_training_items_has_none():
    assert history(made_up([0, 0], [1, 1]), 0, 5) == ()
