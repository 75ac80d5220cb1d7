"""The command line: what it prints, where, and with which exit code."""
# ruff: noqa: E501  # one case a line

import json
import re
from pathlib import Path

import pytest

from simulator.callsyntax import split_calls
from simulator.inputs.failures import wrong_input
from simulator.inputs.yamlfile import read_yaml
from simulator.models.base import ModelUnavailable
from simulator.scenario import shipped_scenarios
from simulator.scenario.schema import ScenarioFile
from tests.scenario_files import DEGENERATE, SCENARIO, command, write_scenario

BALLOTS = {
    "items": ["a", "b", "c"],
    "ballots": [{"weight": 2, "ranking": ["a", "b", "c"]}, {"ranking": ["b", ["a", "c"]]}],
}


def test_run_prints_a_line_a_round_and_last_the_folder(tmp_path, capsys):
    write_scenario(tmp_path)
    code, printed, said = command(
        capsys, "run", tmp_path, "--out", tmp_path / "out", "--rounds", 3, "--no-plots", "--set", "k=1"
    )
    lines = printed.splitlines()
    (folder,) = (tmp_path / "out").iterdir()
    assert (code, said) == (0, DEGENERATE)
    assert lines[-1] == str(folder)
    assert lines[0].startswith("Letters: guest, gourmet (borda, 4 candidates, k = 1)")
    assert [line.split(":")[0] for line in lines[1:4]] == ["round 1", "round 2", "round 3"]
    assert json.loads((folder / "manifest.json").read_text())["status"] == "success"


def test_warnings_of_a_run_go_to_stderr(tmp_path, capsys):
    write_scenario(tmp_path)
    code, printed, said = command(
        capsys,
        "run",
        tmp_path,
        "--out",
        tmp_path / "out",
        "--no-plots",
        "--mediator",
        "egalitarian",
        "--set",
        "requests.facts=[mood, odour]",
    )
    assert code == 0
    assert said.splitlines() == [
        "warning: no request has the filter 'odour', which the scenario speaks of",
        "warning: mediator egalitarian does not use the stakeholders' weights, which differ",
        DEGENERATE.rstrip(),
    ]
    assert "warning: " not in printed


def test_a_file_as_out_is_wrong_input_before_anything_runs(tmp_path, capsys):
    write_scenario(tmp_path)
    (tmp_path / "out").write_text("x")
    for out in (tmp_path / "out", tmp_path / "out" / "deeper" / "still"):
        code, printed, said = command(capsys, "run", tmp_path, "--out", out)
        assert (code, printed) == (2, "")
        assert said == f"--out {tmp_path}/out: is a file; name a folder\n"


def test_a_failure_of_the_run_ends_with_1_and_without_a_traceback(tmp_path, capsys):
    metric = 'import simulator as fa\n@fa.metric("odd", scope="collective")\ndef odd(view):\n    return 1 / 0\n'
    write_scenario(tmp_path, SCENARIO.replace("[gini, utility]", "[./odd.py:odd]"), odd__py=metric)
    code, _, said = command(capsys, "run", tmp_path, "--out", tmp_path / "out", "--no-plots")
    assert code == 1
    (folder,) = (tmp_path / "out").iterdir()
    failure = f"the run failed: ZeroDivisionError: division by zero\nits finished rounds are in {folder}\n"
    assert said == DEGENERATE + failure
    assert json.loads((folder / "manifest.json").read_text())["status"] == "error"


def test_a_failure_past_every_exception_ends_with_1_and_without_a_traceback_too(tmp_path, capsys):
    folder = Path(__file__).parent / "worlds" / "letters"
    odd = "stakeholders.0.agent=./odd.py:RaisesPastEverything"
    code, _, said = command(capsys, "run", folder, "--set", odd, "--out", tmp_path, "--no-plots")
    assert code == 1
    assert said.startswith(f"{DEGENERATE}the run failed: BaseException: past everything\nits finished rounds are in ")


def test_what_a_server_says_about_its_models_moves_no_cursor():
    (line,) = wrong_input(ModelUnavailable("it has no such model", "it lists \x1b[2Jmodel"))
    assert line == "model: it has no such model; it lists \\x1b[2Jmodel"


def test_a_run_that_is_stopped_says_where_its_finished_rounds_are(tmp_path, capsys):
    metric = (
        'import simulator as fa\n@fa.metric("odd", scope="collective")\ndef odd(view):\n    raise KeyboardInterrupt\n'
    )
    write_scenario(tmp_path, SCENARIO.replace("[gini, utility]", "[./odd.py:odd]"), odd__py=metric)
    code, _, said = command(capsys, "run", tmp_path, "--out", tmp_path / "out", "--no-plots")
    (folder,) = (tmp_path / "out").iterdir()
    assert code == 130
    assert said == f"{DEGENERATE}the run was stopped\nits finished rounds are in {folder}\n"


def test_a_scenario_is_named_after_its_folder_from_inside_it_too(tmp_path, capsys, monkeypatch):
    (tmp_path / "lunch").mkdir()
    write_scenario(tmp_path / "lunch")
    monkeypatch.chdir(tmp_path / "lunch")
    for place in (".", "scenario.yaml"):
        assert command(capsys, "check", place)[1].startswith(f"{DEGENERATE}lunch: fine.")


def test_check_counts_what_it_read(tmp_path, capsys):
    code, printed, _ = command(capsys, "check", write_scenario(tmp_path))
    assert code == 0
    assert printed.endswith(": fine. 2 stakeholders, 5 of 5 items can be drawn, 4 a round, 2 requests.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "No such command"),
        (["run"], "Missing argument"),
        (["run", "x", "--rounds", "y"], "Invalid value"),
    ],
)
def test_a_wrong_command_line_ends_with_2(arguments, said, capsys):
    code, printed, error = command(capsys, *arguments)
    assert (code, printed) == (2, "")
    assert said in error


KINDS = ("mediators", "metrics", "protocols", "dynamics", "derivations", "stakeholders", "scenarios", "models")


@pytest.mark.parametrize("kind", KINDS)
def test_list_names_and_describes_everything_as_a_table_and_as_json(kind, capsys):
    code, printed, said = command(capsys, "list", kind, "--json")
    rows = json.loads(printed)
    assert (code, said) == (0, "")
    assert rows
    assert all(row["name"] for row in rows)
    assert [row["name"] for row in rows] == sorted(row["name"] for row in rows)
    described = {"mediators": "rule", "scenarios": "title"}.get(kind, "description")
    assert all(row[described].strip() for row in rows)
    code, printed, _ = command(capsys, "list", kind)
    assert code == 0
    entries = [line for line in printed.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in entries] == ["name", *(row["name"] for row in rows)]
    if kind == "mediators":
        assert max(map(len, printed.splitlines())) <= 80


def test_list_of_nothing_names_what_there_is(capsys):
    code, printed, said = command(capsys, "list", "metric")
    assert (code, printed) == (2, "")
    assert said == "list metric: there is nothing of this kind; did you mean 'metrics'?\n"


def test_mediate_prints_one_json_object_a_mediator(tmp_path, capsys):
    (tmp_path / "p.json").write_text(json.dumps(BALLOTS))
    code, printed, _ = command(
        capsys, "mediate", tmp_path / "p.json", "--mediator", "borda, copeland(alpha=0.5)", "--k", 2, "--json"
    )
    first, second = map(json.loads, printed.splitlines())
    assert code == 0
    # by hand: a gets 2 x 2 + 0.5, b gets 2 x 1 + 2, c gets 0.5
    assert first == {
        "mediator": "borda", "k": 2, "scores": {"a": 4.5, "b": 4.0, "c": 0.5}, "tiers": [["a"], ["b"], ["c"]],
        "winners": ["a"], "slates": [["a", "b"]], "complete": True,
    }  # fmt: skip
    assert second["mediator"] in ("copeland", "copeland(alpha=0.5)")


def test_mediate_prints_tiers_for_people(tmp_path, capsys):
    (tmp_path / "p.json").write_text(json.dumps({"ballots": [{"ranking": [["a", "b\x1b"], "c"]}]}))
    code, printed, _ = command(capsys, "mediate", tmp_path / "p.json")
    assert (code, printed) == (0, "borda: a = b? > c\n  delivers a\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--mediator", "broda, borda, copeland(x=1)"], ["mediate broda: there is no mediator 'broda'; did you mean 'borda'?", "mediate copeland(x=1): mediator 'copeland' has no parameter 'x'"]),
        (["--k", "0"], ["mediate borda: k is 0; it must lie in 1..3, the number of items"]),
        (["--k", "4"], ["mediate borda: k is 4; it must lie in 1..3, the number of items"]),
        (["--tie", "seedd"], ["mediate borda: there is no tie rule 'seedd'; did you mean 'seeded'?"]),
        (["--mediator", ""], ["expected a name"]),
    ],
)  # fmt: skip
def test_mediate_says_what_is_wrong_before_it_prints_anything(arguments, said, tmp_path, capsys):
    (tmp_path / "p.json").write_text(json.dumps(BALLOTS))
    code, printed, error = command(capsys, "mediate", tmp_path / "p.json", *arguments)
    assert (code, printed) == (2, "")
    for message in said:
        assert message in error


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("borda", ["borda"]),
        (
            "borda, mes(completion=none, approve=top-3),x([1,2],y)",
            ["borda", "mes(completion=none, approve=top-3)", "x([1,2],y)"],
        ),
        ("a(b='c,d'), e", ["a(b='c,d')", "e"]),
        ("a(b='(,'), e", ["a(b='(,')", "e"]),
        ('a(b="x\\",)"), e', ['a(b="x\\",)")', "e"]),
        ("a,,b", ["a", "", "b"]),
    ],
)
def test_calls_are_split_at_the_commas_between_them(text, calls):
    assert split_calls(text) == calls


def resolve(schema, root):
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def misfits(value, schema, root, where="$"):
    """Where a value does not fit a JSON Schema, for the keywords that this one uses."""
    schema = resolve(schema, root)
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        tried = [misfits(value, choice, root, where) for choice in choices]
        return [] if [] in tried else min(tried, key=len)
    if "const" in schema or "enum" in schema:
        return [] if value in schema.get("enum", [schema.get("const")]) else [where]
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "null": type(None),
        "boolean": bool,
    }
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        return [where]
    found = []
    if isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        found += [f"{where}.{key}" for key in schema.get("required", ()) if key not in value]
        for key, inner in value.items():
            if key in known:
                found += misfits(inner, known[key], root, f"{where}.{key}")
            elif isinstance(rest, dict):
                found += misfits(inner, rest, root, f"{where}.{key}")
            elif not rest:
                found.append(f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        for place, inner in enumerate(value):
            found += misfits(inner, schema["items"], root, f"{where}[{place}]")
    return found


def test_schema_is_json_schema_that_fits_every_shipped_scenario_and_describes_its_keys(capsys, tmp_path):
    code, printed, _ = command(capsys, "schema")
    schema = json.loads(printed)
    assert code == 0
    assert schema == ScenarioFile.model_json_schema()
    assert {"title", "catalogue", "stakeholders"} == set(schema["required"])
    files = [*shipped_scenarios().values(), write_scenario(tmp_path) / "scenario.yaml"]
    assert len(files) > 1
    for path in files:
        assert misfits(read_yaml(path).data, schema, schema) == []
    wrong = read_yaml(files[-1]).data
    wrong["catalogue"]["attributes"]["price"]["unti"] = wrong.pop("title")
    assert misfits(wrong, schema, schema) == ["$.title", "$.catalogue.attributes.price.unti"]


def test_help_names_every_command(capsys):
    code, printed, _ = command(capsys, "--help")
    assert code == 0
    assert {"run", "check", "list", "schema", "mediate", "new"} <= set(re.findall(r"│ (\w+)", printed))
