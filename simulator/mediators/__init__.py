"""Mediators: rules of social choice that turn the ballots of a round into one outcome. One rule a file."""
