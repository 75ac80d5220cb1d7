"""What the page shows of a world: figures, numbers and the map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulator import NegotiationWorld, load_scenario
from simulator.catalogue import Catalogue, read_catalogue
from simulator.dashboard.album import Album
from simulator.dashboard.facts import facts
from simulator.dashboard.pictures import SCENE, VIEWS, picture
from simulator.dashboard.scene import places, scene_of
from simulator.dashboard.scene_figure import scene_figure
from simulator.dashboard.shot import Shot
from simulator.plots import KINDS
from tests.fake_run import fake_records, fake_run


def catalogue(**columns: tuple[str, ...]) -> Catalogue:
    ids = tuple(f"item {place}" for place in range(len(next(iter(columns.values())))))
    return Catalogue(Path("items.csv"), ids, columns, tuple(range(2, 2 + len(ids))))


def test_every_view_is_a_figure_or_the_world() -> None:
    assert set(VIEWS) - {SCENE} <= set(KINDS)
    assert {"utilities", "fairness", "satisfaction", "rank_paths", "agreement"} < set(VIEWS)


def test_places_are_found_by_their_columns_names() -> None:
    found = places(catalogue(LAT=("48.1", "52.5"), Lng=("11.6", "")))
    assert found is not None
    np.testing.assert_array_equal(found, [[11.6, np.nan], [48.1, 52.5]])


@pytest.mark.parametrize(
    "columns",
    [
        {"latitude": ("48.1",)},
        {"latitude": ("north",), "longitude": ("11.6",)},
        {"latitude": ("4810",), "longitude": ("11.6",)},
        {"latitude": ("",), "longitude": ("",)},
    ],
)
def test_what_is_no_place_on_earth_is_no_place(columns: dict[str, tuple[str, ...]]) -> None:
    assert places(catalogue(**columns)) is None


def test_the_map_of_the_cities_shows_what_was_delivered_where_it_is() -> None:
    world = NegotiationWorld(load_scenario("tourism", model="none"))
    world.step()
    scene = scene_of(world)
    assert world.last is not None
    delivered = world.last.row["slate"].split("|")
    assert [scene.ids[row] for row in scene.slate] == sorted(delivered)
    assert len(scene.candidates) == 20
    cities = read_catalogue(Path("scenarios/tourism/cities.csv"), "city")
    axes = scene_figure(scene, "crowding").axes[0]
    rings = {
        tuple(point) for group in axes.collections if group.get_label() == "delivered" for point in group.get_offsets()
    }
    rows = [cities.index[item] for item in delivered]
    assert rings == {(cities.numbers("longitude")[row], cities.numbers("latitude")[row]) for row in rows}
    assert {text.get_text() for text in axes.texts} == set(delivered)
    world.close()


def test_a_world_without_places_shows_its_largest_values_as_bars() -> None:
    world = NegotiationWorld(load_scenario("tests/worlds/letters", ["metrics=[utility]"]))
    assert scene_figure(scene_of(world), None).axes[0].texts
    world.step()
    scene = scene_of(world)
    bars = scene_figure(scene, "crowding").axes[0].patches
    assert [bar.get_width() for bar in bars][:2] == sorted(scene.arrays["crowding"], reverse=True)[:2]
    world.close()


def test_another_mediator_is_marked_in_the_figure() -> None:
    run = fake_run(rounds=6)
    rounds = run.rounds.assign(mediator=["borda"] * 3 + ["leximin"] * 3)
    drawn = picture("utilities", replace(run, rounds=rounds))
    assert "leximin" in drawn
    assert "leximin" not in picture("utilities", run)


def test_numbers_of_a_hostile_round_are_text() -> None:
    record = next(iter(fake_records(1, hostile=True, items=10)))
    shown = facts(record)
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert facts(None) == ""


def test_no_figure_is_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    run = fake_run(rounds=2)

    class Drive:
        number = 1

        def run(self) -> object:
            drawn.append("run")
            return run

    album, shot = Album(), Shot("idle", round=2, finished=1.5)
    figures = [album.figure(view, None, Drive(), shot) for view in ("turns", "utilities", "turns")]  # type: ignore[arg-type]
    assert figures[0] == figures[2] != figures[1]
    assert len(drawn) == 2
    assert figures[0].startswith('<figure data-view="turns" data-round="2" data-finished="1500">')
