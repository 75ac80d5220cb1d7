"""FairMI on the posterior of Dawid and Skene's crowd model, which knows that annotators err but not the users."""

from simulator.llmfosa.crowds import dawid_skene
from simulator.llmfosa.methods.base import Belief, Method, Task
from simulator.llmfosa.methods.labelled import from_posterior, votes


def believe(task: Task) -> Belief:
    """The crowd model's posterior."""
    labels, values = votes(task)
    crowd = dawid_skene(labels, values)
    return from_posterior(task, crowd.posterior, crowd.confusion)


METHOD = Method("dawid_skene_fairmi", "FairMI on Dawid and Skene's posterior", "annotations", believe=believe)
