"""The wordings that a small language model reads best: an order of importance, and none."""

from collections.abc import Sequence

_MOST = "What matters most to me is {}."
_SECOND = "I also like {}."
_BETWEEN = ("I like {} too.", "{} comes next.")
_LITTLE = "{} matters a little."
_LEAST = "I do not care about {}."
_CLAUSES = {
    1: (_MOST,),
    2: (_MOST, _LITTLE),
    3: (_MOST, _SECOND, _LITTLE),
    4: (_MOST, _SECOND, _LITTLE, _LEAST),
    5: (_MOST, _SECOND, _BETWEEN[0], _LITTLE, _LEAST),
    6: (_MOST, _SECOND, *_BETWEEN, _LITTLE, _LEAST),
}
MOST_PHRASES = max(_CLAUSES)


def canonical_sentence(phrases: Sequence[str]) -> str:
    """A goal in words: "What matters most to me is X. I also like Y. Z matters a little. I do not care about W.".

    Args:
        phrases: One to six attribute phrases, most important first.

    Raises:
        ValueError: No phrase, or more than six: no wording tells seven degrees of importance apart.
    """
    if len(phrases) not in _CLAUSES:
        raise ValueError(f"a canonical sentence orders 1 to {MOST_PHRASES} phrases, got {len(phrases)}")
    clauses = _CLAUSES[len(phrases)]
    return " ".join(_capitalised(clause.format(phrase)) for clause, phrase in zip(clauses, phrases, strict=True))


def neutral_sentence(phrases: Sequence[str]) -> str:
    """A goal that says the same of every phrase: "X matters to me. Y matters to me.".

    It mentions the phrases because a model repeats what it has just read: set against a sentence without them, the
    rarer phrase would seem the more important one.
    """
    return " ".join(_capitalised(f"{phrase} matters to me.") for phrase in phrases)


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
