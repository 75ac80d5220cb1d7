import pytest

from simulator.models import ModelSpec, ModelSpecError, create_model, parse_model
from simulator.models.spec import secrets_of, without_secrets

SECRET = "sk-proj-1234567890"


@pytest.mark.parametrize(
    ("given", "name", "params"),
    [
        ("embedded", "embedded", {}),
        ("none", "none", {}),
        ("fake(fault=rubbish)", "fake", {"fault": "rubbish"}),
        ("openai(model=gpt-4o-mini)", "openai", {"model": "gpt-4o-mini"}),
        (
            "openai(model=NAME, base_url=http://127.0.0.1:8000/v1)",
            "openai",
            {"model": "NAME", "base_url": "http://127.0.0.1:8000/v1"},
        ),
        ({"name": "ollama", "model": "llama3.2"}, "ollama", {"model": "llama3.2"}),
        (
            {"provider": "autogen_ext.models.openai.OpenAIChatCompletionClient", "config": {"model": "m"}},
            "component",
            {"provider": "autogen_ext.models.openai.OpenAIChatCompletionClient", "config": {"model": "m"}},
        ),
    ],
)
def test_a_model_is_a_call_a_mapping_or_a_component(given, name, params):
    assert parse_model(given) == ModelSpec(name, params)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("embeded", "did you mean 'embedded'?"),
        ("gpt-4", "models are embedded, fake, none, ollama, openai"),
        ("fake(fualt=rubbish)", "did you mean 'fault'?"),
        ("fake(fault=rubish)", "did you mean 'rubbish'?"),
        ("fake(delay=-1)", "delay of model fake must be a number of at least 0, not -1"),
        ("fake(delay=true)", "must be a number"),
        ("embedded(workers=0)", "a whole number of at least 1"),
        ("none(model=x)", "it takes no parameters"),
        ("openai", "openai(model=NAME)"),
        ("openai(model=7)", "must be a text"),
        ("openai(model=m, base_url=localhost)", "a URL such as"),
        ("openai(model=m, way=listwize)", "did you mean 'listwise'?"),
        ("openai(model=", "expected a value"),
        (7, "a text or a mapping, not int"),
        ({"model": "x"}, "needs `name`"),
        ({"provider": "x"}, "dotted path"),
        ({"provider": "a.B", "confg": {}}, "did you mean 'config'?"),
        ({"provider": "a.B", "config": "x"}, "must be a mapping, not str"),
    ],
)
def test_a_wrong_specification_is_answered_in_one_sentence(given, said):
    with pytest.raises(ModelSpecError) as caught:
        parse_model(given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        f"openai(model=m, base_url=http://user:{SECRET}@host/v1)",
        {"provider": "a.B", "config": {"model": "m", "api_key": SECRET}},
        {"provider": "a.B", "config": {"model": "m", "base_url": f"http://u:{SECRET}@host/v1"}},
    ],
)
def test_secrets_are_in_no_text_about_a_specification(given):
    spec = parse_model(given)
    assert SECRET not in f"{spec} {spec!r} {without_secrets(spec.params)}"
    assert SECRET in str(spec.params)


def test_only_secrets_are_censored():
    given = {"max_tokens": 5, "api_key": "k", "default_headers": {"X": "k"}, "inner": [{"azure_ad_token": "k"}]}
    assert without_secrets(given) == {
        "max_tokens": 5,
        "api_key": "***",
        "default_headers": "***",
        "inner": [{"azure_ad_token": "***"}],
    }


def test_the_secrets_are_what_is_censored_word_by_word():
    given = {"max_tokens": 5, "api_key": "k1", "headers": {"Authorization": "Bearer k2"}, "url": "http://me:k3@host/v1"}
    assert secrets_of(given) == ("k1", "k1", "Bearer k2", "Bearer", "k2", "me:k3", "k3")
    assert secrets_of({"base_url": "http://host/a@b", "model": "m"}) == ()


def test_none_is_no_model():
    assert create_model("none", seed=1) is None
