"""What stands before every model of one run: the response cache, and behind it the token budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from simulator.models.base import Model
    from simulator.models.cached import CacheUse


class Relays:
    """Puts the cache and the budget of a run before a model; a context that closes the cache.

    Args:
        cache: the file of replies; None for none.
        budget: tokens; None for as many as it takes.

    Raises:
        InputError: the cache cannot be used.
        ValueError: the budget is below 1.
    """

    def __init__(self, cache: Path | str | None = None, budget: int | None = None) -> None:
        from simulator.models.budget import Budget

        self._budget = None if budget is None else Budget(budget)
        self._use: CacheUse | None = None
        self._cache = None
        if cache is not None:
            from simulator.models.cache import ResponseCache

            self._cache = ResponseCache(cache)

    def __call__(self, model: Model) -> Model:
        """The model behind both."""
        if self._budget is not None:
            from simulator.models.budget import budgeted

            model = budgeted(model, self._budget)
        if self._cache is not None:
            from simulator.models.cache import cached
            from simulator.models.cached import CacheUse

            self._use = self._use or CacheUse()
            model = cached(model, self._cache, self._use)
        return model

    def totals(self) -> dict[str, int]:
        """Hits, misses and tokens spared, tokens granted and spent; nothing of what is not there."""
        found: dict[str, int] = {}
        if self._cache is not None:
            for name in ("hits", "misses", "prompt_tokens", "completion_tokens"):
                found[f"cache_{name}"] = getattr(self._use, name, 0)
        if self._budget is not None:
            found |= {"budget_tokens": self._budget.tokens, "budget_spent": self._budget.spent}
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._cache is not None:
            self._cache.close()
