"""The native engine of the embedded model: a small pool of servers in this process, one thread and one job each.

An answer must depend on its prompt alone. Prompt reuse, batching with other requests and several threads all change
the order of floating-point sums, and greedy decoding turns that into other words. So every job has a server to
itself, every server computes on one thread, and every job starts from an empty cache; several cores are used by
several servers.
"""

import functools
import http.client
import json
import os
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from simulator.models.base import ModelUnavailable

T = TypeVar("T")
# Attention in tiles of 64 rows rounds differently from row by row; up to 32 rows a prompt gives the same bits however
# it is cut.
_ROWS_AT_ONCE = 32
_FLASH_ATTENTION = 1
_FORCE = 1e4


class EngineError(RuntimeError):
    """The engine refused a request, for example because the prompt is longer than its context."""


def load_native() -> Any:
    """The native module.

    Raises:
        ModelUnavailable: It is not installed, or a system library that it needs is missing.
    """
    try:
        import xllamacpp
    except ModuleNotFoundError:
        raise ModelUnavailable("the embedded model's engine is not installed", "run `pip install xllamacpp`") from None
    except ImportError as error:
        if "libgomp" in str(error):
            raise ModelUnavailable(
                "the system library libgomp.so.1 is missing", "install it, as with `apt-get install libgomp1`"
            ) from None
        raise ModelUnavailable(
            f"the embedded model's engine does not load ({error})", "use another model, such as openai or ollama"
        ) from None
    return xllamacpp


class Server:
    """One native server, used by one thread at a time."""

    def __init__(self, weights: Path, context: int) -> None:
        params = load_native().CommonParams()
        params.model.path = os.fspath(weights)
        params.n_ctx = context
        params.n_parallel = 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
        params.flash_attn_type = _FLASH_ATTENTION
        params.n_ubatch = _ROWS_AT_ONCE
        params.cache_ram_mib = 0
        params.cache_idle_slots = False
        params.warmup = False
        params.verbosity = 0
        self._key = secrets.token_urlsafe(16)  # it listens on a local port, which is nobody else's business
        params.api_keys = [self._key]
        try:
            self._native = load_native().Server(params)
        except RuntimeError:
            raise ModelUnavailable(
                f"the engine cannot load {weights.name}", "free some memory or install the weights again"
            ) from None
        self._address = self._native.listening_address.removeprefix("http://")

    def chat(self, body: dict[str, Any], on_chunk: Callable[[dict[str, Any]], bool]) -> None:
        """Answer a chat request in chunks of OpenAI's form until the answer ends or `on_chunk` returns True.

        Raises:
            EngineError: The request is refused.
        """
        failure: list[str] = []

        def receive(chunk: dict[str, Any]) -> bool:
            if "error" in chunk:
                failure.append(str(chunk["error"].get("message", chunk["error"])))
                return True
            return on_chunk(chunk)

        stream = {"stream": True, "stream_options": {"include_usage": True}, "cache_prompt": False}
        try:
            self._native.handle_chat_completions({**body, **stream}, receive)
        except (ValueError, RuntimeError) as error:
            raise EngineError(str(error)) from None
        if failure:
            raise EngineError(failure[0])

    def continuation_logprobs(self, prompt: str, continuations: Sequence[str]) -> list[float]:
        """Log P(continuation | prompt) in nats, summed over its tokens.

        Every token is forced by a bias and its log probability before the bias read back. The prompt is computed
        once: the first request starts from an empty cache, the following ones add to it.
        """
        start = self._tokens(prompt)
        self._complete(start, cached=False)
        totals: list[float] = []
        for continuation in continuations:
            context, total = list(start), 0.0
            for token in self._tokens(continuation):
                total += self._forced_logprob(context, token)
                context.append(token)
            totals.append(total)
        return totals

    def _forced_logprob(self, context: list[int], token: int) -> float:
        answer = self._complete(context, cached=True, logprobs=1, logit_bias=[[token, _FORCE]])
        read = answer["choices"][0]["logprobs"]["content"][0]
        if read["id"] != token:
            raise EngineError(f"the engine chose token {read['id']} where {token} was forced")
        return float(read["logprob"])

    def _complete(self, context: list[int], *, cached: bool, **options: Any) -> dict[str, Any]:
        request = {"prompt": context, "max_tokens": 1, "temperature": 0, "cache_prompt": cached, **options}
        answer = self._native.handle_completions(request)
        answer = json.loads(answer) if isinstance(answer, str | bytes) else answer
        if "choices" not in answer:
            raise EngineError(str(answer.get("error", {}).get("message", answer)))
        return dict(answer)

    def _tokens(self, text: str) -> list[int]:
        connection = http.client.HTTPConnection(self._address, timeout=60)
        try:
            body = json.dumps({"content": text, "add_special": False, "parse_special": True})
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
            connection.request("POST", "/tokenize", body, headers)
            return list(json.loads(connection.getresponse().read())["tokens"])
        finally:
            connection.close()


class Engine:
    """Up to `workers` servers over the same weights, started when there is work for them."""

    def __init__(self, weights: Path, *, workers: int, context: int) -> None:
        self._weights = weights
        self._context = context
        self._own = threading.local()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="embedded-model")

    def submit(self, work: Callable[[Server], T]) -> "Future[T]":
        """Run work on the first server that is free."""
        return self._threads.submit(lambda: work(self._server()))

    def _server(self) -> Server:
        if not hasattr(self._own, "server"):
            self._own.server = Server(self._weights, self._context)
        server: Server = self._own.server
        return server


_starting = threading.Lock()


def shared_engine(weights: Path, *, workers: int, context: int) -> Engine:
    """The process's one engine for these settings."""
    with _starting:
        return _engine(weights, workers, context)


@functools.cache
def _engine(weights: Path, workers: int, context: int) -> Engine:
    return Engine(weights, workers=workers, context=context)


def available_cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
