"""Dynamics: how the world changes because of what was delivered. One a file."""
