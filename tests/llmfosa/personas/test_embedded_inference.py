import dataclasses

import numpy as np
import pytest
from scipy.sparse import csr_array

from simulator.llmfosa.personas import infer
from tests.llmfosa.personas.viewers import viewers


@pytest.mark.slow
@pytest.mark.embedded
def test_two_users_by_two_personas_of_the_embedded_model(embedded, tmp_path):
    found = infer(viewers(2), "gender", permission="a test", personas=2, model=embedded, out=tmp_path / "out")
    assert found.labels.shape == (2, 2)
    assert (found.labels >= 0).all()
    assert ((found.confidence > 0.5) & (found.confidence <= 1)).all()
    assert all(1 <= len(text.split()) <= 30 for row in found.rationales for text in row)
    again = infer(viewers(2), "gender", permission="a test", personas=2, model=embedded, at_once=1)
    np.testing.assert_array_equal(found.probabilities, again.probabilities)
    assert found.rationales == again.rationales


@pytest.mark.slow
@pytest.mark.embedded
def test_a_history_longer_than_the_context_is_cut(embedded):
    data = viewers(1)
    many = dataclasses.replace(
        data,
        items=tuple(map(str, range(160))),
        titles=("漢字の題名" * 16,) * 160,
        genres=(),
        train=csr_array(np.ones((1, 160), dtype=np.float32)),
    )
    found = infer(many, "gender", permission="a test", personas=1, model=embedded, history=160, rationales=False)
    assert (found.labels >= 0).all()
