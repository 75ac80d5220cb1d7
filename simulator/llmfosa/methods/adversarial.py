"""An adversary that guesses the attribute and is to be fooled, with true labels (FairGo, PFRec)."""

from simulator.llmfosa.methods.base import Method
from simulator.llmfosa.methods.labelled import true_labels

METHOD = Method(
    "adversarial",
    "adversarial filter with true labels",
    "true labels",
    believe=true_labels,
    fair={"against": "adversary", "conditional": 0.0},
)
