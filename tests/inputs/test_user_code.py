"""Scenarios that name a user's own code: it runs, it is checked, and it stays what it is."""
# ruff: noqa: E501  # one case a line

import sys

import numpy as np
import pytest

import simulator as fa
from simulator import registry
from tests import user_code
from tests.scenario_files import SCENARIO, changed, command, problems, write_scenario

FILES = {
    "fan__py": user_code.STAKEHOLDER,
    "rules__py": user_code.MEDIATOR,
    "figures__py": user_code.METRIC,
    "derived__py": user_code.DERIVATION,
    "laws__py": user_code.DYNAMIC,
}


def own_code(text: str = SCENARIO) -> str:
    for old, new in {
        "agent: utility(accept_at=0.8)": "agent: ./fan.py:Fan(item=b)",
        "mediator: borda": "mediator: {name: ./rules.py:Plurality, places: 2, extra: null}",
        "[gini, utility]": "[utility, ./figures.py:spread]",
        "derive: distance(latitude=52.5, longitude=13.4)": "derive: ./derived.py:Half(of=price)",
        "  - crowding(decay=0.5)": "  - crowding(decay=0.5)\n  - ./laws.py:Frost(month=2)",
    }.items():
        text = changed(old, new, text)
    return text


def test_stakeholder_mediator_metric_derivation_and_dynamic_of_ones_own_run(tmp_path):
    result = fa.run(fa.load_scenario(write_scenario(tmp_path, own_code(), **FILES)))
    assert (result.rounds["mediator"] == "plurality(places=2, extra=null)").all()
    assert (result.rounds["spread"] >= 0).all()
    proposals = [e for e in result.events if e["event"] == "proposal" and e["stakeholder"] == "gourmet"]
    firsts = [e["ranking"][0] for e in proposals if e["turn"] == 1]
    offered = [e["candidates"] for e in result.events if e["event"] == "request"]
    assert all("b" in first for first, items in zip(firsts, offered, strict=True) if "b" in items)
    assert [e["month"] for e in result.events if e["event"] == "evolve"] == [2, 2]


WRONG = {
    "a syntax error": ("fan", "def f(:\n", "./fan.py:Fan", "does not import: SyntaxError: invalid syntax (fan.py, line 1)"),
    "an error at import": ("fan", "x = 1\nx.y\n", "./fan.py:Fan", "does not import: AttributeError: 'int' object has no attribute 'y' (fan.py, line 2)"),
    "an import that fails": ("fan", "\nimport no_such_module\n", "./fan.py:Fan", "ModuleNotFoundError: No module named 'no_such_module' (fan.py, line 2)"),
    "an end of the process": ("fan", "import sys\nsys.exit(0)\n", "./fan.py:Fan", "does not import: SystemExit: 0 (fan.py, line 2)"),
    "another encoding": ("fan", b"x = '\xff'\n", "./fan.py:Fan", "does not import: SyntaxError"),
    "a class that is not there": ("fan", user_code.STAKEHOLDER, "./fan.py:Fun", "'./fan.py' has no 'Fun'; did you mean 'Fan'?"),
    "a class of another kind": ("fan", user_code.STAKEHOLDER, "./fan.py:Lost", "'./fan.py:Lost' is no stakeholder class; it must derive from agents.base.Stakeholder"),
    "a propose that is no coroutine": ("fan", user_code.STAKEHOLDER, "./fan.py:Slow", "'./fan.py:Slow' must define 'propose' as a coroutine: async def propose(self, table)"),
    "options that are none": ("fan", user_code.STAKEHOLDER, "./fan.py:Bare", "'./fan.py:Bare.Options' must be a frozen dataclass that derives from Stakeholder.Options"),
    "a parameter that is not there": ("fan", user_code.STAKEHOLDER, "./fan.py:Fan(itme=b)", "has no parameter 'itme'; did you mean 'item'?"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_stakeholder_is_one_problem_that_says_where(case, tmp_path):
    name, code, agent, message = WRONG[case]
    text = changed("agent: utility(accept_at=0.8)", f"agent: {agent}")
    (found,) = problems(write_scenario(tmp_path, text, **{f"{name}__py": code}))
    line = text[: text.index(agent)].count("\n") + 1
    assert found.startswith(f"scenario.yaml:{line}: ")
    assert message in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "mediator: borda",
            "mediator: ./rules.py:Plain",
            "must be a dataclass; write @dataclass(frozen=True) above the class",
        ),
        ("mediator: borda", "mediator: ./rules.py:Nameless", "does not define name, rule"),
        ("mediator: borda", "mediator: ./rules.py:Pointless", "does not define points"),
        ("mediator: borda", "mediator: ./rules.py:Odd", "cannot be made: KeyError: 'odd'"),
        ("mediator: borda", "mediator: ./rules.py:Array", "a parameter's type cannot be checked, give it a plain one"),
        (
            "mediator: borda",
            "mediator: ./rules.py:Plurality(places=many)",
            "'places' must be a whole number (found 'many')",
        ),
        (
            "[gini, utility]",
            "[./figures.py:undecorated]",
            "'./figures.py:undecorated' is no metric; write @simulator.metric(name, scope=...) above the function",
        ),
        ("[gini, utility]", "[./figures.py:turns]", "there is a column 'turns' already"),
        ("[gini, utility]", "[./figures.py:spread, all, ./figures.py:spread]", "there is a column 'spread' already"),
        (
            "distance(latitude=52.5, longitude=13.4)",
            "./derived.py:Failing(of=price)",
            "'check' fails: ZeroDivisionError: no",
        ),
        (
            "distance(latitude=52.5, longitude=13.4)",
            "./derived.py:Half(of=prize)",
            "the catalogue has no column 'prize'",
        ),
        ("crowding(decay=0.5)", "./rules.py:Plurality", "'./rules.py:Plurality' is no dynamic class"),
    ],
)
def test_other_wrong_code_is_one_problem(old, new, message, tmp_path):
    text = changed(old, new)
    (found,) = problems(write_scenario(tmp_path, text, **FILES))
    assert message in found
    assert found.startswith(f"scenario.yaml:{text[: text.index(new)].count(chr(10)) + 1}: ")


def test_no_code_imports_nothing_of_the_users(tmp_path, capsys):
    marker = tmp_path / "imported"
    mark = f"open({str(marker)!r}, 'a').close()\n"
    files = {name: mark + code for name, code in FILES.items()}
    folder = write_scenario(tmp_path, own_code(), **files)
    code, printed, said = command(capsys, "check", folder, "--no-code")
    assert (code, said) == (0, "")
    assert "fine. 2 stakeholders" in printed
    assert not marker.exists()
    code, _, _ = command(capsys, "check", folder)
    assert code == 0
    assert marker.exists()


def test_no_code_still_finds_what_is_wrong_elsewhere(tmp_path):
    text = changed("weight: 2", "weight: 0", own_code())
    (found,) = problems(write_scenario(tmp_path, text, **FILES), code=False)
    assert "weight 0" in found


def test_no_code_does_not_load_plugins(tmp_path, monkeypatch):
    class Plugin:
        name = "guest_star"

        def load(self):
            raise AssertionError("loaded")

    registry.names("stakeholder")
    monkeypatch.setitem(registry._plugins, "stakeholder", {"guest_star": Plugin()})
    folder = write_scenario(tmp_path, changed("agent: utility(accept_at=0.8)", "agent: guest_star"))
    assert fa.load_scenario(folder, code=False).parties[1].kind is None
    (found,) = problems(folder)
    assert "the stakeholder plug-in 'guest_star' does not import: AssertionError: loaded" in found


def test_a_users_metric_is_no_part_of_all_in_other_scenarios(tmp_path):
    folder = write_scenario(tmp_path, changed("[gini, utility]", "[all, ./figures.py:spread]"), **FILES)
    assert [metric.name for metric in fa.load_scenario(folder).metrics][-1] == "spread"
    plain = fa.load_scenario(folder, ["metrics=all"])
    assert "spread" not in [metric.name for metric in plain.metrics]
    assert len(plain.metrics) > 10


def test_a_users_file_cannot_replace_what_is_shipped(tmp_path):
    code = user_code.METRIC.replace('"spread"', '"gini"')
    shipped = registry.find("metric", "gini")
    (found,) = problems(write_scenario(tmp_path, changed("[gini, utility]", "[./figures.py:spread]"), figures__py=code))
    assert "there is a metric 'gini' already; register yours under another name" in found
    assert registry.find("metric", "gini") is shipped


def test_an_edited_file_is_loaded_anew(tmp_path):
    folder = write_scenario(tmp_path, own_code(), **FILES)
    assert fa.load_scenario(folder).parties[1].options.item == "b"
    (folder / "fan.py").write_text(
        user_code.STAKEHOLDER.replace('"a"', '"z"').replace("item:", "thing: str = 'x'\n        item:")
    )
    assert fa.load_scenario(folder).parties[1].options.thing == "x"


def test_a_file_on_the_command_line_is_relative_to_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "scenario").mkdir()
    (tmp_path / "here").mkdir()
    folder = write_scenario(tmp_path / "scenario")
    for name, code in FILES.items():
        (tmp_path / "here" / name.replace("__", ".")).write_text(code)
    monkeypatch.chdir(tmp_path / "here")
    scenario = fa.load_scenario(
        folder,
        ["stakeholders.guest.agent=./fan.py:Fan(item=c)", "metrics=[gini, ./figures.py:spread]"],
        mediator="./rules.py:Plurality(places=2)",
    )
    assert scenario.parties[0].options.item == "c"
    assert scenario.mediator.label == "plurality(places=2)"
    assert sorted(scenario.inputs) == [
        "inputs/fan.py",
        "inputs/figures.py",
        "inputs/items.csv",
        "inputs/queries.json",
        "inputs/rules.py",
    ]


def test_user_modules_do_not_hide_installed_ones(tmp_path):
    write_scenario(tmp_path, changed("mediator: borda", "mediator: ./json.py:Plurality"), json__py=user_code.MEDIATOR)
    import json

    assert fa.load_scenario(tmp_path).mediator.label == "plurality"
    assert sys.modules["json"] is json
    assert np.isfinite(json.loads("1"))
