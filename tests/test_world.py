"""The world as a Mesa model: agents, data collector, stepping from anywhere, and time."""

from __future__ import annotations

import ast
import asyncio
import threading
import time
from pathlib import Path

import mesa
import numpy as np
import pandas as pd
import pytest

import simulator
from simulator import NegotiationWorld, RegistryError, load_scenario, run
from simulator.records import Event

WORLDS = Path(__file__).parent / "worlds"
LETTERS = WORLDS / "letters"
TALKERS = WORLDS / "talkers"


def rows_of(world: NegotiationWorld, rounds: int) -> list[dict[str, object]]:
    rows = []
    for _ in range(rounds):
        world.step()
        rows.append(world.last.row)
    return rows


def test_it_is_a_mesa_model_whose_agents_are_the_stakeholders_in_scenario_order() -> None:
    world = NegotiationWorld(load_scenario(LETTERS))
    assert isinstance(world, mesa.Model)
    assert world.scenario.name == "letters"  # and not the one of Mesa's own that Mesa 3.5 puts there
    assert list(world.agents) == list(world.stakeholders)
    assert [agent.name for agent in world.agents] == ["saver", "gourmet"]
    world.step()
    assert world.round == 1


def test_the_data_collectors_frames_hold_the_figures_of_the_csv_files() -> None:
    scenario = load_scenario(TALKERS)
    world = NegotiationWorld(scenario)
    for _ in range(3):
        world.step()
    result = run(scenario)
    model = world.datacollector.get_model_vars_dataframe()
    agents = world.datacollector.get_agent_vars_dataframe().reset_index(drop=True)
    for collected, written in ((model, result.rounds), (agents, result.stakeholders)):
        assert list(collected.columns) == list(written.columns)
        pd.testing.assert_frame_equal(collected.reset_index(drop=True), written, check_dtype=False, check_exact=True)


def test_a_mediator_may_be_changed_between_rounds() -> None:
    world = NegotiationWorld(load_scenario(LETTERS))
    world.step()
    world.mediator = simulator.registry.create("mediator", "egalitarian")
    world.step()
    assert world.datacollector.get_model_vars_dataframe()["mediator"].tolist() == ["borda", "egalitarian"]


def test_a_mediator_may_be_given_by_name_and_a_wrong_one_is_refused() -> None:
    assert NegotiationWorld(load_scenario(LETTERS), mediator="nash").mediator.label == "nash"
    with pytest.raises(RegistryError, match="borda"):
        NegotiationWorld(load_scenario(LETTERS), mediator="bordo")


def test_a_model_named_none_seats_rational_stakeholders_with_the_same_options() -> None:
    scenario = load_scenario(TALKERS, ["stakeholders.0.agent=llm(accept_at=0.5, retries=3)"], model="none")
    world = NegotiationWorld(scenario)
    assert [type(agent).__name__ for agent in world.agents] == ["UtilityStakeholder"] * 2
    assert world.stakeholders[0].options.accept_at == 0.5
    world.step()
    assert world.model_names == ("none",)
    assert [line["alignment"] for line in world.last.stakeholder_rows] == pytest.approx([1, 1])


def test_step_works_inside_a_running_loop_and_in_a_thread() -> None:
    world = NegotiationWorld(load_scenario(TALKERS))

    async def inside() -> None:
        world.step()

    asyncio.run(inside())
    thread = threading.Thread(target=world.step)
    thread.start()
    thread.join(30)
    assert world.round == 2


def test_two_worlds_in_turn_give_what_each_gives_alone() -> None:
    first, second = load_scenario(TALKERS), load_scenario(TALKERS, seed=8)
    alone = [rows_of(NegotiationWorld(scenario), 4) for scenario in (first, second)]
    worlds = [NegotiationWorld(first), NegotiationWorld(second)]
    together: list[list[dict[str, object]]] = [[], []]
    for _ in range(4):
        for world, rows in zip(worlds, together, strict=True):
            rows += rows_of(world, 1)
    assert together == alone


def test_the_random_state_of_the_process_is_neither_used_nor_changed() -> None:
    np.random.seed(1)  # noqa: NPY002  # it is the old global state that is meant
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    rows = rows_of(NegotiationWorld(load_scenario(LETTERS, ["tie=seeded"])), 2)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    assert rows_of(NegotiationWorld(load_scenario(LETTERS, ["tie=seeded"])), 2) == rows


def test_candidates_are_drawn_anew_each_round_by_the_seed_alone() -> None:
    def drawn(seed: int) -> list[list[str]]:
        scenario = load_scenario(LETTERS, ["catalogue.candidates={draw: random, count: 3}", "rounds=8"], seed=seed)
        return [event["candidates"] for event in run(scenario).events if event["event"] == "request"]

    assert drawn(1) == drawn(1) != drawn(2)
    assert all(len(set(items)) == 3 and items == sorted(items) for items in drawn(1))
    assert len(set(map(tuple, drawn(1)))) > 1


def test_requests_repeat_in_order() -> None:
    rows = rows_of(NegotiationWorld(load_scenario(TALKERS, model="none")), 5)
    assert [row["request"] for row in rows] == ["r1", "r2", "r1", "r2", "r1"]


def test_a_recorder_is_given_every_event_before_its_round() -> None:
    class Listener:
        def __init__(self) -> None:
            self.heard: list[str] = []

        def event(self, event: Event) -> None:
            self.heard.append(str(event["event"]))

        def round(self, record: object) -> None:
            self.heard.append("round")

    listener = Listener()
    world = NegotiationWorld(load_scenario(LETTERS, ["protocol=sealed"]), recorder=listener)
    world.step()
    assert listener.heard == ["request", "proposal", "proposal", "outcome", "warning", "evolve", "round"]


def test_what_was_delivered_becomes_crowded_and_decays() -> None:
    world = NegotiationWorld(load_scenario(LETTERS))
    slates = [row["slate"].split("|") for row in rows_of(world, 3)]
    crowding = dict.fromkeys("abcde", 0.0)
    for slate in slates:
        crowding = {item: 0.5 * value + (item in slate) for item, value in crowding.items()}
    assert world.state.items["crowding"].tolist() == pytest.approx(list(crowding.values()))


@pytest.mark.parametrize("way", ["weigh", "listwise"])
def test_eight_stakeholders_are_asked_at_the_same_time(way: str) -> None:
    host = "{name: NAME, agent: llm, goal: Few visitors matter to me., way: WAY, objective: {crowding: -1}}"
    parties = ", ".join(host.replace("NAME", f"host {n}").replace("WAY", way) for n in range(8))
    settings = [f"stakeholders=[{parties}]", "protocol=sealed"]
    world = NegotiationWorld(load_scenario(TALKERS, settings, model="fake(delay=0.3)"))
    world.step()  # the first one imports AutoGen
    started = time.perf_counter()
    world.step()
    assert time.perf_counter() - started < 1.5  # one after the other they would take 2.4 s
    assert len(world.last.stakeholder_rows) == 8


def test_only_idioms_that_every_supported_mesa_knows() -> None:
    source = Path(simulator.world.__file__).read_text()
    attributes = {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
    assert attributes.isdisjoint({"steps", "schedule", "running", "pos", "batch_run", "space"})
    assert "super().__init__(rng=" in source


def test_closing_twice_is_allowed() -> None:
    world = NegotiationWorld(load_scenario(TALKERS))
    world.step()
    world.close()
    world.close()
