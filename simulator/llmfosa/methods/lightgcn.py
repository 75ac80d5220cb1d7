"""LightGCN: the same loss on embeddings smoothed over the graph, with no thought of fairness (He et al. 2020)."""

from simulator.llmfosa.methods.base import Method

METHOD = Method(
    "lightgcn",
    "LightGCN, no thought of fairness",
    "nothing",
    fair=None,
    pretraining={"encoder": "lightgcn", "l2": 1e-3, "learning_rate": 1e-2},
)
