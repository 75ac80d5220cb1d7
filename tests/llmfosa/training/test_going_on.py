"""A training that was interrupted ends as if it had never stopped, to the last bit."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.training.fair import learn_fair  # noqa: E402
from simulator.llmfosa.training.pretrain import pretrain  # noqa: E402
from simulator.llmfosa.training.sensitive import Evidence, learn_sensitive  # noqa: E402


class Killed(Exception):
    """Stands for the end of the process."""


@pytest.fixture
def embeddings(small):
    generator = torch.Generator().manual_seed(3)
    return tuple(torch.randn(n, 8, generator=generator) for n in small.shape)


def ranked(data, plan, _, **stage):
    return pretrain(data, replace(plan.pretraining, epochs=5, every=1, patience=9), seed=4, **stage)


def smoothed(data, plan, _, **stage):
    options = replace(plan.pretraining, encoder="lightgcn", epochs=4, every=1, patience=9)
    return pretrain(data, options, seed=4, **stage)


def sensitive(data, plan, embeddings, **stage):
    codes, rng = data.attributes["group"].codes, np.random.default_rng(0)
    labels = np.where(rng.random((len(codes), 3)) < 0.7, codes[:, None], 1 - codes[:, None])
    texts = rng.standard_normal((len(codes), 5)).astype(np.float32)
    people = rng.standard_normal((3, 5)).astype(np.float32)
    evidence = Evidence(2, labels, np.full((3, 2, 2), 0.3) + 0.4 * np.eye(2), texts, people)
    found = learn_sensitive(
        embeddings[0], evidence, replace(plan.sensitive, epochs=5, dropout=0.5, trace=0.1, patience=9), seed=4, **stage
    )
    return found.s, torch.as_tensor(found.classified), torch.as_tensor(found.confusion), found.history


def fair(against, reading="contrast"):
    def run(data, plan, embeddings, **stage):
        chances = torch.rand(len(data.users), 1, generator=torch.Generator().manual_seed(1))
        options = replace(plan.fair, against=against, reading=reading, conditional=0.1, epochs=5, settle=1, patience=9)
        return learn_fair(data, *embeddings, None, torch.cat([chances, 1 - chances], 1), options, seed=4, **stage)

    return run


STAGES = {
    "factors": ranked,
    "lightgcn": smoothed,
    "sensitive": sensitive,
    "club": fair("club"),
    "adversary": fair("adversary", "ranking"),
    "dro": fair("dro"),
    "bpr": fair("nothing"),
}


@pytest.mark.parametrize("name", STAGES)
def test_killed_after_any_epoch_it_ends_the_same(small, quick, embeddings, tmp_path, name):
    run = STAGES[name]
    *whole, told = run(small, quick, embeddings)
    after = torch.get_rng_state()
    assert len(told.terms) >= 4
    for killed in range(1, len(told.terms) + 1):
        path = tmp_path / f"{killed}.pt"

        def watch(_stage, epoch, *_, killed=killed):
            if epoch == killed:
                raise Killed

        with pytest.raises(Killed):
            run(small, quick, embeddings, checkpoint=path, key="k", watch=watch)
        torch.manual_seed(99)  # a new process has another state
        epochs = []

        def count(_stage, epoch, *_, epochs=epochs):
            epochs.append(epoch)

        *again, history = run(small, quick, embeddings, checkpoint=path, key="k", watch=count)
        assert all(torch.equal(one, other) for one, other in zip(whole, again, strict=True))
        assert (history.terms, history.best) == (told.terms, told.best)
        looked = [epoch for epoch, terms in enumerate(told.terms, 1) if "validation" in terms and epoch <= killed]
        assert len(epochs) == len(told.terms) - max(looked, default=0)  # what was done is not done again
        if epochs:
            assert torch.equal(torch.get_rng_state(), after)


@pytest.mark.parametrize("name", ["factors", "sensitive", "club"])
def test_the_seed_decides_and_the_global_state_does_not(small, quick, embeddings, name):
    torch.manual_seed(1)
    first = STAGES[name](small, quick, embeddings)
    torch.manual_seed(2)
    assert torch.equal(first[0], STAGES[name](small, quick, embeddings)[0])
