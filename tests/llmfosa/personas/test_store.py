import json
import stat

import numpy as np
import pytest

from simulator.inputs.yamlfile import InputError
from simulator.llmfosa.annotations import Annotations, Persona
from simulator.llmfosa.personas import read, write


def made_up(**changes):
    probabilities = np.array([[[0.9, 0.1], [np.nan, np.nan]], [[0.25, 0.75], [0.4, 0.6]]])
    terms = {
        "attribute": "gender",
        "values": ("M", "F"),
        "personas": (Persona("critic", "knows films"), Persona('the, "other"', "")),
        "users": ("7", "ü\n8"),
        "labels": np.array([[0, -1], [1, 1]]),
        "confidence": np.array([[0.9, np.nan], [0.75, 0.6]]),
        "rationales": (('He said "no", twice', ""), ("a\r\nb", "=1+1")),
        "summaries": ("All agree.", ""),
        "probabilities": probabilities,
        "origin": "simulated: by hand",
    }
    return Annotations(**(terms | changes))


@pytest.mark.parametrize("changes", [{}, {"probabilities": None}])
def test_what_was_written_is_read_back(tmp_path, changes):
    found = made_up(**changes)
    write(found, tmp_path / "out", {"summaries_by": "model"})
    back = read(tmp_path / "out")
    for name in ("attribute", "values", "personas", "users", "rationales", "summaries", "origin"):
        assert getattr(back, name) == getattr(found, name)
    np.testing.assert_array_equal(back.labels, found.labels)
    np.testing.assert_array_equal(back.confidence, found.confidence)
    if found.probabilities is None:
        assert back.probabilities is None
    else:
        np.testing.assert_array_equal(back.probabilities, found.probabilities)


def test_only_the_owner_reads_it_and_it_says_what_it_is(tmp_path):
    write(made_up(), tmp_path / "out")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").iterdir()}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    assert "SENSITIVE" in (tmp_path / "out/README.txt").read_text()


def test_the_table_has_one_row_a_user_and_persona(tmp_path):
    write(made_up(), tmp_path / "out", {"summaries_by": "composed"})
    first, second, *_ = (tmp_path / "out/annotations.csv").read_text().splitlines()
    assert first == "user,persona,label,confidence,rationale"
    assert second == '7,critic,M,0.9,"He said ""no"", twice"'
    assert (tmp_path / "out/summaries.csv").read_text().splitlines()[:2] == ["user,summary,by", "7,All agree.,composed"]


def changed(path, old, new):
    path.write_bytes(path.read_bytes().replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("annotations.csv", b",M,", b",X,", "annotations.csv:2: label 'X' is none of M, F"),
        ("annotations.csv", b"0.9", b"1.9", "annotations.csv:2: '1.9' is no number from 0 to 1"),
        ("annotations.csv", b"0.9", b"nan", "no number"),
        ("annotations.csv", b"7,critic", b"7,cynic", "annotations.csv:2: is about '7' and 'cynic'"),
        ("annotations.csv", b"7,critic,M", b"8,critic,M", "rows"),
        ("annotations.csv", b"label", b"labels", "must be user, persona, label, confidence, rationale"),
        ("annotations.csv", b"M", b"\xff", "UTF-8"),
        ("annotations.csv", b"twice", b'tw"ice', "is not CSV"),
        ("summaries.csv", b"7", b"9", "one row for each"),
        ("probabilities.csv", b"0.25", b"-1", "no number"),
        ("probabilities.csv", b"7,critic,F,0.1\n", b"", "must have 8"),
        ("manifest.json", b'"gender"', b"7", "attribute: must be text"),
        ("manifest.json", b"llmfosa inference", b"my thesis", "no kind"),
        ("manifest.json", b"{", b"", "is not JSON"),
        ("manifest.json", b'"critic"', b'"the, \\"other\\""', "must differ"),
    ],
)
def test_a_damaged_file_is_one_message_with_its_place(tmp_path, name, old, new, message):
    write(made_up(), tmp_path / "out")
    changed(tmp_path / "out" / name, old, new)
    with pytest.raises(InputError) as raised:
        read(tmp_path / "out")
    assert len(raised.value.problems) == 1
    assert message in str(raised.value)
    assert name in str(raised.value)


def test_what_is_no_inference_folder_is_said_so(tmp_path):
    with pytest.raises(InputError, match="no inference folder"):
        read(tmp_path)
    with pytest.raises(InputError, match="no inference folder"):
        read(tmp_path / "nothing")
    (tmp_path / "manifest.json").write_text(json.dumps([1]))
    with pytest.raises(InputError, match="no kind"):
        read(tmp_path)


def test_a_folder_of_something_else_is_not_written_into(tmp_path):
    (tmp_path / "manifest.json").write_text('{"status": "success"}')
    with pytest.raises(InputError):
        write(made_up(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(tmp_path):
    write(made_up(), tmp_path / "out")
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "out/annotations.csv").unlink()
    (tmp_path / "out/annotations.csv").symlink_to(tmp_path / "mine.txt")
    write(made_up(), tmp_path / "out")
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert not (tmp_path / "out/annotations.csv").is_symlink()


def test_a_new_table_keeps_what_must_be_forgotten_and_no_old_figures(tmp_path):
    write(made_up(), tmp_path / "out", {"purpose": "llmfosa/a/b/", "caches": ["one"], "accuracy": 1})
    write(made_up(probabilities=None), tmp_path / "out", {"caches": ["two"]})
    told = json.loads((tmp_path / "out/manifest.json").read_text())
    assert "accuracy" not in told
    assert told["purpose"] == "llmfosa/a/b/"
    assert told["caches"] == ["one", "two"]
    assert not (tmp_path / "out/probabilities.csv").exists()
    assert read(tmp_path / "out").probabilities is None
