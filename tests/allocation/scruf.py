"""Steps of SCRUF-D, as recorded from the reference program."""

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np

from simulator.profile import Profile

FILE = Path(__file__).parents[1] / "oracles" / "scruf.jsonl.gz"
AGENTS = [str(number) for number in range(8)]


@cache
def recorded():
    """What is said about the file, and its steps by configuration."""
    head, *steps = map(json.loads, gzip.decompress(FILE.read_bytes()).splitlines())
    found = {}
    for step in steps:
        found.setdefault(step["config"], []).append(step)
    return head, found


def steps(*configurations):
    return [step for name in configurations for step in recorded()[1][name]]


def items_of(step):
    return sorted(item for item, _ in step["ballots"]["__rec"])


def utilities_of(step, voter):
    scores = dict(step["ballots"][voter])
    return np.array([scores[item] for item in items_of(step)])


def scores_of(step):
    return np.array([step["scores"][item] for item in items_of(step)])


def profile_of(step, voters=None):
    names = list(step["ballots"]) if voters is None else voters
    values = np.array([utilities_of(step, name) for name in names])
    return Profile.from_utilities(values, items_of(step), [step["weights"][name] for name in names], voters=names)


def protected_of(items, agent):
    """Whether the agent stands for each item."""
    return np.array([agent in recorded()[0]["protected"].get(item, ()) for item in items])
