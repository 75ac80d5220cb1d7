import asyncio

import numpy as np
import pytest

from simulator.llmfosa.annotations import Persona
from simulator.llmfosa.personas.asking import Asker
from simulator.llmfosa.personas.diversity import diversity, similarity
from simulator.llmfosa.personas.editor import MOST_ALIKE, as_given, edit, shipped
from simulator.llmfosa.personas.prompts import Subject
from simulator.llmfosa.personas.record import Record
from simulator.llmfosa.personas.shipped import shipped_personas
from simulator.models.fake_faults import REPLIES
from tests.llmfosa.personas.viewers import scripted

SUBJECT = Subject.of("gender", ("M", "F"))
GEOLOGIST = {"name": "Geologist", "description": "a geologist from Iceland, aged 60, who thinks in layers"}
GEOLOGIST_AGAIN = {"name": "geologist 2", "description": "somebody entirely different with words of her own"}
BAKER = {"name": "Baker", "description": "a baker from Lebanon, aged 44, who talks with customers at dawn"}
ECHO = {"name": "Confectioner", "description": "a baker from Lebanon, aged 44, who talks with customers at dawn"}
EMPTY = {"name": "Nobody", "description": "n/a"}


def edited(count, write):
    model, client = scripted(write)
    return asyncio.run(edit(Asker(model, Record(None)), count, SUBJECT, "test")), client


def test_the_shipped_personas_differ_in_name_and_words():
    personas = shipped_personas()
    measured = diversity(personas)
    assert len(personas) >= 8
    assert measured.names == len(personas)
    assert measured.nearest > 0.7
    assert measured.distance > 0.9


def test_the_cosine_is_that_of_scikit_learn():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    pairwise = pytest.importorskip("sklearn.metrics.pairwise")
    said = ["blue whale sings", "blue blue sky", "red sky sings loud"]
    expected = pairwise.cosine_similarity(text.TfidfVectorizer().fit_transform(said))
    np.testing.assert_allclose(similarity(said), expected)


def test_personas_worded_alike_have_no_distance():
    twins = [Persona("one", "reads every book twice"), Persona("one", "reads every book twice")]
    assert diversity(twins).distance == pytest.approx(0)
    assert diversity(twins).names == 1
    assert diversity([Persona("x", "apples pears"), Persona("y", "trains ships")]).distance == 1


def test_the_model_writes_the_personas():
    found, client = edited(2, lambda _: {"personas": [GEOLOGIST, BAKER]})
    assert [persona.name for persona in found.personas] == ["Geologist", "Baker"]
    assert (found.written, found.refused, len(client.prompts)) == (2, 0, 1)


def test_duplicates_and_empty_ones_are_refused_and_asked_again():
    def write(prompt):
        return {"personas": [BAKER] if "differ from these" in prompt else [GEOLOGIST, GEOLOGIST_AGAIN, EMPTY]}

    found, client = edited(2, write)
    assert [persona.name for persona in found.personas] == ["Geologist", "Baker"]
    assert (found.written, found.refused) == (2, 2)
    assert "geologist 2" in client.prompts[1]


def test_one_description_under_two_names_is_one_persona():
    found, _ = edited(3, lambda _: {"personas": [BAKER, ECHO]})
    assert similarity([BAKER["description"], ECHO["description"]])[0, 1] > MOST_ALIKE
    assert (found.written, found.refused) == (1, 3)
    assert [persona.name for persona in found.personas] == ["Baker", "anthropologist", "statistician"]


@pytest.mark.parametrize("fault", ["rubbish", "empty", "html", "refuse"])
def test_what_no_model_writes_is_taken_from_those_that_ship(fault):
    found, client = edited(3, lambda _: REPLIES[fault])
    assert found.personas == shipped_personas()[:3]
    assert found.written == 0
    assert len(client.prompts) == 2


def test_more_personas_than_there_are_is_an_error():
    with pytest.raises(ValueError, match="ask for fewer"):
        shipped(1000)


def test_given_personas_need_names_of_their_own():
    assert as_given([Persona("a\nb", "x")]).personas[0].name == "a b"
    with pytest.raises(ValueError, match="differ"):
        as_given([Persona("a", ""), Persona("a", "")])
    with pytest.raises(ValueError, match="one or more"):
        as_given([])
