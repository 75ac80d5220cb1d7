"""The ways in which a fake model's answers go wrong on request."""

from collections.abc import Callable, Mapping
from typing import Any

from simulator.models.fake_answers import resolve

UNKNOWN = "No Such Item"
REPLIES: Mapping[str, str] = {
    "rubbish": '}{ ranking:: 42%% \\u00 <|endoftext|> ["',
    "empty": "",
    "html": "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1><script>alert('model')</script></body></html>",
    "refuse": "I'm sorry, but I can't help with that.",
}


def spoil(answer: Any, schema: Mapping[str, Any], fault: str) -> Any:
    """The answer with every list of choices damaged.

    `unknown_item` replaces the first choice by one that is not on offer, `duplicate` repeats the first choice in
    place of the last, `omit` drops the last. An answer without such a list loses its last field to `omit` and is left
    alone by the others.
    """
    if fault not in ("unknown_item", "duplicate", "omit"):
        return answer
    damaged, found = _spoil_lists(answer, schema, schema, fault)
    if fault == "omit" and not found and isinstance(damaged, dict):
        return dict(list(damaged.items())[:-1])
    return damaged


def _spoil_lists(answer: Any, schema: Mapping[str, Any], root: Mapping[str, Any], fault: str) -> tuple[Any, bool]:
    node = resolve(schema, root)
    if isinstance(answer, dict):
        fields = {
            key: _spoil_lists(value, node.get("properties", {}).get(key, {}), root, fault)
            for key, value in answer.items()
        }
        return {key: value for key, (value, _) in fields.items()}, any(found for _, found in fields.values())
    if isinstance(answer, list) and answer and "enum" in resolve(node.get("items", {}), root):
        return _SPOILERS[fault](answer), True
    return answer, False


_SPOILERS: Mapping[str, Callable[[list[Any]], list[Any]]] = {
    "unknown_item": lambda ranking: [UNKNOWN, *ranking[1:]],
    "duplicate": lambda ranking: [*ranking[:-1], ranking[0]] if len(ranking) > 1 else ranking * 2,
    "omit": lambda ranking: ranking[:-1],
}
