"""A person at the page: a headless Chromium without a network steps, plays, steers and answers."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.dashboard import chromium
from tests.dashboard.chromium import Chromium, Page, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PATH is None, reason="needs Chromium"),
    pytest.mark.skipif(importlib.util.find_spec("solara") is None, reason="needs the extra 'dashboard'"),
]
SERVER = """
import sys, threading

def count():
    for _ in sys.stdin:
        print("worlds", sum(t.name == "fairagents-drive" for t in threading.enumerate()), flush=True)

threading.Thread(target=count, daemon=True).start()
from simulator.cli import main
main()
"""
# What the page showed when: for every round, how many milliseconds after its end its figure stood on the page.
WATCH = """
window.lags = {};
new MutationObserver(() => {
  const figure = document.querySelector('figure[data-round]');
  if (figure && +figure.dataset.round && !(figure.dataset.round in window.lags))
    window.lags[figure.dataset.round] = Date.now() - figure.dataset.finished;
}).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
"""


class Served:
    """A running `fairagents dashboard`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("the page is at http://127.0.0.1:"), line
        self.address = line.split()[-1]

    def worlds(self) -> int:
        """How many worlds it holds."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("?\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline().split()[-1])


@contextmanager
def dashboard(*arguments: str) -> Iterator[Served]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, "dashboard", *arguments, "--port", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    with process:
        try:
            yield Served(process)
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with Chromium() as opened:
        yield opened


def round_of(page: Page) -> int:
    return int(page.js("+document.querySelector('.fa-round [data-round]').dataset.round"))


def opened(browser: Chromium, served: Served) -> Page:
    page = browser.open(served.address)
    page.until("document.querySelector('.fa-step:not(:disabled)') !== null", "the page is not ready")
    return page


def figure(number: int, view: str = "utilities") -> str:
    return f"document.querySelector('figure[data-view={view}][data-round=\"{number}\"] svg') !== null"


def test_a_run_is_stepped_played_paused_steered_and_reset(browser: Chromium, tmp_path: Path) -> None:
    with dashboard("tourism", "--model", "fake", "--rounds", "40") as served:
        page = opened(browser, served)
        assert round_of(page) == 0
        page.click(".fa-step")
        page.until(figure(1))
        assert "Round 1 of 40" in " ".join(page.text(".fa-round").split())
        said = page.text(".fa-said")
        for words in ("tourist", "residents", "Outcome by borda", "what each gave", "On the outcome"):
            assert words in said

        page.click(".fa-play")
        page.until(figure(4), "play does not go on")
        page.click(".fa-stop")
        page.until("document.querySelector('.fa-phase').innerText === 'paused'")
        stood = round_of(page)
        page.js("new Promise(done => setTimeout(done, 700))")
        assert round_of(page) == stood

        page.choose(".fa-mediator", "leximin")
        page.until("document.querySelector('.fa-name-of-run p')?.innerText.startsWith('leximin')")
        page.click(".fa-step")
        page.until(figure(stood + 1))
        assert "Outcome by leximin" in page.text(".fa-said")
        marks = page.js("[...document.querySelectorAll('figure svg text')].map(text => text.textContent.trim())")
        assert "leximin" in marks

        for view in ("fairness", "satisfaction", "rank_paths", "agreement", "scene", "turns", "cost"):
            page.click(f".fa-tab-{view}")
            page.until(figure(stood + 1, view))
        page.choose(".fa-mediator", "lexmin")
        page.until(
            "(document.querySelector('.fa-error') || {innerText: ''}).innerText.includes(\"no mediator 'lexmin'\")"
        )
        page.choose(".fa-mediator", "leximin")
        page.until("document.querySelector('.fa-error') === null")

        page.choose(".fa-protocol", "sealed")
        page.choose(".fa-seed", "11")
        page.choose(".fa-weights > :nth-child(2)", "2.5")
        page.click(".fa-reset")
        page.until("document.querySelector('.fa-name-of-run p')?.innerText.endsWith('sealed · fake · seed 11')")
        page.until("document.querySelector('.fa-round [data-round]').dataset.round === '0'")
        page.click(".fa-step")
        page.until("document.querySelector('figure[data-round=\"1\"] svg') !== null")
        until(lambda: served.worlds() == 1, "the world before the reset was not closed")
        page.picture(tmp_path / "page.png")
        assert page.complaints() == []
        page.close()


def test_another_scenario_is_chosen(browser: Chromium) -> None:
    with dashboard("tests/worlds/letters", "--model", "none") as served:
        page = opened(browser, served)
        page.click(".fa-scenario input")
        page.until("document.querySelector('.menuable__content__active') !== null")
        page.js(
            "[...document.querySelectorAll('.menuable__content__active .v-list-item')]"
            ".find(entry => entry.innerText.trim() === 'healthcare').click()"
        )
        page.until("document.querySelector('.fa-weights').innerText.includes('payer')")
        page.click(".fa-reset")
        page.until("document.querySelector('.fa-name-of-run h1')?.innerText.includes('Los Angeles')")
        page.click(".fa-tab-scene")
        page.click(".fa-step")
        page.until(figure(1, "scene"))
        assert page.complaints() == []
        page.close()


def test_a_person_drags_a_ranking_and_answers(browser: Chromium) -> None:
    with dashboard("tests/worlds/letters", "--set", "stakeholders.saver.agent=human") as served:
        page = opened(browser, served)
        page.click(".fa-step")
        page.until("document.querySelector('.fa-ask-list') !== null", "nobody is asked")
        listed = "[...document.querySelectorAll('.fa-ask-list li')].map(row => row.dataset.item)"
        before = page.js(listed)
        page.drag(".fa-ask-list li:nth-child(4)", ".fa-ask-list li:nth-child(1)")
        dragged = [before[3], *before[:3], *before[4:]]
        page.until(f"JSON.stringify({listed}) === {json.dumps(json.dumps(dragged, separators=(',', ':')))}")
        page.click(".fa-ask-list li:nth-child(2) .fa-down")
        keyed = [dragged[0], dragged[2], dragged[1], *dragged[3:]]
        assert page.js(listed) == keyed
        page.click(".fa-argument")
        page.type("<script>{{ 6 * 7 }}</script> because")
        page.click(".fa-rank")
        page.until("document.querySelector('.fa-accept') !== null", "no verdict is asked for")
        assert "On the table" in page.text(".fa-ask")
        page.click(".fa-revise")
        page.until("document.querySelector('.fa-ask-list') !== null", "no other ranking is asked for")
        page.click(".fa-rank")
        accept = "document.querySelector('.fa-accept:not(:disabled)')"
        page.until(f"{accept} !== null || {figure(1)}")
        page.js(f"{accept}?.click()")
        page.until(figure(1))
        said = page.text(".fa-said")
        assert "<script>{{ 6 * 7 }}</script> because" in said
        assert f"1.\n{keyed[0]}" in said or keyed[0] in said.partition("because")[2].split("\n")[:3]
        assert page.complaints() == []
        page.close()


def test_two_browsers_have_worlds_of_their_own_which_go_with_them(browser: Chromium) -> None:
    with dashboard("tests/worlds/letters", "--rounds", "50") as served:
        one, two = opened(browser, served), opened(browser, served)
        one.click(".fa-step")
        one.until(figure(1))
        one.click(".fa-step")
        one.until(figure(2))
        two.choose(".fa-mediator", "leximin")
        two.click(".fa-step")
        two.until(figure(1))
        assert (round_of(one), round_of(two)) == (2, 1)
        assert "Outcome by leximin" in two.text(".fa-said")
        assert one.text(".fa-name-of-run p").startswith("borda")
        assert served.worlds() == 2
        two.ask("Page.navigate", url="about:blank")
        until(lambda: served.worlds() == 1, "the world of a closed page stays")
        one.click(".fa-step")
        one.until(figure(3))
        one.close()


def test_a_round_that_fails_leaves_a_page_that_says_why(browser: Chromium, tmp_path: Path) -> None:
    from tests.dashboard.test_drive import FAILING

    path = tmp_path / "failing.py"
    path.write_text(FAILING)
    with dashboard("tests/worlds/letters", "--set", f"dynamics=[crowding, '{path}:Sometimes']") as served:
        page = opened(browser, served)
        page.click(".fa-step")
        page.until("document.querySelector('.fa-error') !== null")
        assert page.text(".fa-error") == "round 1 failed: RuntimeError: the bridge is out"
        page.click(".fa-step")
        page.until("document.querySelector('.fa-error') === null")
        page.close()


def test_a_model_that_cannot_be_asked_is_named_and_another_one_is_chosen(browser: Chromium) -> None:
    with dashboard("tests/worlds/talkers", "--model", "ollama(model=none_such, base_url=http://127.0.0.1:9)") as served:
        page = browser.open(served.address)
        page.until("(document.querySelector('.fa-error') || {innerText: ''}).innerText.includes('model: ')")
        page.choose(".fa-model", "none")
        page.click(".fa-reset")
        page.until("document.querySelector('.fa-step:not(:disabled)') !== null", "no world was made")
        page.click(".fa-step")
        page.until(figure(1))
        page.close()


HOSTILE = "<img src=x onerror=window.hit=1> {{ constructor.constructor('window.hit=1')() }}"


def test_names_and_titles_are_text_and_nothing_else(browser: Chromium, tmp_path: Path) -> None:
    for source in Path("tests/worlds/letters").iterdir():
        text = source.read_text()
        text = text.replace("title: Letters", f'title: "{HOSTILE}"').replace("name: gourmet", f'name: "{HOSTILE[:60]}"')
        (tmp_path / source.name).write_text(text.replace("agent: utility", "agent: human", 1))
    with dashboard(str(tmp_path)) as served:
        page = opened(browser, served)
        assert page.text(".fa-name-of-run h1").startswith("<img src=x")
        assert "<img src=x" in page.text(".fa-weights")
        page.click(".fa-step")
        page.until("document.querySelector('.fa-rank') !== null")
        page.click(".fa-rank")
        page.until("document.querySelector('.fa-accept') !== null")
        page.click(".fa-accept")
        page.until(figure(1))
        assert "<img src=x" in page.text(".fa-said")
        assert page.js("window.hit") is None
        assert page.complaints() == []
        page.close()


def test_sixty_rounds_are_on_the_page_within_a_second_each(browser: Chromium) -> None:
    """The best of three runs counts: what is judged is the page, not a machine that does something else as well."""
    with dashboard("tourism", "--model", "none", "--rounds", "60") as served:
        page = opened(browser, served)
        page.js(WATCH)
        for _ in range(3):
            page.js("window.lags = {}")
            page.click(".fa-play")
            page.until(figure(60), patience=180)
            lags = sorted(page.js("Object.values(window.lags)"))
            assert len(lags) == 60, "rounds were left out"
            print(f"milliseconds from a round's end to its figure: median {lags[30]}, largest {lags[-1]}")
            crowd = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # how many want each core
            if lags[-1] <= 1000 * crowd:
                break
            page.click(".fa-reset")
            page.until("document.querySelector('.fa-phase').innerText === 'ready'")
        assert lags[-1] <= 1000 * crowd
        page.close()
