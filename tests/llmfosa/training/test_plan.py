"""Options by name, each in its type and range, and terms that are off."""

import pytest

from simulator.llmfosa.training.plan import PRESETS, TERMS, Plan, plan_of


def test_settings_come_over_the_preset_and_leave_the_rest():
    plan = plan_of("ml-100k", {"fair.batch": 64.0, "fair.against": "adversary"}, ["similarity"])
    assert (plan.fair.batch, type(plan.fair.batch)) == (64, int)
    assert plan.fair.against == "adversary"
    assert plan.pretraining.batch == PRESETS["ml-100k"]["pretraining.batch"]
    assert plan.sensitive == Plan().sensitive
    assert plan.off == ("similarity",)
    assert plan_of("no preset of its own") == Plan()


def test_every_preset_is_a_plan():
    for preset in PRESETS:
        assert plan_of(preset) != Plan()


def test_terms_are_off_once_and_in_one_order():
    assert Plan().without(["summary", "confusion"]).without(["confusion"]).off == ("confusion", "summary")
    assert Plan().without(TERMS).off == tuple(sorted(TERMS))


def test_the_weight_of_fairness_alone_changes():
    plan = Plan().weighing(0.7)
    assert plan.fair.fairness == 0.7
    assert plan.weighing(Plan().fair.fairness) == Plan()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("fair.fairnes", 1, "did you mean 'fair.fairness'"),
        ("fairness", 1, "no option 'fairness'"),
        ("", 1, "no option ''"),
        ("nothing.of.it", 1, "no option"),
        ("fair.against", "clubs", "one of club, adversary, dro, nothing"),
        ("fair.against", ["club"], "one of club"),
        ("fair.reading", None, "one of contrast, ranking"),
        ("fair.fairness", "much", "should be a number"),
        ("fair.fairness", None, "should be a number"),
        ("fair.fairness", True, "should be a number"),
        ("fair.fairness", [1], "should be a number"),
        ("fair.fairness", float("nan"), "should be a number"),
        ("fair.fairness", float("inf"), "finite"),
        ("fair.fairness", -0.1, "at least 0"),
        ("fair.epochs", 0, "at least 1"),
        ("fair.epochs", 2.5, "whole number"),
        ("fair.batch", float("inf"), "finite"),
        ("fair.batch", 1e30, "at most"),
        ("pretraining.dim", 0, "at least 1"),
        ("sensitive.dropout", 1, "share"),
        ("sensitive.held_out", 1.2, "share"),
        ("fair.smallest", 1.01, "share"),
        ("fair.smallest", 0, "more than 0"),
        ("fair.temperature", 0, "more than 0"),
    ],
)
def test_a_wrong_option_is_named_with_what_would_be_right(key, value, message):
    with pytest.raises(ValueError, match=message) as told:
        Plan().changed({key: value})
    assert key in str(told.value)


def test_a_wrong_term_is_named_with_the_nearest():
    with pytest.raises(ValueError, match=r"no term 'similarty'; did you mean 'similarity'\?; the terms are personas, "):
        plan_of("synthetic", off=["similarty"])
