"""Stage 1 recovers annotators' confusion matrices, and is trained by the terms that are on."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.crowds import dawid_skene, match  # noqa: E402
from simulator.llmfosa.measures import auc  # noqa: E402
from simulator.llmfosa.simulated import draw_confusions  # noqa: E402
from simulator.llmfosa.training.options import SensitiveTraining  # noqa: E402
from simulator.llmfosa.training.sensitive import Evidence, learn_sensitive  # noqa: E402


def told(values, n=3000, personas=5, seed=0, apart=0.6):
    """Embeddings that know the attribute partly, and labels of annotators whose matrices are known."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, values, n)
    x = rng.standard_normal((n, 8)) + apart * rng.standard_normal((values, 8))[codes]
    confusion = draw_confusions(personas, np.full(values, 1 / values), seed=seed)
    ladder = confusion.cumsum(2)[np.arange(personas), codes[:, None]]
    labels = (rng.random((n, personas, 1)) > ladder[..., :-1]).sum(2)
    labels[rng.random(labels.shape) < 0.1] = -1
    return torch.as_tensor(x, dtype=torch.float32), codes, labels, confusion


@pytest.mark.parametrize("values", [pytest.param(2, marks=pytest.mark.slow), 3])
def test_confusion_matrices_of_independent_annotators_are_recovered(values):
    x, codes, labels, confusion = told(values)
    start = dawid_skene(labels, values).confusion
    options = replace(SensitiveTraining(), batch=128)
    found = learn_sensitive(x, Evidence(values, labels, start), options, seed=0)
    assert match(found.confusion, confusion)[1] <= 0.05
    np.testing.assert_allclose(found.confusion.sum(2), 1, atol=1e-5)
    best = max(auc(found.classified[:, a], codes == a) for a in range(values))
    assert best > 0.85  # better than any one annotator, by the embedding alone
    assert found.s.shape == (3000, options.width)


@pytest.mark.slow
def test_matrices_are_recovered_from_a_start_that_knows_nothing_of_them():
    x, _, labels, confusion = told(2, apart=1.2)
    start = np.tile([[0.8, 0.2], [0.2, 0.8]], (5, 1, 1))
    options = replace(SensitiveTraining(), batch=128)
    found = learn_sensitive(x, Evidence(2, labels, start), options, seed=0)
    assert match(found.confusion, confusion)[1] <= 0.05 < match(start, confusion)[1]


@pytest.fixture
def evidence():
    x, _, labels, confusion = told(2, n=200, personas=3)
    rng = np.random.default_rng(1)
    texts, people = (rng.standard_normal((n, 4)).astype(np.float32) for n in (200, 3))
    return x, Evidence(2, labels, confusion, texts, people)


def terms(x, evidence, **options):
    options = replace(SensitiveTraining(), epochs=2, batch=64, **options)
    return learn_sensitive(x, evidence, options, seed=0).history.terms[0].keys() - {"validation"}


def test_each_term_is_there_when_it_is_on_and_has_what_it_needs(evidence):
    x, whole = evidence
    assert terms(x, whole, trace=0.1) == {"sensitive", "similarity", "rationale", "trace"}
    assert terms(x, whole) == {"sensitive", "similarity", "rationale"}
    assert terms(x, whole, similarity=0.0) == {"sensitive", "rationale"}
    assert terms(x, whole, rationale=0.0) == {"sensitive", "similarity"}
    assert terms(x, replace(whole, rationales=None, personas=None)) == {"sensitive"}
    assert terms(x, replace(whole, confusion=None), trace=0.1) == {"sensitive", "rationale"}


def test_a_strong_similarity_draws_the_matrices_together(evidence):
    x, whole = evidence

    def apart(weight):
        options = replace(SensitiveTraining(), epochs=10, batch=64, similarity=weight, rationale=0.0)
        like = replace(whole, personas=np.ones((3, 4), dtype=np.float32))
        return learn_sensitive(x, like, options, seed=0).confusion.std(0).mean()

    assert apart(100.0) < 0.5 * apart(1e-9)


def test_users_without_a_label_are_not_learnt_from_but_classified(evidence):
    x, whole = evidence
    half = whole.labels.copy()
    half[100:] = -1
    options = replace(SensitiveTraining(), epochs=3, batch=64)
    few = replace(whole, labels=half, rationales=None)
    first = learn_sensitive(x, few, options, seed=0)
    again = learn_sensitive(x, replace(few, rationales=None), options, seed=0)
    assert np.array_equal(first.classified, again.classified)
    assert first.classified.shape == (200, 2)
    nobody = learn_sensitive(x, replace(whole, labels=np.full_like(half, -1)), options, seed=0)
    assert np.isfinite(nobody.classified).all()


def test_labels_taken_as_they_are_have_no_confusion(evidence):
    x, whole = evidence
    found = learn_sensitive(x, Evidence(2, whole.labels[:, :1]), replace(SensitiveTraining(), epochs=2), seed=0)
    assert found.confusion is None


def test_the_votes_of_held_out_users_tell_when_to_stop():
    """Of labels at random nothing can be learnt: the first epochs are the best on users held out."""
    rng = np.random.default_rng(0)
    x, labels = torch.randn(300, 8, generator=torch.Generator().manual_seed(0)), rng.integers(0, 2, (300, 1))
    options = replace(SensitiveTraining(), epochs=40, batch=32, learning_rate=1e-2, patience=3, held_out=0.3)
    history = learn_sensitive(x, Evidence(2, labels), options, seed=0).history
    assert len(history.terms) < 40
    assert len(history.terms) == history.best + 3
