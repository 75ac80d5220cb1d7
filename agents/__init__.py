"""Stakeholder agents: the base contract, language models, rational ones, and the domains' own. One a file.

A new stakeholder is one class with one method in one file; `fairagents new stakeholder NAME` writes it with a test.
"""

from agents.base import Stakeholder

FAIR_AGENTS = True  # tells this package from the one of the same name in openai-agents

__all__ = ["FAIR_AGENTS", "Stakeholder"]
