"""Embeddings of rationales: what a text says, as a row of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.inputs.yamlfile import InputError, Problem

INSTALL = 'pip install "fair-agents[llmfosa]"'


def rationale_embeddings(
    texts: Sequence[str], encoder: str = "tfidf", dim: int = 64, seed: int = 0
) -> NDArray[np.float32]:
    """`(n, dim)` unit rows, one a text; a text without a known word is a zero row.

    "tfidf" is TF-IDF with sublinear term frequencies and without English stop words, cut down to `dim` by a truncated
    SVD (latent semantic analysis: Deerwester et al. 1990), offline and the same for the same texts and seed: every
    component's largest loading is positive (scikit-learn from 1.5 on). Where texts or words are too few for `dim`
    components, the rest is zero. Any other name is an encoder of sentence-transformers (Reimers and Gurevych, EMNLP
    2019), whose width stands for `dim`.

    Args:
        texts: n texts.
        encoder: "tfidf", or the name or folder of a sentence encoder.
        dim: Width of the result with "tfidf".
        seed: Of the randomised SVD.

    Raises:
        InputError: What computes the embeddings is not installed; says how to install it.
    """
    rows = _latent_semantics(texts, dim, seed) if encoder == "tfidf" else _sentences(texts, encoder)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(rows, length, out=np.zeros_like(rows), where=length > 1e-12)
    return unit.astype(np.float32)


def _latent_semantics(texts: Sequence[str], dim: int, seed: int) -> NDArray[np.float64]:
    try:
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ModuleNotFoundError:
        raise InputError([Problem("encoder", f"scikit-learn is not installed: {INSTALL}")]) from None
    words = TfidfVectorizer(sublinear_tf=True, strip_accents="unicode", stop_words="english")
    analyse = words.build_analyzer()
    rows = np.zeros((len(texts), dim))
    if not any(analyse(text) for text in texts):
        return rows
    weights = words.fit_transform(texts)
    kept = min(dim, *weights.shape)
    svd: Any = TruncatedSVD(kept, random_state=seed)
    with np.errstate(divide="ignore", invalid="ignore"):  # texts that are all alike explain a share of no variance
        rows[:, :kept] = svd.fit_transform(weights)
    return rows


def _sentences(texts: Sequence[str], encoder: str) -> NDArray[np.float64]:
    try:
        from sentence_transformers import SentenceTransformer
    except ModuleNotFoundError:
        remedy = 'pip install sentence-transformers, or choose "tfidf"'
        problem = Problem("encoder", f'"{encoder}" needs sentence-transformers, which is not installed: {remedy}')
        raise InputError([problem]) from None
    rows = np.array(SentenceTransformer(encoder).encode(list(texts), show_progress_bar=False), dtype=np.float64)
    rows[[not text.strip() for text in texts]] = 0
    return rows
