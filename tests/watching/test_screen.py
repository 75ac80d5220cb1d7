"""A run on a terminal, in letters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from simulator import load_scenario
from simulator.simulate import run
from simulator.watching.picture import screen, sparkline
from tests.fake_run import STAKEHOLDERS, fake_records

LETTERS = "tests/worlds/letters"


def shown(rounds: int, width: int = 120, **options: object) -> str:
    console = Console(width=width, height=60, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with console.file:
        records = list(fake_records(rounds, **options))  # type: ignore[arg-type]
        console.print(screen(load_scenario(LETTERS), records, width))
        return console.export_text()


def tiers(ranking: list[list[str]]) -> dict[str, int]:
    return {item: tier for tier, members in enumerate(ranking) for item in members}


def test_a_sparkline_goes_from_the_lowest_to_the_highest_bar() -> None:
    assert sparkline([0, 0.5, 1, None, float("nan"), 2, -1]) == "▁▅█··█▁"
    assert sparkline([1, 2, 4], 0, 4) == "▃▅█"


def test_every_figure_is_there() -> None:
    text = shown(5)
    last = list(fake_records(5))[-1]
    for name in STAKEHOLDERS[:4]:
        assert name in text
    for line in last.stakeholder_rows:
        assert f"{line['utility']:.2f}" in text
        assert f"{line['cumulative_utility']:.1f}" in text
    assert f"{last.row['nash_welfare']:.2f}" in text
    assert "dry spell" in text
    assert "place in the last 5 rounds" in text
    assert "agreement (tau)" in text
    assert "It is quiet in autumn" in text


def test_agreement_with_the_outcome_is_kendalls_tau() -> None:
    from scipy.stats import kendalltau

    record = next(iter(fake_records(1)))
    ballots = {e["stakeholder"]: e["ranking"] for e in record.events if e["event"] == "proposal"}
    outcome = tiers(next(event for event in record.events[::-1] if event["event"] == "outcome")["tiers"])
    text = shown(1)
    for name, ranking in ballots.items():
        own = tiers(ranking)
        tau = kendalltau(list(outcome.values()), [own[item] for item in outcome]).statistic
        line = next(line for line in text.splitlines() if f") {name[:12]}" in line)
        assert line.split()[-1] == f"{tau:.2f}"


def test_a_narrow_terminal_stacks_the_tables() -> None:
    assert all(len(line) <= 80 for line in shown(3, width=80).splitlines())
    assert len(shown(3, width=80).splitlines()) > len(shown(3).splitlines())


def test_foreign_text_moves_no_cursor_and_is_no_markup() -> None:
    text = shown(2, hostile=True, items=10, argument="[bold]\x1b[2J[/bold]\nnew line")
    assert "\x1b" not in text
    assert "[bold]?[2J[/bold]" in text


def test_nothing_negotiated_yet() -> None:
    assert "the first round is being negotiated" in shown(0)


def watched(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"from simulator.cli import main; main({['run', LETTERS, '--watch', '--no-plots', *arguments]!r})"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)


def test_off_a_terminal_a_watched_run_prints_lines(tmp_path: Path) -> None:
    done = watched("--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[1:4]] == ["round 1", "round 2", "round 3"]
    assert Path(lines[-1]).is_dir()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_a_watched_run_draws_its_figures(tmp_path: Path) -> None:
    import pty

    code = (
        f"from simulator.cli import main; main({['run', LETTERS, '--watch', '--no-plots', '--out', str(tmp_path)]!r})"
    )
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "50"}
    with subprocess.Popen([sys.executable, "-c", code], stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                some = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not some:
                break
            seen += some
    os.close(ours)
    assert process.returncode == 0
    text = seen.decode()
    assert "round 3 of 3" in text
    assert "Nash welfare" in text
    assert "\x1b[?25l" in text  # the cursor is hidden while the screen is redrawn
    assert "round 1:" not in text  # no lines beside it


def test_watching_changes_nothing_in_the_run(tmp_path: Path) -> None:
    import simulator as fa

    assert fa.watch(LETTERS).rounds.equals(run(LETTERS).rounds)
