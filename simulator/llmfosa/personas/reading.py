"""Judging what a model wrote: JSON of the wanted form, or a sentence, or neither."""

from __future__ import annotations

import re
from typing import TypeVar

from pydantic import BaseModel

from simulator.llmfosa.personas.quoting import first_words, one_line
from simulator.models.structured import first_object

Form = TypeVar("Form", bound=BaseModel)

LONGEST_REPLY = 20_000
LETTERS_PER_WORD = 12
_LEAST_LETTERS = 0.6  # of a sentence's characters without spaces
_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)
_MARKUP = re.compile(r"<\s*(!doctype|html|head|body|script|div|p|h\d)\b", re.IGNORECASE)
_REFUSAL = re.compile(
    r"^\W*(i['’]?m (very )?sorry|sorry,|i apologi[sz]e|as an ai\b"
    r"|i (can(no|['’])t|am unable to|won['’]t) (help|assist|do|comply|provide|answer|judge|infer|determine))",
    re.IGNORECASE,
)


class Unusable(Exception):
    """A reply that cannot be used: the kind of fault, and what the model is told about it."""

    def __init__(self, fault: str, told: str) -> None:
        self.fault = fault
        super().__init__(told)


def read_object(reply: str, form: type[Form]) -> Form:
    """The first JSON object of the wanted form in a reply, whatever thoughts, fences or words stand around it.

    Raises:
        Unusable: There is none.
    """
    said = _THOUGHTS.sub("", reply[:LONGEST_REPLY])
    _answered(said)
    found, wrong = first_object(said, form)
    if found is not None:
        return found
    if wrong is None:
        raise Unusable("malformed", "it is not the JSON object that was asked for")
    detail = wrong.errors()[0]
    where = ".".join(str(part) for part in detail["loc"])
    raise Unusable("malformed", f"it does not have the form that was asked for ({where}: {detail['msg']})")


def read_sentence(reply: str, words: int) -> str:
    """A reply in free text as one line of at most `words` words.

    Raises:
        Unusable: It is empty, a refusal, a web page, or not made of words.
    """
    said = _THOUGHTS.sub("", reply[:LONGEST_REPLY])
    _answered(said)
    if _MARKUP.search(said):
        raise Unusable("malformed", "it is a web page, not a sentence")
    line, signs = bounded(said, words), "".join(said.split())
    if not line or sum(map(str.isalpha, signs)) < _LEAST_LETTERS * len(signs):
        raise Unusable("malformed", "it is not a sentence in words")
    return line


def bounded(text: str, words: int) -> str:
    """Foreign text as one line of at most `words` words; it does not begin like a spreadsheet's formula."""
    return first_words(one_line(text, LETTERS_PER_WORD * words).lstrip("=+-@* "), words)


def _answered(said: str) -> None:
    if not said.strip():
        raise Unusable("empty", "it is empty")
    if _REFUSAL.match(said):
        raise Unusable("refusals", "it declines; a guess with a low confidence is enough")
