import dataclasses
import json

import numpy as np
import pytest

from simulator.inputs.yamlfile import InputError
from simulator.llmfosa import infer
from simulator.llmfosa.annotations import Persona
from simulator.models.fake_faults import REPLIES
from tests.llmfosa.personas.viewers import HOSTILE, TITLES, scripted, viewers

CAST = (Persona("critic", "a critic who knows every film"), Persona("nurse", "a nurse who works at night"))


def judged(data=None, **options):
    settings = {"permission": "a test", "personas": CAST}
    return infer(viewers() if data is None else data, "gender", **(settings | options))


def judgement(label="F", confidence=0.7):
    return lambda prompt: {"label": label, "confidence": confidence, "rationale": "Because of the titles."}


def test_weighed_labels_follow_the_history_and_nothing_else():
    model, client = scripted()
    found = judged(model=model)
    seen = [set(_titles(user)) for user in range(12)]
    lean = np.array([len(titles & {"Amélie", "Emma"}) - len(titles & {"Heat", "Casino"}) for titles in seen])
    assert found.labels.shape == (12, 2)
    assert (found.labels[lean > 0] == 1).all()
    assert (found.labels[lean < 0] == 0).all()
    assert len(client.prompts) == (12 + 3) * 2 + 24
    np.testing.assert_allclose(found.probabilities.sum(axis=-1), 1, atol=1e-5)
    np.testing.assert_array_equal(found.confidence, found.probabilities.max(axis=-1))
    assert all(text and len(text.split()) <= 30 for row in found.rationales for text in row)
    assert all("2 of 2 personas" in text or "They disagree" in text for text in found.summaries)


def _titles(user):
    data = viewers()
    return [TITLES[item] for item in data.train.indices[data.train.indptr[user] : data.train.indptr[user + 1]]]


def test_true_values_change_no_answer():
    data = viewers()
    known = data.attributes["gender"]
    other = dataclasses.replace(data, attributes={"gender": dataclasses.replace(known, codes=1 - known.codes)})
    first, second = judged(model=scripted()[0]), judged(other, model=scripted()[0])
    np.testing.assert_array_equal(first.labels, second.labels)
    np.testing.assert_array_equal(first.probabilities, second.probabilities)


def test_written_labels_are_read_strictly():
    model, client = scripted(judgement("f", 0.7), way="listwise")
    found = judged(model=model, summaries="none")
    assert (found.labels == 1).all()
    assert (found.confidence == 0.7).all()
    assert found.rationales[0][0] == "Because of the titles."
    assert found.probabilities is None
    assert len(client.prompts) == 24


@pytest.mark.parametrize("fault", ["rubbish", "empty", "html", "refuse"])
@pytest.mark.parametrize("way", ["weigh", "listwise"])
def test_faulty_replies_become_abstentions(fault, way, tmp_path):
    model, _ = scripted(lambda _: REPLIES[fault], lambda *_: float("nan"), way=way)
    found = judged(model=model, out=tmp_path / "out")
    assert (found.labels == -1).all()
    assert np.isnan(found.confidence).all()
    assert not any(text for row in found.rationales for text in row)
    assert not any(found.summaries)
    told = json.loads((tmp_path / "out/manifest.json").read_text())
    assert told["abstentions"] == 24
    assert told["faults"]
    assert told["accuracy"]["majority_vote"]["answered"] == 0


def test_a_wrong_label_is_told_to_the_model_and_then_masked():
    model, client = scripted(judgement("X"), way="listwise")
    found = judged(model=model, summaries="none")
    assert (found.labels == -1).all()
    assert len(client.prompts) == 48
    assert "must be one of M, F" in "".join(client.prompts)


def test_a_second_try_repairs():
    def write(prompt):
        return judgement()(prompt) if "cannot be used" in prompt else "}{"

    found = judged(model=scripted(write, way="listwise")[0], summaries="none")
    assert (found.labels == 1).all()


@pytest.mark.parametrize("model", ["fake(fault=never, timeout=0.01)", "fake(fault=error)"])
def test_a_silent_or_failing_model_costs_rationales_and_no_run(model):
    found = judged(viewers(3), model=model)
    assert not any(text for row in found.rationales for text in row)


def test_a_scorer_that_fails_abstains():
    def fail(prompt, phrase):
        if "Amélie" in prompt:
            raise ConnectionError("gone")
        return -len(phrase) - (len(prompt) % 3) * ("woman" in phrase)

    found = judged(model=scripted(score=fail)[0])
    seen = np.array(["Amélie" in _titles(user) for user in range(12)])
    assert (found.labels[seen] == -1).all()
    assert (found.labels[~seen] >= 0).any()


def test_a_server_that_was_busy_is_asked_the_same_again():
    busy = set()

    def write(prompt):
        if prompt not in busy:
            busy.add(prompt)
            raise ConnectionError("busy")
        return judgement()(prompt)

    model, client = scripted(write, way="listwise")
    found = judged(model=model, summaries="none")
    assert (found.labels == 1).all()
    assert not any("cannot be used" in prompt for prompt in client.prompts)


@pytest.mark.parametrize("way", ["weigh", "listwise"])
def test_nothing_depends_on_how_many_are_asked_at_once(way, tmp_path):
    def write(prompt):
        return (
            judgement("MF"[len(prompt) % 2], 0.5)(prompt)
            if "JSON" in prompt
            else f"The viewer sees {len(prompt)} films."
        )

    for name, at_once in (("one", 1), ("many", 9)):
        model, client = scripted(write, way=way, delay=0.002 if at_once > 1 else 0.0)
        judged(model=model, out=tmp_path / name, at_once=at_once)
        assert client.most_at_once == at_once
    for file in ("annotations.csv", "summaries.csv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "many" / file).read_bytes()


def test_hostile_titles_and_users_reach_neither_prompts_nor_files_as_form(tmp_path):
    data = viewers()
    data = dataclasses.replace(data, users=('=1,"\n', *data.users[1:]))
    model, client = scripted(judgement(), way="listwise")
    judged(data, model=model, out=tmp_path / "out")
    assert not any("<|" in prompt or "\x1b" in prompt or HOSTILE in prompt for prompt in client.prompts)
    assert len({prompt.count("\n") for prompt in client.prompts if "JSON" in prompt}) == 1
    from simulator.llmfosa.personas import read

    assert read(tmp_path / "out").users[0] == '=1,"\n'


def test_users_are_drawn_by_the_seed_and_named_in_the_order_of_the_data():
    model, _ = scripted()
    drawn = [judged(model=model, users=5, seed=seed, rationales=False).users for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert judged(model=model, users=["u3", "u1"], rationales=False).users == ("u1", "u3")


def test_shares_that_are_known_bound_the_labels():
    found = judged(model=scripted()[0], prior={"M": 0.9, "F": 0.1}, rationales=False)
    assert found.probabilities[..., 1].mean() == pytest.approx(0.1, abs=1e-4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"permission": "  "}, "why you may do this"),
        ({"users": 0}, "at least 1"),
        ({"users": ["u99"]}, "no user 'u99'"),
        ({"personas": 0}, "at least 1"),
        ({"personas": 99}, "ask for fewer"),
        ({"words": 0}, "at least 1"),
        ({"prior": {"M": 1.0}}, "needs a share"),
        ({"model": "none"}, "needs a language model"),
    ],
)
def test_wrong_arguments_are_told(options, message):
    with pytest.raises(InputError, match=message):
        judged(**({"model": "fake"} | options))


def test_an_unknown_attribute_names_those_there_are():
    with pytest.raises(InputError, match="gender"):
        infer(viewers(), "gendre", permission="a test", model="fake")
