"""The figures in the scenarios' READMEs are what the commands above them print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import scenarios
from tests.scenario_files import command

BLOCK = re.compile(r"```sh\n(fairagents (?:tensions|loads) [^\n]*)\n```\n\n```text\n(.*?)```", re.DOTALL)
SHOWN = [
    block
    for readme in sorted(Path(scenarios.__path__[0]).glob("*/README.md"))
    for block in BLOCK.findall(readme.read_text(encoding="utf-8"))
]
FIRST, *OTHERS = SHOWN
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def test_every_shipped_scenario_shows_both():
    from simulator.scenario import shipped_scenarios

    shown = sorted(tuple(line.split()[1:3]) for line, _ in SHOWN)
    assert shown == sorted((study, name) for study in ("tensions", "loads") for name in shipped_scenarios())


def check(line: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = command(capsys, *shlex.split(line)[1:])
    assert (code, err) == (0, "")
    # to the word; the last digit of a figure may differ with the processor's rounding
    assert NUMBER.sub("#", " ".join(out.split())) == NUMBER.sub("#", " ".join(output.split()))
    ours, theirs = ([float(number) for number in NUMBER.findall(text)] for text in (out, output))
    assert ours == pytest.approx(theirs, abs=0.011, rel=0.02)


def test_the_first_figures_are_what_the_command_prints(capsys: pytest.CaptureFixture[str]):
    check(*FIRST, capsys)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "output"), OTHERS, ids=[" ".join(line.split()[1:3]) for line, _ in OTHERS])
def test_the_figures_are_what_the_command_prints(line: str, output: str, capsys: pytest.CaptureFixture[str]):
    check(line, output, capsys)
