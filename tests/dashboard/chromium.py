"""A headless Chromium that tests drive through its DevTools protocol, without any network."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Self

PATH = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--remote-debugging-port=0", "--remote-allow-origins=*", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip
PATIENCE = 60.0


class Chromium:
    """A browser process; its pages are separate sessions with cookies of their own."""

    def __enter__(self) -> Self:
        assert PATH is not None
        self._home = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        home = Path(self._home.name)
        self._process = subprocess.Popen(
            [PATH, *FLAGS, f"--user-data-dir={home}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port_file = home / "DevToolsActivePort"
        until(lambda: port_file.exists() and len(port_file.read_text().splitlines()) == 2, "no DevTools port")
        port, path = port_file.read_text().splitlines()
        self._wire = Wire(f"ws://127.0.0.1:{port}{path}")
        return self

    def __exit__(self, *_: object) -> None:
        self._wire.close()
        self._process.terminate()
        self._process.wait(10)
        self._home.cleanup()

    def open(self, address: str, width: int = 1280, height: int = 800) -> Page:
        """A new page in a browser context of its own."""
        context = self._wire.ask("Target.createBrowserContext")["browserContextId"]
        target = self._wire.ask(
            "Target.createTarget", url="about:blank", browserContextId=context, width=width, height=height
        )["targetId"]
        session = self._wire.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self._wire, session, target)
        page.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.ask(f"{domain}.enable")
        page.ask("Page.navigate", url=address)
        return page


class Wire:
    """The connection to the browser: commands and their answers, and the events that came in between."""

    def __init__(self, address: str) -> None:
        from websockets.sync.client import connect

        self._open = ExitStack()
        self._socket = self._open.enter_context(connect(address, max_size=None, open_timeout=PATIENCE))
        self._numbers = count(1)
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._socket.send(json.dumps(message))
        while True:
            answer = json.loads(self._socket.recv(timeout=PATIENCE))
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self.events.append(answer)

    def close(self) -> None:
        self._open.close()


class Page:
    """One page; what it is asked is JavaScript, what it is told is mouse and keyboard."""

    def __init__(self, wire: Wire, session: str, target: str) -> None:
        self._wire = wire
        self._session = session
        self._target = target

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self._wire.ask(method, self._session, **params)

    def js(self, code: str) -> Any:
        """The value of an expression, or of a promise."""
        answer = self.ask("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", code))
        return answer["result"].get("value")

    def until(self, code: str, what: str = "", patience: float = PATIENCE) -> None:
        """Wait until an expression is true."""
        until(
            lambda: bool(self.js(code)), what or code, patience, lambda: str(self.js("document.body.innerText"))[:2000]
        )

    def text(self, selector: str) -> str:
        return str(self.js(f"(document.querySelector({json.dumps(selector)}) || {{innerText: ''}}).innerText"))

    def centre(self, selector: str) -> tuple[float, float]:
        """Where the middle of an element is, scrolled into view."""
        self.until(f"document.querySelector({json.dumps(selector)}) !== null", f"no {selector}")
        x, y = self.js(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        return x, y

    def click(self, selector: str) -> None:
        """Press and release the mouse in the middle of an element that can be pressed."""
        self.until(
            f"(e => e !== null && !e.disabled)(document.querySelector({json.dumps(selector)}))",
            f"cannot press {selector}",
        )
        x, y = self.centre(selector)
        self._mouse("mousePressed", x, y)
        self._mouse("mouseReleased", x, y)

    def drag(self, source: str, target: str) -> None:
        """Drag an element onto another one, as a person does."""
        self.ask("Input.setInterceptDrags", enabled=True)
        x, y = self.centre(source)
        self._mouse("mousePressed", x, y)
        data: dict[str, Any] | None = None
        for step in range(1, 20):
            self._mouse("mouseMoved", x + step, y + step)
            data = next(
                (e["params"]["data"] for e in self._wire.events if e["method"] == "Input.dragIntercepted"), None
            )
            if data is not None:
                break
            time.sleep(0.05)
        assert data is not None, "no drag began"
        self._wire.events[:] = [e for e in self._wire.events if e["method"] != "Input.dragIntercepted"]
        to_x, to_y = self.centre(target)
        for kind in ("dragEnter", "dragOver", "drop"):
            self.ask("Input.dispatchDragEvent", type=kind, x=to_x, y=to_y, data=data)
        self._mouse("mouseReleased", to_x, to_y)
        self.ask("Input.setInterceptDrags", enabled=False)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.ask("Input.insertText", text=text)

    def press(self, key: str, code: int) -> None:
        """Press a key, such as Enter (13)."""
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)
        if key == "Enter":
            self.ask("Input.dispatchKeyEvent", type="char", key=key, text="\r")

    def choose(self, selector: str, text: str) -> None:
        """Write into a combobox and take it over."""
        self.click(f"{selector} input")
        self.js(f"document.querySelector({json.dumps(selector + ' input')}).select()")
        self.type(text)
        self.press("Enter", 13)
        self.press("Tab", 9)

    def picture(self, path: Path) -> Path:
        """A screenshot as PNG."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
        return path

    def complaints(self) -> list[str]:
        """Errors on the console, uncaught exceptions and requests that left for elsewhere, so far."""
        self.js("1")
        found = []
        for event in self._wire.events:
            if event.get("sessionId") != self._session:
                continue
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"])[:500])
            elif event["method"] == "Runtime.consoleAPICalled" and params["type"] == "error":
                found.append(" ".join(str(arg.get("value", arg.get("description"))) for arg in params["args"])[:500])
            elif event["method"] == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("http://127.0.0.1:", "data:", "blob:", "about:")):
                    found.append(f"request to {url}"[:200])
        return found

    def close(self) -> None:
        self._wire.ask("Target.closeTarget", targetId=self._target)

    def _mouse(self, kind: str, x: float, y: float) -> None:
        held = 0 if kind == "mouseReleased" else 1
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=held, clickCount=1)


def until(
    holds: Callable[[], bool], what: str, patience: float = PATIENCE, look: Callable[[], str] = lambda: ""
) -> None:
    """Wait until something holds; fails with what was waited for and with what is there instead."""
    end = time.monotonic() + patience
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"not within {patience:g} s: {what}\n{look()}")
        time.sleep(0.05)
