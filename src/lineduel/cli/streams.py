"""Make the standard streams safe: always open, with any text, and without crashes."""

import codecs
import os
import re
import sys
from io import TextIOWrapper
from shutil import get_terminal_size
from typing import Any, TextIO, cast

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_MOVES_CURSOR = re.compile(r"[\r\t\x08]|\x1b(?!\[[0-9;]*m)")
_WORDS = re.compile(r"( *)([^ ]+)")
_PLAIN = {
    **dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+"),  # box drawing
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
"""Replacements for characters that the output's encoding lacks."""


def prepare_streams() -> None:
    """Open the streams that are closed, and make sure that any text can be written."""
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


def keep_lines() -> None:
    """Leave lines as long as they are, for output that programs read."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, _Stream):
            stream.wraps = False


def broken_between_words(line: str, width: int) -> str:
    """A line broken between words, with the same indent; colours have no width.

    What moves the cursor is left alone, and so is a word that is longer than a line.
    """
    if len(line) <= width or _MOVES_CURSOR.search(line):
        return line
    indent = line[: len(line) - len(line.lstrip(" "))]
    lines, room = [""], width
    for gap, word in _WORDS.findall(line):
        long = len(_COLOUR.sub("", gap + word))
        if long > room and lines[-1].strip():
            lines.append(indent + word)
            room = width - len(_COLOUR.sub("", lines[-1]))
        else:
            lines[-1] += gap + word
            room -= long
    return "\n".join(lines)


def discard(stream: TextIO) -> None:
    """Discard what is still in the buffer, so that closing the stream does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class OutputError(OSError):
    """Standard output cannot be written, as opposed to another file."""


class _Stream:
    """A stream that handles write errors; at a terminal it breaks long lines between words."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.wraps = stream.isatty()
        self._is_within = False
        """Whether the last line is not complete yet."""

    def write(self, text: str) -> int:
        try:
            self._stream.write(self._wrapped(text) if self.wraps else text)
        except OSError as error:
            self._fail(error)
        return len(text)

    def _wrapped(self, text: str) -> str:
        if not text:
            return text
        first, *others = text.split("\n")
        width = get_terminal_size().columns
        lines = [first if self._is_within else broken_between_words(first, width)]
        lines += (broken_between_words(line, width) for line in others)
        self._is_within = bool(lines[-1])
        return "\n".join(lines)

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
    """Standard output; a write error raises `OutputError`."""

    def _fail(self, error: OSError) -> None:
        raise OutputError(error.errno, error.strerror) from None


class _Complaints(_Stream):
    """Standard error; write errors are ignored."""

    def _fail(self, error: OSError) -> None:
        discard(self._stream)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace the characters that the output's encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_letter, error.object[error.start : error.end])), error.end


def _letter(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    if "\ud800" <= letter < "\ue000":  # a surrogate, from a file name that is not valid text
        return letter.encode("unicode_escape").decode()
    import unicodedata

    base = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return base or ("" if unicodedata.combining(letter) else "?")
