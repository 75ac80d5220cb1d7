"""Figures of a run, one question each; matplotlib is imported when the first is drawn."""

from simulator.plots.kinds import KINDS, Kind, draw, kinds_of
from simulator.plots.medium import MEDIA
from simulator.plots.write import FORMATS, write_plots

__all__ = ["FORMATS", "KINDS", "MEDIA", "Kind", "draw", "kinds_of", "write_plots"]
