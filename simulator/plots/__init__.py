"""Figures of a run, one question each; matplotlib is imported when the first is drawn."""

from simulator.plots.kinds import KINDS, Kind, draw
from simulator.plots.write import FORMATS, write_plots

__all__ = ["FORMATS", "KINDS", "Kind", "draw", "write_plots"]
