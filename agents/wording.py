"""Judging a model's words: whether they are an answer at all, and what of them is kept and shown to others."""

from __future__ import annotations

import re

SENTENCE_ENDS = ".!?。！？"
SHORTEST_SENTENCE = 20
LEAST_LETTERS = 0.6  # of a sentence's characters without spaces
_JOINERS = "\u200c\u200d"  # invisible, but letters of Persian and parts of emoji are not themselves without them
_REFUSAL = re.compile(
    r"^\W*(i['’]?m (very )?sorry|sorry,|i apologi[sz]e|as an ai\b"
    r"|i (can(no|['’])t|am unable to|won['’]t) (help|assist|do|comply|provide|answer|rank))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<\s*(!doctype|html|head|body|script|div|p|h\d)\b", re.IGNORECASE)


def declines(text: str) -> bool:
    """Whether a reply begins as refusals do."""
    return bool(_REFUSAL.match(text))


def fault_of_sentence(text: str) -> str | None:
    """What is wrong with a text that should be a sentence; None if nothing is."""
    if _MARKUP.search(text):
        return "it is a web page, not a sentence"
    signs = "".join(text.split())
    if sum(map(str.isalpha, signs)) < LEAST_LETTERS * len(signs):
        return "it is not a sentence in words"
    return None


def spoken(text: str, longest: int) -> str:
    """A text as one line of characters that print, cut to `longest` at the end of a sentence where there is one.

    It is shown to the other stakeholders' models, where a line break could pass for somebody else's words, and to
    people, whose terminal obeys control characters.
    """
    printed = "".join(letter if letter.isprintable() or letter in _JOINERS else " " for letter in text)
    line = " ".join(printed.split())
    return line if len(line) <= longest else whole_sentences(line[:longest])


def whole_sentences(text: str) -> str:
    """A text that ran into a limit, without the sentence that it did not finish; all of it if it finished none."""
    end = max(text.rfind(mark) for mark in SENTENCE_ENDS)
    return text[: end + 1] if end >= SHORTEST_SENTENCE else text
