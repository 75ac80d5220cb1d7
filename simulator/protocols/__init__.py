"""Protocols: how one round is negotiated. One a file."""
