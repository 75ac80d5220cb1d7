"""Allocation before choice: how much each stakeholder's ballot weighs in a round, by how fairly it was treated so far.

One strategy a file, as in SCRUF-D: R. Burke, N. Mattei, V. Grozin, A. Voida and N. Sonboli, Multi-agent social choice
for dynamic fairness-aware recommendation, UMAP 2022. The mediator `allocated` puts any of them in front of a rule.
"""

from simulator.allocation.base import Allocation
from simulator.allocation.strategies import STRATEGIES, strategy

__all__ = ["STRATEGIES", "Allocation", "strategy"]
