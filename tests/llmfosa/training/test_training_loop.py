"""Early stopping, and what a checkpoint holds."""

import os
import pickle
import stat

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

from simulator.llmfosa.training.loop import Stage, train  # noqa: E402


class Scripted(Stage):
    """Its weight counts the epochs; the validation says what it is told to say."""

    def __init__(self, looks, terms=None):
        self.name = "scripted"
        self.networks = nn.ModuleDict({"one": nn.Linear(1, 1, bias=False)})
        nn.init.zeros_(self.networks["one"].weight)
        self.optimisers = [torch.optim.Adam(self.networks.parameters())]
        self.generator = torch.Generator().manual_seed(0)
        self.looks, self.terms, self.began = dict(looks), terms or {}, 0

    def begin(self):
        self.began += 1

    @property
    def weight(self):
        return self.networks["one"].weight.item()

    def epoch(self):
        with torch.no_grad():
            self.networks["one"].weight += 1
        return {"loss": self.terms.get(round(self.weight), 1.0)}

    def validate(self):
        return self.looks[round(self.weight)]


def test_it_stops_after_so_many_looks_without_a_better_one_and_keeps_the_best():
    stage = Scripted({2: 0.1, 4: 0.3, 6: 0.2, 8: 0.3})  # as good is not better
    history = train(stage, epochs=100, every=2, patience=2)
    assert len(history.terms) == 8
    assert history.best == 4
    assert stage.weight == 4
    assert [("validation" in terms) for terms in history.terms] == [False, True] * 4


def test_nothing_is_looked_at_before_it_has_settled():
    stage = Scripted({4: 0.5, 5: 0.4})  # what is not scripted may not be looked at
    history = train(stage, epochs=9, settle=3, patience=1)
    assert (history.best, stage.weight, len(history.terms)) == (4, 4, 5)


@pytest.mark.parametrize(("epochs", "every", "settle"), [(3, 1, 5), (3, 5, 0), (4, 3, 0), (1, 1, 1)])
def test_the_last_epoch_is_looked_at_so_that_no_training_is_thrown_away(epochs, every, settle):
    stage = Scripted({3: 0.5, 4: 0.6} if epochs > 1 else {1: 0.5})
    history = train(stage, epochs=epochs, every=every, settle=settle, patience=9)
    assert stage.weight == history.best == epochs


def test_the_watch_sees_every_epoch():
    seen = []
    train(Scripted({2: 1.0}), epochs=2, every=2, watch=lambda *told: seen.append(told))
    assert seen == [("scripted", 1, 2, {"loss": 1.0}), ("scripted", 2, 2, {"loss": 1.0, "validation": 1.0})]


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_stops_the_training_with_advice(wrong):
    with pytest.raises(FloatingPointError, match=r"scripted.*epoch 2.*learning rate"):
        train(Scripted({1: 0.1, 2: 0.2}, {2: wrong}), epochs=3)


def test_a_finished_training_is_taken_from_its_checkpoint(tmp_path):
    path = tmp_path / "folder" / "stage.pt"
    first = train(Scripted({1: 0.1, 2: 0.3, 3: 0.2}), epochs=9, checkpoint=path, key="a")
    stage = Scripted({})
    assert train(stage, epochs=9, checkpoint=path, key="a") == first
    assert stage.weight == 2
    assert stage.began == 0
    assert os.listdir(path.parent) == ["stage.pt"]


def damaged_text(path):
    path.write_text("no checkpoint")


def damaged_end(path):
    path.write_bytes(path.read_bytes()[:-200])


def damaged_empty(path):
    path.write_bytes(b"")


def another_shape(path):
    torch.save([1, 2], path)


class Command:
    """What a pickle could run."""

    ran = False

    def __reduce__(self):
        return (setattr, (Command, "ran", True))


def hostile(path):
    path.write_bytes(pickle.dumps(Command()))


@pytest.mark.parametrize("damage", [damaged_text, damaged_end, damaged_empty, another_shape, hostile])
def test_a_damaged_checkpoint_starts_anew_and_runs_no_code(tmp_path, damage):
    path, looks = tmp_path / "stage.pt", {1: 0.1, 2: 0.3, 3: 0.2}
    first = train(Scripted(looks), epochs=9, checkpoint=path, key="a")
    damage(path)
    stage = Scripted(looks)
    assert train(stage, epochs=9, checkpoint=path, key="a").terms == first.terms
    assert stage.began == 1
    assert not Command.ran


def test_a_checkpoint_of_another_key_starts_anew(tmp_path):
    path = tmp_path / "stage.pt"
    train(Scripted({1: 0.1, 2: 0.3}), epochs=2, checkpoint=path, key="a")
    stage = Scripted({1: 0.2, 2: 0.1})
    assert train(stage, epochs=2, checkpoint=path, key="b").best == 1
    assert stage.began == 1


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_a_checkpoint_is_for_its_owner_alone(tmp_path):
    before = os.umask(0o022)
    try:
        train(Scripted({1: 0.1}), epochs=1, every=1, patience=1, checkpoint=tmp_path / "one.pt", key="k")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "one.pt").stat().st_mode) == 0o600
