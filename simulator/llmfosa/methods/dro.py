"""Distributionally robust optimisation: the worst group that is large enough, whoever it is (Hashimoto et al. 2018)."""

from simulator.llmfosa.methods.base import Method

METHOD = Method(
    "dro", "robust to the worst group, knows no attribute", "nothing", fair={"against": "dro", "conditional": 0.0}
)
