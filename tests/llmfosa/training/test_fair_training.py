"""Stage 2: what each term does to preferences, and that nothing is done where its weight is 0."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.measures import attack, demographic_parity, top_items  # noqa: E402
from simulator.llmfosa.synthetic import generate  # noqa: E402
from simulator.llmfosa.training.fair import learn_fair, sensitive_variable, standardised  # noqa: E402
from simulator.llmfosa.training.options import FairTraining  # noqa: E402
from simulator.llmfosa.training.plan import plan_of  # noqa: E402
from simulator.llmfosa.training.pretrain import pretrain  # noqa: E402


@pytest.fixture(scope="module")
def started():
    """300 users of two groups that differ, and their pretrained recommender."""
    data = generate(300, 120, seed=2, per_user=25, shift=0.5)
    options = replace(plan_of("synthetic").pretraining, dim=16, learning_rate=1e-2, epochs=10)
    x, y, _ = pretrain(data, options, seed=0)
    return data, x, y, torch.eye(2)[torch.as_tensor(data.attributes["group"].codes)]


def measured(data, p, q):
    codes = data.attributes["group"].codes
    top = top_items(p.numpy(), q.numpy(), data.train, 10)
    return attack(p.numpy(), codes, seed=0).auc["logistic"], demographic_parity(top, codes, data.shape[1])


@pytest.mark.slow
@pytest.mark.parametrize("against", ["club", "adversary"])
def test_what_stands_against_the_attribute_lowers_attackers_and_disparity_and_more_training_does_not(started, against):
    data, x, y, labels = started
    options = replace(
        FairTraining(), fairness=0.5, against=against, conditional=0.0, batch=512, users=300, epochs=8, settle=7,
        warm_up=100, hidden=32, learning_rate=1e-2, inner_rate=1e-2,
    )  # fmt: skip
    before = measured(data, x, y)
    p, q, _ = learn_fair(data, x, y, None, labels, options, seed=0)
    control, r, _ = learn_fair(data, x, y, None, labels, replace(options, against="nothing"), seed=0)
    area, disparity = measured(data, p, q)
    same = measured(data, control, r)
    assert area < before[0] - 0.2
    assert disparity < min(before[1], same[1] - 0.05)
    assert same[0] > before[0] - 0.02
    assert same[1] > before[1] - 0.02


@pytest.fixture
def random(small):
    generator = torch.Generator().manual_seed(3)
    x, y = (torch.randn(n, 8, generator=generator) for n in small.shape)
    chances = torch.rand(80, 1, generator=generator)
    return x, y, torch.cat([chances, 1 - chances], 1)


def run(small, random, options, s=None, posterior=True):
    x, y, chances = random
    return learn_fair(small, x, y, s, chances if posterior else None, options, seed=0)


@pytest.mark.parametrize("against", ["club", "adversary"])
def test_a_weight_of_0_is_no_term_at_all(small, quick, random, against):
    nothing = run(small, random, replace(quick.fair, against="nothing"))
    zero = run(small, random, replace(quick.fair, against=against, fairness=0.0))
    some = run(small, random, replace(quick.fair, against=against, fairness=1.0))
    assert all(torch.equal(one, other) for one, other in zip(nothing[:2], zero[:2], strict=True))
    assert not torch.equal(nothing[0], some[0])
    more = run(small, random, replace(quick.fair, against=against, fairness=3.0))
    assert not torch.equal(more[0], some[0])  # the draws are the same: it is the gradient of the term
    assert against in some[2].terms[0]
    assert against not in zero[2].terms[0]


def test_the_worst_group_does_not_need_a_weight(small, quick, random):
    robust, plain = (
        replace(quick.fair, against="dro", conditional=0.0),
        replace(quick.fair, against="nothing", conditional=0.0),
    )
    p = run(small, random, robust, posterior=False)[0]
    assert torch.equal(p, run(small, random, replace(robust, fairness=0.0), posterior=False)[0])
    assert not torch.equal(p, run(small, random, plain, posterior=False)[0])
    everyone = run(small, random, replace(robust, smallest=1.0), posterior=False)[2]
    assert everyone.terms[0]["bpr"] < run(small, random, robust, posterior=False)[2].terms[0]["bpr"]


def test_both_readings_of_the_conditional_information_train_and_differ(small, quick, random):
    found = {}
    for reading in ("contrast", "ranking"):
        found[reading] = run(small, random, replace(quick.fair, reading=reading, conditional=0.5))
        assert "conditional" in found[reading][2].terms[0]
    without = run(small, random, replace(quick.fair, conditional=0.0))
    assert "conditional" not in without[2].terms[0]
    assert not torch.equal(found["contrast"][0], found["ranking"][0])
    assert not torch.equal(found["contrast"][0], without[0])


def test_the_embeddings_that_came_in_stay_as_they_were(small, quick, random):
    x, y = random[0].clone(), random[1].clone()
    p, q, _ = run(small, random, quick.fair)
    assert torch.equal(random[0], x)
    assert torch.equal(random[1], y)
    assert p.shape == x.shape
    assert q.shape == y.shape
    assert not torch.equal(p, x)


@pytest.mark.parametrize("epochs", [1, 4])
def test_fewer_epochs_than_it_takes_to_settle_still_train(small, quick, random, epochs):
    p, _, history = run(small, random, replace(quick.fair, epochs=epochs, settle=9))
    assert history.best == epochs
    assert not torch.equal(p, random[0])


def test_the_sensitive_variable_is_what_was_asked_for():
    s, posterior = torch.randn(6, 3), torch.full((6, 4), 0.25, dtype=torch.float64)
    widths = {
        kind: sensitive_variable(FairTraining(sensitive=kind), s, posterior).shape[1]
        for kind in ("posterior", "representation", "both")
    }
    assert widths == {"posterior": 3, "representation": 3, "both": 6}
    assert torch.equal(sensitive_variable(FairTraining(sensitive="representation"), s, posterior), s)
    assert torch.equal(
        sensitive_variable(FairTraining(sensitive="both"), None, posterior), posterior[:, :3].to(torch.float32)
    )
    assert sensitive_variable(FairTraining(), s, None) is None


def test_standardised_columns_and_constant_ones():
    found = standardised(torch.tensor([[1.0, 5.0], [3.0, 5.0]]))
    np.testing.assert_allclose(found, [[-1, 0], [1, 0]])
