"""What a fake model answers: valid instances of JSON schemas and sentences, drawn from a hash of the prompt."""

import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any

_OPENINGS = ("For me this comes down to", "I would put first", "What speaks for it is", "I weigh above all")
_SPAN = 10.0
_MAX_DEPTH = 4  # where recursive schemas end


def draw(*parts: object) -> int:
    """A number of 64 bits that depends on the parts and on nothing else."""
    return int.from_bytes(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()[:8])


def sentence(prompt: str, seed: int) -> str:
    """A short sentence about three longer words of the prompt."""
    words = {word.casefold(): word for word in re.findall(r"[^\W\d_]{5,14}", prompt)}.values()
    chosen = sorted(words, key=lambda word: draw(seed, prompt, word))[:3]
    opening = _OPENINGS[draw(seed, prompt) % len(_OPENINGS)]
    return f"{opening} {', '.join(chosen) or 'what I was asked'}."


def mention(prompt: str, phrase: str) -> float:
    """How important a prompt makes a phrase: in (0, 2] if mentioned, 0 if not, in (-2, -1] if not cared about.

    What is mentioned falls by a quarter with every sentence before its first mention, letter case aside; what just
    "matters to me" is 1 wherever it stands.
    """
    text, wanted = prompt.casefold(), phrase.casefold()
    at = text.find(wanted)
    if at < 0 or not wanted:
        return 0.0
    if text.startswith(" matters to me", at + len(wanted)):
        return 1.0
    *before, clause = re.split(r"[.!?;\n]", text[:at])
    place = len(before) + len(clause) / len(text)
    return -1.0 - place / (1.0 + place) if re.search(r"(not|n['’]t) care", clause) else 2.0 * 0.75**place


def answer_schema(schema: Mapping[str, Any], prompt: str, seed: int) -> Any:
    """A valid instance of a JSON schema as pydantic writes them; lists over an enumeration never repeat a choice.

    A number that is described by a phrase of the prompt is as high in its range as `mention` says. Patterns and
    formats of strings are not followed.
    """
    return _instance(schema, schema, prompt, f"{seed}", 0)


def resolve(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that stands behind references and single-entry `allOf`."""
    for _ in range(16):  # a chain of references, not a cycle
        if "$ref" in schema:
            target: Any = root
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step.replace("~1", "/").replace("~0", "~")]
            schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
        elif len(schema.get("allOf", ())) == 1:
            schema = {**schema["allOf"][0], **{key: value for key, value in schema.items() if key != "allOf"}}
        else:
            break
    return schema


def _instance(schema: Mapping[str, Any], root: Mapping[str, Any], prompt: str, path: str, depth: int) -> Any:
    node = resolve(schema, root)
    if "const" in node:
        return node["const"]
    if "enum" in node:
        return _ordered(node["enum"], prompt, path)[0]
    for union in ("anyOf", "oneOf"):
        if union in node:
            return _instance(_branch(node[union], depth), root, prompt, path, depth + 1)
    kind = node.get("type", "object" if "properties" in node else "string")
    kind = kind[0] if isinstance(kind, list) else kind
    match kind:
        case "object":
            wanted = node.get("properties", {})
            required = wanted if depth < _MAX_DEPTH else node.get("required", ())
            return {name: _instance(wanted[name], root, prompt, f"{path}.{name}", depth + 1) for name in required}
        case "array":
            return _items(node, root, prompt, path, depth)
        case "boolean":
            return draw(prompt, path) % 2 == 0
        case "integer":
            return _number(node, prompt, path, whole=True)
        case "number":
            return _number(node, prompt, path, whole=False)
        case "null":
            return None
    return _text(node, prompt, path)


def _branch(options: list[Mapping[str, Any]], depth: int) -> Mapping[str, Any]:
    """The first alternative that is not null; null where a recursive schema would go on for ever."""
    filled = [option for option in options if option.get("type") != "null"]
    empty = [option for option in options if option.get("type") == "null"]
    return (empty if empty and (depth >= _MAX_DEPTH or not filled) else filled)[0]


def _ordered(options: list[Any], prompt: str, path: str) -> list[Any]:
    return sorted(options, key=lambda option: draw(prompt, path, option))


def _items(node: Mapping[str, Any], root: Mapping[str, Any], prompt: str, path: str, depth: int) -> list[Any]:
    if "prefixItems" in node:
        return [
            _instance(item, root, prompt, f"{path}[{at}]", depth + 1) for at, item in enumerate(node["prefixItems"])
        ]
    least, most = node.get("minItems", 0), node.get("maxItems", math.inf)
    item = resolve(node.get("items", {}), root)
    if "enum" in item:
        chosen = _ordered(item["enum"], prompt, path)
        while len(chosen) < least:  # more places than choices: only then does a choice come twice
            chosen += chosen[: least - len(chosen)]
        return chosen[: int(min(most, len(chosen)))]
    length = int(min(max(least, 1 if depth < _MAX_DEPTH else 0), most))
    return [_instance(item, root, prompt, f"{path}[{at}]", depth + 1) for at in range(length)]


def _number(node: Mapping[str, Any], prompt: str, path: str, *, whole: bool) -> float:
    low, high = _range(node)
    said = mention(prompt, node.get("description", ""))
    share = max(said, 0.0) / 2 if said else draw(prompt, path) % 1000 / 999
    step = node.get("multipleOf", 1 if whole else None)
    if step is None:
        return low + share * (high - low)
    first, last = math.ceil(low / step), math.floor(high / step)
    number: float = (first + round(share * (last - first))) * step
    return number


def _range(node: Mapping[str, Any]) -> tuple[float, float]:
    """The bounds of a number, inclusive; ten wide where one is missing."""
    low, high = node.get("minimum"), node.get("maximum")
    if "exclusiveMinimum" in node:
        low = math.nextafter(node["exclusiveMinimum"], math.inf)
    if "exclusiveMaximum" in node:
        high = math.nextafter(node["exclusiveMaximum"], -math.inf)
    if low is None:
        low = min(0.0, high - _SPAN) if high is not None else 0.0
    return float(low), float(high if high is not None else max(low, 0.0) + _SPAN)


def _text(node: Mapping[str, Any], prompt: str, path: str) -> str:
    text = sentence(prompt, draw(path))
    least, most = node.get("minLength", 0), node.get("maxLength")
    while len(text) < least:
        text = f"{text} {text}"
    return text if most is None else text[:most]
