"""Simulated annotators, named as such: chosen confusion matrices, shared errors, and genre stereotypes."""

from simulator.llmfosa.simulated.errors import draw_confusions, independent, shared
from simulator.llmfosa.simulated.stereotypes import stereotypes

__all__ = ["draw_confusions", "independent", "shared", "stereotypes"]
