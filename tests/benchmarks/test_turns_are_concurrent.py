"""A turn over a server that answers in one second takes little more than one second, however many stakeholders ask."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from simulator import NegotiationWorld, load_scenario
from tests.models.openai_server import OpenAIServer

TALKERS = Path(__file__).parents[1] / "worlds" / "talkers"
STAKEHOLDERS = 16


@pytest.mark.slow
def test_a_turn_takes_as_long_as_one_answer() -> None:
    party = "{name: host %d, agent: llm, goal: Few visitors matter to me., objective: {crowding: -1}}"
    parties = ", ".join(party % number for number in range(STAKEHOLDERS))
    with OpenAIServer(delay=1.0) as server:
        model = f"openai(model=small, base_url={server.base_url})"
        world = NegotiationWorld(load_scenario(TALKERS, [f"stakeholders=[{parties}]", "protocol=sealed"], model=model))
        world.step()  # the first one imports AutoGen and opens the connections
        took = []
        for _ in range(3):
            started = time.perf_counter()
            world.step()
            took.append(time.perf_counter() - started)
        assert len(server.requests) == 4 * STAKEHOLDERS
        world.close()
    print(f"{STAKEHOLDERS} stakeholders, one turn: {', '.join(f'{seconds:.2f} s' for seconds in took)}")
    assert min(took) >= 1.0
    assert sorted(took)[1] < 1.3  # the median: the machine may be doing something else
