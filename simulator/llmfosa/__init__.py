"""LLMFOSA: fair recommendation without sensitive attributes (arXiv 2505.19473); needs the extra `llmfosa`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulator.llmfosa.loaders.history import history

if TYPE_CHECKING:
    from simulator.llmfosa.comparison import compare
    from simulator.llmfosa.personas.inference import infer

_HOME = {"compare": "comparison", "infer": "personas.inference"}
__all__ = ["compare", "history", "infer"]


def __getattr__(name: str) -> Any:
    """What needs a language model or PyTorch is imported when it is used."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
