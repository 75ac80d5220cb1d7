"""From a trained recommender to a scenario that runs: its lists, its tables, and what they leave out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import simulator as fa
from simulator.llmfosa.bridge import base_lists, factorise, item_names, write_scenario
from simulator.llmfosa.bridge.profiles import catalogue, kinds, popularity, profiles
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.synthetic import generate
from tests.scenario_files import command


@pytest.fixture(scope="module")
def data() -> Interactions:
    return generate(80, 60, seed=3, per_user=15, attribute="gender", values=("f", "m"))


@pytest.fixture(scope="module")
def embeddings(data: Interactions) -> tuple[np.ndarray, np.ndarray]:
    return factorise(data.train, seed=1)


def posterior(data: Interactions) -> np.ndarray:
    return np.random.default_rng(0).dirichlet([1, 1], len(data.users))


def test_lists_hold_the_best_items_that_are_new_to_the_user(data, embeddings):
    users, items = embeddings
    found = base_lists(users, items, data, [5, 2], 7)
    assert found.columns.tolist() == ["user", "item", "score"]
    assert found["user"].tolist() == [data.users[5]] * 7 + [data.users[2]] * 7
    for user in (5, 2):
        scores = users[user] @ items.T
        seen = (data.train + data.valid).toarray()[user] > 0
        best = np.argsort(np.where(seen, np.inf, -scores), kind="stable")[:7]
        own = found[found["user"] == data.users[user]]
        assert own["item"].tolist() == [item_names(data)[item] for item in best]
        assert own["score"].to_numpy() == pytest.approx(scores[best], abs=6e-5)


def test_a_user_who_has_seen_nearly_all_has_a_short_list(data, embeddings):
    found = base_lists(*embeddings, data, [0], 60)
    assert len(found) == 60 - (data.train + data.valid)[[0]].nnz
    assert np.isfinite(found["score"]).all()


def test_item_names_are_unique_and_fit_for_a_slate(data):
    titles = ("Same", "Same", "A|B", " two\nlines ", "", *data.titles[5:])
    names = item_names(replace(data, titles=titles))
    assert names[:5] == ("Same [i1]", "Same [i2]", "A B", "two lines", "[i5]")
    assert len(set(names)) == len(names)


def test_profiles_are_means_over_what_a_user_has_in_training(data):
    table = profiles(data, [4], ["user 1"])
    own = np.flatnonzero(data.train.toarray()[4])
    share = (data.train.toarray() > 0).mean(axis=0)
    assert popularity(data) == pytest.approx(share)
    assert table["usual_popularity"][0] == pytest.approx(share[own].mean(), abs=6e-5)
    romance = np.mean([data.genres[item][0] == "Romance" for item in own])
    assert table["likes_Romance"][0] == pytest.approx(romance, abs=6e-5)


def test_data_without_genres_tell_items_apart_by_popularity(data):
    bare = replace(data, genres=())
    assert set(kinds(bare)) == {"head", "mid", "tail"}
    table = catalogue(bare)
    assert table.groupby("genre")["popularity"].min()["head"] >= table.groupby("genre")["popularity"].max()["tail"]
    assert table["provider"].equals(table["genre"].rename("provider"))


def test_factorisation_stands_where_no_user_and_no_item_gains(data):
    """At the end of a sweep the items are the exact minimum: the gradient by each item is 0."""
    users, items = factorise(data.train, factors=4, weight=3.0, l2=2.0, sweeps=3, seed=5)
    seen = (data.train.toarray() > 0).astype(float)
    residual = (1 + 3.0 * seen) * (users @ items.T - seen)
    assert residual.T @ users + 2.0 * items == pytest.approx(0, abs=1e-9)
    again = factorise(data.train, factors=4, weight=3.0, l2=2.0, sweeps=200, seed=5)
    by_user = ((1 + 3.0 * seen) * (again[0] @ again[1].T - seen)) @ again[1] + 2.0 * again[0]
    assert np.abs(by_user).max() < 0.05


def test_a_written_scenario_runs_and_names_nobody(tmp_path: Path, data, embeddings):
    shares = posterior(data)
    path = write_scenario(tmp_path / "w", *embeddings, data, shares, ("f", "m"), count=12, length=9,
                          attribute="gender", truth=True)  # fmt: skip
    scenario = fa.load_scenario(path.parent)
    assert (len(scenario.requests), scenario.candidate_count) == (12, 9)
    assert scenario.file.title == "A recommender's users, one a round: synthetic"
    result = fa.run(scenario, rounds=10, model="none")
    assert result.rounds["soft_exposure_js(by=genre)"].notna().tolist() == [False] * 4 + [True] * 6
    everything = "".join(file.read_text(encoding="utf-8") for file in path.parent.iterdir())
    assert not any(f"{user}," in everything.replace("\n", ",") for user in data.users)
    written = pd.read_csv(path.parent / "posterior.csv")
    matches = [np.flatnonzero(np.isclose(shares[:, 0], value, atol=6e-5)) for value in written["f"]]
    assert [place[0] for place in matches] != sorted(place[0] for place in matches)  # not in the data's order
    truth = pd.read_csv(path.parent / "truth.csv")["group"]
    codes = data.attributes["gender"].codes
    assert truth.tolist() == [("f", "m")[codes[place[0]]] for place in matches]


def test_one_command_deletes_what_was_inferred_and_leaves_the_rest(tmp_path: Path, data, embeddings, capsys):
    folder = write_scenario(tmp_path / "w", *embeddings, data, posterior(data), ("f", "m"), attribute="gender",
                            truth=True).parent  # fmt: skip
    assert command(capsys, "llmfosa", "forget", folder)[0] == 0
    assert sorted(file.name for file in folder.iterdir()) == [
        "base_lists.csv",
        "scenario.yaml",
        "titles.csv",
        "users.csv",
    ]


def test_only_the_owner_may_read_what_was_inferred(tmp_path: Path, data, embeddings):
    folder = write_scenario(tmp_path / "w", *embeddings, data, posterior(data), ("f", "m")).parent
    assert (folder / "posterior.csv").stat().st_mode & 0o077 == 0


def test_truth_is_written_only_if_asked_for_and_the_same_seed_gives_the_same_bytes(tmp_path: Path, data, embeddings):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        write_scenario(folder, *embeddings, data, posterior(data), ("f", "m"), seed=4, title='Films: "all"')
    names = sorted(file.name for file in folders[0].iterdir())
    assert "truth.csv" not in names
    assert fa.load_scenario(folders[0]).file.title == 'Films: "all"'
    assert all((folders[0] / name).read_bytes() == (folders[1] / name).read_bytes() for name in names)


@pytest.mark.parametrize(
    ("shares", "options", "said"),
    [
        (np.ones((3, 2)) / 2, {}, "does not fit 80 users"),
        (np.ones((80, 2)), {}, "add up to 1"),
        (np.full((80, 2), 0.5), {"truth": True, "attribute": "age"}, "have no attribute 'age'"),
        (np.full((80, 2), 0.5), {"providers": ["x"]}, "1 providers do not fit 60 items"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(tmp_path, data, embeddings, shares, options, said):
    with pytest.raises(ValueError, match=said):
        write_scenario(tmp_path / "w", *embeddings, data, shares, ("f", "m"), **options)
    assert not (tmp_path / "w").exists()
