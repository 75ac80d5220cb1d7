"""A user's own copy of MovieLens; the environment says where it is."""

import os
import time

import numpy as np
import pytest

from simulator.llmfosa.loaders import load
from simulator.llmfosa.simulated import stereotypes

pytestmark = pytest.mark.slow


def copy(variable, preset):
    if variable not in os.environ:
        pytest.skip(f"{variable} names no folder")
    return load(preset, os.environ[variable])


def test_ml_100k_is_as_its_readme_says():
    data = copy("FAIRAGENTS_ML100K", "ml-100k")
    assert data.shape == (943, 1682)
    assert data.train.nnz + data.valid.nnz + data.test.nnz == 100_000
    assert np.bincount(data.attributes["gender"].codes).tolist() == [273, 670]
    assert len(data.attributes["occupation"].values) == 21


def test_ml_1m_is_as_its_readme_says_and_quick():
    start = time.process_time()
    data = copy("FAIRAGENTS_ML1M", "ml-1m")
    assert time.process_time() - start < 3
    assert len(data.users) == 6040
    assert np.bincount(data.attributes["gender"].codes).tolist() == [1709, 4331]
    whole = data.train.nnz + data.valid.nnz + data.test.nnz
    assert whole in (1_000_209, 801_218 + 197_321)  # all ratings, or the published split of the more frequent movies


def test_stereotypes_are_right_about_ml_1m_more_often_than_not_but_no_more_than_that():
    data = copy("FAIRAGENTS_ML1M", "ml-1m")
    codes = data.attributes["gender"].codes
    judged = stereotypes(data, "gender")
    assert ((judged.labels == codes[:, None]).mean(axis=0) > 0.6).all()
    votes = judged.labels.mean(axis=1)
    women, men = votes[codes == 0], votes[codes == 1]
    auc = (men[:, None] > women).mean() + 0.5 * (men[:, None] == women).mean()
    assert 0.72 < auc < 0.80
