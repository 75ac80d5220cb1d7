import json

import pytest

from simulator.inputs.yamlfile import InputError
from simulator.llmfosa.personas import forget, infer
from simulator.models.cache import ResponseCache
from simulator.models.cache_upkeep import holdings
from tests.llmfosa.personas.viewers import scripted, viewers


def inferred(folder, cache=None, attribute="gender"):
    infer(
        viewers(3), attribute, values=("M", "F"), permission="a test", personas=2, out=folder, cache=cache,
        model=scripted()[0],
    )  # fmt: skip


def replies(cache):
    with ResponseCache(cache) as opened:
        return sum(holding.replies for holding in holdings(opened))


def test_everything_goes_the_folder_too(tmp_path):
    inferred(tmp_path / "out", tmp_path / "replies.sqlite")
    known = replies(tmp_path / "replies.sqlite")
    gone = forget(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert {"annotations.csv", "answers.jsonl", "manifest.json", "probabilities.csv", "summaries.csv"} <= set(
        gone.files
    )
    assert gone.replies == known > 0
    assert replies(tmp_path / "replies.sqlite") == 0
    assert b"such is this viewer" not in (tmp_path / "replies.sqlite").read_bytes()


def test_replies_about_something_else_stay(tmp_path):
    cache = tmp_path / "replies.sqlite"
    inferred(tmp_path / "one", cache)
    known = replies(cache)
    inferred(tmp_path / "two", cache, attribute="sex")
    forget(tmp_path / "one")
    assert replies(cache) == known
    again, client = scripted()
    infer(viewers(3), "sex", values=("M", "F"), permission="x", personas=2, cache=cache, model=again)
    assert client.prompts == []


def test_files_of_others_stay_and_are_named(tmp_path):
    inferred(tmp_path / "out")
    (tmp_path / "out/thesis.tex").write_text("mine")
    gone = forget(tmp_path / "out")
    assert gone.left == ("thesis.tex",)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.tex"]


def test_a_checkpoint_that_the_manifest_names_goes_too(tmp_path):
    inferred(tmp_path / "out")
    (tmp_path / "out/model").mkdir()
    (tmp_path / "out/model/best.pt").write_bytes(b"weights")
    manifest = tmp_path / "out/manifest.json"
    told = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**told, "files": [*told["files"], "model/best.pt"]}))
    assert "model/best.pt" in forget(tmp_path / "out").files
    assert not (tmp_path / "out/model/best.pt").exists()


def test_no_manifest_can_lead_out_of_the_folder(tmp_path):
    inferred(tmp_path / "out")
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "mine.txt").write_text("mine")
    (tmp_path / "out/way").symlink_to(foreign)
    (tmp_path / "out/link").symlink_to(foreign / "mine.txt")
    manifest = tmp_path / "out/manifest.json"
    bad = ["../foreign/mine.txt", str(foreign / "mine.txt"), "way/mine.txt", "..", ".", "way/..", "a\0b"]
    told = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**told, "files": [*told["files"], *bad, "link"], "purpose": "llmfosa/*"}))
    gone = forget(tmp_path / "out")
    assert (foreign / "mine.txt").read_text() == "mine"
    assert set(gone.refused) == set(bad)
    assert "link" in gone.files


def test_a_manifest_cannot_make_others_replies_go(tmp_path):
    cache = tmp_path / "replies.sqlite"
    inferred(tmp_path / "one", cache)
    known = replies(cache)
    inferred(tmp_path / "two", attribute="sex")
    manifest = tmp_path / "two/manifest.json"
    told = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**told, "purpose": "*/*/*/", "caches": [str(cache)]}))
    assert forget(tmp_path / "two").replies == 0
    assert replies(cache) == known


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "manifest.json").write_text('{"status": "success", "files": ["mine.txt"]}')
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="no kind"):
        forget(tmp_path)
    assert (tmp_path / "mine.txt").exists()
    with pytest.raises(InputError, match="no inference folder"):
        forget(tmp_path / "nothing")


def test_a_cache_that_is_gone_is_no_obstacle_but_one_that_is_named_must_be_there(tmp_path):
    inferred(tmp_path / "out", tmp_path / "replies.sqlite")
    (tmp_path / "replies.sqlite").unlink()
    with pytest.raises(InputError, match="no such file"):
        forget(tmp_path / "out", tmp_path / "other.sqlite")
    assert (tmp_path / "out/annotations.csv").exists()
    assert forget(tmp_path / "out").caches == ()


def test_a_cache_that_is_something_else_is_left_alone(tmp_path):
    inferred(tmp_path / "out", tmp_path / "replies.sqlite")
    (tmp_path / "replies.sqlite").write_text("mine")
    gone = forget(tmp_path / "out")
    assert gone.refused == (str(tmp_path / "replies.sqlite"),)
    assert (tmp_path / "replies.sqlite").read_text() == "mine"
    assert not (tmp_path / "out").exists()


def test_every_cache_that_was_used_is_emptied(tmp_path):
    inferred(tmp_path / "out", tmp_path / "one.sqlite")
    (tmp_path / "out/answers.jsonl").unlink()
    inferred(tmp_path / "out", tmp_path / "two.sqlite")
    assert replies(tmp_path / "one.sqlite") > 0
    forget(tmp_path / "out")
    assert replies(tmp_path / "one.sqlite") == replies(tmp_path / "two.sqlite") == 0
