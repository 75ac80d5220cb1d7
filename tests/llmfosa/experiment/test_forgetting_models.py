"""One command takes out of trainings what they believed of single users, and nothing of anybody else."""

import json
import os

import pytest

pytest.importorskip("torch")
pytest.importorskip("sklearn")

from typer.testing import CliRunner

from simulator.cli import app
from simulator.inputs.yamlfile import InputError
from simulator.llmfosa.personas import forget

SHORT = [
    option
    for setting in ("pretraining.epochs=1", "sensitive.epochs=1", "fair.epochs=1", "pretraining.dim=4")
    for option in ("--set", setting)
]


def fairagents(*words):
    done = CliRunner().invoke(app, ["llmfosa", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_model_goes_and_its_checkpoints_with_it(tmp_path):
    fairagents("train", "--out", tmp_path / "model", *SHORT)
    (tmp_path / "model" / "notes.txt").write_text("mine")
    told = fairagents("forget", tmp_path / "model")
    assert "model.npz" in told
    assert [path.name for path in (tmp_path / "model").rglob("*")] == ["notes.txt"]


def test_tables_of_an_experiment_stay_and_it_can_be_written_again(tmp_path):
    out = tmp_path / "trial"
    command = ("run", "--out", out, "--methods", "bpr,llmfosa", *SHORT)
    fairagents(*command)
    before = (out / "results.csv").read_bytes()
    assert (out / "figures" / "projection.png").exists()
    gone = forget(out)
    assert not gone.refused
    assert not [path for path in out.rglob("*") if path.suffix in (".npz", ".pt") or path.stem == "projection"]
    fairagents(*command)
    assert (out / "results.csv").read_bytes() == before
    assert not (out / "models").exists()


def described(folder):
    folder.mkdir(parents=True)
    about = {"method": "bpr", "preset": "synthetic", "annotations": "", "stages": {}}
    (folder / "model.json").write_text(json.dumps(about))
    return folder


def test_models_of_other_programs_are_left_alone(tmp_path):
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "weights.pt").write_bytes(b"theirs")
    (tmp_path / "model.json").write_text(json.dumps({"method": "bpr", "layers": 3}))
    with pytest.raises(InputError, match="no inference folder"):
        forget(tmp_path)
    assert (tmp_path / "checkpoints" / "weights.pt").exists()


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own")
def test_no_link_leads_out_of_the_folder(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "weights.pt").write_bytes(b"theirs")
    folder = described(tmp_path / "model")
    (folder / "checkpoints").symlink_to(tmp_path / "elsewhere")
    gone = forget(folder)
    assert gone.refused == (os.path.join("checkpoints", "weights.pt"),)
    assert gone.files == ("model.json",)
    assert (tmp_path / "elsewhere" / "weights.pt").exists()


def test_a_cache_beside_a_model_is_refused(tmp_path):
    folder = described(tmp_path / "model")
    with pytest.raises(InputError, match="inference folder"):
        forget(folder, tmp_path / "replies.sqlite")
    assert (folder / "model.json").exists()


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_a_training_that_was_stopped_is_for_its_owner_alone(tmp_path, monkeypatch):
    from simulator.llmfosa.experiment import cell

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cell, "train_cell", stopped)
    CliRunner().invoke(app, ["llmfosa", "train", "--out", str(tmp_path / "model"), *SHORT])
    assert (tmp_path / "model").stat().st_mode & 0o077 == 0
