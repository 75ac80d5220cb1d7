"""Models that Ollama serves, through its OpenAI-compatible endpoint.

AutoGen has a client of its own for Ollama. It needs another package, cannot be given a timeout, and knows only the
models of a table; the endpoint takes the same schemas and tools, and one path is tested instead of two.
"""

from simulator.models.base import Model
from simulator.models.openai import server_model
from simulator.models.spec import ModelSpec

BASE_URL = "http://127.0.0.1:11434/v1"
KEY = "ollama"  # required by the protocol, ignored by the server


def create_ollama(spec: ModelSpec, *, seed: int) -> Model:
    """The model that a specification names on a running Ollama.

    Raises:
        ModelUnavailable: Ollama does not run, or has not pulled the model.
    """
    start = f"start it with `ollama serve` and get the model with `ollama pull {spec.params['model']}`"
    return server_model(spec, spec.params.get("base_url", BASE_URL), KEY, seed=seed, start=start)
