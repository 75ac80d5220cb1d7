"""The README's commands and examples give what it shows."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import simulator as fa
from simulator.cli import main
from tests.models.openai_server import OpenAIServer

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


def server_lines() -> list[str]:
    return [
        line.split("#")[0].strip() for line in README.splitlines() if re.search(r"--model \"(openai|ollama)\(", line)
    ]


@pytest.mark.parametrize("line", server_lines(), ids=["compatible", "ollama", "openai"])
def test_the_lines_for_servers_run_on_a_server(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As printed, but for the address and the name: those of a server on this machine."""
    with OpenAIServer(models=("NAME", "llama3.2", "gpt-4o-mini")) as server:
        setting, command = re.fullmatch(r"(?:(\w+)=\.\.\. )?fairagents (.*)", line).groups()
        if setting:
            monkeypatch.setenv(setting, "sk-marker")
            monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        arguments = shlex.split(command.replace("http://127.0.0.1:8000/v1", server.base_url))
        if "ollama" in line:
            arguments[-1] = arguments[-1].replace(")", f", base_url={server.base_url})")
        with contextlib.redirect_stdout(io.StringIO()) as printed, pytest.raises(SystemExit, match="0"):
            main([*arguments, "--rounds", "1", "--no-plots", "--out", str(tmp_path)])
        folder = Path(printed.getvalue().splitlines()[-1])
    rows = fa.read_run(folder).stakeholders
    assert (rows["calls"] > 0).all()
    assert rows[["malformed", "errors", "abstentions"]].to_numpy().sum() == 0
    assert all("sk-marker" not in file.read_text(encoding="utf-8") for file in folder.rglob("*") if file.is_file())


def test_the_scenario_it_shows_is_fine(tmp_path: Path):
    text = re.search(r"```yaml\n(title: Lunch.*?)```", README, re.DOTALL)
    assert text
    (tmp_path / "scenario.yaml").write_text(text[1], encoding="utf-8")
    (tmp_path / "places.csv").write_text("name,price,rating\nCanteen,4,3\nBistro,14,4.5\nStall,6,4\n", encoding="utf-8")
    result = fa.run(tmp_path, model="fake")
    assert len(result.rounds) == 4
    assert result.stakeholders["alignment"].mean() > 0.5


def test_the_file_of_ballots_is_one_that_mediate_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "ballots.json").write_text(re.search(r"```json\n(.*?)```", README, re.DOTALL)[1])
    with pytest.raises(SystemExit, match="0"):
        main(["mediate", str(tmp_path / "ballots.json"), "--mediator", "borda,copeland"])
    assert [line for line in capsys.readouterr().out.splitlines() if ":" in line] == [
        "borda: a > b > c",
        "copeland: a > b > c",
    ]
