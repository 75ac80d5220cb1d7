import numpy as np
import pytest
from pydantic import ValidationError

from simulator.alignment.rated import rating_fields, rating_prompt, rating_schema, weights_from_ratings

PHRASES = ["low prices", "clean air", "quiet streets"]


def test_the_prompt_names_every_field_of_the_schema():
    prompt, schema = rating_prompt(PHRASES), rating_schema(PHRASES)
    assert list(schema.model_fields) == [*rating_fields(PHRASES), "argument"]
    for name, phrase in zip(rating_fields(PHRASES), PHRASES, strict=True):
        assert f"- {name}: {phrase}" in prompt


@pytest.mark.parametrize(
    "phrases",
    [
        ["low prices", "Low prices!"],
        ["安い", "静か"],
        ["", "x"],
        ["copy", "json", "schema"],
        ["a" * 90 + "x", "a" * 90 + "y"],
    ],
)
def test_any_phrases_get_distinct_fields(phrases):
    fields = rating_fields(phrases)
    assert len(set(fields)) == len(phrases)
    assert all(field.isidentifier() and len(field) <= 64 for field in fields)
    rating_schema(phrases)


def test_an_answer_outside_the_form_is_refused():
    schema = rating_schema(PHRASES)
    good = {**dict.fromkeys(rating_fields(PHRASES), 5), "argument": "because"}
    schema.model_validate(good)
    for wrong in ({rating_fields(PHRASES)[0]: 11}, {"argument": "x" * 281}, {"extra": 1}, {"argument": ""}):
        with pytest.raises(ValidationError):
            schema.model_validate(good | wrong)


@pytest.mark.parametrize(
    ("ratings", "weights"),
    [([10, 5, 5], [0.5, 0.25, 0.25]), ([0, 0, 3], [0, 0, 1]), ([0, 0, 0], [1 / 3, 1 / 3, 1 / 3])],
)
def test_weights_are_shares_of_the_ratings(ratings, weights):
    answer = rating_schema(PHRASES)(**dict(zip(rating_fields(PHRASES), ratings, strict=True)), argument="because")
    np.testing.assert_allclose(weights_from_ratings(answer, PHRASES), weights)


def test_a_rating_needs_something_to_rate():
    with pytest.raises(ValueError, match="at least one"):
        rating_schema([])
