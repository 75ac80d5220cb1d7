"""The server of the live page: on this machine alone, without a network, one world a browser session."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import time
import warnings
import webbrowser
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from simulator.inputs.yamlfile import InputError, Problem

if TYPE_CHECKING:
    from simulator.dashboard.choices import Choices

HOST = "127.0.0.1"
CLOSE_SECONDS = 3.0
_NOWHERE = "http://127.0.0.1:9/"
INSTALL = 'pip install "fair-agents[dashboard]"'


def check_installed() -> None:
    """Check that the extra is there, without importing it.

    Raises:
        InputError: it is not; the message says what to install.
    """
    for package in ("solara", "solara_assets", "ipyvuetify"):
        if find_spec(package) is None:
            raise InputError([Problem("dashboard", f"{package} is not installed: {INSTALL}")])


def serve(choices: Choices, *, port: int = 8765, browser: bool = False, say: Callable[[str], None] = print) -> None:
    """Serve the page until the process is interrupted.

    Args:
        choices: what every browser begins with.
        port: 0 takes a free one.
        browser: whether to open the page in the system's browser.
        say: is given the page's address.

    Raises:
        InputError: the extra is not installed, or the port cannot be had.
    """
    check_installed()
    listening = _listen(port)
    address = f"http://{HOST}:{listening.getsockname()[1]}"
    with listening, tempfile.TemporaryDirectory(prefix="fairagents-dashboard-") as home:
        app = _app(choices, home)
        import uvicorn

        config = uvicorn.Config(
            LocalOnly(app, address), log_level="warning", loop="asyncio", access_log=False, timeout_graceful_shutdown=2
        )
        threading.Thread(target=_warm_up, daemon=True).start()
        say(address)
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        try:
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            _wait_for_worlds(CLOSE_SECONDS)


def _listen(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            [Problem(f"--port {port}", f"cannot be had ({reason}); name another, or 0 for a free one")]
        ) from None
    return listening


def _app(choices: Choices, home: str) -> Any:
    """Solara's application with the page in it: settings first, for they are read when it is imported."""
    os.environ["SOLARA_HOME"] = home  # what it writes goes there
    os.environ["SOLARA_TELEMETRY_MIXPANEL_ENABLE"] = "False"
    os.environ["SOLARA_MODE"] = "production"
    os.environ["SOLARA_ASSETS_CDN"] = _NOWHERE  # what solara-assets lacks is missing, not fetched
    os.environ["SOLARA_KERNEL_CULL_TIMEOUT"] = "1h"  # how long a world waits for a browser whose connection broke
    os.environ["SOLARA_THEME_SHOW_BANNER"] = "False"
    os.environ["SOLARA_THEME_TITLE"] = "Fair Agents"
    os.environ.pop("SOLARA_APP", None)
    import solara.server.app
    import solara.server.reload
    import solara.server.starlette

    warnings.filterwarnings("ignore", message="Cookies with samesite=none", category=UserWarning)
    from simulator.dashboard import page

    page.first = choices
    solara.server.app.apps["__default__"] = solara.server.app.AppScript("simulator.dashboard.page")
    solara.server.reload.reloader.on_change = lambda _: None  # an edited file never takes a page's world away
    return solara.server.starlette.app


def _wait_for_worlds(seconds: float) -> None:
    """Let the worlds of the pages, which the server has closed by now, end their rounds and close their models."""
    end = time.monotonic() + seconds
    for thread in threading.enumerate():
        if thread.name == "fairagents-drive":
            thread.join(max(0.0, end - time.monotonic()))


def _warm_up() -> None:
    """Draw a figure that nobody sees: the first one takes a second, which no round should wait for."""
    from simulator.plots import style
    from simulator.report.drawings import svg_of

    figure, (axes,) = style.new_figure()
    axes.plot([0, 1], [0, 1])
    style.name_axes(axes, style.label("x"), "y")
    svg_of(figure, "warm-up", "")


class LocalOnly:
    """Lets in what this machine's own pages ask, and nothing that a page from elsewhere makes a browser ask.

    Args:
        app: an ASGI application.
        address: of the page, such as `http://127.0.0.1:8765`.
    """

    def __init__(self, app: Any, address: str) -> None:
        self._app = app
        port = address.rpartition(":")[2]
        self._hosts = {f"{name}:{port}" for name in (HOST, "localhost")}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass on a request whose host, and origin if it names one, are the page's own."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        if headers.get(b"host") in self._hosts and (origin is None or origin.removeprefix("http://") in self._hosts):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": b"this page is for this machine alone\n"})
