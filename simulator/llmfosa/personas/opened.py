"""A model for an inference: within a token budget, behind a response cache, closed in the end if it was made here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.inputs.yamlfile import InputError, Problem
from simulator.models.base import Model
from simulator.models.create import create_model
from simulator.models.engine import available_cores

if TYPE_CHECKING:
    from simulator.models.cached import CacheUse
    from simulator.models.spec import ModelSpec

AT_ONCE = 8
_EMBEDDED = "embedded:"
_EMBEDDED_AT_ONCE = 2
_TOKENS_BESIDE = 600  # of persona, task, other annotators' words and the answer


@contextmanager
def opened(
    model: str | ModelSpec | Mapping[str, Any] | Model, cache: Path | str | None, budget: int | None, seed: int
) -> Iterator[tuple[Model, CacheUse | None]]:
    """The model, and what the cache spares it (None without a cache).

    Raises:
        InputError: It is "none", or the cache cannot be used.
        ModelSpecError: It is no model.
        ModelUnavailable: It is not there.
    """
    from simulator.rounds.loop import run as run_on_loop

    with ExitStack() as stack:
        if isinstance(model, Model):
            llm = model
        else:
            made = create_model(model, seed=seed)
            if made is None:
                raise InputError([Problem("model", "an inference needs a language model, such as embedded")])
            llm = made
            stack.callback(lambda: run_on_loop(made.close()))
        if budget is not None:
            from simulator.models.budget import Budget, budgeted

            llm = budgeted(llm, Budget(budget))
        spared = None
        if cache is not None:
            from simulator.models.cache import ResponseCache, cached
            from simulator.models.cached import CacheUse

            spared = CacheUse()
            llm = cached(llm, stack.enter_context(ResponseCache(cache)), spared)
        yield llm, spared


def longest_history(llm: Model) -> int | None:
    """How many tokens of titles fit into the embedded model's context with everything else; None for other models."""
    if not llm.name.startswith(_EMBEDDED):
        return None
    return max(0, llm.client.remaining_tokens([]) - _TOKENS_BESIDE)


def questions_at_once(llm: Model) -> int:
    """What a model usefully takes: the embedded one as many as it has engines and one to wait, servers eight."""
    if llm.name.startswith(_EMBEDDED):
        return min(_EMBEDDED_AT_ONCE, available_cores()) + 1
    return AT_ONCE
