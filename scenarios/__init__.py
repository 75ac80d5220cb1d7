"""Scenario files with their data; each folder has a README."""
