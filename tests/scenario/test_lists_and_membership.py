"""A recommender's users as requests: their lists are on the table, and what is inferred of them stays private."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import simulator as fa
from agents.utility import UtilityStakeholder
from simulator import load_scenario
from tests.scenario_files import changed, problems, write_scenario

LISTS = "user,item,score\nann,c,0.5\nann,a,2\nann,b,0.5\nbob,d,1\nbob,a,1\nbob,e,-3\n"
SHARES = "user,red,blue\nann,0.9,0.1\nbob,0.25,0.75\n"
SCENARIO = """\
title: Users
seed: 3
rounds: 4
k: 2
catalogue:
  file: items.csv
  id: item
  candidates: {draw: listed}
  attributes:
    score: {derive: listed}
    price: {}
    even: {derive: narrowing}
requests:
  lists: lists.csv
  membership: {file: shares.csv, block: 2}
stakeholders:
  - {name: user, agent: utility, objective: {score: 1}}
  - {name: shop, agent: utility, objective: {price: 1}}
  - {name: auditor, agent: utility, objective: {even: 1}}
dynamics: [group_attention(by=size)]
metrics: [utility, soft_exposure_js(by=size), soft_group_utility_gap(stakeholder=user)]
model: none
"""


def written(folder: Path, scenario: str = SCENARIO, lists: str = LISTS, shares: str = SHARES) -> Path:
    return write_scenario(folder, scenario, lists__csv=lists, shares__csv=shares)


def tables(scenario: fa.Scenario) -> list[tuple[str, list[str]]]:
    asked = [event for event in fa.run(scenario).events if event["event"] == "request"]
    return [(event["request"], event["candidates"]) for event in asked]


def test_users_arrive_one_a_round_with_their_own_lists(tmp_path):
    scenario = load_scenario(written(tmp_path))
    assert tables(scenario) == [("ann", ["a", "b", "c"]), ("bob", ["a", "d", "e"])] * 2
    assert scenario.candidate_count == 3
    assert [request.membership for request in scenario.requests] == [(0.9, 0.1), (0.25, 0.75)]


def test_a_count_keeps_the_best_scored_ones_equal_scores_in_catalogue_order(tmp_path):
    scenario = load_scenario(written(tmp_path, changed_("{draw: listed}", "{draw: listed, count: 2}")))
    assert tables(scenario)[:2] == [("ann", ["a", "b"]), ("bob", ["a", "d"])]


def changed_(old: str, new: str) -> str:
    return changed(old, new, SCENARIO)


def test_lists_may_stand_beside_a_file_of_requests(tmp_path):
    text = changed_("  lists: lists.csv", "  file: queries.json\n  lists: lists.csv")
    users = json.dumps([{"id": "bob", "mood": "new"}, {"id": "ann", "mood": "old"}])
    folder = write_scenario(tmp_path, text, lists__csv=LISTS, shares__csv=SHARES, queries__json=users)
    scenario = load_scenario(folder)
    assert [(request.id, request.fields["mood"]) for request in scenario.requests] == [("bob", "new"), ("ann", "old")]
    assert scenario.requests[0].scores == {"d": 1, "a": 1, "e": -3}


def test_what_is_inferred_is_read_where_it_is_and_copied_nowhere(tmp_path):
    scenario = load_scenario(written(tmp_path))
    folder = fa.run(scenario, out=tmp_path / "runs", plots=False).path
    assert sorted(path.name for path in (folder / "inputs").iterdir()) == ["items.csv", "lists.csv"]
    again = load_scenario(folder)
    before = scenario.hash
    assert (again.hash, again.yaml()) == (before, scenario.yaml())
    (tmp_path / "shares.csv").write_text(SHARES.replace("0.9,0.1", "0.8,0.2"))
    assert load_scenario(folder).hash != before
    (tmp_path / "shares.csv").unlink()
    (said,) = problems(folder)
    assert "there is no file" in said


def test_the_table_is_shown_neither_shares_nor_what_follows_from_them(tmp_path, monkeypatch):
    seen = []
    propose = UtilityStakeholder.propose

    async def peeking(self, table):
        seen.append(table)
        return await propose(self, table)

    monkeypatch.setattr(UtilityStakeholder, "propose", peeking)
    world = fa.NegotiationWorld(load_scenario(written(tmp_path)))
    world.step()
    assert world.table is not None
    for table in (world.table, *seen):
        assert table.request.scores  # it is the user's own
        assert table.request.membership == ()
        assert "0.9" not in repr(table.request)
        assert all("even" not in table.candidates.describe(item) for item in table.candidates.ids)
        assert all("even" not in table.candidates.describe(item, ("price", "even")) for item in table.candidates.ids)
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ("user,item\nann,a\n", "has no column 'score'"),
        (LISTS + "ann,a,3\n", "lists.csv:8: item 'a' stands twice on the list of 'ann'"),
        (LISTS + "ann,z,3\n", "lists.csv:8: the catalogue has no item 'z'"),
        (LISTS + "ann,d,nan\n", "lists.csv:8: score 'nan' is not a finite number"),
        (LISTS + "ann,d,1_0\n", "lists.csv:8: score '1_0' is not a finite number"),
        (LISTS + ",d,1\n", "lists.csv:8: has no 'user' whose list it is about"),
        (LISTS.replace("bob,a,1\nbob,e,-3\n", ""), "k = 2 is larger than the number of candidates on the list of"),
        (LISTS + "eve,a,1\neve,b,1\n", "has no row for request 'eve'"),
    ],
)
def test_a_wrong_list_is_said_with_its_place(tmp_path, lists, said):
    found = problems(written(tmp_path, lists=lists))
    assert any(said in line for line in found), found
    assert len(found) == 1


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ("user,red\nann,1\nbob,1\n", "one for each of two or more groups"),
        (SHARES.replace("0.25", "0.3"), "shares.csv:3: needs shares from 0 to 1 that add up to 1"),
        (SHARES.replace("0.25", "-0.25"), "shares.csv:3: needs shares from 0 to 1 that add up to 1"),
        (SHARES.replace("0.25", "nan"), "shares.csv:3: needs shares from 0 to 1 that add up to 1"),
        (SHARES + "bob,0.5,0.5\n", "shares.csv:4: its request stands in the file twice"),
        ("user,red,blue\nann,0.9,0.1\n", "has no row for request 'bob'"),
    ],
)
def test_wrong_shares_are_said_with_their_line_and_not_with_their_values(tmp_path, shares, said):
    found = problems(written(tmp_path, shares=shares))
    assert any(said in line for line in found), found
    assert len(found) == 1
    assert "0.9" not in found[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  lists: lists.csv\n", "", "needs a 'file' of requests, or the 'lists' of a recommender's users"),
        ("block: 2", "block: 1", "'requests.membership.block'"),
        ("draw: listed", "draw: lists", "'catalogue.candidates.draw'"),
        ("  membership: {file: shares.csv, block: 2}\n", "", "needs the key 'requests.membership'"),
        ("stakeholder=user", "stakeholder=usr", "there is no stakeholder 'usr'; did you mean 'user'?"),
        ("group_attention(by=size)", "exposure", "no dynamic of this scenario maintains 'group_attention'"),
        ("even: {derive: narrowing}", "even: {derive: state(array=group_attention)}", "no dynamic of this scenario"),
    ],
)
def test_what_does_not_fit_together_is_said(tmp_path, old, new, said):
    found = problems(written(tmp_path, changed_(old, new)))
    assert any(said in line for line in found), found


def test_listed_candidates_need_lists(tmp_path):
    text = changed_("  lists: lists.csv\n", "  file: queries.json\n")
    users = json.dumps([{"id": "ann"}, {"id": "bob"}])
    folder = write_scenario(tmp_path, text, shares__csv=SHARES, queries__json=users)
    assert any("draw: listed needs the key 'requests.lists'" in line for line in problems(folder))
