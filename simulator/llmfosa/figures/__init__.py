"""Figures of the experiments, one question each, without pyplot's state."""

from simulator.llmfosa.figures.confusion import confusion
from simulator.llmfosa.figures.front import front
from simulator.llmfosa.figures.projection import projection
from simulator.llmfosa.figures.roc import roc
from simulator.llmfosa.figures.write import write_figure

__all__ = ["confusion", "front", "projection", "roc", "write_figure"]
