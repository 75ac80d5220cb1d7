"""The README's commands and examples give what it shows."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def block(kind: str, name: str) -> str:
    found = re.search(rf"<!-- {kind}: {name} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found, f"the README has no {kind} '{name}'"
    return found[1]


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d+\.\d+", text)]


def test_the_python_example_prints_what_the_readme_shows():
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block("example", "api"), {})
    assert printed.getvalue() == block("output", "api")


def test_both_commands_are_one_line_and_install_from_the_lock():
    for name in ("run", "test"):
        command = block("command", name).strip()
        assert "\n" not in command
        assert "-r requirements.lock" in command


@pytest.mark.slow
@pytest.mark.embedded
def test_the_first_command_prints_what_the_readme_shows(tmp_path: Path):
    """To the word on the processor that wrote the README; elsewhere floats of the model may differ in the last bits."""
    command = [sys.executable, "-c", "from simulator.cli import main; main()", "run", "tourism", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    shown, printed = block("output", "run").splitlines(), done.stdout.splitlines()
    assert Path(printed[-1]).is_dir()
    assert printed[0] == shown[0]
    assert [line.split(":")[0] for line in printed[1:9]] == [line.split(":")[0] for line in shown[1:9]]
    for ours, theirs in zip(printed[-6:-1], shown[-6:-1], strict=True):
        assert ours.split()[0] == theirs.split()[0]
        assert numbers(ours) == pytest.approx(numbers(theirs), abs=0.1)
