"""The bridge from a recommender into the negotiation, where its users arrive one a round with their lists."""

from simulator.llmfosa.bridge.factorisation import factorise
from simulator.llmfosa.bridge.folder import write_scenario
from simulator.llmfosa.bridge.lists import base_lists, item_names
from simulator.llmfosa.bridge.truth import true_figures

__all__ = ["base_lists", "factorise", "item_names", "true_figures", "write_scenario"]
