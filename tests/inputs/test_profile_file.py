"""Profiles from JSON files, right and wrong."""
# ruff: noqa: E501  # one case a line

import json

import pytest

from simulator.inputs.profile_file import read_profile
from simulator.inputs.yamlfile import InputError


def read(folder, data):
    path = folder / "p.json"
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return read_profile(path)


def test_rankings_weights_and_item_order(tmp_path):
    ballots = [{"weight": 2, "ranking": ["a", ["b", "c"]]}, {"ranking": ["c"]}]
    profile = read(tmp_path, {"items": ["c", "b", "a"], "ballots": ballots})
    assert profile.items == ("c", "b", "a")
    assert profile.weights.tolist() == [2, 1]
    assert profile.ranks.tolist() == [[1, 1, 0], [0, 3, 3]]


def test_approvals_and_utilities(tmp_path):
    approvals = read(tmp_path, {"items": ["a", "b"], "ballots": [{"approves": ["b"]}, {"approves": []}]}).approvals
    assert approvals.tolist() == [[False, True], [False, False]]
    utilities = read(tmp_path, {"ballots": [{"utilities": {"a": 0.3}}, {"utilities": {"b": 1, "a": 0}}]}).utilities
    assert utilities.tolist() == [[0.3, 0], [0, 1]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{\n\"items\": [,", "p.json:2: is not JSON: Expecting value"),
        (b"\xff", "p.json:1: is not UTF-8 text (byte 0xff)"),
        (b"[" * 100_000, "p.json: cannot be read"),
        (b'{"ballots": [{"weight": ' + b"9" * 5000 + b"}]}", "p.json: cannot be read"),
        ([], 'needs an object with ballots, such as {"ballots": '),
        ({"ballots": {}}, "needs an object"),
        ({"ballots": [1]}, "every ballot needs one of ranking, approves, utilities, the same throughout the file"),
        ({"ballots": [{"ranking": ["a"]}, {"approves": ["a"]}]}, "the same throughout the file"),
        ({"ballots": [{"ranking": ["a"]}, {"weight": 1}]}, 'ballot 2: "ranking" must be a list of items'),
        ({"ballots": [{"ranking": ["a", 1]}]}, 'ballot 1: "ranking" must be a list of items'),
        ({"ballots": [{"ranking": ["a", "a"]}]}, "item 'a' stands twice"),
        ({"ballots": [{"ranking": ["a"], "weight": -1}]}, 'ballot 1: "weight" must be a finite number of at least 0, found -1'),
        ({"ballots": [{"ranking": ["a"], "weight": True}]}, "found True"),
        ({"ballots": [{"ranking": ["a"], "weight": 10**400}]}, '"weight" must be a finite number'),
        ({"ballots": [{"utilities": {"a": "x"}}]}, 'ballot 1: "utilities" must map items to finite numbers'),
        (b'{"ballots": [{"utilities": {"a": NaN}}]}', 'ballot 1: "utilities" must map items to finite numbers'),
        ({"items": ["a"], "ballots": [{"utilities": {"b": 1}}]}, "a ballot names 'b', which is not among the items"),
        ({"items": ["a", "a"], "ballots": [{"utilities": {"a": 1}}]}, "item 'a' is listed twice"),
        ({"items": ["a", 1], "ballots": []}, '"items" must be a list of names'),
        ({"items": [], "ballots": []}, "at least one item"),
        ({"ballots": []}, "at least one item"),
    ],
)  # fmt: skip
def test_a_wrong_profile_is_one_problem(data, message, tmp_path):
    with pytest.raises(InputError) as caught:
        read(tmp_path, data)
    (problem,) = caught.value.problems
    assert problem.place.startswith(str(tmp_path / "p.json"))
    assert message in str(problem)


def test_a_profile_that_is_not_there_is_one_problem(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: cannot be read: No such file or directory"):
        read_profile(tmp_path / "none.json")
