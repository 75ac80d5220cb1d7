"""Whether an OpenAI-compatible server is there and has the model, asked before anything depends on it."""

import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import Future

from simulator.models.base import ModelUnavailable
from simulator.models.spec import without_secrets

TIMEOUT = 3.0
_WITH_PATH = "give base_url with its path, as in http://127.0.0.1:8000/v1"
_MOST_BYTES = 4_000_000
_MOST_LISTED = 8


def check_server(base_url: str, key: str, *, model: str, start: str) -> None:
    """Ask `GET {base_url}/models` whether the server answers and lists the model.

    A server whose list is empty passes.

    Args:
        base_url: As an OpenAI client is given it, with its `/v1`.
        key: Sent as bearer token.
        model: The name that must be listed; a server's name without tag stands for its `:latest`.
        start: The remedy when nothing answers, such as "start it with `ollama serve`".

    Raises:
        ModelUnavailable: No answer in three seconds, a refused key, another model, or something that is no model
        server.
    """
    shown = without_secrets({"base_url": base_url})["base_url"]
    try:
        listed = _listed_in_time(base_url, key)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (401, 403):
            raise ModelUnavailable(f"{shown} refuses the key", "set OPENAI_API_KEY to one that it accepts") from None
        remedy = _WITH_PATH if error.code == 404 else start
        raise ModelUnavailable(f"{shown}/models answers with HTTP {error.code}", remedy) from None
    except (OSError, http.client.HTTPException) as error:
        reason = str(getattr(error, "reason", error)) or type(error).__name__
        raise ModelUnavailable(f"no model server answers at {shown} ({reason})", start) from None
    except ValueError:
        raise ModelUnavailable(f"{shown} is no OpenAI-compatible server", _WITH_PATH) from None
    if listed and model not in listed and f"{model}:latest" not in listed:
        more = f" and {len(listed) - _MOST_LISTED} more" if len(listed) > _MOST_LISTED else ""
        raise ModelUnavailable(f"{shown} has no model {model!r}", f"it lists {', '.join(listed[:_MOST_LISTED])}{more}")


def _listed_in_time(base_url: str, key: str) -> Sequence[str]:
    """What the server lists, if it has listed it in time: urllib's own timeout starts anew with every byte."""
    asked: Future[Sequence[str]] = Future()

    def ask() -> None:
        try:
            asked.set_result(_listed(base_url, key))
        except Exception as error:
            asked.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()  # a daemon, so that a server which drips holds up no exit
    try:
        return asked.result(TIMEOUT)
    except TimeoutError:
        raise TimeoutError("timed out") from None


def _listed(base_url: str, key: str) -> Sequence[str]:
    request = urllib.request.Request(
        f"{base_url.rstrip('/')}/models",
        headers={"Authorization": f"Bearer {key}", "Accept": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        answer = json.loads(response.read(_MOST_BYTES))
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
        raise ValueError("not a list of models")
    return [entry["id"] for entry in answer["data"] if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
