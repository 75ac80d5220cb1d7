"""Models behind OpenAI's API: OpenAI itself, vLLM, llama.cpp, LM Studio and whatever else speaks it."""

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from autogen_core import CancellationToken
from autogen_core.models import CreateResult, LLMMessage, ModelInfo
from autogen_core.tools import Tool, ToolSchema
from autogen_ext.models.openai import OpenAIChatCompletionClient
from pydantic import BaseModel

from simulator.models.base import Model, ModelUnavailable
from simulator.models.messages import strict_schema
from simulator.models.server import check_server
from simulator.models.spec import ModelSpec, secrets_of, without_secrets

BASE_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
NO_KEY = "not-needed"
TIMEOUT = 60.0
RETRIES = 1
ANY_MODEL = ModelInfo(
    vision=False,
    function_calling=True,
    json_output=True,
    family="unknown",
    structured_output=True,
    multiple_system_messages=True,
)


class MalformedReply(RuntimeError):
    """A server's answer that is no chat completion, such as an HTML page."""


class ServerClient(OpenAIChatCompletionClient):
    """AutoGen's client, except that a structured answer comes back as the server wrote it.

    AutoGen parses it first, so that a wrong answer raises and its words are lost; here they reach the journal and the
    repair.
    """

    async def create(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: CancellationToken | None = None,
    ) -> CreateResult:
        """The server's answer.

        Raises:
            MalformedReply: It is no chat completion.
        """
        if isinstance(json_output, type):
            extra_create_args = {**extra_create_args, "response_format": response_format(json_output)}
            json_output = None
        try:
            return await super().create(
                messages,
                tools=tools,
                tool_choice=tool_choice,
                json_output=json_output,
                extra_create_args=extra_create_args,
                cancellation_token=cancellation_token,
            )
        except (AttributeError, IndexError, KeyError, TypeError) as error:  # AutoGen reads replies unchecked
            raise MalformedReply(f"the server's reply is no chat completion ({error})") from error


def create_openai(spec: ModelSpec, *, seed: int) -> Model:
    """The model that a specification names, on OpenAI's or another server, known to be there.

    The key is that of the environment variable `key_variable` (OPENAI_API_KEY); a server given by `base_url` may do
    without.

    Raises:
        ModelUnavailable: No key, no server, or a server without this model.
    """
    params = spec.params
    variable = params.get("key_variable", KEY_VARIABLE)
    base_url = params.get("base_url") or os.environ.get("OPENAI_BASE_URL")
    key = os.environ.get(variable) or (NO_KEY if base_url else None)
    if key is None:
        raise ModelUnavailable(
            f"{variable} is not set", "set it to your key, or name a server of your own with base_url=..."
        )
    return server_model(spec, base_url or BASE_URL, key, seed=seed, start="start it or correct base_url")


def server_model(spec: ModelSpec, base_url: str, key: str, *, seed: int, start: str) -> Model:
    """A model on an OpenAI-compatible server that has been found to answer and to list it."""
    params = spec.params
    check_server(base_url, key, model=params["model"], start=start)
    # Servers name their models as they like, and AutoGen would say so at every single answer.
    warnings.filterwarnings("ignore", message="Resolved model mismatch", category=UserWarning)
    # Nor does its log of an ill-typed reply concern anyone: the fault is counted where the reply is read.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
    timeout = float(params.get("timeout", TIMEOUT))
    settings = {key: params[key] for key in ("temperature", "max_tokens") if key in params} | {"seed": seed % 2**31}
    client = ServerClient(
        model=params["model"],
        base_url=base_url,
        api_key=key,
        timeout=timeout,
        max_retries=params.get("retries", RETRIES),
        model_info=ANY_MODEL,
        include_name_in_message=False,
        **settings,
    )
    return Model(
        name=str(spec),
        client=client,
        way=params.get("way", "listwise"),
        timeout=timeout,
        calls_tools=params.get("tools", True),
        settings=settings,
        identity={"server": without_secrets(base_url), "model": params["model"]},
        secrets=(*secrets_of(params), *((key,) if key != NO_KEY else ())),
    )


def response_format(answer: type[BaseModel]) -> dict[str, Any]:
    """The request for an answer of this form; always `json_schema`, for LM Studio refuses `json_object`."""
    schema = strict_schema(answer)
    return {"type": "json_schema", "json_schema": {"name": answer.__name__, "schema": schema, "strict": True}}
