"""Every method trains on whatever annotators deliver, for attributes of any number of values."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from trial import silent, trained  # noqa: E402

from simulator.llmfosa.annotators import aligned  # noqa: E402
from simulator.llmfosa.methods import METHODS, method  # noqa: E402
from simulator.llmfosa.simulated import independent  # noqa: E402
from simulator.llmfosa.training.plan import Plan  # noqa: E402

ASKING = [name for name in METHODS if name.endswith("_fairmi") or name == "llmfosa"]


def check(found, data, values):
    """A whole recommender, and a distribution for every user where anything is believed."""
    assert found.users.shape == (data.shape[0], 8)
    assert found.items.shape == (data.shape[1], 8)
    assert found.users.dtype == found.items.dtype == np.float32
    assert np.isfinite(found.users).all()
    assert np.isfinite(found.items).all()
    if found.belief is not None:
        assert found.belief.posterior.shape == (data.shape[0], values)
        np.testing.assert_allclose(found.belief.posterior.sum(1), 1, atol=1e-5)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("values", [2, 4])
def test_attributes_of_two_and_of_four_values(request, quick, name, values):
    data = request.getfixturevalue("small" if values == 2 else "four")
    found = trained(name, data, quick, independent(data, "group", seed=0))
    check(found, data, values)
    assert (found.belief is None) == (method(name).uses == "nothing")
    assert found.method == name
    assert set(found.histories) == {
        *(["sensitive"] if found.belief else []),
        *(["fair"] if method(name).fair is not None else []),
    }


@pytest.mark.parametrize("name", ASKING)
def test_annotators_who_abstain_and_users_whom_nobody_judged(small, quick, name):
    notes = independent(small, "group", seed=0, personas=3)
    labels = notes.labels.copy()
    labels[:, 1] = -1  # one persona never answers
    check(trained(name, small, quick, silent(replace(notes, labels=labels), range(20))), small, 2)


@pytest.mark.parametrize("name", ASKING)
def test_nobody_said_anything(small, quick, name):
    notes = silent(independent(small, "group", seed=0, personas=2), range(80))
    check(trained(name, small, quick, notes), small, 2)


@pytest.mark.parametrize("name", ASKING)
def test_one_persona_alone(small, quick, name):
    check(trained(name, small, quick, independent(small, "group", seed=0, personas=1)), small, 2)


@pytest.mark.parametrize("name", ASKING)
def test_annotations_of_some_users_in_another_order(small, quick, name):
    notes = independent(small, "group", seed=0, personas=3)
    some = [40, 3, 77, 5, 6, 20, 11, 60]
    part = replace(
        notes,
        users=tuple(notes.users[u] for u in some),
        labels=notes.labels[some],
        confidence=notes.confidence[some],
        rationales=[notes.rationales[u] for u in some],
        summaries=[notes.summaries[u] for u in some],
        probabilities=notes.probabilities[some],
    )
    full = aligned(part, small, "group")
    np.testing.assert_array_equal(full.labels[some], notes.labels[some])
    assert (full.labels >= 0).sum() == 3 * len(some)
    check(trained(name, small, quick, full), small, 2)


def test_the_same_seed_gives_the_same_and_another_one_another_recommender(small, quick):
    notes = independent(small, "group", seed=0)
    first, again, other = (trained("llmfosa", small, quick, notes, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.users, again.users)
    np.testing.assert_array_equal(first.belief.posterior, again.belief.posterior)
    assert not np.array_equal(first.users, other.users)


@pytest.mark.parametrize("name", ["dawid_skene_fairmi", "majority_fairmi", "single_fairmi"])
def test_a_user_whom_nobody_judged_is_no_example_of_any_value(small, quick, name, monkeypatch):
    from simulator.llmfosa.training import sensitive

    seen, real = [], sensitive.learn_sensitive
    monkeypatch.setattr(
        sensitive,
        "learn_sensitive",
        lambda x, evidence, *more, **named: seen.append(evidence) or real(x, evidence, *more, **named),
    )
    found = trained(name, small, quick, silent(independent(small, "group", seed=0, personas=3), range(40)))
    assert (seen[0].labels[:40] == -1).all()
    assert (seen[0].labels[40:] >= 0).all()
    if name != "dawid_skene_fairmi":  # what the classifier of the embedding says stands in for the label
        assert ((found.belief.posterior[:40] > 0) & (found.belief.posterior[:40] < 1)).all()


def test_what_is_missing_is_named(small, quick):
    with pytest.raises(ValueError, match="needs annotations"):
        trained("llmfosa", small, quick, None)
    from trial import task_for

    with pytest.raises(ValueError, match="needs the true labels"):
        method("fairmi").train(replace(task_for("fairmi", small, quick, None), labels=None))


def test_no_method_of_that_name():
    with pytest.raises(ValueError, match=r"no method 'fairmy'; did you mean 'fairmi'\?; the methods are bpr, "):
        method("fairmy")
    with pytest.raises(ValueError, match="no method 'zzz'; the methods are bpr, "):
        method("zzz")


def test_which_methods_a_weight_of_fairness_changes_and_what_makes_a_method_what_it_is():
    weighted = {name for name in METHODS if method(name).weighted}
    assert weighted == set(METHODS) - {"bpr", "lightgcn", "continue_bpr", "dro"}
    assert method("lightgcn").plan(Plan()).pretraining.encoder == "lightgcn"
    assert method("adversarial").plan(Plan()).fair.against == "adversary"
    assert method("fairmi").plan(Plan()) == Plan()
    assert [method(name).name for name in METHODS] == list(METHODS)
