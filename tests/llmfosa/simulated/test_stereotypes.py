from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from simulator.llmfosa.interactions import Interactions, UserAttribute
from simulator.llmfosa.simulated import independent, stereotypes
from simulator.llmfosa.simulated.associations import ASSOCIATIONS, POPULATION
from simulator.llmfosa.synthetic import generate


@pytest.fixture(scope="module")
def data():
    return generate(1000, 200, seed=3, shift=0.25)


def few_users():
    """Users of romance, of war, of both, and of something without a genre; gender unknown."""
    train = csr_array(np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=np.float32))
    nothing = csr_array(train.shape, dtype=np.float32)
    gender = UserAttribute(("F", "M"), np.full(4, -1))
    genres = (("Romance",), ("War",), ())
    users, items = ("u1", "u2", "u3", "u4"), ("i1", "i2", "i3")
    return Interactions("made up", users, items, train, nothing, nothing, items, genres, {"gender": gender})


def test_the_truth_is_not_read(data):
    hidden = replace(data, attributes={"group": UserAttribute(("a", "b"), np.full(1000, -1))})
    seen, blind = stereotypes(data, "group"), stereotypes(hidden, "group")
    assert (seen.labels == blind.labels).all()
    assert (seen.confidence == blind.confidence).all()
    assert seen.rationales == blind.rationales
    assert seen.summaries == blind.summaries


def test_they_are_right_more_often_than_chance_where_tastes_differ_and_not_where_they_do_not(data):
    right = (stereotypes(data, "group").labels == data.attributes["group"].codes[:, None]).mean(axis=0)
    assert (right > 0.6).all()
    assert (right < 0.9).all()
    same = generate(1000, 200, seed=3, shift=0)
    right = (stereotypes(same, "group").labels == same.attributes["group"].codes[:, None]).mean(axis=0)
    assert right == pytest.approx(np.full(6, 0.5), abs=4 * 0.5 / np.sqrt(1000))


def test_their_errors_are_shared_as_prejudices_are(data):
    wrong = stereotypes(data, "group").labels != data.attributes["group"].codes[:, None]
    for value in (0, 1):
        own = data.attributes["group"].codes == value
        assert np.corrcoef(wrong[own].T)[np.triu_indices(6, 1)].min() > 0.1


def test_the_assumed_shares_decide_how_many_get_a_value(data):
    assert (stereotypes(data, "group").labels.mean(axis=0) == 0.5).all()
    assert (stereotypes(data, "group", share=(0.9, 0.1)).labels.mean(axis=0) == 0.1).all()
    renamed = replace(data, attributes={"gender": UserAttribute(("F", "M"), data.attributes["group"].codes)})
    assert POPULATION["gender"] == {"F": 0.3, "M": 0.7}
    assert stereotypes(renamed, "gender").labels.mean(axis=0) == pytest.approx(np.full(6, 0.7))


def test_several_values_are_cut_in_their_order():
    bands = generate(600, 200, seed=1, shift=2, values=("x", "y", "z"), share=(0.2, 0.3, 0.5))
    judged = stereotypes(bands, "group", share=(0.2, 0.3, 0.5))
    assert [np.bincount(column).tolist() for column in judged.labels.T] == [[120, 180, 300]] * 6
    means = [judged.labels[bands.attributes["group"].codes == code].mean() for code in range(3)]
    assert means == sorted(means)


def test_genres_decide_and_reasons_name_them():
    judged = stereotypes(few_users(), "gender", personas=1, share=(0.5, 0.5))
    assert judged.labels[:2, 0].tolist() == [0, 1]
    assert judged.rationales[0] == ["Nearly all of the history is Romance, which I associate with F."]
    assert judged.rationales[1] == ["Nearly all of the history is War, which I associate with M."]
    assert judged.rationales[2][0].startswith("Half of the history is ")
    assert judged.summaries[0].endswith("1 of 1 judge F.")


def test_who_shows_no_genre_is_not_judged():
    judged = stereotypes(few_users(), "gender")
    assert (judged.labels[3] == -1).all()
    assert np.isnan(judged.confidence[3]).all()
    assert judged.rationales[3] == [""] * 6
    assert judged.summaries[3] == ""


def test_clear_cases_are_judged_with_more_confidence(data):
    judged = stereotypes(data, "group")
    right = judged.labels == data.attributes["group"].codes[:, None]
    sure = judged.confidence > np.median(judged.confidence)
    assert right[sure].mean() > right[~sure].mean() + 0.05
    assert judged.confidence.min() >= 0.5
    assert judged.confidence.max() <= 1


def test_ties_are_drawn_by_seed():
    users = 200
    train = csr_array(np.ones((users, 2), dtype=np.float32))
    ids = tuple(map(str, range(users)))
    gender = UserAttribute(("F", "M"), np.full(users, -1))
    flat = Interactions(
        "flat", ids, ("i", "j"), train, train, train, ("i", "j"), (("War",), ("Romance",)), {"gender": gender}
    )
    first, again, other = (stereotypes(flat, "gender", seed).labels.tolist() for seed in (0, 0, 1))
    assert first == again != other


def test_six_different_personas_with_lists_of_their_own(data):
    for lists in ASSOCIATIONS.values():
        assert len({one.persona.name for one in lists}) == 6
        assert len({tuple(sorted(one.leans.items())) for one in lists}) == 6
    labels = stereotypes(data, "group").labels
    assert len({tuple(column) for column in labels.T.tolist()}) == 6


@pytest.mark.parametrize(
    ("attribute", "more", "message"),
    [
        ("gender", {}, "they have group"),
        ("group", {"personas": 7}, "1 to 6"),
        ("group", {"share": (0.5, 0.6)}, "sum to 1"),
        ("group", {"lists": ()}, "no stereotypes for 'group', only for gender, age, group"),
    ],
)
def test_what_cannot_be_judged_is_refused(data, attribute, more, message):
    with pytest.raises(ValueError, match=message):
        stereotypes(data, attribute, **more)


def test_data_without_genres_are_refused_in_words(data):
    with pytest.raises(ValueError, match="no item of the data has one"):
        stereotypes(replace(data, genres=((),) * data.shape[1]), "group")


def test_a_crowd_of_nobody_is_refused_in_words(data):
    with pytest.raises(ValueError, match="personas must be at least 1"):
        independent(data, "group", personas=0)
