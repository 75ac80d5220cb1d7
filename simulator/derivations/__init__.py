"""Derivations: attributes that are computed, per catalogue or per round, instead of read from a column. One a file."""
