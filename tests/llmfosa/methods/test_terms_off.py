"""Each term of LLMFOSA can be switched off by its name, and that changes what it says."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from trial import trained  # noqa: E402

from simulator.llmfosa.crowds import dawid_skene, majority  # noqa: E402
from simulator.llmfosa.experiment.cell import train_cell  # noqa: E402
from simulator.llmfosa.experiment.design import Cell, Design  # noqa: E402
from simulator.llmfosa.experiment.prepare import Prepared  # noqa: E402
from simulator.llmfosa.simulated import independent  # noqa: E402
from simulator.llmfosa.training.plan import TERMS  # noqa: E402
from simulator.seeds import child_seed  # noqa: E402


@pytest.fixture(scope="module")
def notes(small):
    return independent(small, "group", seed=0, personas=4)


@pytest.fixture(scope="module")
def without(small, quick, notes):
    """LLMFOSA without a term, trained once; with all of them for None."""

    @cache
    def train(term):
        return trained("llmfosa", small, quick.without([term] if term else []), notes)

    return train


def terms(found, stage):
    return found.histories[stage].terms[0].keys() - {"validation"}


@pytest.mark.parametrize("term", TERMS)
def test_every_term_changes_the_outcome(without, term):
    whole, less = without(None), without(term)
    assert not np.array_equal(whole.users, less.users)


def test_with_everything_on_every_term_is_there(without):
    whole = without(None)
    assert terms(whole, "sensitive") == {"sensitive", "similarity", "rationale"}
    assert terms(whole, "fair") == {"bpr", "club", "conditional"}
    assert whole.belief.confusion.shape == (4, 2, 2)


@pytest.mark.parametrize(
    ("term", "stage", "left"),
    [
        ("similarity", "sensitive", {"sensitive", "rationale"}),
        ("rationale", "sensitive", {"sensitive", "similarity"}),
        ("summary", "sensitive", {"sensitive", "similarity", "rationale"}),
        ("personas", "sensitive", {"sensitive", "rationale"}),
        ("confusion", "sensitive", {"sensitive"}),
        ("sensitive", "sensitive", {"sensitive"}),
        ("independence", "fair", {"bpr", "conditional"}),
        ("conditional", "fair", {"bpr", "club"}),
    ],
)
def test_a_term_that_is_off_is_not_computed(without, term, stage, left):
    assert terms(without(term), stage) == left


def test_without_confusion_the_majority_is_believed(without, notes):
    found = without("confusion").belief
    vote = majority(notes.labels, 2, child_seed(0, "llmfosa", "majority"))[1]
    np.testing.assert_array_equal(found.posterior, np.eye(2)[vote])
    assert found.confusion is None


def test_without_the_classifier_the_crowd_model_is_believed(without, notes):
    found = without("sensitive").belief
    crowd = dawid_skene(notes.labels, 2)
    np.testing.assert_array_equal(found.posterior, crowd.posterior)
    np.testing.assert_array_equal(found.confusion, crowd.confusion)


def test_without_personas_nothing_of_the_others_is_heard(small, quick, notes, monkeypatch):
    from simulator.llmfosa.terms import text

    heard = []
    real = text.rationale_embeddings
    monkeypatch.setattr(
        text, "rationale_embeddings", lambda texts, *more: heard.append(list(texts)) or real(texts, *more)
    )
    found = trained("llmfosa", small, quick.without(["similarity", "personas"]), notes)
    assert found.belief.confusion.shape == (1, 2, 2)
    assert heard == [[each[0] for each in notes.rationales]]
    heard.clear()
    trained("llmfosa", small, quick.without(["similarity", "summary"]), notes)
    assert heard == [[" ".join(each) for each in notes.rationales]]
    heard.clear()
    trained("llmfosa", small, quick.without(["similarity"]), notes)
    assert heard == [list(notes.summaries)]


def test_a_cell_alone_says_which_terms_are_off(small, quick, notes):
    """Terms that are off in a design are off in its cells of LLMFOSA, not in what LLMFOSA is compared with."""
    prepared = Prepared(small, notes, "key", "data")
    design = Design("synthetic", None, "group", plan=quick)
    off = replace(design, plan=quick.without(["independence"]))
    plain = train_cell(Cell("fairmi", 0, 0.5), design, prepared, None)
    np.testing.assert_array_equal(plain.users, train_cell(Cell("fairmi", 0, 0.5), off, prepared, None).users)
    less = train_cell(Cell("fairmi", 0, 0.5, ("independence",)), off, prepared, None)
    assert not np.array_equal(plain.users, less.users)


def test_terms_of_llmfosa_leave_dro_alone(small, quick):
    plain = trained("dro", small, quick, None)
    off = trained("dro", small, quick.without(["independence", "conditional"]), None)
    np.testing.assert_array_equal(plain.users, off.users)
