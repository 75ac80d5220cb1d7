"""What is measured of one recommender, and of whom."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulator.llmfosa.experiment.evaluate import evaluate  # noqa: E402
from simulator.llmfosa.interactions import UserAttribute  # noqa: E402
from simulator.llmfosa.measures import averages, ranking, top_items  # noqa: E402
from simulator.llmfosa.methods.base import Belief, Trained  # noqa: E402
from simulator.llmfosa.simulated import independent  # noqa: E402
from simulator.llmfosa.synthetic import generate  # noqa: E402


def recommender(data, seed=0, **more):
    rng = np.random.default_rng(seed)
    users, items = (rng.standard_normal((n, 6)).astype(np.float32) for n in data.shape)
    return Trained("bpr", users, items, **more)


def perfect(data):
    """Scores that put the test items first: users are one-hot, items say who has them in the test part."""
    tested = (data.test.toarray() > 0).astype(np.float32)
    return Trained("bpr", np.eye(data.shape[0], dtype=np.float32), np.ascontiguousarray(tested.T))


def test_a_perfect_recommender_has_an_ndcg_of_1_and_training_items_are_never_shown(small):
    figures, _ = evaluate(perfect(small), small, None, seed=0)
    assert figures["ndcg@10"] == pytest.approx(1)
    assert figures["hit@10"] == 1
    loved = Trained("bpr", perfect(small).users, perfect(small).items + 9 * (small.train.toarray() > 0).T)
    seen = evaluate(loved, small, None, seed=0)[0]
    assert seen == pytest.approx(figures)


def test_every_figure_is_there_at_every_length(small):
    figures, attacked = evaluate(recommender(small), small, "group", seed=0, permutations=5)
    for k in (10, 20, 30):
        for name in ("ndcg", "ndcg_untruncated", "recall", "hit", "dp", "eo", "dp_floor", "eo_floor", "ndcg_gap"):
            assert np.isfinite(figures[f"{name}@{k}"])
    assert set(attacked.auc) == {"logistic", "mlp"}
    assert figures["auc_logistic"] == attacked.auc["logistic"]
    assert not any(name.startswith(("attribute", "unseen", "confusion")) for name in figures)


def test_without_an_effect_of_the_attribute_disparity_is_its_floor_and_attackers_guess():
    data = generate(400, 60, seed=3, shift=0.0, per_user=15)
    figures, _ = evaluate(recommender(data), data, "group", seed=0, permutations=30)
    assert figures["dp@10"] == pytest.approx(figures["dp_floor@10"], abs=0.03)
    assert figures["eo@10"] == pytest.approx(figures["eo_floor@10"], abs=0.05)
    assert figures["auc_logistic"] < 0.58


def test_lists_are_no_longer_than_there_are_items():
    data = generate(40, 7, seed=0, per_user=4)
    figures, _ = evaluate(recommender(data), data, "group", seed=0, permutations=2)
    assert "ndcg@7" in figures
    assert not any(name.endswith(("@10", "@20")) for name in figures)


def test_beliefs_are_judged_where_the_method_did_not_see_the_label(small):
    codes = small.attributes["group"].codes
    unseen = np.arange(80) < 40
    posterior = np.where(unseen[:, None], np.eye(2)[1 - codes], np.eye(2)[codes])  # wrong on exactly the unseen
    figures, _ = evaluate(
        recommender(small, belief=Belief(posterior), unseen=unseen), small, "group", seed=0, permutations=2
    )
    assert figures["attribute_accuracy"] == 0
    assert figures["attribute_auc"] == 0
    assert {"unseen_auc_logistic", "unseen_auc_mlp"} <= set(figures)
    everyone, _ = evaluate(recommender(small, belief=Belief(posterior)), small, "group", seed=0, permutations=2)
    assert everyone["attribute_accuracy"] == pytest.approx(0.5)


def test_confusion_matrices_are_compared_with_counted_ones(small):
    notes = independent(small, "group", seed=0, personas=2)
    codes = small.attributes["group"].codes
    counted = np.stack([
        [[np.mean(notes.labels[codes == a, i] == k) for k in range(2)] for a in range(2)] for i in range(2)
    ])  # fmt: skip
    belief = Belief(np.full((80, 2), 0.5), None, counted)
    figures, _ = evaluate(recommender(small, belief=belief), small, "group", seed=0, annotations=notes, permutations=2)
    assert figures["confusion_error"] == pytest.approx(0, abs=1e-9)
    belief = Belief(np.full((80, 2), 0.5), None, np.full((2, 2, 2), 0.5))
    figures, _ = evaluate(recommender(small, belief=belief), small, "group", seed=0, annotations=notes, permutations=2)
    assert figures["confusion_error"] == pytest.approx(abs(counted - 0.5).mean())


@pytest.mark.parametrize("known", [0, 1, 3])
def test_too_few_known_users_are_not_attacked(small, known):
    codes = np.full(80, -1)
    codes[:known] = np.arange(known) % 2
    data = replace(small, attributes={"group": UserAttribute(("a", "b"), codes)})
    figures, attacked = evaluate(recommender(data), data, "group", seed=0, permutations=2)
    assert attacked is None
    assert "auc_logistic" not in figures


def test_too_few_hidden_users_are_not_attacked_apart(small):
    unseen = np.arange(80) == 0
    found = recommender(small, unseen=unseen, belief=Belief(np.full((80, 2), 0.5)))
    figures, attacked = evaluate(found, small, "group", seed=0, permutations=2)
    assert attacked is not None
    assert "unseen_auc_logistic" not in figures


def test_the_seed_decides(small):
    first, second = (evaluate(recommender(small), small, "group", seed=5, permutations=3)[0] for _ in range(2))
    assert first == second


def test_items_of_the_validation_part_can_be_recommended_as_in_the_published_code():
    """A recommender that loves the validation items shows them only where they are not left out."""
    small = generate(60, 40, seed=1)
    m = small.shape[1]
    loved = small.valid.toarray() > 0
    trained = Trained("by hand", loved.astype(float), np.eye(m))
    strict, _ = evaluate(trained, small, None, seed=0)
    lenient, _ = evaluate(trained, small, None, seed=0, leave_out="train")
    top = top_items(trained.users, trained.items, small.train, 10)
    assert lenient["recall@10"] == averages(ranking(top, small.test, (10,)))["recall@10"]
    assert lenient["recall@10"] != strict["recall@10"]
    with pytest.raises(ValueError, match="choose train\\+valid or train"):
        evaluate(trained, small, None, seed=0, leave_out="test")
