"""Multi-persona inference: observers of a language model judge a hidden attribute of users."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.llmfosa.personas.editor import Edited
    from simulator.llmfosa.personas.forgetting import Forgotten, forget
    from simulator.llmfosa.personas.inference import infer
    from simulator.llmfosa.personas.shipped import shipped_personas
    from simulator.llmfosa.personas.store import read, write

_HOME = {
    "Edited": "editor",
    "Forgotten": "forgetting",
    "forget": "forgetting",
    "infer": "inference",
    "read": "store",
    "shipped_personas": "shipped",
    "write": "store",
}
__all__ = ["Edited", "Forgotten", "forget", "infer", "read", "shipped_personas", "write"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
