"""Bargaining as arrays: which deals there are, who runs which risk, what equilibrium strategies offer and accept."""
