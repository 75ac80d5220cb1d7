"""Metrics: numbers about one stakeholder or the collective, per round or over rounds. One metric a file."""
