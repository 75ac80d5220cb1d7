"""The scenario: its file, its checks, and the scenario as it runs."""

from simulator.scenario.loading import FILE_NAME, Party, Scenario, load_scenario, locate, shipped_scenarios

__all__ = ["FILE_NAME", "Party", "Scenario", "load_scenario", "locate", "shipped_scenarios"]
