"""Rationales as numbers, and what in them tells the attribute."""

import sys

import numpy as np
import pytest

from simulator.inputs.yamlfile import InputError
from simulator.llmfosa.terms.directions import predictive_components, predictive_projection
from simulator.llmfosa.terms.text import rationale_embeddings

TEXTS = [
    "Romance and musicals suggest a woman; family drama adds to it.",
    "Romance, musicals and family films point to a woman.",
    "War films and action point to a man.",
    "Action, war and science fiction suggest a man.",
    "",
    "the of and",
]


def test_texts_that_share_words_are_near_and_those_without_words_are_zero():
    pytest.importorskip("sklearn")
    rows = rationale_embeddings(TEXTS, dim=4)
    assert rows.shape == (6, 4)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 1, 0, 0], atol=1e-6)
    cosines = rows @ rows.T
    assert min(cosines[0, 1], cosines[2, 3]) > max(cosines[0, 2], cosines[0, 3], cosines[1, 2], cosines[1, 3])


def test_few_texts_fill_the_width_with_zeros():
    pytest.importorskip("sklearn")
    rows = rationale_embeddings(TEXTS[:3], dim=64)
    assert rows.shape == (3, 64)
    assert not rows[:, 3:].any()
    assert not rationale_embeddings(["", "the"], dim=8).any()
    assert rationale_embeddings([], dim=8).shape == (0, 8)


def test_the_same_seed_gives_the_same_rows_and_another_the_same_space():
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(40)]
    texts = [" ".join(rng.choice(words[:20] if half else words[20:], 8)) for half in rng.random(80) < 0.7]
    first, again = (rationale_embeddings(texts, dim=8, seed=4) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    other = rationale_embeddings(texts, dim=8, seed=5)
    for component in range(2):  # one a topic, and none with its sign turned
        assert np.corrcoef(first[:, component], other[:, component])[0, 1] > 0.9


@pytest.mark.parametrize(
    ("package", "encoder", "remedy"),
    [
        ("sklearn", "tfidf", 'pip install "fair-agents[llmfosa]"'),
        ("sentence_transformers", "all-MiniLM-L6-v2", "pip install sentence-transformers"),
    ],
)
def test_what_is_not_installed_is_named_with_the_remedy(monkeypatch, package, encoder, remedy):
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match="is not installed") as error:
        rationale_embeddings(TEXTS, encoder)
    assert remedy in str(error.value)


def labelled(seed=0):
    """Embeddings of which component 3 tells the value, 1 does weakly, and 0, the largest, is taste."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(2, size=500)
    rows = rng.normal(size=(500, 5)) * [4, 1, 1, 0.5, 1]
    rows[:, 3] += codes
    rows[:, 1] += codes
    rows[:20] = 0
    return rows, np.stack([0.9 - 0.8 * codes, 0.1 + 0.8 * codes], axis=1), codes


def test_the_components_kept_are_those_that_tell_the_attribute():
    rows, posterior, _ = labelled()
    np.testing.assert_array_equal(predictive_components(rows, posterior, 2), rows[:, [3, 1]].astype(np.float32))
    assert predictive_components(rows, posterior, 5).shape == (500, 5)
    third = np.column_stack([posterior / 2, np.full(500, 0.5)])  # a value of which no component tells
    np.testing.assert_array_equal(predictive_components(rows, third, 1), rows[:, [3]].astype(np.float32))
    flat = np.full((500, 2), 0.5)
    np.testing.assert_array_equal(predictive_components(rows, flat, 2), rows[:, :2].astype(np.float32))
    assert predictive_components(np.zeros((3, 4)), np.ones((3, 2)), 2).shape == (3, 2)


def test_the_projection_is_the_texts_own_say_on_each_value():
    rows, posterior, codes = labelled()
    projected = predictive_projection(rows, posterior, ridge=0)
    told = rows.any(1)
    design = np.column_stack([np.ones(told.sum()), rows[told]])
    fitted = design @ np.linalg.lstsq(design, posterior[told], rcond=None)[0]
    np.testing.assert_allclose(projected[told], fitted - posterior[told].mean(0), atol=1e-5)
    assert not projected[~told].any()
    assert np.mean((projected[told, 1] > 0) == codes[told]) > 0.75
