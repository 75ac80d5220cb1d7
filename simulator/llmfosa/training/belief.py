"""What is believed of every user's attribute, from the classifier and from the annotators' labels together."""

from __future__ import annotations

import numpy as np

from simulator.profile import Floats, Ints

TINY = 1e-12


def combined(classified: Floats, confusion: Floats, labels: Ints, *, votes: float | None = None) -> Floats:
    """`(n, A)` posterior, proportional to C(a|s_u) (prod_i F_i[a, label_ui])^w.

    With w = 1 the annotators err independently given the value (Dawid and Skene 1979, with C as the prior of each
    user). Annotators who share their errors say the same thing several times; w = 1 / (1 + (P - 1) rho) is the weight
    of one of P votes that correlate by rho (the design effect of Kish 1965), with rho of `shared_errors`.

    Args:
        classified: `(n, A)` C.
        confusion: `(P, A, A)` row-stochastic F.
        labels: `(n, P)` codes; -1 says nothing.
        votes: w; estimated where None.
    """
    if votes is None:
        votes = 1 / (1 + (labels.shape[1] - 1) * shared_errors(classified, confusion, labels))
    logs = np.log(np.maximum(confusion, TINY))
    seen = labels >= 0
    evidence = logs.transpose(0, 2, 1)[np.arange(labels.shape[1]), np.where(seen, labels, 0)]  # (n, P, A)
    joint = np.log(np.maximum(classified, TINY)) + votes * (evidence * seen[..., None]).sum(1)
    joint -= joint.max(1, keepdims=True)
    weight = np.exp(joint)
    found: Floats = weight / weight.sum(1, keepdims=True)
    return found


def shared_errors(classified: Floats, confusion: Floats, labels: Ints) -> float:
    """Rho in [0, 1]: how far two annotators' labels correlate beyond what their matrices and C explain.

    Of a pair i, j, with Z the indicators of their labels, M_i = C F_i, sums over values k, means over users:

        rho_ij = mean [ (Z_i - M_i).(Z_j - M_j) - sum_a C_a (F_i[a] - M_i).(F_j[a] - M_j) ]
                 / mean sum_a C_a sum_k sqrt(F_i[a,k] (1 - F_i[a,k]) F_j[a,k] (1 - F_j[a,k]))

    and rho is the mean over pairs, kept within [0, 1]. 0 for one annotator, and where no user has two labels.
    """
    personas = labels.shape[1]
    values = classified.shape[1]
    seen = labels >= 0
    expected = np.einsum("na,pak->npk", classified, confusion)
    residual = (np.eye(values)[np.where(seen, labels, 0)] - expected) * seen[..., None]
    both = seen.T.astype(float) @ seen
    observed = np.einsum("npk,nqk->pq", residual, residual)
    flat = confusion.reshape(personas, values, values)
    inner = np.einsum("pak,qak->pqa", flat, flat)  # sum_k F_i[a,k] F_j[a,k]
    spread = np.sqrt(flat * (1 - flat))
    most = np.einsum("pak,qak->pqa", spread, spread)
    weight = np.einsum("na,np,nq->apq", classified, seen.astype(float), seen.astype(float))
    explained = np.einsum("apq,pqa->pq", weight, inner) - np.einsum(
        "npk,nqk->pq", expected * seen[..., None], expected * seen[..., None]
    )
    possible = np.einsum("apq,pqa->pq", weight, most)
    pairs = np.triu(np.ones((personas, personas), dtype=bool), 1) & (both > 0) & (possible > TINY)
    if not pairs.any():
        return 0.0
    return float(np.clip(((observed - explained)[pairs] / possible[pairs]).mean(), 0, 1))


def known_first(classified: Floats, target: Floats, known: np.ndarray) -> Floats:
    """The target `(n, A)` where it is known, the classifier elsewhere."""
    return np.where(known[:, None], target, classified)
