"""Models given as AutoGen's declarative component: any client there is, with a provider and a config."""

import os
import warnings
from collections.abc import Mapping
from typing import Any, cast

from autogen_core import ComponentModel
from autogen_core.models import ChatCompletionClient

from simulator.models.base import Model, ModelUnavailable, PhraseScorer
from simulator.models.server import check_server
from simulator.models.spec import CENSORED, ModelSpec, ModelSpecError, secrets_of, without_secrets

TIMEOUT = 60.0
NO_KEY = "not-needed"


def create_component(spec: ModelSpec, *, seed: int) -> Model:
    """The model that a component describes; a client with `phrase_logprobs` also weighs.

    A key that a run folder's scenario does not show is not given: the client finds it in the environment, or not.

    Raises:
        ModelSpecError: The provider does not import, is no model client, or refuses the config.
        ModelUnavailable: A key is missing, or the server in `base_url` does not answer.
    """
    provider = spec.params["provider"]
    config = {key: value for key, value in spec.params["config"].items() if value != CENSORED}
    key = str(config.get("api_key") or os.environ.get("OPENAI_API_KEY") or NO_KEY)
    if isinstance(config.get("base_url"), str) and isinstance(config.get("model"), str):
        check_server(
            config["base_url"],
            key,
            model=config["model"],
            start="start it or correct base_url",
        )
    # AutoGen dumps every reply, and pydantic would say on the terminal what it does not like about each.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
    client = _load({**spec.params, "config": config})
    scorer = cast(PhraseScorer, client) if hasattr(client, "phrase_logprobs") else None
    return Model(
        name=str(spec),
        client=client,
        way="listwise" if scorer is None else "weigh",
        timeout=float(config.get("timeout") or TIMEOUT),
        calls_tools=client.model_info["function_calling"],
        scorer=scorer,
        settings={key: config[key] for key in ("seed", "temperature", "max_tokens") if key in config}
        | {"provider": provider},
        identity={"provider": provider, "config": _decisive(config)},
        secrets=(*secrets_of(config), key),
    )


def _decisive(config: Mapping[str, Any]) -> Any:
    """What may decide an answer, without keys: whatever the config says, the environment's server included."""
    server = config.get("base_url") or os.environ.get("OPENAI_BASE_URL")
    kept = {key: value for key, value in config.items() if key not in ("timeout", "max_retries")}
    return without_secrets(kept | ({"base_url": server} if server else {}))


def _load(component: dict[str, Any]) -> ChatCompletionClient:
    provider = component["provider"]
    try:
        return ChatCompletionClient.load_component(ComponentModel(**component))
    except ModelUnavailable:
        raise
    except Exception as error:  # whatever a foreign constructor raises, said in one line
        first = (str(error).splitlines() or [type(error).__name__])[0]
        if "api_key" in first:
            raise ModelUnavailable(f"{provider} has no key", "set OPENAI_API_KEY in the environment") from error
        raise ModelSpecError(f"{provider} cannot be loaded: {first}") from error
