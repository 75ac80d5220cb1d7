"""Wrong scenario files: every problem at once, each with its file and line, and nothing else happens."""
# ruff: noqa: E501  # one case a line

from __future__ import annotations

import subprocess
import sys

import pytest

import simulator as fa
from tests.scenario_files import ITEMS, QUERIES, SCENARIO, changed, command, problems, write_scenario


def line_of(marker: str, text: str) -> int:
    """The line in which a marker stands for the first time."""
    return text[: text.index(marker)].count("\n") + 1


def test_the_scenario_of_these_tests_is_right_and_runs(tmp_path):
    result = fa.run(fa.load_scenario(write_scenario(tmp_path)))
    assert len(result.rounds) == 2
    assert list(result.rounds["request"]) == ["q1", "q2"]
    assert {"gini", "slate"} <= set(result.rounds.columns)
    assert "nash_welfare" not in result.rounds.columns


# what stands there, what stands there instead, where the problem is (a text on its line), what is said
WRONG = {
    "unknown key at the top": ("title: Letters", "title: Letters\ntitel: x", "titel", "unknown key 'titel'; did you mean 'title'?"),
    "unknown key of the catalogue": ("  id: item", "  id: item\n  ide: x", "ide: x", "unknown key 'catalogue.ide'; did you mean 'id'?"),
    "unknown key of the candidates": ("draw: random,", "draw: random, cont: 3,", "cont: 3", "'catalogue.candidates.cont'; did you mean 'count'?"),
    "unknown key of an attribute": ("unit: USD", "unti: USD", "unti", "'catalogue.attributes.price.unti'; did you mean 'unit'?"),
    "unknown key of the requests": ("  text: text", "  text: text\n  txt: text", "txt", "'requests.txt'; did you mean 'text'?"),
    "unknown key of a wish": ("sign: -1", "sing: -1", "sing", "'requests.wishes.budget.low.sing'; did you mean 'sign'?"),
    "unknown key of a stakeholder": ("    persona: A guest.", "    persna: A guest.", "persna", "'stakeholders.0.persna'; did you mean 'persona'?"),
    "unknown key of the prices": ("model: none", "prices: {prompt_per_million: 1, completion_per_million: 1, prompt: 2}", "prices:", "unknown key 'prices.prompt'"),
    "call with commas in a flow mapping": ("far:\n      derive: distance(latitude=52.5, longitude=13.4)", "far: {derive: distance(latitude=52.5, longitude=13.4)}", "far:", "a call with commas needs quotes"),
    "missing title": ("title: Letters\n", "", "seed", "key 'title' is missing"),
    "missing catalogue file": ("  file: items.csv\n", "", "catalogue:", "key 'catalogue.file' is missing"),
    "missing objective": ("    objective: request\n", "", "name: guest", "key 'stakeholders.0.objective' is missing"),
    "catalogue file that is not there": ("items.csv", "item.csv", "item.csv", "there is no file 'item.csv' in {folder}; did you mean 'items.csv'?"),
    "catalogue file with a NUL in its name": ("items.csv", '"items\\0.csv"', '"items', "there is no file"),
    "request file that is not there": ("queries.json", "querys.json", "querys", "did you mean 'queries.json'?"),
    "id column that is not there": ("  id: item", "  id: itme", "", "has no column 'itme' to name the items by; did you mean 'item'?"),
    "column that is not there": ("price: {unit: USD,", "price: {column: prize, unit: USD,", "prize", "the catalogue has no column 'prize'; did you mean 'price'?"),
    "rounds in words": ("rounds: 2", "rounds: two", "two", "'rounds' must be a whole number (found 'two')"),
    "rounds of none": ("rounds: 2", "rounds: 0", "rounds: 0", "'rounds' must be greater than or equal to 1 (found 0)"),
    "rounds as a flag": ("rounds: 2", "rounds: yes", "rounds", "'rounds' must be a number, not true or false"),
    "title as a number": ("title: Letters", "title: 2024", "2024", "'title' must be text (found 2024); put it in quotes"),
    "title of two lines": ("title: Letters", 'title: "a\\nb"', "title", "'title' must not hold line breaks"),
    "catalogue as a word": ("catalogue:\n", "catalogue: items.csv\nrubbish:\n", "catalogue:", "'catalogue' must be a mapping of keys to values (found 'items.csv')"),
    "attribute as a word": ("size: {scale: [Low, Medium, High]}", "size: big", "size", "'catalogue.attributes.size' must be a mapping"),
    "scale of one level": ("[Low, Medium, High]", "[Low]", "[Low]", "'catalogue.attributes.size.scale'"),
    "scale with a level twice": ("[Low, Medium, High]", "[Low, Medium, Low]", "size", "has a level twice in 'scale'"),
    "scale of flags": ("[Low, Medium, High]", "[no, yes]", "[no", "'catalogue.attributes.size.scale.0' must be text (found False); put it in quotes"),
    "direction of no kind": ("direction: higher", "direction: up", "direction", "must be one of higher, lower, none (found 'up')"),
    "normalisation of no kind": ("normalisation: minmax", "normalisation: min-max", "normalisation", "needs percentile, minmax or a fixed [low, high]"),
    "normalisation upside down": ("normalisation: minmax", "normalisation: [5, 1]", "stars:", "needs low < high"),
    "normalisation without a number": ("normalisation: minmax", "normalisation: [1, x]", "normalisation", "'catalogue.attributes.stars.normalisation.1' must be a number (found 'x')"),
    "derivation that there is not": ("state(array", "stat(array", "stat(", "there is no derivation 'stat'; did you mean 'state'?"),
    "derivation without a parameter": ("distance(latitude=52.5, longitude=13.4)", "distance(latitude=52.5)", "distance", "derivation 'distance': parameter 'longitude' is missing"),
    "derivation off the globe": ("latitude=52.5", "latitude=152.5", "distance", "(152.5, 13.4) is not a place in degrees"),
    "derivation of a column that is not there": ("longitude=13.4)", "longitude=13.4, latitude_column=lat)", "distance", "no column 'lat'"),
    "state that nothing maintains": ("array=crowding", "array=crowdign", "crowdign", "no dynamic of this scenario maintains 'crowdign'; did you mean 'crowding'?"),
    "derivation beside a column": ("      unit: stars", "      derive: total(of=[price])\n      column: stars", "stars:", "has 'derive' beside 'column'"),
    "count without a draw": ("{draw: random, count: 4, complete", "{count: 4, complete", "candidates", "has a 'count', but draw: all takes every item"),
    "draw without a count": ("draw: random, count: 4", "draw: random", "candidates", "needs a 'count' with draw: random"),
    "count larger than what can be drawn": ("count: 4, complete: [price]", "count: 5, complete: [stars]", "candidates", "5 candidates are asked for, but only 4 items can be drawn"),
    "complete in a column that is not there": ("[price]", "[prize]", "[prize]", "the catalogue has no column 'prize'"),
    "k larger than the candidates": ("k: 2", "k: 5", "k: 5", "k = 5 is larger than the number of a round's candidates, 4"),
    "k of none": ("k: 2", "k: 0", "k: 0", "'k' must be greater than or equal to 1"),
    "wish for an attribute that there is not": ("attribute: stars", "attribute: star", "attribute: star", "there is no attribute 'star'; did you mean 'stars'?"),
    "wish with a sign of no kind": ("sign: -1", "sign: 0.5", "sign", "'requests.wishes.budget.low.sign' must be one of 1, -1 (found 0.5)"),
    "skip of a request that there is not": ("q3: a refusal", "q4: a refusal", "q4", "there is no request 'q4' to skip"),
    "request text in a field that there is not": ("  text: text", "  text: query", "query", "no request has a field 'query'"),
    "objective that is empty": ("{stars: 0.8, crowding: -0.2}", "{}", "objective: {}", "an objective needs at least one attribute"),
    "objective as a list": ("{stars: 0.8, crowding: -0.2}", "[stars]", "[stars]", "needs 'request', or a mapping of attributes to signed weights"),
    "objective weight of 0": ("stars: 0.8,", "stars: 0,", "stars: 0,", "weight 0 of 'stars' has no direction; give it a sign, or take it out"),
    "objective weight that is no number": ("stars: 0.8,", "stars: .nan,", "stars: .nan", "'stakeholders.1.objective.stars' must be a finite number (found nan)"),
    "objective weight in words": ("stars: 0.8,", "stars: much,", "much", "'stakeholders.1.objective.stars' must be a number (found 'much')"),
    "objective on an attribute that there is not": ("stars: 0.8,", "star: 0.8,", "star: 0.8", "there is no attribute 'star'; did you mean 'stars'?"),
    "vote weight of 0": ("weight: 2", "weight: 0", "weight: 0", "weight 0 of 'gourmet' must be above 0"),
    "vote weight below 0": ("weight: 2", "weight: -1", "weight: -1", "weight -1 of 'gourmet' must be above 0"),
    "vote weight that vanishes": ("weight: 2", "weight: 1.0e-200", "weight: 1.0e-200", "weight 1e-200 of 'gourmet' must be above 0, from 1e-09"),
    "vote weight without bounds": ("weight: 2", "weight: .inf", "weight: .inf", "'stakeholders.1.weight' must be a finite number (found inf)"),
    "name twice": ("name: gourmet", "name: guest", "name: guest\n    agent: utility(", "two stakeholders are called 'guest'"),
    "name of two lines": ("name: gourmet", 'name: "a\\nb"', '"a', "'stakeholders.1.name' must not hold line breaks"),
    "placeholder that nothing fills": ("I read: {request.text}", "{request.nothing}", "nothing", "'{request.nothing}' is no field of the requests"),
    "placeholder with a slip": ("I read: {request.text}", "{request.tetx}", "tetx", "did you mean 'text'?"),
    "agent that there is not": ("agent: utility(accept_at=0.8)", "agent: utilty", "utilty", "there is no stakeholder 'utilty'; did you mean 'utility'?"),
    "agent with a parameter that there is not": ("accept_at=0.8", "accept_a=0.8", "accept_a", "agent 'utility' has no parameter 'accept_a'; did you mean 'accept_at'?"),
    "agent with a parameter out of range": ("accept_at=0.8", "accept_at=8", "accept_at", "agent 'utility': accept_at must be in [0, 1], found 8"),
    "agent with a parameter of no kind": ("accept_at=0.8", "accept_at=often", "accept_at", "agent 'utility': 'accept_at' must be a number (found 'often')"),
    "agent that does not parse": ("utility(accept_at=0.8)", "utility(accept_at=", "accept_at", "expected a value at character 19"),
    "agent of a file that is not there": ("agent: utility(accept_at=0.8)", "agent: ./mine.py:Mine", "mine", "there is no file './mine.py' in {folder}"),
    "agent of a module that is not there": ("agent: utility(accept_at=0.8)", "agent: no_such_module:Mine", "no_such", "does not import: ModuleNotFoundError: No module named 'no_such_module'"),
    "agent that a module does not hold": ("agent: utility(accept_at=0.8)", "agent: agents.utility:UtilityStakeholde", "Stakeholde", "did you mean 'UtilityStakeholder'?"),
    "agent that is no stakeholder": ("agent: utility(accept_at=0.8)", "agent: json:JSONDecoder", "json:", "'json:JSONDecoder' is no stakeholder class; it must derive from agents.base.Stakeholder"),
    "agent that is abstract": ("agent: utility(accept_at=0.8)", "agent: agents:Stakeholder", "agents:", "stakeholder 'agents:Stakeholder' does not define propose"),
    "language model without a goal": ("agent: utility(accept_at=0.8)\n    goal: \"I read: {request.text}\"", "agent: llm\n    model: fake", "name: gourmet", "'gourmet' is a language model and needs a 'goal' in words"),
    "way of no kind": ("way: weigh", "way: weight", "way: weight", "must be one of weigh, listwise (found 'weight'); did you mean 'weigh'?"),
    "tool that there is not": ("[catalogue]", "[catalog]", "[catalog]", "there is no tool 'catalog'; did you mean 'catalogue'?"),
    "tool without its file": ("[catalogue]", "[knowledge]", "[knowledge]", "tool 'knowledge' takes (file=...)"),
    "tool with a file that is not there": ("[catalogue]", '["knowledge(file=notes.md)"]', "notes", "there is no file 'notes.md'"),
    "mediator that there is not": ("mediator: borda", "mediator: broda", "broda", "there is no mediator 'broda'; did you mean 'borda'?"),
    "mediator in capitals": ("mediator: borda", "mediator: BORDA", "BORDA", "did you mean 'borda'?"),
    "mediator with a parameter that there is not": ("mediator: borda", "mediator: copeland(alhpa=1)", "alhpa", "mediator 'copeland' has no parameter 'alhpa'; did you mean 'alpha'?"),
    "mediator of nothing": ("mediator: borda", "mediator:", "mediator", "'mediator' needs a name such as borda"),
    "mediator as a mapping without a name": ("mediator: borda", "mediator: {alpha: 1}", "mediator", "a mediator given as a mapping needs a 'name'"),
    "mediator that is none": ("mediator: borda", "mediator: json:dumps", "mediator", "'json:dumps' is no mediator class"),
    "tie of no kind": ("tie: seeded", "tie: seeed", "seeed", "must be one of item_order, seeded, earlier_service (found 'seeed'); did you mean 'seeded'?"),
    "protocol that there is not": ("deliberation(turns=2)", "deliberate", "deliberate", "there is no protocol 'deliberate'; did you mean 'deliberation'?"),
    "protocol without turns": ("turns=2", "turns=0", "turns=0", "turns must be at least 1, found 0"),
    "dynamic that there is not": ("crowding(decay=0.5)", "crowds(decay=0.5)", "crowds", "there is no dynamic 'crowds'"),
    "dynamic out of range": ("decay=0.5", "decay=1.5", "decay=1.5", "decay must be in [0, 1), found 1.5"),
    "dynamic that is endless": ("decay=0.5", "rise=nan", "rise=nan", "rise must be a finite number of at least 0, found nan"),
    "dynamic twice": ("  - crowding(decay=0.5)", "  - crowding(decay=0.5)\n  - crowding(rise=2)", "rise=2", "two dynamics maintain 'crowding'"),
    "dynamics as a word": ("dynamics:\n  - crowding(decay=0.5)", "dynamics: crowding", "dynamics", "'dynamics' must be a list, such as [first, second] (found 'crowding')"),
    "metric that there is not": ("[gini, utility]", "[ginni, utility]", "ginni", "there is no metric 'ginni'; did you mean 'gini'?"),
    "metric twice": ("[gini, utility]", "[gini, utility, gini]", "metrics", "there is a column 'gini' already"),
    "metrics as a word": ("[gini, utility]", "gini", "metrics", "'metrics' needs 'all', or a list"),
    "model that there is not": ("model: none", "model: embeded", "embeded", "unknown model 'embeded', did you mean 'embedded'?"),
    "model with a parameter of no kind": ("model: none", "model: fake(fault=rubish)", "rubish", "did you mean 'rubbish'?"),
    "price without bounds": ("model: none", "prices: {prompt_per_million: .inf, completion_per_million: 1}", "prices:", "'prices.prompt_per_million' must be a finite number (found inf)"),
    "key twice": ("tie: seeded", "tie: seeded\nseed: 4", "seed: 4", "key 'seed' stands twice (first in line 2)"),
    "flag that is none": ("tie: seeded", "tie: !!bool maybe", "maybe", "'maybe' cannot be read: it is no bool"),
    "tag of Python's": ("tie: seeded", "tie: !!python/object:os.system x", "python", "could not determine a constructor for the tag"),
    "merge key": ("price: {unit: USD,", "price: {<<: {}, unit: USD,", "<<", "merge keys (<<) are not read"),
    "key that is a list": ("tie: seeded", "tie: seeded\n? [a, b]\n: c", "? [a", "a key must be a word"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_one_wrong_place_is_one_problem_with_its_line_and_remedy(case, tmp_path):
    old, new, marker, message = WRONG[case]
    text = changed(old, new)
    found = problems(write_scenario(tmp_path, text))
    place = f"scenario.yaml:{line_of(marker, text)}" if marker else "items.csv:1"
    message = message.replace("{folder}", str(tmp_path))
    assert any(line.startswith(f"{place}: ") and message in line for line in found), found
    together = {"catalogue as a word": 2, "call with commas in a flow mapping": 2, "scale of flags": 2}
    assert len(found) == together.get(case, 1), found


def test_all_wrong_places_are_named_in_one_go_in_the_order_of_their_lines(tmp_path):
    text = SCENARIO
    for case in ("unknown key at the top", "rounds in words", "k larger than the candidates", "unknown key of an attribute",
                 "wish for an attribute that there is not", "vote weight of 0", "tool that there is not", "tie of no kind",
                 "mediator that there is not", "dynamic out of range", "metric that there is not"):  # fmt: skip
        old, new, _, _ = WRONG[case]
        text = changed(old, new, text)
    items = changed("b,20", "b,cheap", changed("d,40,4", "b,nan,4", ITEMS))
    queries = changed('"low", "month": "May"', '"lo", "month": "Maj"', QUERIES)
    found = problems(write_scenario(tmp_path, text, items__csv=items, queries__json=queries))
    places = [line.split(": ")[0] for line in found]
    lines = [(place.split(":")[0], int(place.split(":")[1])) for place in places]
    assert lines == sorted(lines)
    assert [line for line in found if not line.startswith("scenario.yaml")] == [
        "items.csv:3: column 'price': 'cheap' is not a number (leave it blank if unknown)",
        "items.csv:5: item 'b' stands twice (first in line 3)",
        "items.csv:5: column 'price': 'nan' is not a finite number (leave it blank if unknown)",
        "queries.json:2: filter 'budget' has no wish for 'lo'; did you mean 'low'?",
        "queries.json:2: 'month' is 'Maj', which is not a month; write January to December",
    ]
    assert len([line for line in found if line.startswith("scenario.yaml")]) == 11


def test_every_wrong_element_of_a_list_is_named_at_its_own_line(tmp_path):
    text = changed("  - crowding(decay=0.5)", "  - 5\n  - crowdin\n  - crowding(decay=7)\n  - [x]")
    first = line_of("- 5", text)
    found = problems(write_scenario(tmp_path, text))
    assert [line.split(": ")[0] for line in found] == [f"scenario.yaml:{first + i}" for i in range(4)]


FILES = {
    "empty catalogue": ({"items__csv": ""}, "items.csv:1: has no rows; it needs a header line and at least one row"),
    "catalogue of a header": ({"items__csv": "item,price\n\n\n"}, "items.csv:1: has no rows"),
    "ragged row": ({"items__csv": ITEMS + "f,1,2\n"}, "items.csv:7: has 3 fields, the header has 6"),
    "row after a name of two lines": ({"items__csv": ITEMS + '"f\ng",1,2,Low,0,0\nh,x,2,Low,0,0\n'}, "items.csv:9: column 'price': 'x' is not a number"),
    "open quote": ({"items__csv": ITEMS + '"f,1,2\n'}, "items.csv:7: is not CSV: unexpected end of data"),
    "catalogue in Latin-1": ({"items__csv": ITEMS.encode() + "Málaga,1,2,Low,0,0\n".encode("latin-1")}, "items.csv:7: is not UTF-8 text (byte 0xe1)"),
    "item twice": ({"items__csv": ITEMS + "a,1,2,Low,0,0\n"}, "items.csv:7: item 'a' stands twice (first in line 2)"),
    "item without a name": ({"items__csv": ITEMS + " ,1,2,Low,0,0\n"}, "items.csv:7: has no 'item' to name the item by"),
    "item with a bar": ({"items__csv": ITEMS + "a|b,1,2,Low,0,0\n"}, "items.csv:7: item 'a|b' contains '|'"),
    "item of two lines": ({"items__csv": ITEMS + '"a\nb",1,2,Low,0,0\n'}, "items.csv:7: item 'a\\nb' contains a line break"),
    "item with a control character": ({"items__csv": ITEMS + "a\x1b[2J,1,2,Low,0,0\n"}, "items.csv:7: item 'a\\x1b[2J' contains a line break or a control character"),
    "column twice": ({"items__csv": "".join(f"{line},{'1' if row else 'price'}\n" for row, line in enumerate(ITEMS.splitlines()))}, "items.csv:1: column 'price' stands twice"),
    "text in a number column": ({"items__csv": ITEMS + "f,cheap,2,Low,0,0\n"}, "items.csv:7: column 'price': 'cheap' is not a number"),
    "nan in a number column": ({"items__csv": ITEMS + "f,NaN,2,Low,0,0\n"}, "items.csv:7: column 'price': 'NaN' is not a finite number"),
    "inf in a number column": ({"items__csv": ITEMS + "f,-inf,2,Low,0,0\n"}, "items.csv:7: column 'price': '-inf' is not a finite number"),
    "number beyond all bounds": ({"items__csv": ITEMS + "f,1e999,2,Low,0,0\n"}, "items.csv:7: column 'price': '1e999' is not a finite number"),
    "Python's own number": ({"items__csv": ITEMS + "f,1_000,2,Low,0,0\n"}, "items.csv:7: column 'price': '1_000' is not a number"),
    "text in a column that is derived from": ({"items__csv": ITEMS + "f,1,2,Low,north,0\n"}, "items.csv:7: column 'latitude': 'north' is not a number"),
    "value off the scale": ({"items__csv": ITEMS + "f,1,2,low,0,0\n"}, "items.csv:7: column 'size': 'low' is not on the scale Low < Medium < High"),
    "requests that are no JSON": ({"queries__json": QUERIES.replace('{"id": "q2",', '{"id" "q2",')}, "queries.json:3: is not JSON: Expecting ':' delimiter"),
    "requests after which more stands": ({"queries__json": QUERIES + "[]"}, "queries.json:7: is not JSON: Extra data after the list"),
    "requests with a comma too much": ({"queries__json": '[\n{"id": "q3"},\n]'}, "queries.json:3: is not JSON"),
    "requests that are no list": ({"queries__json": '\n{"id": "q1"}'}, "queries.json:2: must be a JSON list of objects"),
    "request that is no object": ({"queries__json": '[\n"q1"\n]'}, "queries.json:2: must be an object, the file being a list of them (found 'q1')"),
    "request without a name": ({"queries__json": QUERIES.replace('"id": "q2"', '"id": ""')}, "queries.json:3: has no 'id' to name the request by"),
    "request twice": ({"queries__json": QUERIES.replace('"q2"', '"q1"')}, "queries.json:3: request 'q1' stands twice (first in line 2)"),
    "value of a filter that there is not": ({"queries__json": QUERIES.replace('"budget": "high"', '"budget": "hihg"')}, "queries.json:3: filter 'budget' has no wish for 'hihg'; did you mean 'high'?"),
    "filter that there is not": ({"queries__json": QUERIES.replace('"taste"', '"tast"')}, "queries.json:3: filter 'tast' is neither among the wishes nor the facts; did you mean 'taste'?"),
    "filters that are none": ({"queries__json": QUERIES.replace('"q1", "text": "Cheap, please.", "filters": {"budget": "low", "month": "May"}', '"q1", "text": "", "filters": 5')}, "queries.json:2: field 'filters' must be an object of filters"),
    "month that is none": ({"queries__json": QUERIES.replace('"May"', '"Mai"')}, "queries.json:2: 'month' is 'Mai', which is not a month; write January to December"),
    "requests nested too deeply": ({"queries__json": "[" + "[" * 100_000}, "queries.json:1: cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_a_wrong_data_file_is_one_problem_with_its_line(case, tmp_path):
    files, message = FILES[case]
    found = problems(write_scenario(tmp_path, **files))
    assert any(line.startswith(message) for line in found), found
    assert len(found) <= (2 if case == "row after a name of two lines" else 1), found


def test_a_row_that_is_left_out_is_no_candidate_too_few(tmp_path):
    text = changed("{draw: random, count: 4, complete: [price]}", "{draw: random, count: 5}", changed("k: 2", "k: 5"))
    found = problems(write_scenario(tmp_path, text, items__csv=ITEMS.replace("e,50,,,40.4167,-3.7033", "e,50,,")))
    assert found == ["items.csv:6: has 4 fields, the header has 6"]


def test_csv_requests_are_checked_like_json_ones(tmp_path):
    text = changed("queries.json", "queries.csv", changed("  filters: filters\n", ""))
    csv = 'id,text,budget,month\nq1,"two\nlines",low,May\nq2,,lwo,\nq2,,high,Mai\nq3,,low,\n,,,\nq5,x\n'
    assert problems(write_scenario(tmp_path, text, queries__csv=csv)) == [
        "queries.csv:4: filter 'budget' has no wish for 'lwo'; did you mean 'low'?",
        "queries.csv:5: request 'q2' stands twice (first in line 4)",
        "queries.csv:5: 'month' is 'Mai', which is not a month; write January to December",
        "queries.csv:7: has no 'id' to name the request by",
        "queries.csv:8: has 2 fields, the header has 4",
    ]


def test_requests_without_the_name_field_are_one_problem_of_the_scenario(tmp_path):
    text = changed("  text: text", "  text: text\n  id: config_id")
    found = problems(write_scenario(tmp_path, text))
    assert found == [
        f"scenario.yaml:{line_of('config_id', text)}: no request has a field 'config_id'; known: filters, id, text"
    ]


YAML = {
    "syntax error": ("title: Letters\nseed: [1,\nrounds: 2\n", "scenario.yaml:4: is not YAML: expected ',' or ']', but got '<stream end>' (while parsing a flow sequence, which starts in line 2)"),
    "tab": ("title: x\ncatalogue:\n\tfile: y\n", "scenario.yaml:3: is not YAML: found character '\\t'"),
    "control character": ("title: x\nseed: 1\ntie: a\x01b\n", "scenario.yaml:3: is not YAML: the character '\\x01' is not allowed"),
    "two documents": ("title: x\n---\ntitle: y\n", "scenario.yaml:2: is not YAML: but found another document"),
    "list": ("- a\n- b\n", "scenario.yaml:1: a scenario file is a mapping of keys"),
    "word": ("hello", "scenario.yaml:1: a scenario file is a mapping of keys"),
    "deep nesting": ("a: " + "[" * 50_000, "scenario.yaml:1: is nested too deeply"),
    "deep nesting within reach": ("a: 1\nb: " + "[" * 60 + "]" * 60, "scenario.yaml:2: is nested too deeply"),
    "alias that holds itself": ("a: &x\n  b: *x\n", "is nested too deeply"),
    "alias bomb": ("a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(f"{n}: &{n} [{', '.join([f'*{m}'] * 9)}]\n" for m, n in zip("abcdefgh", "bcdefghi", strict=True)), "nested too deeply or too large"),
}  # fmt: skip


@pytest.mark.parametrize("case", YAML)
def test_what_is_no_scenario_at_all_is_one_problem(case, tmp_path):
    text, message = YAML[case]
    (found,) = problems(write_scenario(tmp_path, text))
    assert message in found


def test_a_scenario_in_another_encoding_names_the_line(tmp_path):
    write_scenario(tmp_path)
    (tmp_path / "scenario.yaml").write_bytes("title: x\n# é\n".encode("latin-1"))
    assert problems(tmp_path) == ["scenario.yaml:2: is not UTF-8 text (byte 0xe9); save it as UTF-8"]


def test_an_empty_scenario_names_what_is_missing(tmp_path):
    assert problems(write_scenario(tmp_path, "")) == [
        "scenario.yaml:1: key 'title' is missing",
        "scenario.yaml:1: key 'catalogue' is missing",
        "scenario.yaml:1: key 'stakeholders' is missing",
    ]


def test_a_part_that_is_missing_hides_no_problem_elsewhere(tmp_path):
    text = SCENARIO[: SCENARIO.index("catalogue:")] + SCENARIO[SCENARIO.index("requests:") :]
    text = changed("mediator: borda", "mediator: brda", changed("weight: 2", "weight: 0", text))
    found = problems(write_scenario(tmp_path, text))
    assert [line.split(": ", 1)[1][:24] for line in found] == [
        "key 'catalogue' is missi",
        "weight 0 of 'gourmet' mu",
        "there is no mediator 'br",
    ]


SETTINGS = {
    "no '='": ("rounds", "--set rounds: needs the form KEY=VALUE, such as rounds=20 or stakeholders.tourist.weight=2"),
    "no key": ("=3", "--set =3: needs the form KEY=VALUE"),
    "unknown key": ("ronds=3", "--set ronds: unknown key 'ronds'; did you mean 'rounds'?"),
    "unknown key below": ("catalogue.fiel=x", "--set catalogue.fiel: unknown key 'catalogue.fiel'; did you mean 'file'?"),
    "wrong type": ("rounds=many", "--set rounds: 'rounds' must be a whole number (found 'many')"),
    "element by a name that there is not": ("stakeholders.gust.weight=2", "--set stakeholders.gust.weight: there is no element 'gust'; did you mean 'guest'?"),
    "element by a number that there is not": ("stakeholders.2.weight=2", "there is no element '2'; known: guest, gourmet"),
    "element by a number that is none": ("stakeholders.².weight=2", "there is no element '²'"),
    "below a word": ("title.x=2", "--set title.x: 'title' holds no keys of its own"),
    "below an element that is a word": ("metrics.0.x=2", "--set metrics.0.x: 'metrics.0' holds no keys of its own"),
    "wrong by number": ("stakeholders.1.weight=-2", "--set stakeholders.1.weight: weight -2 of 'gourmet' must be above 0"),
    "wrong by name": ("stakeholders.gourmet.weight=0", "--set stakeholders.gourmet.weight: weight 0 of 'gourmet'"),
    "date that is none": ("title=2024-13-45", None),
    "number beyond all digits": ("seed=" + "9" * 5000, "--set seed: "),
    "text with a colon": ("title=a: b: c", None),
    "text with a number sign": ("title=Ranking #1", None),
    "nested too deeply": ("title=" + "[" * 190, None),
}  # fmt: skip


@pytest.mark.parametrize("case", SETTINGS)
def test_settings_are_checked_like_the_file_and_named_by_their_key(case, tmp_path):
    setting, message = SETTINGS[case]
    write_scenario(tmp_path)
    if message is None:
        assert fa.load_scenario(tmp_path, [setting]).file.title == setting.partition("=")[2][:200]
        return
    (found,) = problems(tmp_path, setting)
    assert message in found


def test_settings_reach_every_kind_of_key(tmp_path):
    write_scenario(tmp_path)
    scenario = fa.load_scenario(
        tmp_path,
        ["rounds=5", "stakeholders.guest.weight=3", "stakeholders.1.objective={price: -1}", "metrics=[all]",
         "catalogue.candidates.count=3", "prices.prompt_per_million=1", "prices.completion_per_million=2",
         "dynamics.0=crowding(rise=2)", "mediator={name: copeland, alpha: 0}", "title="],
        title="Other",
    )  # fmt: skip
    assert (scenario.file.rounds, scenario.candidate_count, scenario.file.title) == (5, 3, "Other")
    assert [party.weight for party in scenario.parties] == [3, 2]
    assert scenario.parties[1].objective == {"price": -1}
    assert scenario.file.prices is not None
    assert scenario.file.prices.completion_per_million == 2
    assert scenario.mediator.label == "copeland(alpha=0.0)"
    assert len(scenario.metrics) > 10


def test_a_fault_of_the_file_that_a_setting_mends_is_no_problem(tmp_path):
    write_scenario(tmp_path, changed("tie: seeded", "tie: !!bool maybe", changed("k: 2", "k: 20")))
    found = problems(tmp_path, "k=2", "tie=seeded")
    assert [line.split(": ", 1)[1] for line in found] == ["'maybe' cannot be read: it is no bool; put text in quotes"]


def test_one_setting_as_a_plain_text_is_one_setting(tmp_path):
    assert fa.load_scenario(write_scenario(tmp_path), "rounds=7").file.rounds == 7


def test_wrong_input_ends_with_2_and_writes_nothing(tmp_path, capsys):
    text = changed("mediator: borda", "mediator: brda", changed("k: 2", "k: 20"))
    write_scenario(tmp_path, text)
    out = tmp_path / "out"
    code, printed, said = command(capsys, "run", tmp_path, "--out", out, "--set", "rounds=0", "--seed", "-1")
    assert code == 2
    assert printed == ""
    assert said.splitlines() == [
        "--seed -1: 'seed' must be greater than or equal to 0 (found -1)",
        "--set rounds: 'rounds' must be greater than or equal to 1 (found 0)",
        f"{tmp_path}/scenario.yaml:4: k = 20 is larger than the number of a round's candidates, 4",
        f"{tmp_path}/scenario.yaml:{line_of('brda', text)}: there is no mediator 'brda'; did you mean 'borda'?",
        "4 problems",
    ]
    assert not out.exists()


def test_the_installed_command_says_the_same(tmp_path):
    write_scenario(tmp_path, changed("k: 2", "k: 20"))
    script = "from simulator.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, "run", ".", "--out", "out"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "scenario.yaml:4: k = 20 is larger than the number of a round's candidates, 4\n"
    assert not (tmp_path / "out").exists()


def test_thousands_of_problems_are_cut_and_counted(tmp_path, capsys):
    write_scenario(
        tmp_path,
        items__csv="item,price,stars,size,latitude,longitude\n" + "".join(f"i{n},x,1,Low,0,0\n" for n in range(3000)),
    )
    code, _, said = command(capsys, "check", tmp_path)
    assert code == 2
    assert len(said.splitlines()) == 202
    assert said.splitlines()[-2:] == ["... and 2800 more", "3000 problems"]


@pytest.mark.parametrize("name", ["no such scenario", "x" * 5000, "a\0b"])
def test_a_scenario_that_is_nowhere_is_one_problem(name, capsys):
    code, printed, said = command(capsys, "check", name)
    assert (code, printed) == (2, "")
    assert "is no scenario file, no folder with a scenario.yaml and no shipped name" in said
    assert len(said.splitlines()) == 1


def test_messages_are_single_printable_lines(tmp_path, capsys):
    text = changed(
        "title: Letters",
        'title: Letters\n"\\e[2J\\nx\\u202e": 1\nmediator: "\\e[31mred"',
        changed("mediator: borda\n", ""),
    )
    code, _, said = command(capsys, "check", write_scenario(tmp_path, text))
    assert code == 2
    assert all(line.isprintable() for line in said.splitlines())
    assert "unknown key '\\x1b[2J\\nx\\u202e'" in said
    assert len(said.splitlines()) == 3
