"""Requests: their wishes in words and numbers, and their placeholders."""

import json

import pytest

from simulator.catalogue import Attribute
from simulator.requests import Request, month_number, placeholders
from simulator.scenario.request_file import read_requests, unused_filters
from simulator.scenario.schema import RequestsSection

ATTRIBUTES = {name: Attribute(name, more=f"much {name}", less=f"little {name}") for name in "abcdefgh"}
WISHES = {
    "price": {"low": {"attribute": "a", "sign": -1}, "high": {"attribute": "a"}, "any": None},
    "taste": {"good": {"attribute": "b", "phrase": "good taste"}},
}


def read(folder, rows, **section):
    path = folder / "queries.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    keys = {"file": path.name, "filters": "filters", "wishes": WISHES, **section}
    return read_requests(path, RequestsSection.model_validate(keys), ATTRIBUTES)


def request_of(folder, filters, **section):
    (request,), faults = read(folder, [{"id": 1, "filters": filters}], **section)
    assert faults == []
    return request


def test_wishes_become_weights_by_rank_order_centroids_in_the_order_of_the_filters(tmp_path):
    request = request_of(tmp_path, {"taste": "GOOD", "price": "low"})
    assert request.id == "1"
    assert request.objective == {"b": 0.75, "a": -0.25}  # Barron and Barrett 1996, n = 2
    assert request.phrases == {"b": "good taste", "a": "little a"}
    assert request.wish == "What matters most to me is good taste. Little a matters a little."


def test_what_no_attribute_speaks_of_is_left_out_openly(tmp_path):
    request = request_of(tmp_path, {"price": "any", "taste": "good"})
    assert request.unspoken == ("price: any",)
    assert request.objective == {"b": 1.0}


def test_a_wish_that_contradicts_an_earlier_one_is_left_out_openly(tmp_path):
    request = request_of(tmp_path, {"price": ["low", "high", "low"]})
    assert request.objective == {"a": -1.0}
    assert request.unspoken == ("price: high",)


def test_wishes_after_the_sixth_are_left_out_openly(tmp_path):
    wishes = {name: {"yes": {"attribute": name}} for name in ATTRIBUTES}
    request = request_of(tmp_path, dict.fromkeys(ATTRIBUTES, "yes"), wishes=wishes)
    assert list(request.objective) == list("abcdef")
    assert request.unspoken == ("g: yes", "h: yes")


@pytest.mark.parametrize("blank", [None, "", "  ", []])
def test_a_blank_filter_wishes_nothing(blank, tmp_path):
    request = request_of(tmp_path, {"price": blank, "taste": blank})
    assert (request.objective, request.wish, request.unspoken) == ({}, "", ())


def test_flags_and_numbers_are_looked_up_as_text(tmp_path):
    wishes = {"quiet": {"true": {"attribute": "a"}}, "stars": {"3": {"attribute": "b"}}}
    assert list(request_of(tmp_path, {"quiet": True, "stars": 3}, wishes=wishes).objective) == ["a", "b"]


def test_filters_are_the_fields_themselves_where_no_field_holds_them(tmp_path):
    (request,), faults = read(tmp_path, [{"id": "q", "price": "low", "note": "x"}], filters=None)
    assert faults == []
    assert request.objective == {"a": -1.0}
    assert request.fields == {"id": "q", "price": "low", "note": "x"}


@pytest.mark.parametrize(("filters", "row"), [({"when": "may"}, {}), ({}, {"when": " May "})])
def test_the_month_is_a_filter_or_a_field_and_no_wish(filters, row, tmp_path):
    (request,), faults = read(tmp_path, [{"id": "q", "filters": filters, **row}], month="when")
    assert faults == []
    assert request.month == 5


def test_null_fields_are_blank_and_not_the_word_none(tmp_path):
    (request,), faults = read(tmp_path, [{"id": "q", "filters": {"mood": None}, "text": None}], text="text")
    assert faults == []
    assert request.text == ""
    assert request.fill("{request.text}|{request.mood}") == "|"


def test_skipped_requests_are_left_out_and_the_order_is_the_files(tmp_path):
    rows = [{"id": name, "filters": {}} for name in "cab"]
    requests, faults = read(tmp_path, rows, skip={"a": "a refusal"})
    assert ([request.id for request in requests], faults) == (["c", "b"], [])


def test_filters_that_no_request_has_are_named(tmp_path):
    requests, _ = read(tmp_path, [{"id": "q", "filters": {"price": "low"}}])
    section = RequestsSection.model_validate({"file": "x", "wishes": WISHES, "facts": ["mood", "price"]})
    assert unused_filters(section, requests) == ["taste", "mood"]


def test_placeholders_are_filled_once_from_words_fields_and_filters():
    request = Request("q", "{request.wish}", "a wish", fields={"persona": "a {clown}"}, filters={"mood": 3})
    template = "{request.id} {request.text} {request.wish} {request.persona} {request.mood} {request.none} {other} {}"
    assert request.fill(template) == "q {request.wish} a wish a {clown} 3  {other} {}"
    assert placeholders(template) == ["id", "text", "wish", "persona", "mood", "none"]
    assert placeholders("{request.two words}{request.}{x}") == ["two words", ""]


@pytest.mark.parametrize(
    ("name", "number"), [("January", 1), (" december ", 12), ("MAY", 5), ("Mai", None), ("", None), ("5", None)]
)
def test_months_are_english_names_in_any_case(name, number):
    assert month_number(name) == number
