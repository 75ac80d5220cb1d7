"""Runs to look at while they happen: in a terminal and in a notebook."""

from simulator.watching.watch import watch

__all__ = ["watch"]
