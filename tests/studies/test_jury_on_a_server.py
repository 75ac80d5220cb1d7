"""A jury whose jurors are spoken by a server, which gives no word probabilities."""

from __future__ import annotations

import json

import pytest

from tests.models.openai_server import OpenAIServer
from tests.scenario_files import command

TALKERS = "tests/worlds/talkers"


@pytest.mark.parametrize(("fault", "faults"), [("none", set()), ("rubbish", {"malformed"}), ("html", {"errors"})])
def test_a_server_is_asked_for_json(fault, faults, capsys, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with OpenAIServer(fault=fault) as server:
        model = f"openai(model=small, base_url={server.base_url}, retries=0)"
        code, printed, said = command(
            capsys, "jury", TALKERS, "--rounds", "1", "--jurors", "2", "--model", model, "--json"
        )
    assert (code, said) == (0, "")
    found = json.loads(printed)
    assert set(found["faults"]) == faults
    verdicts = [verdict for case in found["cases"] for verdict in case["verdicts"]]
    assert len(verdicts) == len(found["cases"]) * 2
    form = server.requests[0]["response_format"]["json_schema"]
    assert form["strict"]
    assert form["schema"]["properties"]["rating"]["enum"] == ["yes", "partly", "no", "unsure"]
    assert all((verdict["rating"] is None) or verdict["reason"] for verdict in verdicts)
    if faults:
        assert {verdict["rating"] for verdict in verdicts} == {None}
