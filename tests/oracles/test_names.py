"""Every name that an oracle uses is either a mediator here or left out for a stated reason."""

import json
from pathlib import Path

import pytest

from simulator import registry
from tests.oracles import names

ORACLES = Path(__file__).parent


def read(file):
    return json.loads((ORACLES / file).read_text(encoding="utf-8"))


def rules_of_cases(*files):
    return {expected["rule"] for file in files for case in read(file)["cases"] for expected in case["expected"]}


def rules_of_failures():
    failures = read("approval_axiom_failures.json")
    return {case["rule"] for kind in ("monotonicity_failures", "manipulations") for case in failures[kind]}


USED = [
    (names.ORDINAL, rules_of_cases("ordinal.json", "squared_kemeny.json")),
    (
        names.APPROVAL,
        rules_of_cases("approval.json")
        | {rule for case in read("approval_bulk.json")["cases"] for rule in case["all_winning_committees"]}
        | rules_of_failures(),
    ),
    (
        names.PERPETUAL,
        rules_of_cases("perpetual.json")
        | read("perpetual_bulk.json")["winners"].keys()
        | read("perpetual_simulation.json")["rules"].keys()
        | {rule for axiom in read("perpetual.json")["axioms"].values() for rule in axiom["results"]},
    ),
    (names.ONLINE, read("online.json")["rules"].keys()),
    (names.SLATES, {rule for case in read("slates.json")["cases"] for rule in case["expected"]}),
    (names.PROPERTIES, {case["property"] for case in read("approval_properties.json")["cases"]}),
]


@pytest.mark.parametrize(
    ("table", "used"), USED, ids=["ordinal", "approval", "perpetual", "online", "slates", "properties"]
)
def test_every_name_is_in_the_table_and_none_but_these(table, used):
    assert table.keys() == set(used)


@pytest.mark.parametrize("table", [names.ORDINAL, names.APPROVAL, names.PERPETUAL, names.ONLINE, names.SLATES])
def test_every_mediator_that_stands_for_a_name_exists(table):
    for mediator in names.carried(table).values():
        registry.create("mediator", mediator)


def test_every_case_names_its_source():
    for file in sorted(ORACLES.glob("*.json")):
        content = read(file.name)
        if any(key in content for key in ("source", "note")):
            continue
        for case in content.get("cases", [content]):
            assert case.get("source"), (file.name, case.get("id"))
