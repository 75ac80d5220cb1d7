"""A task for a method, with a recommender that stands for the pretrained one."""

from dataclasses import replace

import torch

from simulator.llmfosa.methods import method
from simulator.llmfosa.methods.base import Task


def task_for(name, data, plan, notes, *, labels=None, seed=0, values=None):
    """The task; methods with true labels see the labels, the attribute itself where there are none."""
    generator = torch.Generator().manual_seed(11)
    x, y = (torch.randn(n, 8, generator=generator) for n in data.shape)
    uses = method(name).uses
    if uses == "true labels" and labels is None:
        labels = data.attributes["group"].codes
    values = values or len(data.attributes["group"].values)
    return Task(data, values, x, y, plan, seed, labels if uses == "true labels" else None, notes)


def trained(name, data, plan, notes, **more):
    """The method, trained."""
    return method(name).train(task_for(name, data, plan, notes, **more))


def silent(notes, users):
    """The same annotations, without a label or a word on these users."""
    labels = notes.labels.copy()
    labels[users] = -1
    gone = set(users)
    return replace(
        notes,
        labels=labels,
        rationales=[("",) * labels.shape[1] if u in gone else each for u, each in enumerate(notes.rationales)],
        summaries=["" if u in gone else each for u, each in enumerate(notes.summaries)],
    )
