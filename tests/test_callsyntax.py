import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simulator.callsyntax import CallSyntaxError, format_call, parse_call


@pytest.mark.parametrize(
    ("text", "name", "params"),
    [
        ("borda", "borda", {}),
        ("borda()", "borda", {}),
        (" mes( completion = none ) ", "mes", {"completion": "none"}),
        ("fake(fault=rubbish, delay=0.5)", "fake", {"fault": "rubbish", "delay": 0.5}),
        (
            "openai(model=m, base_url=http://[::1]:8000/v1)",
            "openai",
            {"model": "m", "base_url": "http://[::1]:8000/v1"},
        ),
        (
            "openai(model=meta-llama/Llama-3.2:1b, base_url=http://127.0.0.1:8000/v1)",
            "openai",
            {"model": "meta-llama/Llama-3.2:1b", "base_url": "http://127.0.0.1:8000/v1"},
        ),
        ("x(a=1, b=-2, c=1e3, d=.5, e=4o)", "x", {"a": 1, "b": -2, "c": 1000.0, "d": 0.5, "e": "4o"}),
        ("x(a=true, b=false, c=null, d=True)", "x", {"a": True, "b": False, "c": None, "d": "True"}),
        ("x(a=\"1, 2)\", b='true')", "x", {"a": "1, 2)", "b": "true"}),
        ("scores(points=[3, 1.5, 'a', b])", "scores", {"points": [3, 1.5, "a", "b"]}),
        ("./my agents.py:Buyer(k=2)", "./my agents.py:Buyer", {"k": 2}),
    ],
)
def test_reads_a_name_and_typed_parameters(text, name, params):
    found = parse_call(text)
    assert found == (name, params)
    assert {key: type(value) for key, value in found[1].items()} == {key: type(value) for key, value in params.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "a name"),
        ("   ", "a name"),
        ("(a=1)", "a name"),
        ("mes(completion", "'=' after 'completion'"),
        ("mes(completion=", "a value"),
        ("mes(completion=none", "',' or ')'"),
        ("mes(a=1 b=2)x", "the end"),
        ("mes(a=1,a=2)", "'a' only once"),
        ("mes(a=1,)", "a parameter name"),
        ("mes(1=2)", "a parameter name"),
        ("mes(a=[1, [2]])", "a value"),
        ("mes(a='open)", "a closing quote"),
        ('mes(a="open)', "a string in double quotes"),
        ("mes(a=1e999)", "a finite number"),
        ("mes(a=__import__('os'))", "',' or ')'"),
    ],
)
def test_says_what_was_expected_and_where(text, expected):
    with pytest.raises(CallSyntaxError) as caught:
        parse_call(text)
    assert expected in str(caught.value)
    assert 0 <= caught.value.position <= len(text)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@given(st.dictionaries(st.from_regex(r"[a-z_][a-z0-9_]*", fullmatch=True), SCALARS | st.lists(SCALARS)))
@example({"a": " x", "b": "x ", "c": "", "d": "\n", "e": "7", "f": "1.", "g": "true", "h": "x y", "i": "'", "j": '"'})
def test_what_is_written_is_read_back(params):
    name, found = parse_call(format_call("mes", params))
    assert (name, found) == ("mes", params)
    assert [type(value) for value in found.values()] == [type(value) for value in params.values()]


@pytest.mark.parametrize(
    ("name", "params"),
    [("a(b", {}), ("", {}), ("a", {"b c": 1}), ("a", {"b": math.nan}), ("a", {"b": {}}), ("a", {"b": [[1]]})],
)
def test_refuses_to_write_what_it_could_not_read(name, params):
    with pytest.raises(ValueError, match=r"cannot be written|expected"):
        format_call(name, params)
