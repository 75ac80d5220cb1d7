from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr

from simulator.llmfosa import synthetic
from simulator.llmfosa.loaders import SYNTHETIC_SHIFT, load
from simulator.llmfosa.synthetic import LIKES, OBSERVED, attach, block_model, generate


def whole(data):
    return (data.train + data.valid + data.test).toarray()


def distance(data, codes):
    """DP over what users took: the JS distance between the item counts of both groups."""
    taken = whole(data) > 0
    return jensenshannon(taken[codes == 0].sum(axis=0), taken[codes == 1].sum(axis=0))


def floor(data, codes, draws=200):
    rng = np.random.default_rng(0)
    return np.array([distance(data, rng.permutation(codes)) for _ in range(draws)])


def test_without_a_shift_the_groups_differ_by_chance_alone():
    data = generate(seed=4, shift=0)
    codes = data.attributes["group"].codes
    assert distance(data, codes) < np.quantile(floor(data, codes), 0.99)


def test_a_larger_shift_sets_the_groups_further_apart():
    distances = [
        distance(data, data.attributes["group"].codes) for data in (generate(seed=4, shift=s) for s in (0, 0.3, 1, 3))
    ]
    assert distances == sorted(distances)
    small = generate(seed=4, shift=0.3)
    codes = small.attributes["group"].codes
    assert distances[1] > floor(small, codes).max()


def test_sizes_shares_and_names_are_as_asked():
    data = generate(50, 40, seed=0, per_user=7, values=("x", "y", "z"), share=(0.2, 0.3, 0.5), attribute="band")
    assert data.shape == (50, 40)
    assert (whole(data) > 0).sum(axis=1).tolist() == [7] * 50
    band = data.attributes["band"]
    assert band.values == ("x", "y", "z")
    assert np.bincount(band.codes).tolist() == [10, 15, 25]
    assert len(data.titles) == len(data.genres) == 40
    assert all(1 <= len(genres) == len(set(genres)) <= 3 for genres in data.genres)


def test_genres_go_with_the_direction_of_the_shift():
    data = generate(800, 200, seed=1, shift=2)
    codes = data.attributes["group"].codes
    taken = whole(data) > 0
    difference = taken[codes == 1].sum(axis=0) - taken[codes == 0].sum(axis=0)
    lean = [np.mean([synthetic.GENRE_LEANS[genre] for genre in genres]) for genres in data.genres]
    assert spearmanr(lean, difference).statistic > 0.5


def test_values_in_between_take_in_between():
    data = generate(900, 200, seed=1, shift=2, values=("x", "y", "z"), share=(1 / 3, 1 / 3, 1 / 3))
    taken, codes = whole(data) > 0, data.attributes["group"].codes
    one, two, three = (taken[codes == code].sum(axis=0) for code in range(3))
    assert jensenshannon(one, three) > max(jensenshannon(one, two), jensenshannon(two, three))


def test_popular_items_are_taken_more_often_than_chance_would():
    counts = (whole(generate(seed=2, shift=0)) > 0).sum(axis=0)
    assert counts.std() > 3 * np.sqrt(400 * 0.1 * 0.9)


def test_the_seed_alone_decides():
    first, again = generate(seed=1, shift=SYNTHETIC_SHIFT), load("synthetic", seed=1)
    other = generate(seed=2, shift=SYNTHETIC_SHIFT)
    assert whole(first).tolist() == whole(again).tolist() != whole(other).tolist()
    assert first.titles == again.titles


def test_batches_of_users_change_nothing(monkeypatch):
    first = whole(generate(70, 50, seed=1))
    monkeypatch.setattr(synthetic, "_BATCH", 16)
    assert whole(generate(70, 50, seed=1)).tolist() == first.tolist()


def test_the_block_model_has_the_papers_rates():
    data = block_model(4000, 30, seed=3, population=(0.25, 0.25, 0.25, 0.25))
    ratings, groups = whole(data), data.attributes["group"].codes
    for group in range(4):
        for kind in range(3):
            block = ratings[groups == group][:, 10 * kind : 10 * kind + 10]
            seen, like = OBSERVED[group][kind], LIKES[group][kind]
            assert (block > 0).mean() == pytest.approx(seen, abs=4 * np.sqrt(seen * (1 - seen) / block.size))
            rated = (block > 0).sum()
            assert (block == 5).sum() / rated == pytest.approx(like, abs=4 * np.sqrt(like * (1 - like) / rated))
    assert (data.attributes["gender"].codes == (groups >= 2)).all()
    assert data.genres[0] == ("Fem",)


def test_the_block_models_population_is_the_papers():
    assert np.bincount(block_model(seed=0).attributes["group"].codes).tolist() == [160, 40, 160, 40]


def test_an_attached_attribute_goes_with_the_genres_and_leaves_the_data_alone():
    data = generate(seed=5, users=1000)
    action = np.array([float("Action" in genres) for genres in data.genres])
    frequency = (data.train.toarray() > 0) @ action
    gaps = []
    for strength in (0, 1, 4):
        codes = (
            attach(data, "made up", ["Action"], seed=1, strength=strength, share=(0.7, 0.3)).attributes["made up"].codes
        )
        assert np.bincount(codes).tolist() == [700, 300]
        gaps.append((frequency[codes == 1].mean() - frequency[codes == 0].mean()) / frequency.std())
    assert abs(gaps[0]) < 4 * np.sqrt(1 / 700 + 1 / 300)
    assert gaps[0] + 0.3 < gaps[1] < gaps[2]
    attached = attach(data, "made up", ["Action"], seed=1)
    assert attached.train is data.train
    assert sorted(attached.attributes) == ["group", "made up"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"values": ("a",), "share": (1,)}, "two or more different"),
        ({"share": (0.5, 0.6)}, "sum to 1"),
        ({"share": (1,)}, "2 shares"),
        ({"per_user": 301}, "at most items"),
        ({"users": 0}, "at least 1"),
    ],
)
def test_sizes_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        generate(seed=0, **wrong)


def test_a_genre_that_no_item_has_is_refused():
    data = generate(seed=0)
    with pytest.raises(ValueError, match="no item has the genre 'Noise'"):
        attach(data, "made up", ["Noise"], seed=0)
    with pytest.raises(ValueError, match="no item has the genre"):
        attach(replace(data, genres=()), "made up", ["Action"], seed=0)
