"""Runs beside each other: means with intervals over seeds, paired differences, and who wins under which rule."""

from simulator.compare.comparison import Comparison, compare

__all__ = ["Comparison", "compare"]
