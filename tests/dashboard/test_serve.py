"""The server's doors: who is let in, and what is said when it cannot be opened."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from simulator.dashboard.serve import LocalOnly, _listen
from simulator.inputs.yamlfile import InputError

needs_extra = pytest.mark.skipif(find_spec("solara") is None, reason="needs the extra 'dashboard'")
ADDRESS = "http://127.0.0.1:8765"


def answers(kind: str, **headers: str) -> list[dict[str, Any]]:
    """What a request with these headers is answered; the application behind says `inside`."""
    sent: list[dict[str, Any]] = []

    async def inside(*_: Any) -> None:
        sent.append({"type": "inside"})

    async def receive() -> dict[str, Any]:
        return {"type": f"{kind}.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": kind, "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    asyncio.run(LocalOnly(inside, ADDRESS)(scope, receive, send))
    return sent


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "headers",
    [
        {"host": "127.0.0.1:8765"},
        {"host": "localhost:8765", "origin": "http://localhost:8765"},
    ],
)
def test_the_page_itself_is_let_in(kind: str, headers: dict[str, str]) -> None:
    assert answers(kind, **headers) == [{"type": "inside"}]


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "127.0.0.1:8765", "origin": "https://elsewhere.example"},
        {"host": "127.0.0.1:8765", "origin": "null"},
        {"host": "elsewhere.example:8765"},
        {"host": "127.0.0.1:9999"},
        {},
    ],
)
def test_what_another_page_makes_a_browser_ask_is_not(headers: dict[str, str]) -> None:
    assert answers("http", **headers)[0]["status"] == 403
    assert answers("websocket", **headers) == [{"type": "websocket.close", "code": 1008}]


def fairagents(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    code = f"import sys\n{before}\nfrom simulator.cli import main; main({list(arguments)!r})"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)


def test_without_the_extra_one_line_says_what_to_install() -> None:
    done = fairagents("dashboard", "tests/worlds/letters", "--port", "0", before="sys.modules['solara'] = None")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == 'dashboard: solara is not installed: pip install "fair-agents[dashboard]"\n'


def test_a_port_that_is_taken_is_named_with_a_remedy() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"--port {port}: cannot be had .*, or 0 for a free one"):
            _listen(port)


@needs_extra
def test_a_wrong_scenario_is_refused_before_a_page_is_opened() -> None:
    done = fairagents("dashboard", "turism", "--port", "0")
    assert done.returncode == 2
    assert "did you mean 'tourism'" in done.stderr


def test_neither_the_package_nor_the_help_imports_solara() -> None:
    code = (
        "import sys, simulator, simulator.dashboard.serve, simulator.watching\n"
        "from simulator.cli import main\n"
        "try: main(['dashboard', '--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('solara', 'IPython', 'rich.live', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@needs_extra
@pytest.mark.slow
def test_the_server_asks_nobody_and_leaves_nothing_at_home(tmp_path: Path) -> None:
    code = (
        "from simulator.dashboard.choices import Choices\n"
        "from simulator.dashboard.serve import _app\n"
        f"_app(Choices('tests/worlds/letters'), {str(tmp_path / 'solara')!r})\n"
        "import solara.settings, solara.server.settings as server\n"
        "print(server.telemetry.mixpanel_enable, solara.settings.assets.cdn, server.main.mode, solara.settings.home)"
    )
    home = {**os.environ, "HOME": str(tmp_path / "home")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=home, check=False)
    assert done.stdout.split() == ["False", "http://127.0.0.1:9/", "production", str(tmp_path / "solara")], done.stderr
    assert not (tmp_path / "home").exists()
