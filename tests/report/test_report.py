"""The report says what happened, needs no network, and no foreign text acts in it."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from simulator.records import Event, RoundRecord
from simulator.report import write_report
from simulator.report.conversation import conversation
from simulator.report.facts import served
from simulator.report.markup import Markup, el, escaped, foreign, separated
from simulator.report.round_table import round_table, spread_sample, within
from simulator.report.summary import summary
from simulator.runs import MemoryRecorder, Run
from tests.fake_run import HOSTILE_STAKEHOLDERS, SCRIPT, fake_run

VOID = {"meta", "br"}


class Page(HTMLParser):
    """What a browser sees: elements with their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))

    def values(self, name: str) -> list[str]:
        return [attributes[name] or "" for _, attributes in self.elements if name in attributes]


def html_of(run: Run, tmp_path: Path) -> str:
    return write_report(run, tmp_path / "report.html").read_text("utf-8")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    run = fake_run(
        3, items=10, hostile=True, argument=f"{SCRIPT} \u202egnp.exe 🏨 \0 \ud83d מלון <img src=x onerror=y>"
    )
    manifest = {
        **run.manifest,
        "title": f"</title>{SCRIPT}",
        "model": '"><b>',
        "warnings": [SCRIPT],
        "status": "error",
        "error": SCRIPT,
    }
    return html_of(
        Run(manifest, run.rounds, run.stakeholders, run.timings, run.source), tmp_path_factory.mktemp("report")
    )


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> str:
    return html_of(fake_run(8), tmp_path_factory.mktemp("report"))


def test_no_foreign_text_becomes_an_element_or_an_attribute(hostile: str) -> None:
    page = Page(hostile)
    known = {"html", "head", "meta", "title", "style", "body"}
    known |= {
        "h1",
        "h2",
        "h4",
        "h5",
        "p",
        "ul",
        "ol",
        "li",
        "div",
        "span",
        "strong",
        "small",
        "code",
        "bdi",
        "blockquote",
    }
    known |= {"table", "thead", "tbody", "tfoot", "tr", "th", "td", "details", "summary", "figure", "figcaption"}
    known |= {"svg", "defs", "g", "path", "use", "text", "tspan", "clippath", "rect", "image", "pattern"}
    assert {tag for tag, _ in page.elements} <= known
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]


def test_foreign_text_is_shown_as_it_is(hostile: str) -> None:
    text = Page(hostile).text
    assert f"{SCRIPT} \ufffdgnp.exe 🏨 \ufffd \ufffd מלון <img src=x onerror=y>" in text
    assert all(name in text for name in HOSTILE_STAKEHOLDERS[:3])
    assert "n" * 59 + "…" in text
    assert f"</title>{SCRIPT}" in text


def test_the_file_has_no_character_that_html_forbids_or_that_turns_the_text(hostile: str) -> None:
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", hostile)


@pytest.mark.parametrize("which", ["ordinary", "hostile"])
def test_the_page_asks_nothing_of_any_network(which: str, request: pytest.FixtureRequest) -> None:
    html = request.getfixturevalue(which)
    page = Page(html)
    links = [*page.values("href"), *page.values("src"), *page.values("xlink:href")]
    assert links
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert set(re.findall(r"url\((.)", html)) <= {"#"}
    assert "@import" not in html
    policy = [
        attributes["content"] for tag, attributes in page.elements if tag == "meta" and "http-equiv" in attributes
    ]
    assert policy[0] is not None
    assert policy[0].startswith("default-src 'none'")


def test_ids_are_unique_and_every_link_has_its_target(ordinary: str) -> None:
    page = Page(ordinary)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    used = {link[1:] for link in page.values("href") if link.startswith("#")} | set(
        re.findall(r"url\(#([^)]+)\)", ordinary)
    )
    assert used
    assert used <= set(ids)


def test_drawings_take_the_page_s_colours(ordinary: str) -> None:
    assert len(re.findall(r"<svg", ordinary)) == 7
    assert not re.search(r"#(1b1b1c|fefeff|000000)", ordinary)
    assert "prefers-color-scheme: dark" in ordinary


def test_the_same_run_gives_the_same_page(ordinary: str, tmp_path: Path) -> None:
    assert html_of(fake_run(8), tmp_path) == ordinary


def test_every_round_can_be_unfolded(ordinary: str) -> None:
    assert re.findall(r"what was said in round (\d+)", ordinary) == [str(number) for number in range(1, 9)]


@pytest.mark.slow
def test_a_run_of_1000_rounds_stays_under_5_mb_and_states_its_sample(tmp_path: Path) -> None:
    run = fake_run(1000, stakeholders=8, items=50, argument="a long speech " * 715)
    html = html_of(run, tmp_path)
    assert len(html.encode()) < 5_000_000
    told = [int(number) for number in re.findall(r"what was said in round (\d+)", html)]
    assert len(told) == 40
    assert told[:10] == list(range(1, 11))
    assert told[-10:] == list(range(991, 1001))
    assert set(run.rounds.nsmallest(10, "minimum")["round"]) <= set(told)
    assert "The conversations of 40 of 1,000 rounds can be unfolded" in html
    assert "9,010 more characters in events.jsonl" in html


def test_a_run_without_a_round_has_a_page(tmp_path: Path) -> None:
    run = fake_run(0)
    stopped = Run(
        {**run.manifest, "status": "started", "rounds_asked": 8}, run.rounds, run.stakeholders, run.timings, run.source
    )
    text = Page(html_of(stopped, tmp_path)).text
    assert "No round was finished." in text
    assert "The run has not ended: 0 rounds of 8 done so far, or it was killed." in text


@pytest.mark.parametrize("most", [1, 5, 40])
def test_a_sample_is_spread_evenly(most: int) -> None:
    sample = spread_sample(list(range(1, 101)), most)
    assert len(sample) == most
    assert sample[0] == 1
    assert most == 1 or sample[-1] == 100
    assert spread_sample([1, 2], most) == [1, 2] or most == 1


def test_conversations_beyond_the_page_s_room_are_left_out_evenly() -> None:
    told = {number: Markup("x" * 100) for number in range(1, 41)}
    assert within(told, 4000) == told
    kept = within(told, 1000)
    assert 8 <= len(kept) <= 10
    assert (min(kept), max(kept)) == (1, 40)
    assert list(within({1: Markup("x" * 9000)}, 10)) == [1]


def test_every_hundred_rounds_are_a_table_with_its_own_heads() -> None:
    page = Page(round_table(fake_run(120, stakeholders=2)))
    assert [attributes.get("class") for _, attributes in page.elements].count("wide part") == 2
    assert page.text.count("roundrequestdelivered") == 2


def run_of(rows: list[dict[str, Any]], rounds: list[dict[str, Any]], manifest: dict[str, Any] | None = None) -> Run:
    recorder = MemoryRecorder()
    for row in rounds:
        own = [line for line in rows if line["round"] == row["round"]]
        recorder.round(RoundRecord(row["round"], row, own, [], []))
    return recorder.run(manifest or {"status": "success"})


def two_rounds() -> Run:
    figures = {"alignment": 0.8, "alignment_equal_weights": 0.6, "calls": 1, "omissions": 0}
    rows = [
        {"round": 1, "stakeholder": "guest", "utility": 0.9, "dry_spell": 0.0, "accepted": True, **figures},
        {"round": 1, "stakeholder": "host", "utility": 0.2, "dry_spell": 1.0, "accepted": False, **figures},
        {"round": 2, "stakeholder": "guest", "utility": 0.7, "dry_spell": 0.0, "accepted": None, **figures},
        {
            "round": 2,
            "stakeholder": "host",
            "utility": 0.4,
            "dry_spell": 2.0,
            "accepted": True,
            **figures,
            "omissions": 3,
        },
    ]
    base = {"request": "q", "mediator": "borda", "missing_values": 1}
    rounds = [
        {"round": 1, **base, "turns": 2, "agreed": False, "ending": "limit"},
        {"round": 2, **base, "turns": 1, "agreed": True, "ending": "agreement"},
    ]
    return run_of(rows, rounds)


def test_the_summary_names_who_was_served_and_who_was_not() -> None:
    run = two_rounds()
    text = Page(summary(run, served(run))).text
    assert "Over 2 rounds, the delivered slates gave the stakeholders a utility of 0.55 on average (0 to 1)." in text
    assert "Served best: guest with 0.80. Served least: host with 0.30, in its worst round 0.20." in text
    assert "1 of 2 rounds (50%) ended in agreement; a round took 1.5 turns on average." in text
    assert "host waited longest: 2 rounds in a row" in text
    assert "Kendall tau of 0.80 on average; equal weights with the right signs would reach 0.60: 50% of the way" in text
    assert "Faults found in replies: omissions 3. 2 missing attribute values counted as 0.5." in text


def test_served_counts_only_what_is_logged() -> None:
    guest, host = served(two_rounds())
    assert (guest.accepted, host.accepted) == (1.0, 0.5)
    assert guest.gap_closed == pytest.approx(0.5)
    assert math.isnan(guest.agreement)
    assert (guest.faults, host.faults) == ({}, {"omissions": 3})


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (
            {"status": "error", "error": "ValueError: no", "rounds_asked": 8},
            "The run failed after 2 rounds of 8. ValueError: no",
        ),
        ({"status": "cancelled", "error": None}, "The run was stopped after 2 rounds."),
    ],
)
def test_a_run_that_did_not_end_well_says_so_first(manifest: dict[str, Any], said: str) -> None:
    run = two_rounds()
    ended = Run(manifest, run.rounds, run.stakeholders, run.timings, run.source)
    assert Page(summary(ended, served(ended))).text.startswith(said)


def proposal(**changes: Any) -> Event:
    base = {"event": "proposal", "round": 1, "turn": 1, "stakeholder": "a", "ranking": [["x"]], "argument": ""}
    return {**base, **changes}


def test_a_conversation_shows_ballots_weights_answers_and_the_arithmetic() -> None:
    weights = {"weights": {"budget": -0.6}}
    events: list[Event] = [
        {"event": "request", "round": 1, "text": "Somewhere quiet", "wish": "I want x.", "candidates": ["x", "y", "z"]},
        {**proposal(ranking=[["x"], ["y", "z"]], utilities={"x": 0.75}, argument="Cheap!"), "details": weights},
        proposal(stakeholder="b", ranking=[]),
        {
            "event": "outcome", "round": 1, "turn": 1, "mediator": "borda", "slate": ["x"], "scores": {"x": 5.0},
            "trace": {"rule": "points", "contributions": {"a": {"x": 3}, "b": {"x": 2}}, "steps": []},
            "justification": "x has most points.", "notes": ["a tie was broken"],
        },
        {"event": "response", "round": 1, "turn": 1, "stakeholder": "a", "verdict": "accept", "argument": "Fine."},
        {"event": "response", "round": 1, "turn": 2, "stakeholder": "b", "verdict": "revise", "argument": "No."},
    ]  # fmt: skip
    text = Page(conversation(events)).text
    for said in (
        "Somewhere quiet",
        "as a wish: I want x. · 3 candidates",
        "x 0.75",
        "y = z",
        "weighs budget −0.60",
        "Cheap!",
    ):
        assert said in text
    assert "Abstains." in text
    assert "a3b2score5" in text
    assert "x has most points." in text
    assert "a tie was broken" in text
    assert "On the outcome: acceptsFine." in text
    assert "Turn 2bKeeps its ballot.On the outcome: asks to reviseNo." in text


@pytest.mark.parametrize("value", [None, 3, "text", [], {}, [None], {"x": None}])
@pytest.mark.parametrize("key", ["utilities", "details", "faults", "argument"])
def test_an_odd_event_of_a_user_s_own_agent_does_not_stop_the_report(key: str, value: Any) -> None:
    assert "x" in Page(conversation([proposal(**{key: value})])).text


def test_markup_escapes_all_but_its_own() -> None:
    assert el("p", "<b>", el("i", '"'), None, [Markup("&amp;"), "&"], title='"<') == (
        '<p title="&quot;&lt;">&lt;b&gt;<i>&quot;</i>&amp;&amp;</p>'
    )
    assert separated(["<", el("i", "x")], " | ") == "&lt; | <i>x</i>"
    assert escaped("a\0b\r\n") == "a\ufffdb\r\n"
    assert foreign("abcdef", 4) == '<bdi title="6 characters; cut here">abc…</bdi>'
