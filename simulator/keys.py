"""Keeping the keys of the environment out of what is logged."""

import os
import re

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST_SECRET = 8


def without_keys(text: str) -> str:
    """The text with every secret of the environment replaced by `***`: some servers repeat the key that they refuse."""
    for name, value in sorted(os.environ.items()):
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET:
            text = text.replace(value, "***")
    return text
