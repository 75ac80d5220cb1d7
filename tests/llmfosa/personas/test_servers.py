import json

import pytest

from simulator.llmfosa.personas import infer
from tests.llmfosa.personas.viewers import viewers
from tests.models.openai_server import OpenAIServer


def judged(server, out):
    model = f"openai(model=small, base_url={server.base_url}, retries=0)"
    found = infer(viewers(4), "gender", permission="a test", personas=2, model=model, out=out)
    return found, json.loads((out / "manifest.json").read_text())


def test_a_server_is_asked_for_labels_by_schema_and_for_personas_and_summaries(tmp_path):
    with OpenAIServer() as server:
        found, told = judged(server, tmp_path / "out")
        asked = [request for request in server.requests if "label" in json.dumps(request.get("response_format", {}))]
    assert (found.labels >= 0).all()
    assert all(found.summaries)
    assert len(asked) == 8
    schema = asked[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["label"]["enum"] == ["M", "F"]
    assert told["cost"]["prompt_tokens"] > 0
    assert told["editor"]["written_by_model"] > 0


@pytest.mark.parametrize("fault", ["rubbish", "html", "error"])
def test_a_faulty_server_leaves_abstentions_and_says_why(fault, tmp_path):
    with OpenAIServer() as server:
        server.fault = fault
        found, told = judged(server, tmp_path / "out")
    assert (found.labels == -1).all()
    assert told["abstentions"] == 8
    assert sum(told["faults"].values()) > 0
    assert bool(told["first_error"]) == (fault != "rubbish")
