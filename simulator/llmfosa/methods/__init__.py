"""Methods that train a recommender, one a file; a new one is a copy of one file and its name below."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.llmfosa.methods.base import Method

METHODS = (
    "bpr",
    "lightgcn",
    "continue_bpr",
    "dro",
    "adversarial",
    "fairmi",
    "single_fairmi",
    "majority_fairmi",
    "dawid_skene_fairmi",
    "llmfosa",
)


def method(name: str) -> Method:
    """The method by its name.

    Raises:
        ValueError: There is none.
    """
    import difflib

    if name not in METHODS:
        close = difflib.get_close_matches(name, METHODS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"no method {name!r}{hint}; the methods are {', '.join(METHODS)}")
    found: Method = import_module(f"simulator.llmfosa.methods.{name}").METHOD
    return found
