"""Keeping keys out of what is logged."""

import os
import re
from collections.abc import Sequence

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST_FOUND = 8
_SHORTEST_DECLARED = 4
_LONGEST_ERROR = 300


def without_keys(text: str, declared: Sequence[str] = ()) -> str:
    """The text with every secret replaced by `***`: some servers repeat the key that they refuse.

    Args:
        text: whole; a key that is cut in two is not recognised.
        declared: a model's own secrets, beside those of the environment.
    """
    secrets = [
        value for name, value in os.environ.items() if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_FOUND
    ]
    secrets += [secret for secret in declared if len(secret) >= _SHORTEST_DECLARED]
    for secret in sorted(secrets, key=lambda secret: (-len(secret), secret)):
        text = text.replace(secret, "***")
    return text


def error_line(error: BaseException, declared: Sequence[str] = ()) -> str:
    """An exception for the log, without keys and cut to 300 characters."""
    try:
        words = str(error)
    except Exception:  # a foreign exception may fail even at this
        words = "it cannot be put in words"
    return without_keys(f"{type(error).__name__}: {words}", declared)[:_LONGEST_ERROR]
