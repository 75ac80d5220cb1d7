"""YAML as plain data with places: of every key, also after it was overridden."""
# ruff: noqa: E501  # one case a line

from pathlib import Path

import pytest

from simulator.inputs.yamlfile import InputError, Problem, YamlFile, read_yaml

TEXT = """\
# a comment
title: x

list:
  - name: one
    value: 1
  - name: two
mapping: {a: 1,
          b: [1, 2]}
shared: &s {c: 3}
alias: *s
1: number
"""


@pytest.fixture
def source():
    return YamlFile(Path("f.yaml"), TEXT)


def test_data_is_plain_and_keys_are_text(source):
    assert source.data == {
        "title": "x",
        "list": [{"name": "one", "value": 1}, {"name": "two"}],
        "mapping": {"a": 1, "b": [1, 2]},
        "shared": {"c": 3},
        "alias": {"c": 3},
        "1": "number",
    }
    assert source.faults == []


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ((), 1), (("title",), 2), (("list",), 4), (("list", 0), 5), (("list", 0, "value"), 6), (("list", 1), 7),
        (("mapping", "b"), 9), (("mapping", "b", 1), 9), (("alias",), 11),
    ],
)  # fmt: skip
def test_every_key_has_the_line_in_which_it_stands(source, key, line):
    assert source.place(key) == f"f.yaml:{line}"


def test_a_key_that_does_not_stand_there_has_the_place_of_the_one_above(source):
    assert source.place(("list", 1, "value", "x")) == "f.yaml:7"
    assert source.place(("nothing", "at", "all")) == "f.yaml:1"


def test_an_override_is_the_place_of_all_below_it(source):
    source.set("list.two.value.deep=[1, 2]")
    assert source.data["list"][1] == {"name": "two", "value": {"deep": [1, 2]}}
    for key in (("value", "deep", 0), ("value", "deep"), ("value",), ("value", "other")):
        assert source.place(("list", 1, *key)) == "--set list.two.value.deep"
    assert source.place(("list", 1, "name")) == "f.yaml:7"
    source.set("mapping=5")
    assert source.place(("mapping", "b", 1)) == "--set mapping"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("3.5", 3.5), ("true", True), ("null", None), ("", ""), (" ", ""), ("[1, a]", [1, "a"]), ("{a: 1}", {"a": 1}),
        ("'3'", "3"), ("a=b", "a=b"), ("borda(x=[1], y=2)", "borda(x=[1], y=2)"), ("a #b", "a #b"), ("#5", "#5"),
        ("@x", "@x"), ("a: b: c", "a: b: c"), ("2024-13-45", "2024-13-45"), ("[1", "[1"), ("{a: 1, a: 2}", "{a: 1, a: 2}"),
        ("http://x:1/v1", "http://x:1/v1"), ("./f.py:C(a=[\"b c\"])", './f.py:C(a=["b c"])'),
    ],
)  # fmt: skip
def test_a_settings_value_is_yaml_where_it_reads_as_such_else_text(source, text, value):
    source.set(f"title={text}")
    assert source.data["title"] == value


def test_faults_of_single_keys_leave_the_rest_readable():
    source = YamlFile(Path("f.yaml"), "a: 1\na: 2\nb: !!int x\nc: 3\n? {d: 1}\n: 4\n")
    assert source.data == {"a": 1, "b": None, "c": 3}
    assert [str(problem) for problem in source.faults] == [
        "f.yaml:2: key 'a' stands twice (first in line 1)",
        "f.yaml:3: 'x' cannot be read: it is no int; put text in quotes",
        "f.yaml:5: a key must be a word, not a list or a mapping",
    ]
    assert source.unread == {("b",)}


def test_a_text_with_a_colon_gets_the_remedy():
    with pytest.raises(InputError, match=r"f.yaml:1: is not YAML: .*; put text that contains ': ' in quotes"):
        YamlFile(Path("f.yaml"), "goal: I want: all\n")


def test_an_empty_file_is_an_empty_mapping(tmp_path):
    (tmp_path / "f.yaml").write_bytes(b"\xef\xbb\xbf# nothing\n")
    assert read_yaml(tmp_path / "f.yaml").data == {}


def test_a_file_that_cannot_be_opened_is_a_problem_without_a_line(tmp_path):
    with pytest.raises(InputError) as caught:
        read_yaml(tmp_path / "none.yaml")
    assert str(caught.value) == f"{tmp_path}/none.yaml: cannot be read: No such file or directory"


def test_a_problem_is_one_printable_line_of_bounded_length():
    problem = str(Problem("p\n" * 1000, "m\x1b\u202e" * 5000))
    assert problem.isprintable()
    assert len(problem) < 20_000
    assert str(Problem("f:1", "Zoë says 'no' \\")) == "f:1: Zoë says 'no' \\"
