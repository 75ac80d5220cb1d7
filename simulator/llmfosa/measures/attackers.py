"""What an attacker learns of a hidden attribute from the users' embeddings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.measures.roc import Curve, auc, average, roc
from simulator.profile import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Attack:
    """How well each kind of attacker does.

    Attributes:
        auc: by attacker, max(AUC, 1 - AUC): one that is wrong more often than by chance knows as much. Of several
            values the mean over them, each against the rest.
        raw: as auc without turning round, in the same way.
        curves: by attacker and value, the ROC curve of that value against the rest; of two values only the second's.
        users: how many users were attacked.
    """

    auc: Mapping[str, float]
    raw: Mapping[str, float]
    curves: Mapping[str, Mapping[int, Curve]]
    users: int


def attack(
    embeddings: ArrayLike, codes: ArrayLike, *, seed: int, unseen: ArrayLike | None = None, folds: int = 5
) -> Attack:
    """Train attackers on some users and test them on others.

    By default each of `folds` stratified parts is attacked by one that trained on the rest, and AUCs and curves are
    means over the parts. With `unseen`, attackers train on the users that the debiasing saw and are tested on those
    it did not: debiasing may only have fooled the users that it was shown. Embeddings are standardised by the
    training part.

    Args:
        embeddings: `(n, d)`.
        codes: `(n,)` values of the attribute; users with -1 are left out, and so are the users of a value that is too
            rare to be in every part.
        seed: of the parts and of the networks.
        unseen: `(n,)` whether the debiasing did not see the user; such users are tested on, all others trained on.
        folds: how many parts, at least 2.

    Raises:
        ValueError: shapes do not fit, embeddings are not finite, or fewer than two values are left.
        ModuleNotFoundError: scikit-learn is missing; it comes with the extra `llmfosa`.
    """
    x, y = np.asarray(embeddings, dtype=np.float64), np.asarray(codes, dtype=np.int64)
    if x.ndim != 2 or y.shape != (len(x),):
        raise ValueError(f"embeddings of shape {x.shape} do not fit codes of shape {y.shape}")
    if not np.isfinite(x).all():
        raise ValueError("embeddings are not finite: the training has diverged")
    if folds < 2:
        raise ValueError(f"{folds} folds; there should be at least 2")
    known = y >= 0
    held = None if unseen is None else np.asarray(unseen, dtype=np.bool_)
    if held is not None and held.shape != y.shape:
        raise ValueError(f"embeddings of shape {x.shape} do not fit unseen users of shape {held.shape}")
    frequent = _frequent(y[known], None if held is None else held[known], folds)
    if len(frequent) < 2:
        raise ValueError("fewer than two values of the attribute have enough users to train an attacker and to test it")
    kept = known & np.isin(y, frequent)
    x, y = x[kept], y[kept]
    parts = list(_folds(x, y, folds, seed) if held is None else _disjoint(held[kept]))
    values = frequent[1:] if len(frequent) == 2 else frequent
    means, raw, curves = {}, {}, {}
    for name, make in ATTACKERS.items():
        found: dict[int, list[tuple[float, Curve]]] = {int(value): [] for value in values}
        for train, test in parts:
            chances = _chances(make(seed, y[train]), x[train], y[train], x[test])
            for value, of_value in found.items():
                scores, positive = chances[:, int(np.searchsorted(frequent, value))], y[test] == value
                of_value.append((auc(scores, positive), roc(scores, positive)))
        areas = np.array([np.mean([area for area, _ in each]) for each in found.values()])
        means[name] = float(np.maximum(areas, 1 - areas).mean())
        raw[name] = float(areas.mean())
        curves[name] = {value: average([curve for _, curve in each]) for value, each in found.items()}
    return Attack(means, raw, curves, sum(len(test) for _, test in parts))


def _logistic(seed: int, codes: Ints) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000, random_state=seed)


def _mlp(seed: int, codes: Ints) -> Any:
    """One hidden layer of 64 and 40 passes: shrunk hard, it beats deeper ones and ones that stop early.

    Both on embeddings as they are, and on embeddings from which the direction of a linear attacker was taken out.
    """
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier((64,), alpha=1.0, batch_size=min(128, len(codes)), max_iter=40, random_state=seed)


ATTACKERS: Mapping[str, Callable[[int, Ints], Any]] = {"logistic": _logistic, "mlp": _mlp}


def _frequent(codes: Ints, unseen: Bools | None, folds: int) -> Ints:
    """Values with enough users: one in every fold, or two to train on and one to test on, where `unseen` are given."""
    values, counts = np.unique(codes, return_counts=True)
    if unseen is None:
        return values[counts >= folds]
    hidden = np.array([np.count_nonzero(unseen & (codes == value)) for value in values], dtype=np.int64)
    return values[(hidden >= 1) & (counts - hidden >= 2)]


def _folds(x: Floats, y: Ints, folds: int, seed: int) -> Iterator[tuple[Ints, Ints]]:
    from sklearn.model_selection import StratifiedKFold

    yield from StratifiedKFold(folds, shuffle=True, random_state=seed).split(x, y)


def _disjoint(unseen: Bools) -> Iterator[tuple[Ints, Ints]]:
    yield np.flatnonzero(~unseen), np.flatnonzero(unseen)


def _chances(attacker: Any, x: Floats, y: Ints, tested: Floats) -> Floats:
    """Probabilities of the values for the tested users, standardised by the users that the attacker trains on."""
    from sklearn.exceptions import ConvergenceWarning

    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread > 1e-12, spread, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # an attacker that is stopped early is an attacker
        attacker.fit((x - mean) / spread, y)
    return np.asarray(attacker.predict_proba((tested - mean) / spread))
