"""A run folder's scenario.yaml: every key in force, no secret, and the same run again."""

import json

import pytest
import yaml

import simulator as fa
from tests import user_code
from tests.inputs.test_user_code import FILES, own_code
from tests.scenario_files import SCENARIO, changed, write_scenario

TABLES = ("rounds.csv", "stakeholders.csv", "events.jsonl")


def again(scenario, out):
    """The same scenario, loaded from the folder of a run of it; both runs left the same bytes."""
    first = fa.run(scenario, out=out, plots=False).path
    reloaded = fa.load_scenario(first)
    second = fa.run(reloaded, out=out, plots=False).path
    for name in TABLES:
        assert (first / name).read_bytes() == (second / name).read_bytes()
    return reloaded


def test_a_run_folder_holds_a_scenario_that_runs_again(tmp_path):
    scenario = fa.load_scenario(write_scenario(tmp_path))
    reloaded = again(scenario, tmp_path / "runs")
    assert reloaded.hash == scenario.hash
    assert reloaded.yaml() == scenario.yaml()
    assert reloaded.file.requests is not None
    assert reloaded.file.requests.wishes["budget"]["any"] is None
    assert [request.id for request in reloaded.requests] == ["q1", "q2"]


def test_overrides_and_users_code_are_part_of_it(tmp_path):
    notes = changed("tools: [catalogue]", "tools: [{name: knowledge, file: notes.md}, catalogue]", own_code())
    folder = write_scenario(tmp_path, notes, notes__md="Words.", **FILES)
    settings = ["stakeholders.guest.weight=3", "title=Ünïcødé 'quoted' #1"]
    scenario = fa.load_scenario(folder, settings, rounds=3, seed=9, model="fake(delay=0)")
    reloaded = again(scenario, tmp_path / "runs")
    assert reloaded.hash == scenario.hash
    assert (reloaded.file.rounds, reloaded.file.seed, reloaded.file.title) == (3, 9, "Ünïcødé 'quoted' #1")
    assert reloaded.parties[0].weight == 3
    assert reloaded.mediator.label == "plurality(places=2, extra=null)"
    assert reloaded.parties[1].options.item == "b"
    keys = reloaded.resolved
    assert keys["stakeholders"][1]["tools"] == ["knowledge(file=inputs/notes.md)", "catalogue"]
    assert keys["dynamics"][1] == "./inputs/laws.py:Frost(month=2)"
    assert keys["catalogue"]["attributes"]["far"]["derive"] == "./inputs/derived.py:Half(of=price)"
    assert keys["metrics"] == ["utility", "./inputs/figures.py:spread"]


def test_files_of_the_same_name_are_kept_apart(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "fan.py").write_text(user_code.STAKEHOLDER)
    text = changed("agent: utility\n", "agent: ./one/fan.py:Fan\n")
    text = changed("agent: utility(accept_at=0.8)", "agent: ./two/fan.py:Fan", text)
    scenario = fa.load_scenario(write_scenario(tmp_path, text))
    agents = [party["agent"] for party in scenario.resolved["stakeholders"]]
    assert agents == ["./inputs/fan.py:Fan", "./inputs/2-fan.py:Fan"]
    assert again(scenario, tmp_path / "runs").hash == scenario.hash


@pytest.mark.parametrize("name", ["a:b.csv", "a b (1).csv", "Städte.csv", "-x.csv"])
def test_data_files_of_any_name_are_kept(name, tmp_path):
    folder = write_scenario(tmp_path, changed("items.csv", json.dumps(name)))
    (folder / "items.csv").rename(folder / name)
    scenario = fa.load_scenario(folder)
    assert again(scenario, tmp_path / "runs").hash == scenario.hash


def test_a_name_that_looks_like_a_file_stays_a_name(tmp_path):
    text = changed("name: gourmet", "name: 'x.py:y, \"z\" @ a'", SCENARIO)
    scenario = fa.load_scenario(write_scenario(tmp_path, text, x__py=""))
    assert scenario.resolved["stakeholders"][1]["name"] == 'x.py:y, "z" @ a'
    assert again(scenario, tmp_path / "runs").parties[1].name == 'x.py:y, "z" @ a'


def test_keys_and_passwords_of_models_are_left_out_and_nothing_else_is(tmp_path):
    text = changed("    price: {unit", "    token: {column: price}\n    price: {unit")
    text = changed("{stars: 0.8,", "{stars: 0.8, token: 0.5,", text)
    component = {
        "provider": "autogen_ext.models.openai.OpenAIChatCompletionClient",
        "config": {"model": "m", "api_key": "sk-1"},
    }
    folder = write_scenario(tmp_path, changed("model: none", f"model: {json.dumps(component)}", text))
    scenario = fa.load_scenario(
        folder, ["stakeholders.guest.model=openai(model=m, base_url=http://me:pw@localhost:1/v1)"]
    )
    written = yaml.safe_load(scenario.yaml())
    assert "sk-1" not in scenario.yaml()
    assert "pw" not in scenario.yaml()
    assert written["model"]["config"] == {"model": "m", "api_key": "***"}
    assert written["stakeholders"][0]["model"].startswith("openai(model=m, base_url=")
    assert written["stakeholders"][1]["objective"]["token"] == 0.5


def test_the_hash_changes_with_every_key_and_every_byte_of_data(tmp_path):
    folder = write_scenario(tmp_path)
    hashes = {fa.load_scenario(folder).hash, fa.load_scenario(folder, seed=4).hash}
    (folder / "items.csv").write_text((folder / "items.csv").read_text() + "\n")
    hashes.add(fa.load_scenario(folder).hash)
    assert len(hashes) == 3
    assert fa.load_scenario(folder).hash in hashes


def test_replacing_keys_keeps_earlier_overrides(tmp_path):
    scenario = fa.load_scenario(write_scenario(tmp_path), ["k=3"], seed=5).replace(rounds=4)
    assert (scenario.file.k, scenario.file.seed, scenario.file.rounds) == (3, 5, 4)
