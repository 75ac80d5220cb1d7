"""Every random draw of a run comes from one root seed, keyed by what the draw is for."""

import hashlib
import json

import numpy as np


def child_seed(root: int, *purpose: str | int) -> int:
    """The seed in 0..2^63-1 for one purpose, such as `child_seed(7, "tie", "round", 3)`.

    It depends on the root and the purpose alone, so neither the order of draws nor concurrency changes a result. It is
    the first 63 bits of SHA-256 over the JSON list of both: 3 and "3", or ("ab", "c") and ("a", "bc"), are different
    purposes.
    """
    key = json.dumps([int(root), *purpose], separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(key.encode("ascii")).digest()[:8]) >> 1


def generator(root: int, *purpose: str | int) -> np.random.Generator:
    """A NumPy generator for one purpose; a new one with the same stream on every call."""
    return np.random.default_rng(child_seed(root, *purpose))
