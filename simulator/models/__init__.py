"""Language models: how they are named, made ready and asked."""

from simulator.models.base import BudgetSpent, Model, ModelUnavailable, PhraseScorer
from simulator.models.create import create_model
from simulator.models.spec import ModelSpec, ModelSpecError, parse_model

__all__ = [
    "BudgetSpent",
    "Model",
    "ModelSpec",
    "ModelSpecError",
    "ModelUnavailable",
    "PhraseScorer",
    "create_model",
    "parse_model",
]
