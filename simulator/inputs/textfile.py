"""Reading text that others wrote: UTF-8, and where it is not."""

from __future__ import annotations

from pathlib import Path


class TextError(ValueError):
    """A file that cannot be read as text.

    Attributes:
        line: where; None if the file cannot be opened at all.
        message: why.
    """

    def __init__(self, line: int | None, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(message)


def read_text(path: Path) -> str:
    """The content of a UTF-8 file, with or without a byte order mark, line ends as they are.

    Raises:
        TextError: the file cannot be opened, or is not UTF-8.
    """
    try:
        content = path.read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = error.object[error.start : error.start + 1].hex()
        raise TextError(line, f"is not UTF-8 text (byte 0x{found}); save it as UTF-8") from None
    except OSError as error:
        raise TextError(None, f"cannot be read: {error.strerror or error}") from None
