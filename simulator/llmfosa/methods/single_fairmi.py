"""FairMI on what the first persona says, as if it never erred."""

from simulator.llmfosa.methods.base import Belief, Method, Task
from simulator.llmfosa.methods.labelled import from_labels, votes


def believe(task: Task) -> Belief:
    """The first persona's label."""
    labels, _ = votes(task)
    return from_labels(task, labels[:, 0])


METHOD = Method("single_fairmi", "FairMI on one persona's labels", "annotations", believe=believe)
