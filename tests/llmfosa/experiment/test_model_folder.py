"""A trained recommender as a folder: as it was, for its owner alone, and nothing else is taken for one."""

import json
import os
import stat

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.inputs.yamlfile import InputError  # noqa: E402
from simulator.llmfosa.experiment.model import read_model, restored, write_model  # noqa: E402
from simulator.llmfosa.methods.base import Belief, Trained  # noqa: E402
from simulator.llmfosa.training.loop import History  # noqa: E402


@pytest.fixture
def recommender():
    rng = np.random.default_rng(0)
    users, items = rng.standard_normal((6, 3)).astype(np.float32), rng.standard_normal((4, 3)).astype(np.float32)
    belief = Belief(rng.dirichlet([1, 1], 6), torch.ones(6, 2), np.full((3, 2, 2), 0.5))
    history = History([{"bpr": 0.5, "validation": 0.1}], 1, 2.0)
    return Trained("llmfosa", users, items, belief, {"fair": history}, np.arange(6) < 2)


def test_what_was_written_is_read(tmp_path, recommender):
    write_model(tmp_path / "m", recommender, {"preset": "synthetic", "seed": 3})
    saved = read_model(tmp_path / "m")
    again = restored(saved)
    np.testing.assert_array_equal(again.users, recommender.users)
    np.testing.assert_array_equal(again.items, recommender.items)
    np.testing.assert_array_equal(again.belief.posterior, recommender.belief.posterior)
    np.testing.assert_array_equal(again.belief.confusion, recommender.belief.confusion)
    np.testing.assert_array_equal(again.unseen, recommender.unseen)
    assert torch.equal(again.belief.s, recommender.belief.s)
    assert again.method == saved.about["method"] == "llmfosa"
    assert saved.about["seed"] == 3
    assert saved.about["stages"]["fair"]["epochs"] == [{"bpr": 0.5, "validation": 0.1}]


def test_one_that_believes_nothing(tmp_path, recommender):
    write_model(tmp_path, Trained("bpr", recommender.users, recommender.items), {})
    again = restored(read_model(tmp_path))
    assert again.belief is None
    assert again.unseen is None


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_what_was_inferred_is_for_its_owner_alone(tmp_path, recommender):
    write_model(tmp_path / "m", recommender, {})
    assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in (tmp_path / "m").iterdir()} == {0o600}


def test_killed_between_its_files_no_mixture_of_two_models_is_left(tmp_path, recommender, monkeypatch):
    write_model(tmp_path, recommender, {"seed": 1})

    def killed(*_, **__):
        raise KeyboardInterrupt

    real = os.replace
    monkeypatch.setattr(os, "replace", lambda one, other: killed() if str(other).endswith("json") else real(one, other))
    with pytest.raises(KeyboardInterrupt):
        write_model(tmp_path, Trained("bpr", recommender.users + 1, recommender.items), {"seed": 2})
    with pytest.raises(InputError, match="no model"):
        read_model(tmp_path)


def without_description(folder):
    (folder / "model.json").unlink()


def no_json(folder):
    (folder / "model.json").write_text('{"method": ')


def a_list(folder):
    (folder / "model.json").write_text("[1]")


def deep(folder):
    (folder / "model.json").write_text("[" * 100_000)


def bytes_of_nothing(folder):
    (folder / "model.json").write_bytes(b"\xff\xfe\x00")


def cut(folder):
    whole = (folder / "model.npz").read_bytes()
    (folder / "model.npz").write_bytes(whole[: len(whole) // 2])


def text(folder):
    (folder / "model.npz").write_text("nothing")


def empty(folder):
    (folder / "model.npz").write_bytes(b"")


def one_array(folder):
    with open(folder / "model.npz", "wb") as file:
        np.save(file, np.ones(3))


def rewritten(**arrays):
    def damage(folder):
        with np.load(folder / "model.npz") as file:
            np.savez(folder / "model.npz", **{**dict(file), **arrays})

    return damage


def no_users(folder):
    np.savez(folder / "model.npz", items=np.ones((2, 2)))


DAMAGES = {
    "no description": without_description,
    "no JSON": no_json,
    "a list": a_list,
    "deep": deep,
    "bytes": bytes_of_nothing,
    "cut": cut,
    "text": text,
    "empty": empty,
    "one array": one_array,
    "no users": no_users,
    "flat": rewritten(users=np.ones(6)),
    "other width": rewritten(items=np.ones((4, 2))),
    "not finite": rewritten(users=np.full((6, 3), np.nan)),
    "words": rewritten(items=np.full((4, 3), "x")),
    "objects": rewritten(posterior=np.array([{}, []], dtype=object)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_named(tmp_path, recommender, damage):
    write_model(tmp_path / "m", recommender, {})
    DAMAGES[damage](tmp_path / "m")
    with pytest.raises(InputError, match="is no model that `fairagents llmfosa train` has written"):
        read_model(tmp_path / "m")


@pytest.mark.parametrize("rows", [{"posterior": np.ones((5, 2))}, {"s": np.ones((7, 2))}, {"unseen": np.ones(2, bool)}])
def test_arrays_of_other_users_do_not_fit(tmp_path, recommender, rows):
    write_model(tmp_path, recommender, {})
    rewritten(**rows)(tmp_path)
    with pytest.raises(ValueError, match="rows, users 6"):
        restored(read_model(tmp_path))


def test_no_model_there(tmp_path):
    with pytest.raises(InputError, match="no model"):
        read_model(tmp_path / "nowhere")


def test_the_description_has_no_number_that_json_does_not_know(tmp_path, recommender):
    write_model(tmp_path, recommender, {})
    json.loads((tmp_path / "model.json").read_text(), parse_constant=pytest.fail)
