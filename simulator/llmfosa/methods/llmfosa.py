"""LLMFOSA: personas' labels through their confusion matrices, then preferences independent of what they tell."""

from __future__ import annotations

import numpy as np

from simulator.llmfosa.annotations import Annotations
from simulator.llmfosa.crowds import counted_confusion, dawid_skene, majority, votes_of
from simulator.llmfosa.methods.base import Belief, Method, Task
from simulator.llmfosa.methods.labelled import from_labels, from_posterior, votes
from simulator.seeds import child_seed

SMOOTHING = 0.5  # pseudo-count of each label in the estimated matrices


def believe(task: Task) -> Belief:
    """Stage 1 with the terms that are on, and the classifier's and the annotators' evidence put together."""
    from simulator.llmfosa.training.belief import combined
    from simulator.llmfosa.training.sensitive import Evidence, learn_sensitive

    labels, values = votes(task)
    notes, off, options = task.annotations, task.plan.off, task.plan.sensitive
    assert notes is not None
    if "personas" in off:
        labels = labels[:, :1]
    if "confusion" in off:
        return from_labels(task, majority(labels, values, child_seed(task.seed, "llmfosa", "majority"))[1])
    crowd = dawid_skene(labels, values)
    if "sensitive" in off:
        return from_posterior(task, crowd.posterior, crowd.confusion)
    heard = labels.shape[1]
    summarised = "summary" not in off and heard == len(notes.personas)  # the summary tells what every persona said
    texts = None if "rationale" in off or not options.rationale else _texts(notes, heard, summarised)
    personas = None if "similarity" in off or not options.similarity else _personas(notes)
    evidence = Evidence(values, labels, crowd.confusion, texts, personas)
    found = learn_sensitive(task.x, evidence, options, **task.stage("sensitive"))
    assert found.confusion is not None
    posterior = combined(found.classified, found.confusion, labels)
    # The layer's matrices stop where its classifier stops; one M-step with classifier and votes together is closer.
    confusion = counted_confusion(posterior, votes_of(labels, values), SMOOTHING)
    return Belief(posterior, found.s, confusion, found.history)


def _texts(notes: Annotations, heard: int, summarised: bool) -> np.ndarray | None:
    from simulator.llmfosa.terms.text import rationale_embeddings

    texts = list(notes.summaries) if summarised else [" ".join(each[:heard]) for each in notes.rationales]
    return rationale_embeddings(texts) if any(text.strip() for text in texts) else None


def _personas(notes: Annotations) -> np.ndarray | None:
    from simulator.llmfosa.terms.text import rationale_embeddings

    return rationale_embeddings([f"{one.name}. {one.description}" for one in notes.personas])


METHOD = Method("llmfosa", "LLMFOSA: confusion-aware, no true label", "annotations", believe=believe)
