"""Which foreign names fit on one line of a prompt, a CSV file or a terminal."""

import re

_BREAK = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def is_one_line(text: str) -> bool:
    """Whether a text is free of control characters and line breaks; letters of every script and emoji are."""
    return _BREAK.search(text) is None
