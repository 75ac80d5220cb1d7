import json

import pytest
from pydantic import BaseModel

from simulator.llmfosa.personas.reading import Unusable, bounded, read_object, read_sentence
from simulator.models.fake_faults import REPLIES


class Form(BaseModel):
    label: str
    confidence: float


ANSWER = {"label": "F", "confidence": 0.7}


@pytest.mark.parametrize(
    "around",
    ["%s", "```json\n%s\n```", '<think>{"label": "M", "confidence": 1}</think> %s', 'First {"a": 1}, then %s. Done {'],
)
def test_the_object_is_found_whatever_stands_around_it(around):
    assert read_object(around % json.dumps(ANSWER), Form) == Form(**ANSWER)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (REPLIES["rubbish"], "malformed"),
        (REPLIES["empty"], "empty"),
        (REPLIES["html"], "malformed"),
        (REPLIES["refuse"], "refusals"),
        ('{"label": "F"}', "malformed"),
        ('{"label": "F", "confidence": "high"}', "malformed"),
        ('["F", 0.7]', "malformed"),
        ("{" * 100_000, "malformed"),
        ('{"a":' * 50_000, "malformed"),
    ],
)
def test_what_is_no_such_object_is_told_by_kind(reply, fault):
    with pytest.raises(Unusable) as raised:
        read_object(reply, Form)
    assert raised.value.fault == fault


@pytest.mark.parametrize("kind", ["rubbish", "empty", "html", "refuse"])
def test_what_is_no_sentence_is_refused(kind):
    with pytest.raises(Unusable):
        read_sentence(REPLIES[kind], 30)


def test_a_sentence_is_one_line_of_bounded_words_and_no_formula():
    long = "=HYPERLINK(1)\nThe viewer " + "likes very many quiet films " * 50
    said = read_sentence(long, 30)
    assert len(said.split()) == 30
    assert said.startswith("HYPERLINK")
    assert said.isprintable()
    assert bounded("word " * 1000, 7).split() == ["word"] * 7
