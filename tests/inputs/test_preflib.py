"""PrefLib's files, as other tools write them, both ways, and wrong in every line."""
# ruff: noqa: E501  # one case a line

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import simulator as fa
from simulator.inputs.profile_file import read_profile, write_profile
from simulator.inputs.yamlfile import InputError
from simulator.profile import Profile

SAMPLES = sorted((Path(__file__).parents[1] / "oracles" / "preflib").glob("*.*"))
HEADER = """\
# FILE NAME: x
# DATA TYPE: {form}
# MODIFICATION TYPE: original
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 3
# NUMBER CATEGORIES: 2
# ALTERNATIVE NAME 1: a
# ALTERNATIVE NAME 2: b
# ALTERNATIVE NAME 3: c
"""


def read(folder, text, form="toi"):
    path = folder / f"p.{form}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_profile(path)


def same(one, other):
    assert one.items == other.items
    assert one.ranks.tolist() == other.ranks.tolist()
    assert one.weights.tolist() == other.weights.tolist()
    assert (one.approvals is None) == (other.approvals is None)
    assert one.approvals is None or one.approvals.tolist() == other.approvals.tolist()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_files_of_other_tools_are_read_and_written_back(path, tmp_path):
    profile = read_profile(path)
    ballots = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert profile.n == len(ballots)
    assert profile.weights.tolist() == [int(line.partition(":")[0]) for line in ballots]
    for copy in (tmp_path / f"copy{path.suffix}", tmp_path / "copy.json"):
        fa.write_profile(profile, copy)
        same(fa.read_profile(copy), profile)


def test_the_debian_leader_of_2002_is_bdale_garbee():
    """https://www.debian.org/vote/2002/vote_0001: Bdale Garbee won under Debian's Condorcet rule."""
    path = next(path for path in SAMPLES if path.suffix == ".soi")
    assert fa.mediate(read_profile(path), "copeland").winners == ("Bdale Garbee",)


def test_categories_are_approvals_and_tiers(tmp_path):
    profile = read(tmp_path, HEADER.format(form="cat") + "1: {1,2},3\n1: {},{1,2,3}\n1: 2,{}\n", "cat")
    assert profile.approvals.tolist() == [[True, True, False], [False] * 3, [False, True, False]]
    assert profile.ranks.tolist() == [[0, 0, 1], [0, 0, 0], [3, 0, 3]]


def test_numbers_may_start_at_zero_and_stand_in_any_order(tmp_path):
    head = "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 7: x\n# ALTERNATIVE NAME 0: y\n"
    profile = read(tmp_path, head + "4: 0, 7", "soc")
    assert profile.items == ("x", "y")
    assert profile.ranks.tolist() == [[1, 0]]


def test_the_header_from_before_2022_is_read(tmp_path):
    profile = read(tmp_path, "3\n1,a\n2,b, with a comma\n3,c\n5,5,2\n3,{1,2},3\n2,3\n", "toi")
    assert profile.items == ("a", "b, with a comma", "c")
    assert profile.ranks.tolist() == [[0, 0, 1], [3, 3, 0]]
    assert profile.weights.tolist() == [3, 2]


def test_byte_order_mark_line_ends_and_names_of_every_script(tmp_path):
    text = HEADER.format(form="toi").replace("NAME 1: a", "NAME 1: \u05d0\u05d1\u05d2 \u202e(x)").replace("\n", "\r\n")
    profile = read(tmp_path, b"\xef\xbb\xbf" + (text + "3: 2,{3,1}\r\n").encode())
    assert profile.items == ("\u05d0\u05d1\u05d2 \u202e(x)", "b", "c")
    assert profile.ranks.tolist() == [[1, 0, 1]]
    same(read(tmp_path, (text + "3: 2,{3,1}\r\n").replace("\r\n", "\r")), profile)


def test_a_name_that_stands_twice_is_told_apart_by_its_number(tmp_path):
    assert read(tmp_path, HEADER.format(form="toi").replace("3: c", "3: a") + "3: 3").items == (
        "a (alternative 1)",
        "b",
        "a (alternative 3)",
    )


@pytest.mark.parametrize(
    ("change", "ballots", "line", "message"),
    [
        (("ALTERNATIVES: 3", "ALTERNATIVES: 4"), "3: 1", 4, "NUMBER ALTERNATIVES is 4, but 3 have an ALTERNATIVE NAME line"),
        (("ALTERNATIVES: 3", "ALTERNATIVES: 999999999999"), "3: 1", 4, "but 3 have an ALTERNATIVE NAME line"),
        (("ALTERNATIVES: 3", "ALTERNATIVES: three"), "3: 1", 4, "NUMBER ALTERNATIVES must be a whole number, found 'three'"),
        (("ALTERNATIVES: 3", "ALTERNATIVES: " + "9" * 5000), "3: 1", 4, "must be a whole number, found '999"),
        (("# NUMBER ALTERNATIVES: 3\n", ""), "3: 1", 1, "the header lacks NUMBER ALTERNATIVES"),
        (("NAME 2: b", "NAME 1: b"), "3: 1", 8, "ALTERNATIVE NAME 1 stands twice (first in line 7)"),
        (("NAME 2: b", "NAME two: b"), "3: 1", 8, "ALTERNATIVE NAME needs a number, found 'two'"),
        (("NAME 2: b", "NAME 2:"), "3: 1", 8, "alternative 2 has no name"),
        (("VOTERS: 3", "VOTERS: 4"), "3: 1", 5, "says 4 voters, but the ballots' counts add up to 3"),
        (("# NUMBER CATEGORIES: 2", "# NUMBER UNIQUE ORDERS: 2"), "3: 1", 6, "says 2 different orders, but there are 1"),
        (("TYPE: original", "TYPE: inducd"), "3: 1", 3, "MODIFICATION TYPE 'inducd' is not known; did you mean 'induced'?"),
        (("TYPE: toi", "TYPE: soc"), "3: 1", 2, "DATA TYPE is 'soc', but the file's name ends in .toi"),
        (("", ""), "3 1,2", 10, "must be 'count: order', found '3 1,2'"),
        (("", ""), "-3: 1", 10, "a ballot's count must be a whole number from 0 to 9007199254740992, found '-3'"),
        (("", ""), "1.5: 1", 10, "found '1.5'"),
        (("", ""), "9" * 5000 + ": 1", 10, "a ballot's count must be"),
        (("", ""), "9007199254740993: 1", 10, "a ballot's count must be"),
        (("", ""), "9007199254740992: 1\n1: 2", 11, "there are more than 9007199254740992 voters up to here"),
        (("", ""), "3: 1,4", 10, "there is no alternative 4 (the header names 1 to 3)"),
        (("", ""), "3: 1,-1", 10, "'-1' is no alternative's number"),
        (("", ""), "3: 1 2", 10, "'1 2' is no alternative's number"),
        (("", ""), "3: 1,,2", 10, "has an empty entry"),
        (("", ""), "3:", 10, "has an empty entry"),
        (("", ""), "3: 1,2,1", 10, "alternative 1 stands twice"),
        (("", ""), "3: {1,1}", 10, "alternative 1 stands twice"),
        (("", ""), "3: {1,2", 10, "is no list of numbers and ties in braces: '{1,2'"),
        (("", ""), "3: {1,{2},3}", 10, "is no list of numbers and ties in braces"),
        (("", ""), "3: {1}2", 10, "is no list of numbers and ties in braces"),
        (("", ""), "3: 1,{},2", 10, "has an empty tie"),
        (("", ""), "3: 1,2,3,1,2,3", 10, "has 6 entries, but there are 3 alternatives"),
        (("", ""), "\x00", 10, "must be 'count: order', found '\\x00'"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(change, ballots, line, message, tmp_path):
    text = (HEADER.format(form="toi") + ballots).replace(*change)
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    (problem,) = caught.value.problems
    assert problem.place == f"{tmp_path / 'p.toi'}:{line}"
    assert message in problem.message


@pytest.mark.parametrize(
    ("form", "ballot", "message"),
    [
        ("soc", "3: 1,2", "ranks 2 of 3 alternatives; a file with incomplete orders is a .soi file"),
        ("toc", "3: {1,2}", "ranks 2 of 3 alternatives; a file with incomplete orders is a .toi file"),
        ("soc", "3: 1,{2,3}", "ties alternatives; a file with ties is a .toc file"),
        ("soi", "3: {2,3}", "ties alternatives; a file with ties is a .toi file"),
        ("cat", "3: 1,2,3", "has 3 categories, NUMBER CATEGORIES is 2"),
    ],
)
def test_a_ballot_that_belongs_into_another_format_says_which(form, ballot, message, tmp_path):
    with pytest.raises(InputError, match=f":10: {message}"):
        read(tmp_path, HEADER.format(form=form) + ballot, form)


def test_every_wrong_line_is_named_at_once(tmp_path):
    with pytest.raises(InputError) as caught:
        read(tmp_path, HEADER.format(form="toi") + "1: 9\n1: 1\n1: 1,1\n")
    assert [problem.place.rpartition(":")[2] for problem in caught.value.problems] == ["10", "12"]


@pytest.mark.parametrize("text", ["", "\n\n", "hello\n", "5\n1,a\n", "1\n1,a\nx\n", "<html>"])
def test_what_is_no_preflib_file_is_refused(text, tmp_path):
    with pytest.raises(InputError, match=r"p\.soc:\d+: "):
        read(tmp_path, text, "soc")


@pytest.mark.parametrize("ballot", ["1," * 2_000_000, "1" * 4_000_000, "{" * 4_000_000, " " * 4_000_000])
def test_a_line_without_end_is_refused_at_once(ballot, tmp_path):
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        read(tmp_path, HEADER.format(form="toi") + "3: " + ballot)
    assert time.process_time() - start < 0.5
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("profile", "form", "message"),
    [
        (Profile.from_rankings(["ab"], [0.5]), "soc", "'ballot 1' has the weight 0.5, but a .soc file counts voters; write a .json file"),
        (Profile.from_rankings(["ab"], [1e90]), "soc", "'ballot 1' has the weight 1e+90"),
        (Profile.from_rankings(["ab", [["b", "a"]]]), "soi", "'ballot 2' ties 'a' and 'b', but a .soi file holds strict orders; write a .toi file"),
        (Profile.from_rankings(["ab", "b"]), "toc", "'ballot 2' leaves out 'a', but a .toc file holds orders of all alternatives; write a .toi file"),
        (Profile.from_approvals(["ab"]), "toi", "the ballots have approvals, but a .toi file holds orders; write a .cat or .json file"),
        (Profile.from_rankings(["ab"]), "cat", "the ballots have no approvals, but a .cat file holds approvals; write a .toi or .json file"),
        (Profile.from_utilities([[1, 0]], "ab"), "toi", "the ballots have utilities, which a .toi file cannot hold; write a .json file"),
        (Profile.from_rankings([["a\nb"]]), "soc", "'a\\\\nb' cannot be an alternative's name in a .soc file"),
        (Profile.from_rankings([[" a"]]), "soc", "' a' cannot be an alternative's name"),
        (Profile(("a", "b"), np.array([[0, 1]]), np.ones(1), approvals=np.array([[True, True]])), "cat", "'ballot 1' approves other items than those it ranks first"),
    ],
)  # fmt: skip
def test_what_a_format_cannot_hold_is_refused(profile, form, message, tmp_path):
    with pytest.raises(InputError) as caught:
        write_profile(profile, tmp_path / f"p.{form}")
    assert message in str(caught.value).replace("\\n", "\\\\n")
    assert list(tmp_path.iterdir()) == []


@st.composite
def profiles(draw):
    n, m = draw(st.integers(0, 4)), draw(st.integers(1, 4))
    weights = draw(st.lists(st.integers(0, 2**50), min_size=n, max_size=n))
    rows = draw(st.lists(st.lists(st.integers(0, 4), min_size=m, max_size=m), min_size=n, max_size=n))
    dense = [sorted(set(row) - {4}) for row in rows]
    ranks = [[tiers.index(v) if v < 4 else m for v in row] for row, tiers in zip(rows, dense, strict=True)]
    table = np.array(ranks, dtype=np.int64).reshape(n, m)
    approves = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    approvals = (table == 0) & np.array(approves, dtype=bool)[:, None] if draw(st.booleans()) else None
    return Profile(tuple("abcd"[:m]), table, np.array(weights, dtype=np.float64), approvals=approvals)


@given(profiles())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_profile_that_a_format_can_hold_is_read_back_as_it_was(tmp_path, profile):
    for form in ["toi", "soi", "toc", "soc"] if profile.approvals is None else ["cat"]:
        path = tmp_path / f"p.{form}"
        try:
            write_profile(profile, path)
        except InputError:
            assert form not in ("toi", "cat")
            continue
        same(read_profile(path), profile)


def test_a_thousand_ballots_on_a_hundred_items_are_read_in_a_moment(tmp_path):
    orders = np.argsort(np.random.default_rng(0).random((1000, 100)), axis=1)
    profile = Profile(tuple(map(str, range(100))), orders, np.ones(1000))
    write_profile(profile, tmp_path / "p.soc")
    start = time.process_time()
    again = read_profile(tmp_path / "p.soc")
    assert time.process_time() - start < 0.3
    same(again, profile)
