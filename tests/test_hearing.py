"""Who hears whom: the shapes, what is refused, and that a stakeholder is shown nobody else's words."""

from __future__ import annotations

from pathlib import Path

import pytest

import simulator as fa
from simulator.hearing import HearingError, hearing_graph, hears
from simulator.inputs.yamlfile import InputError

NAMES = ("ann", "bob", "cid", "dee")
LETTERS = Path(__file__).parent / "worlds" / "letters"


@pytest.mark.parametrize(
    ("spec", "heard"),
    [
        ("complete", {name: set(NAMES) - {name} for name in NAMES}),
        ("ring", {"ann": {"bob", "dee"}, "bob": {"ann", "cid"}, "cid": {"bob", "dee"}, "dee": {"ann", "cid"}}),
        ("star(center=bob)", {"ann": {"bob"}, "bob": {"ann", "cid", "dee"}, "cid": {"bob"}, "dee": {"bob"}}),
        ([["ann", "bob"]], {"ann": {"bob"}, "bob": {"ann"}, "cid": set(), "dee": set()}),
        ([["ann", "bob", "one way"]], {"ann": set(), "bob": {"ann"}, "cid": set(), "dee": set()}),
        ([], {name: set() for name in NAMES}),
    ],
)
def test_shapes_and_pairs_say_who_hears_whom(spec: object, heard: dict[str, set[str]]) -> None:
    assert hears(hearing_graph(spec, NAMES)) == heard


def test_a_ring_of_two_is_a_pair_and_of_one_is_silence() -> None:
    assert hears(hearing_graph("ring", NAMES[:2])) == {"ann": {"bob"}, "bob": {"ann"}}
    assert hears(hearing_graph("ring", NAMES[:1])) == {"ann": set()}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rign", "did you mean 'ring'"),
        ("star", "star takes center=NAME"),
        ("star(center=anne)", "there is no stakeholder 'anne'.*'ann'"),
        ("ring(center=ann)", "take no parameters"),
        ([["ann"]], "a pair is"),
        ([["ann", "bob", "sometimes"]], "a pair is"),
        ([["ann", "ann"]], "hears itself"),
    ],
)
def test_what_cannot_be_drawn_is_refused(spec: object, message: str) -> None:
    with pytest.raises(HearingError, match=message):
        hearing_graph(spec, NAMES)


def test_a_wrong_graph_is_a_problem_of_the_scenario_with_its_place() -> None:
    with pytest.raises(InputError, match=r"--set hearing.*there is no stakeholder 'gormet'"):
        fa.load_scenario(LETTERS, ["hearing=[[saver, gormet]]"])
    with pytest.raises(InputError, match="needs complete, ring"):
        fa.load_scenario(LETTERS, ["hearing=3"])


LISTENER = """
from agents.base import Stakeholder
from simulator.profile import Proposal

class Listener(Stakeholder):
    async def propose(self, table):
        self.heard = []
        return self.ballot(self.utilities(table), table, argument=f"I am {self.name}")

    async def respond(self, table):
        self.heard.append(dict(table.arguments))
        return await super().respond(table)
"""


def test_stakeholders_are_shown_the_words_of_those_whom_they_hear(tmp_path: Path) -> None:
    (tmp_path / "listener.py").write_text(LISTENER)
    settings = [f"stakeholders.{name}.agent={tmp_path}/listener.py:Listener" for name in ("saver", "gourmet")]
    world = fa.NegotiationWorld(fa.load_scenario(LETTERS, [*settings, "hearing=[[saver, gourmet, one way]]"]))
    world.step()
    saver, gourmet = world.stakeholders
    assert saver.heard[0] == {}
    assert gourmet.heard[0] == {"saver": "I am saver"}
