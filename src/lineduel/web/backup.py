"""A copy of the live games in SQLite, while the server writes to them."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from lineduel.errors import AlreadyExists, StorageError, shown

_PAGES = 500
"""Pages that are copied at once; between them the server may write."""


def back_up(source: Path, target: Path) -> None:
    """Copy a database to a new file, whole or not at all."""
    taken = AlreadyExists(f"{shown(target, 300)} already exists. Choose another name.")
    if target.exists():
        raise taken
    if not source.exists():
        raise StorageError(f"There are no live games yet: {shown(source, 300)} does not exist.")
    part = target.with_name(f".{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _copy(source, part)
        os.link(part, target)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise StorageError(f"{shown(target, 300)} cannot be written: {error.strerror}.") from None
    except sqlite3.Error as error:
        raise StorageError(f"{shown(source, 300)} cannot be copied: {error}.") from None
    finally:
        for ending in ("", "-journal", "-shm", "-wal"):  # SQLite's own beside it
            part.with_name(part.name + ending).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """SQLite's online backup: a consistent copy, whatever is written meanwhile."""
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as one,
        closing(sqlite3.connect(target)) as other,
    ):
        one.backup(other, pages=_PAGES)
        other.execute("PRAGMA journal_mode=DELETE")
    with target.open("rb") as file:
        os.fsync(file.fileno())
