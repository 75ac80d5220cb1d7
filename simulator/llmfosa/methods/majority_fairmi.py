"""FairMI on the majority vote of the personas, as if it never erred."""

from simulator.llmfosa.crowds import majority
from simulator.llmfosa.methods.base import Belief, Method, Task
from simulator.llmfosa.methods.labelled import from_labels, votes
from simulator.seeds import child_seed


def believe(task: Task) -> Belief:
    """The value with most votes; ties are drawn."""
    labels, values = votes(task)
    return from_labels(task, majority(labels, values, child_seed(task.seed, "llmfosa", "majority"))[1])


METHOD = Method("majority_fairmi", "FairMI on the majority vote", "annotations", believe=believe)
