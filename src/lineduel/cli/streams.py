"""The three standard streams: there, able to show any text, and never a reason to fail."""

import codecs
import os
import sys
from io import TextIOWrapper
from typing import Any, TextIO, cast

_PLAIN = {
    **dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+"),  # lines and corners of boxes
    **dict.fromkeys("─━═╌‐‑–—−", "-"),
    **dict.fromkeys("│┃║╎", "|"),
    **dict.fromkeys(map(chr, range(0x2580, 0x25A0)), "#"),  # blocks
    **dict.fromkeys("▲↑⌂", "^"),
    **dict.fromkeys("▼↓", "v"),
    **dict.fromkeys("►▶→›", ">"),
    **dict.fromkeys("◄◀←‹", "<"),
    **dict.fromkeys("●○•·★", "*"),
    **dict.fromkeys("⚐⚑", "P"),
    **dict.fromkeys("✗✕×", "x"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”„", '"'),
    "✓": "+",
    "…": "...",
    "∞": "inf",
}
"""What stands for a character where the output has no such character."""


def prepare_streams() -> None:
    """Open the streams that are closed, and see to it that any text can be written."""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    codecs.register_error("lineduel", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="lineduel")
    if not isinstance(sys.stdout, _Stream):
        sys.stdout = cast("TextIO", _Output(sys.stdout))
    if not isinstance(sys.stderr, _Stream):
        sys.stderr = cast("TextIO", _Complaints(sys.stderr))


def discard(stream: TextIO) -> None:
    """Send to nowhere what is still to be written, so that it cannot fail again on closing."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class OutputError(OSError):
    """Standard output cannot be written: as against any other file."""


class _Stream:
    """A stream as it is, but for what happens when it cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            self._fail(error)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Output(_Stream):
    """Standard output: whoever cannot be told anything is told so in other ways."""

    def _fail(self, error: OSError) -> None:
        raise OutputError(error.errno, error.strerror) from None


class _Complaints(_Stream):
    """Standard error, or nothing once it cannot be written: a complaint is no reason to stop."""

    def _fail(self, error: OSError) -> None:
        discard(self._stream)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The nearest plain characters for those that the output does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_letter, error.object[error.start : error.end])), error.end


def _letter(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    if "\ud800" <= letter < "\ue000":  # half a character, as in a file's name that is no text
        return letter.encode("unicode_escape").decode()
    import unicodedata

    base = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return base or ("" if unicodedata.combining(letter) else "?")
