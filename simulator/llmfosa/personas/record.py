"""The answers of an inference on disk as they arrive, so that a run that was killed asks none of them again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Self

from pydantic import TypeAdapter

from simulator.inputs.yamlfile import InputError, Problem
from simulator.llmfosa.personas.files import open_private


@dataclass(frozen=True)
class Answer:
    """What came of one question in the end, retries included.

    Attributes:
        value: Log probabilities, a parsed object or a sentence; None if no reply could be used.
        faults: How many replies were faulty, by kind.
        calls: How often the model was called.
        prompt_tokens: Tokens read, where the model counts them.
        completion_tokens: Tokens written, where the model counts them.
        seconds: How long it took, waiting for the model included.
    """

    value: Any
    faults: Mapping[str, int] = field(default_factory=dict)
    calls: int = 1
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


_ANSWER = TypeAdapter(Answer)


class Record:
    """One JSON line an answer, flushed; a last line that a kill cut short is dropped.

    Args:
        path: The file, private to its owner; None keeps the answers in memory.

    Raises:
        InputError: Another process writes to it.
    """

    def __init__(self, path: Path | None) -> None:
        self._answers: dict[str, Answer] = {}
        self._file = None
        if path is not None:
            self._file = open_private(path, append=True)
            if not _lock(self._file):
                self._file.close()
                raise InputError([Problem(str(path), "is being written by another inference; wait for it, or stop it")])
            self._file.truncate(_read(path, self._answers))

    def __getitem__(self, key: str) -> Answer | None:
        return self._answers.get(key)

    def keep(self, key: str, answer: Answer) -> None:
        """Add an answer and hand it to the operating system, which a kill of this process does not reach."""
        self._answers[key] = answer
        if self._file is not None:
            self._file.write(json.dumps({"key": key, **asdict(answer)}, ensure_ascii=True).encode("ascii") + b"\n")
            self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; idempotent."""
        if self._file is not None:
            self._file.close()


def digest(question: Mapping[str, Any]) -> str:
    """The key of a question: everything that decides the answer."""
    return hashlib.sha256(json.dumps(question, sort_keys=True, ensure_ascii=True).encode("ascii")).hexdigest()


def _lock(file: BinaryIO) -> bool:
    """Whether the file is this process's alone until it is closed, or the process dies; True where nothing can tell."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _read(path: Path, answers: dict[str, Answer]) -> int:
    """Read the answers; the length in bytes of the lines that are whole."""
    whole = 0
    for line in path.read_bytes().splitlines(keepends=True):
        if not line.endswith(b"\n"):
            break
        whole += len(line)
        try:
            entry = json.loads(line)
            key = str(entry.pop("key"))
            answers[key] = _ANSWER.validate_python(entry)
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
            continue  # not ours to trust: it is asked again
    return whole
