"""A token budget: a model is asked as long as there are tokens left.

Before a question goes out its prompt is set aside, estimated at four characters a token, and questions that are being
asked at the same time see that. An answer's length is not known before: with c questions at a time at most c answers
come in above the budget. What a model counts is booked; where it counts nothing (phrase probabilities, some servers)
the estimate is, and so is the prompt of a question that was given up. A question that fails costs nothing.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from simulator.models.base import BudgetSpent

if TYPE_CHECKING:
    from simulator.models.base import Model

__all__ = ["Budget", "BudgetSpent", "budgeted"]


class Budget:
    """Tokens of prompts and answers together, for all models of a run.

    Args:
        tokens: how many may be used, at least 1.

    Attributes:
        tokens: as given.
        spent: how many were used.
    """

    def __init__(self, tokens: int) -> None:
        if tokens < 1:
            raise ValueError(f"a budget must be at least 1 token, not {tokens}")
        self.tokens = tokens
        self.spent = 0
        self._reserved = 0
        self._over = False
        self._lock = threading.Lock()

    def reserve(self, tokens: int) -> None:
        """Set tokens aside for a question.

        Raises:
            BudgetSpent: They are not there; from then on nothing is granted, however little it is.
        """
        with self._lock:
            left = self.tokens - self.spent - self._reserved
            self._over = self._over or left < max(tokens, 1)
            if self._over:
                raise BudgetSpent(
                    f"the budget of {self.tokens} tokens is used up: {self.spent} spent, {self._reserved} set aside, "
                    f"about {tokens} needed for the next question"
                )
            self._reserved += tokens

    def settle(self, reserved: int, used: int) -> None:
        """Book what a question used instead of what was set aside for it."""
        with self._lock:
            self._reserved -= reserved
            self.spent += used


def budgeted(model: Model, budget: Budget) -> Model:
    """The same model, asked only as long as the budget lasts, phrase probabilities included.

    Put it behind the cache, `cached(budgeted(model, budget), cache)`: what the cache knows costs nothing.
    """
    from simulator.models.budgeted import before  # the budget itself needs no AutoGen

    return before(model, budget)
