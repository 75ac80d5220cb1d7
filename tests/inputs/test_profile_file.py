"""Profiles from JSON files, right and wrong."""
# ruff: noqa: E501  # one case a line

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.inputs.profile_file import read_profile, write_profile
from simulator.inputs.yamlfile import InputError
from simulator.profile import Profile


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
        ({"ballots": [1]}, 'ballot 1 must be an object, as in {"ballots": '),
        ({"ballots": [{"weight": 1}]}, "ballot 1: every ballot needs one of ranking, approves, utilities"),
        ({"ballots": [{"ranking": ["a"]}, {"approves": ["a"]}]}, "the same throughout the file"),
        ({"ballots": [{"ranking": ["a"]}, {"weight": 1}]}, 'the same throughout the file; this one has no "ranking"'),
        ({"ballots": [{"ranking": ["a", 1]}]}, 'ballot 1: "ranking" must be a list of items'),
        ({"ballots": [{"ranking": ["a", "a"]}]}, "item 'a' stands twice"),
        ({"ballots": [{"ranking": ["a"], "weight": -1}]}, 'ballot 1: "weight" must be a number from 0 to 1e+100, found -1'),
        ({"ballots": [{"ranking": ["a"], "weight": 1e300}]}, 'ballot 1: "weight" must be a number from 0 to 1e+100, found 1e+300'),
        ({"ballots": [{"ranking": ["a"], "weight": True}]}, "found True"),
        ({"ballots": [{"ranking": ["a"], "weight": 10**400}]}, '"weight" must be a number from 0 to 1e+100'),
        ({"ballots": [{"utilities": {"a": "x"}}]}, 'ballot 1: "utilities" must map items to finite numbers'),
        (b'{"ballots": [{"utilities": {"a": NaN}}]}', 'ballot 1: "utilities" must map items to finite numbers'),
        ({"items": ["a"], "ballots": [{"utilities": {"b": 1}}]}, "a ballot names 'b', which is not among the items"),
        ({"items": ["a", "a"], "ballots": [{"utilities": {"a": 1}}]}, "item 'a' is listed twice"),
        ({"ballots": [{"ranking": ["a"], "wieght": 2}]}, "ballot 1 has an unknown key 'wieght'; did you mean 'weight'?"),
        ({"itmes": ["a"], "ballots": [{"ranking": ["a"]}]}, "the file has an unknown key 'itmes'; did you mean 'items'?"),
        (b'{"ballots": [{"ranking": ["a"], "weight": 1, "weight": 2}]}', "the key 'weight' stands twice in one object"),
        ({"ballots": [{"approves": ["a", "a"]}]}, "ballot 1: item 'a' stands twice"),
        ({"items": ["a"], "ballots": [{"approves": ["b"]}]}, "ballot names 'b', which is not among the items"),
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


def test_a_ballot_may_say_more_than_one_thing(tmp_path):
    ballot = {"ranking": ["a", "b", "c"], "approves": ["a", "b"], "utilities": {"a": 1.0, "b": 0.5, "c": 0.5}}
    profile = read(tmp_path, {"ballots": [ballot]})
    assert profile.ranks.tolist() == [[0, 1, 2]]
    assert profile.approvals.tolist() == [[True, True, False]]
    assert profile.utilities.tolist() == [[1, 0.5, 0.5]]


@pytest.mark.parametrize("file", ["p.txt", "p", "p.sok"])
def test_the_ending_of_the_name_says_the_format(file, tmp_path):
    (tmp_path / file).write_text("{}")
    with pytest.raises(InputError, match=r"must say the format; (known: \.cat, \.json, |did you mean '\.so)"):
        read_profile(tmp_path / file)
    with pytest.raises(InputError, match="must say the format"):
        write_profile(Profile.from_rankings(["ab"]), tmp_path / file)


@st.composite
def profiles(draw):
    """Ballots with names, ties, gaps, abstentions and weights of every sort."""
    names = draw(st.lists(st.text(min_size=1, max_size=4).filter(encodable), min_size=1, max_size=4, unique=True))
    n, m = draw(st.integers(0, 4)), len(names)
    weights = draw(st.lists(st.floats(1e-6, 1e6) | st.just(0.0), min_size=n, max_size=n))
    table = st.lists(st.lists(st.integers(0, 3), min_size=m, max_size=m), min_size=n, max_size=n)
    ranks = np.array([ranked(row) for row in draw(table)], dtype=np.int64).reshape(n, m)
    utilities = np.array(draw(table), dtype=np.float64).reshape(n, m) / 3 if draw(st.booleans()) else None
    approvals = np.array(draw(table)).reshape(n, m) > 1 if draw(st.booleans()) else None
    return Profile(tuple(names), ranks, np.array(weights, dtype=np.float64), utilities, approvals)


def encodable(name):
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def ranked(row):
    """Tiers 0, 1, ... without gaps; 3 is unranked."""
    tiers = sorted(set(row) - {3})
    return [tiers.index(value) if value < 3 else len(row) for value in row]


@given(profiles())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_profile_is_read_back_from_json_as_it_was(tmp_path, profile):
    write_profile(profile, tmp_path / "p.json")
    again = read_profile(tmp_path / "p.json")
    assert again.items == profile.items
    assert again.ranks.tolist() == profile.ranks.tolist()
    assert again.weights.tolist() == profile.weights.tolist()
    if profile.n:
        assert (again.utilities is None) == (profile.utilities is None)
        assert again.utilities is None or again.utilities.tolist() == profile.utilities.tolist()
        assert (again.approvals is None) == (profile.approvals is None)
        assert again.approvals is None or again.approvals.tolist() == profile.approvals.tolist()


def test_json_is_written_as_a_person_would(tmp_path):
    write_profile(Profile.from_rankings(["ab", [["a", "b"]], []], [2, 0.5, 1], items="abc"), tmp_path / "p.json")
    assert (tmp_path / "p.json").read_text() == (
        '{"items": ["a", "b", "c"], "ballots": [\n'
        '  {"weight": 2, "ranking": [["a"], ["b"]]},\n'
        '  {"weight": 0.5, "ranking": [["a", "b"]]},\n'
        '  {"weight": 1, "ranking": []}\n'
        "]}\n"
    )
    write_profile(Profile.from_approvals([["b"], []], items="ab"), tmp_path / "p.json")
    assert '{"weight": 1, "approves": ["b"]}' in (tmp_path / "p.json").read_text()


def test_what_cannot_be_written_is_one_problem(tmp_path):
    with pytest.raises(InputError, match=r"none/p\.json: cannot be written: No such file"):
        write_profile(Profile.from_rankings(["ab"]), tmp_path / "none" / "p.json")
    with pytest.raises(InputError, match="no character of UTF-8"):
        write_profile(Profile.from_rankings([["\ud800"]]), tmp_path / "p.json")


def test_a_profile_that_is_not_there_is_one_problem(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: cannot be read: No such file or directory"):
        read_profile(tmp_path / "none.json")
