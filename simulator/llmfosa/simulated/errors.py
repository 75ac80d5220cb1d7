"""Annotators who know the truth and err as chosen confusion matrices say, each for itself or together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.llmfosa.annotations import Annotations, Persona
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.simulated.texts import genre_phrases, reading, summaries
from simulator.seeds import generator

Confusions = NDArray[np.float64]
_SPREAD = 0.08


def independent(
    data: Interactions,
    attribute: str,
    confusions: ArrayLike | None = None,
    *,
    accuracy: tuple[float, float] = (0.63, 0.73),
    personas: int = 6,
    seed: int = 0,
) -> Annotations:
    """Labels whose errors are independent given the attribute: P(label_i = k | a) = confusions[i, a, k].

    Args:
        data: The interactions; a user whose value is not known is not judged (-1).
        attribute: One of `data.attributes`.
        confusions: `(P, A, A)` row-stochastic; without it `draw_confusions` draws them with `accuracy` and `personas`.
        accuracy: The range of the drawn overall accuracies.
        personas: How many matrices are drawn.
        seed: Where matrices and errors are drawn from.

    Raises:
        ValueError: An attribute that the data do not have, or matrices of another shape or no probabilities.
    """
    return _annotate(data, attribute, confusions, 0.0, accuracy, personas, seed, "simulated: independent errors")


def shared(
    data: Interactions,
    attribute: str,
    confusions: ArrayLike | None = None,
    rho: float = 0.5,
    *,
    accuracy: tuple[float, float] = (0.63, 0.73),
    personas: int = 6,
    seed: int = 0,
) -> Annotations:
    """As `independent`, but a share of the users misleads all annotators at once.

    Every label is the inverse of its row's distribution function, the true value first, at a uniform draw; with
    probability `rho` a user's draw is common to all annotators. Each annotator's own confusion matrix stays as chosen;
    where the draw is common, whoever is less often right errs wherever a better one does.

    Args:
        data: As in `independent`.
        attribute: As in `independent`.
        confusions: As in `independent`.
        rho: Share of users with a common draw in [0, 1]; 0 is `independent`.
        accuracy: As in `independent`.
        personas: As in `independent`.
        seed: As in `independent`, whose matrices are the same.

    Raises:
        ValueError: As `independent`, or rho is outside [0, 1].
    """
    if not 0 <= rho <= 1:
        raise ValueError(f"rho must be in [0, 1] (found {rho})")
    origin = f"simulated: shared errors, rho {rho:g}"
    return _annotate(data, attribute, confusions, rho, accuracy, personas, seed, origin)


def draw_confusions(
    personas: int, prior: ArrayLike, *, accuracy: tuple[float, float] = (0.63, 0.73), seed: int = 0
) -> Confusions:
    """Random confusion matrices whose overall accuracy sum_a prior_a F[a, a] is uniform in a range.

    The rows differ: F[a, a] = t + e_a - sum_b prior_b e_b with t uniform in `accuracy` and e_a uniform in +-0.08; what
    is left of a row is spread over the other values by a flat Dirichlet draw.

    Args:
        personas: How many matrices P.
        prior: `(A,)` shares of the values, which sum to 1.
        accuracy: The lowest and the highest overall accuracy, in [0.16, 0.84] so that no diagonal leaves [0, 1].
        seed: Where they are drawn from.

    Returns:
        `(P, A, A)`, rows summing to 1.
    """
    if personas < 1:
        raise ValueError(f"personas must be at least 1 (found {personas})")
    low, high = accuracy
    if not 2 * _SPREAD <= low <= high <= 1 - 2 * _SPREAD:
        raise ValueError(f"accuracy must be a range within 0.16 and 0.84 (found {low}, {high})")
    weights = np.asarray(prior, dtype=np.float64)
    n = len(weights)
    rng = generator(seed, "llmfosa", "simulated", "confusions")
    overall = rng.uniform(low, high, personas)
    offsets = rng.uniform(-_SPREAD, _SPREAD, (personas, n))
    diagonal = overall[:, None] + offsets - (offsets @ weights)[:, None]
    matrices = np.zeros((personas, n, n))
    others = ~np.eye(n, dtype=bool)
    matrices[:, others] = (rng.dirichlet(np.ones(n - 1), (personas, n)) * (1 - diagonal)[..., None]).reshape(
        personas, -1
    )
    matrices[:, ~others] = diagonal
    return matrices


def _annotate(
    data: Interactions,
    attribute: str,
    confusions: ArrayLike | None,
    rho: float,
    accuracy: tuple[float, float],
    personas: int,
    seed: int,
    origin: str,
) -> Annotations:
    if attribute not in data.attributes:
        raise ValueError(f"the data have no attribute '{attribute}'; they have {', '.join(data.attributes) or 'none'}")
    truth = data.attributes[attribute]
    known = truth.codes >= 0
    codes = truth.codes[known]
    prior = np.bincount(codes, minlength=len(truth.values)) / max(1, len(codes))
    if confusions is None:
        matrices = draw_confusions(personas, prior, accuracy=accuracy, seed=seed)
    else:
        matrices = _checked(confusions, len(truth.values))
    count = len(matrices)
    rng = generator(seed, "llmfosa", "simulated", "errors")
    uniforms = rng.random((len(data.users), count))
    common = rng.random(len(data.users)) < rho
    uniforms[common] = uniforms[common, :1]
    labels = np.full((len(data.users), count), -1, dtype=np.int64)
    labels[known] = _labels(matrices, codes, uniforms[known])
    probabilities = _posteriors(matrices, prior, labels)
    confidence = np.full(labels.shape, np.nan)
    confidence[known] = np.take_along_axis(probabilities[known], labels[known][..., None], axis=2)[..., 0]
    phrases = genre_phrases(data)
    people = tuple(
        Persona(f"simulated {i + 1}", "A simulated annotator that errs as a chosen confusion matrix says.")
        for i in range(count)
    )
    return Annotations(
        attribute=attribute,
        values=truth.values,
        personas=people,
        users=data.users,
        labels=labels,
        confidence=confidence,
        rationales=reading(phrases, labels, truth.values),
        summaries=summaries(phrases, labels, truth.values),
        probabilities=probabilities,
        origin=origin,
    )


def _labels(matrices: Confusions, codes: NDArray[np.int64], uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
    """Inverse distribution functions, the true value first and the others in their order."""
    n = matrices.shape[1]
    order = np.argsort(~np.eye(n, dtype=bool), axis=1, kind="stable")  # row a: a, then the others
    ladder = np.cumsum(np.take_along_axis(matrices, order[None], axis=2), axis=2)[:, :, :-1]
    steps = (uniforms[..., None] >= ladder[np.arange(len(matrices)), codes[:, None]]).sum(axis=2)
    return np.asarray(order[codes[:, None], steps], dtype=np.int64)


def _posteriors(matrices: Confusions, prior: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """`(n, P, A)`: P(a | label of annotator i alone) by Bayes' rule; NaN where it did not judge."""
    joint = matrices * prior[None, :, None]
    given = joint.sum(axis=1, keepdims=True)
    share = np.divide(joint, given, out=np.full_like(joint, 1 / len(prior)), where=given > 0)
    posteriors = share.transpose(0, 2, 1)[np.arange(len(matrices)), labels]
    posteriors[labels < 0] = np.nan
    return np.asarray(posteriors)


def _checked(confusions: ArrayLike, n_values: int) -> Confusions:
    matrices = np.asarray(confusions, dtype=np.float64)
    if matrices.ndim != 3 or matrices.shape[1:] != (n_values, n_values) or not len(matrices):
        raise ValueError(f"confusions must have the shape (P, {n_values}, {n_values}) (found {matrices.shape})")
    if not (matrices >= 0).all() or not np.allclose(matrices.sum(axis=2), 1, rtol=0, atol=1e-8):
        raise ValueError("every row of a confusion matrix must be probabilities that sum to 1")
    return matrices
