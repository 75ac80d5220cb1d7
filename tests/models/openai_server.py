"""A server that speaks OpenAI's chat API on this machine, with answers drawn from the schema and faults to order."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from simulator.models.fake_answers import answer_schema, sentence

PAGE = b"<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>"


class OpenAIServer:
    """`/v1/models` and `/v1/chat/completions` on a free port of 127.0.0.1, from `with` to its end.

    Args:
        models: The models that it lists and answers as.
        delay: Seconds before every chat answer.
        fault: none, rubbish (no JSON), empty, html (a page instead of an answer), page (also
            instead of the list of models), error (500) or denied (401).
    """

    def __init__(self, *, models: tuple[str, ...] = ("small",), delay: float = 0.0, fault: str = "none") -> None:
        self.models, self.delay, self.fault = models, delay, fault
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> "OpenAIServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The completion for one chat request."""
        prompt = "\n".join(str(message.get("content")) for message in request["messages"])
        message: dict[str, Any] = {"role": "assistant", "content": None}
        reason = "stop"
        answered = any(turn["role"] == "tool" for turn in request["messages"])
        if self.fault == "rubbish":
            message["content"] = '}{ not: JSON "'
        elif self.fault == "empty":
            message["content"] = ""
        elif request.get("tools") and not answered:
            function = request["tools"][0]["function"]
            arguments = json.dumps(answer_schema(function["parameters"], prompt, 0))
            message["tool_calls"] = [
                {"id": "call_1", "type": "function", "function": {"name": function["name"], "arguments": arguments}}
            ]
            reason = "tool_calls"
        elif request.get("response_format", {}).get("type") == "json_schema":
            schema = request["response_format"]["json_schema"]["schema"]
            message["content"] = json.dumps(answer_schema(schema, prompt, 0))
        else:
            message["content"] = sentence(prompt, 0)
        read, written = len(prompt.split()), len(str(message["content"]).split())
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    owner: OpenAIServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        owner = self.server.owner
        owner.keys.append(self.headers.get("Authorization"))
        if owner.fault == "denied":
            self._send(401, {"error": {"message": "no"}})
        elif owner.fault == "page":
            self._send_bytes(200, "text/html", PAGE)
        elif self.path == "/v1/models":
            self._send(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in owner.models]})
        else:
            self._send(404, {"error": {"message": "not found"}})

    def do_POST(self) -> None:
        owner = self.server.owner
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        owner.keys.append(self.headers.get("Authorization"))
        owner.requests.append(request)
        time.sleep(owner.delay)
        match owner.fault:
            case "error":
                self._send(500, {"error": {"message": "broken"}})
            case "html" | "page":
                self._send_bytes(200, "text/html", PAGE)
            case _:
                self._send(200, owner.answer(request))

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        self._send_bytes(status, "application/json", json.dumps(answer).encode())

    def _send_bytes(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
