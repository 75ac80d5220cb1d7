"""Sweeps: the same scenario under many mediators, seeds and settings, a run folder a cell."""

from simulator.sweeps.sweep import Sweep, read_sweep, sweep

__all__ = ["Sweep", "read_sweep", "sweep"]
