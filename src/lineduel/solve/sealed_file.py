"""Files with a text head, columns of numbers and a SHA-256 hash of all that at the end."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from lineduel.errors import CertificateError

SEAL_BYTES = 32
_CHUNK = 1 << 24


def sealed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a file, followed by their hash."""
    seal = sha256()
    for piece in pieces:
        seal.update(piece)
        yield piece
    yield seal.digest()


def check_seal(path: Path, what: str) -> None:
    """Raise if the hash at the end of a file does not match."""
    seal = sha256()
    left = path.stat().st_size - SEAL_BYTES
    with path.open("rb") as file:
        while left > 0:
            piece = file.read(min(left, _CHUNK))
            seal.update(piece)
            left -= len(piece)
        if file.read() != seal.digest():
            raise CertificateError(f"The {what} is damaged: its checksum does not match.")


def head_line(file: BinaryIO, what: str) -> str:
    """The next line of the head."""
    line = file.readline(1 << 16).decode()
    if not line.endswith("\n"):
        raise CertificateError(f"The {what} is cut short.")
    return line[:-1]


def after_word(line: str, word: str, what: str) -> str:
    """What follows the first word of a line of the head."""
    if not line.startswith(f"{word} "):
        raise CertificateError(f"The {what} has no line for its {word}.")
    return line.removeprefix(f"{word} ")
