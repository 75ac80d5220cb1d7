"""Beliefs from one label a user, taken as it is: true ones, one persona's, a vote's, or a crowd model's posterior."""

from __future__ import annotations

import numpy as np

from simulator.llmfosa.methods.base import Belief, Task
from simulator.profile import Floats, Ints


def from_labels(task: Task, labels: Ints) -> Belief:
    """The label where there is one; elsewhere what a classifier of the embedding, trained on the labels, says."""
    from simulator.llmfosa.training.belief import known_first
    from simulator.llmfosa.training.sensitive import Evidence, learn_sensitive

    evidence = Evidence(task.values, labels[:, None])
    found = learn_sensitive(task.x, evidence, task.plan.sensitive, **task.stage("sensitive"))
    known = labels >= 0
    posterior = known_first(found.classified, np.eye(task.values)[np.where(known, labels, 0)], known)
    return Belief(posterior, found.s, None, found.history)


def true_labels(task: Task) -> Belief:
    """From the true labels that the method may see."""
    if task.labels is None:
        raise ValueError("this method needs the true labels of some users")
    return from_labels(task, task.labels)


def votes(task: Task) -> tuple[Ints, int]:
    """`(n, P)` labels of the annotators, and the number of values."""
    if task.annotations is None:
        raise ValueError("this method needs annotations")
    return task.annotations.labels, len(task.annotations.values)


def from_posterior(task: Task, posterior: Floats, confusion: Floats | None) -> Belief:
    """A posterior as it is; s is learnt from its likeliest value, for the readings of stage 2 that want one.

    A user whom nobody judged keeps the prior, which is no label to learn from.
    """
    judged = (votes(task)[0] >= 0).any(1)
    found = from_labels(task, np.where(judged, posterior.argmax(1), -1))
    return Belief(posterior, found.s, confusion, found.history)
