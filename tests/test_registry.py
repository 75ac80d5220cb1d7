"""Names, calls and parameters: what the registry finds, and what it says where it finds nothing."""
# ruff: noqa: E501  # one case a line

import warnings

import pytest

from simulator import registry
from simulator.inputs.nearest import nearest
from simulator.registry import RegistryError, create, everything, find, is_foreign, names, split_spec


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        ("mediator", {"borda", "copeland", "nash", "nash_slate", "utilitarian", "egalitarian", "leximin", "seq_pav", "seq_phragmen"}),
        ("metric", {"utility", "ndcg", "kendall_tau", "nash_welfare", "minimum", "gini", "dry_spell", "alignment"}),
        ("protocol", {"sealed", "deliberation"}),
        ("dynamic", {"calendar", "crowding", "exposure"}),
        ("derivation", {"distance", "match", "season", "state", "total"}),
        ("stakeholder", {"llm", "utility"}),
    ],
)  # fmt: skip
def test_what_ships_is_known_by_name(kind, known):
    assert known <= set(names(kind))
    assert names(kind) == sorted(names(kind))
    assert known <= set(everything(kind, code=False))


def test_an_alias_is_another_name_of_the_same_thing():
    assert find("stakeholder", "rational") is find("stakeholder", "utility")


@pytest.mark.parametrize(
    ("spec", "name", "params"),
    [
        ("borda", "borda", {}),
        ("mes(completion=none)", "mes", {"completion": "none"}),
        ({"name": "mes", "completion": None}, "mes", {"completion": None}),
        ("./x.py:M(a=./y.py:z)", "./x.py:M", {"a": "./y.py:z"}),
        ("rule(file=./y.py:z)", "rule", {"file": "./y.py:z"}),
        ("/t/a(1)/x.py:M(a=1)", "/t/a(1)/x.py:M", {"a": 1}),
        ("/t/a=b, c/x.py:M", "/t/a=b, c/x.py:M", {}),
        ("package.module:Cls(a=[1, 2])", "package.module:Cls", {"a": [1, 2]}),
        ("C:\\folder\\x.py:M(a=1)", "C:\\folder\\x.py:M", {"a": 1}),
        ("rule(url=http://a:80/b)", "rule", {"url": "http://a:80/b"}),
    ],
)
def test_a_call_is_a_name_and_parameters(spec, name, params):
    assert split_spec("mediator", spec) == (name, params)


@pytest.mark.parametrize(
    "spec",
    ["", "(", "a(", "a(b", "a(b=", "a(b=1", "a(b=1) c", "./x.py:", "./x.py:X(a=)", {}, {"nam": "a"}, {"name": 3}],
)
def test_what_is_no_call_is_refused(spec):
    with pytest.raises(RegistryError):
        split_spec("mediator", spec)


@pytest.mark.parametrize(
    ("kind", "spec", "message"),
    [
        ("mediator", "bordo", "there is no mediator 'bordo'; did you mean 'borda'?"),
        ("mediator", "Borda", "there is no mediator 'Borda'; did you mean 'borda'?"),
        ("stakeholder", "ratoinal", "there is no stakeholder 'ratoinal'; did you mean 'rational'?"),
        ("protocol", "xyz", "there is no protocol 'xyz'; known: alternating_offers, concession, deliberation, "),
        ("mediator", "borda(x=1, y=2)", "mediator 'borda' has no parameter 'x'; known: truncation; mediator 'borda' has no parameter 'y'"),
        ("dynamic", "crowding(decay=x, rise=y)", "dynamic 'crowding': 'rise' must be a number (found 'y'); dynamic 'crowding': 'decay' must be a number (found 'x')"),
        ("dynamic", "crowding(decay=2)", "dynamic 'crowding': decay must be in [0, 1), found 2.0"),
        ("derivation", "distance", "derivation 'distance': parameter 'latitude' is missing; derivation 'distance': parameter 'longitude' is missing"),
        ("derivation", "total(of=price)", "derivation 'total': 'of' must be a list, such as [first, second] (found 'price')"),
        ("mediator", "json:dumps", "'json:dumps' is no mediator class; it must derive from simulator.mediators.base.Mediator"),
        ("mediator", "simulator.mediators.base:Mediator", "mediator 'simulator.mediators.base:Mediator' does not define mediate, name, rule"),
        ("mediator", "json:dmps", "'json' has no 'dmps'; did you mean 'dumps'?"),
        ("metric", "gini(x=1)", "metric 'gini' has no parameter 'x'; it takes none"),
        ("metric", "math:sqrt", "'math:sqrt' is no metric; write @simulator.metric(name, scope=...) above the function"),
        ("metric", "./nowhere.py:x", "there is no file './nowhere.py' in "),
        ("metric", ":x", "does not import: ValueError: Empty module name"),
    ],
)  # fmt: skip
def test_errors_say_what_would_be_right(kind, spec, message):
    with pytest.raises(RegistryError) as caught:
        create(kind, spec)
    assert message in str(caught.value)


def test_parameters_are_read_by_type():
    assert create("dynamic", "crowding(rise=2, decay=0)").rise == 2.0
    assert create("derivation", {"name": "total", "of": ["a", "b"]}).of == ("a", "b")
    assert create("mediator", "simulator.mediators.copeland:Copeland(alpha=1)").label == "copeland(alpha=1.0)"


class Point:
    """An entry point."""

    def __init__(self, name, load):
        self.name, self.load = name, load


@pytest.fixture
def plugins(monkeypatch):
    def broken():
        raise OSError("disk")

    loads = []
    borda = find("mediator", "borda")
    points = {"good": Point("good", lambda: loads.append(1) or borda), "bad": Point("bad", broken)}
    monkeypatch.setitem(registry._plugins, "mediator", points)
    monkeypatch.setitem(registry._registered, "mediator", dict(registry._registered["mediator"]))
    return loads


def test_a_plugin_is_loaded_when_it_is_named_and_once(plugins):
    assert {"good", "bad"} <= set(names("mediator"))
    assert is_foreign("mediator", "good")
    assert plugins == []
    assert find("mediator", "good") is find("mediator", "borda")
    find("mediator", "good")
    assert plugins == [1]


def test_a_broken_plugin_is_an_error_when_named_and_a_warning_when_listed(plugins):
    with pytest.raises(RegistryError, match="the mediator plug-in 'bad' does not import: OSError: disk"):
        find("mediator", "bad")
    with pytest.warns(UserWarning, match="plug-in 'bad' does not import"):
        found = everything("mediator")
    assert "good" in found
    assert "bad" not in found
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "good" in everything("mediator", code=False) or plugins == [1]


def test_the_nearest_name_is_found_in_any_case_and_shown_as_it_is():
    assert nearest("GNI", ["Gini", "minimum"]) == "; did you mean 'Gini'?"
    assert nearest("zzz", ["b", "a"]) == "; known: a, b"
    assert nearest("zzz", ["c", "b", "a"], limit=2) == "; known: a, b, ..."
    assert nearest("zzz", []) == nearest("zzz", ["a"], limit=0) == ""
    assert nearest("x" * 1_000_000, ["a"]) == "; known: a"
