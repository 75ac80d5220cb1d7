"""Voting other than one thinks: which misreports there are, what the best of them gains, and who pays for it."""
