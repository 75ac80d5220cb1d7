"""What the rest of the simulator holds of a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

if TYPE_CHECKING:  # AutoGen takes half a second to import and only the clients need it
    from autogen_core.models import ChatCompletionClient

Way = Literal["weigh", "listwise"]
WAYS: tuple[str, ...] = get_args(Way)


class PhraseScorer(Protocol):
    """A model that can say how likely it finds given words."""

    async def phrase_logprobs(self, system: str, user: str, opening: str, phrases: Sequence[str]) -> list[float]:
        """The log probability (nats) of every phrase, summed over its tokens.

        The context is the chat prompt of `system` and `user` with an assistant answer that starts with `opening`; one
        space stands between opening and phrase.
        """
        ...


@dataclass(frozen=True, eq=False)
class Model:
    """A language model ready to be asked.

    Attributes:
        name: Which model it is, for logs; never contains a key.
        client: The AutoGen client that agents are given.
        way: How its stakeholders propose unless the scenario says otherwise.
        timeout: Seconds after which an answer counts as missing.
        calls_tools: Whether tools may be offered to it.
        scorer: The model's phrase probabilities, None where the server gives none.
        settings: What besides the name decides its answers: seed, temperature, token limit.
        identity: Which model it is, at which endpoint, without what does not decide an answer (time limits, number of
            retries) and without keys: what a response cache compares. The name if empty.
        secrets: Keys and passwords that its server is sent, for whoever logs what the server says.
    """

    name: str
    client: ChatCompletionClient
    way: Way
    timeout: float
    calls_tools: bool
    scorer: PhraseScorer | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    identity: Mapping[str, Any] = field(default_factory=dict)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    async def close(self) -> None:
        """Let go of the connection or engine; idempotent."""
        await self.client.close()


class ModelUnavailable(Exception):
    """A model that cannot be asked here and now, with the one thing that would change it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")
        self.problem = problem
        self.remedy = remedy


class BudgetSpent(BaseException):
    """The tokens that were granted are used up, and no question is asked any more.

    No Exception, as KeyboardInterrupt is none: whoever asks a model catches those as the model's failures and would go
    on without it.
    """
