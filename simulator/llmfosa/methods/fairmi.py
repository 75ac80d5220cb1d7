"""FairMI: mutual information with the attribute down, with the preferences up; true labels (Zhao et al., AAAI 2023)."""

from simulator.llmfosa.methods.base import Method
from simulator.llmfosa.methods.labelled import true_labels

METHOD = Method("fairmi", "FairMI with true labels: the upper reference", "true labels", believe=true_labels)
