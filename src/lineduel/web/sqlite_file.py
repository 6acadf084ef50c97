"""The file of an SQLite database: durable, for its owner alone, and for one server at a time."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import sqlalchemy as sa

from lineduel.errors import InUse, StorageError, shown

try:
    import fcntl
except ImportError:  # not on this platform
    fcntl = None  # type: ignore[assignment]

BUSY_MILLISECONDS = 5000
"""How long SQLite waits for another process that writes."""
_FILES_BESIDE = ("", "-wal", "-shm", "-journal")
"""How the names of SQLite's files end."""


def make_durable(connection: Any, record: object) -> None:
    """Set up a new connection to SQLite so that what is committed survives a crash."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    cursor.close()


def sqlite_file(address: sa.URL) -> Path | None:
    """The file of a database, whatever links lead to it; None if it is in memory only."""
    name = address.database or ""
    if name.startswith("file:"):
        name = "" if "mode=memory" in name else unquote(name[5:].partition("?")[0])
        name = f"/{name.lstrip('/')}" if name.startswith("//") else name
    return None if name in ("", ":memory:") else Path(name).resolve()


def hide_from_others(path: Path) -> bool:
    """Let only the owner read and write a database, which is made if it does not exist.

    False if that is not possible. SQLite gives new files beside it the same rights.
    """
    try:
        path.touch(mode=0o600)
    except OSError as error:
        raise StorageError(f"{shown(path, 300)} cannot be written: {error.strerror}.") from None
    if os.name != "posix":
        return True
    try:
        for ending in _FILES_BESIDE:
            file = path.with_name(path.name + ending)
            if file.exists() and file.stat().st_mode & 0o077:
                file.chmod(0o600)
    except OSError:
        return False
    return True


class OnlyServer:
    """Lets only one server use a file of SQLite: another would not learn of its moves."""

    def __init__(self, database: Path) -> None:
        self._file: int | None = None
        if fcntl is None:
            return
        path = database.with_name(f"{database.name}.lock")
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StorageError(f"{shown(path, 300)}: {error.strerror}.") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise InUse(
                "Another server uses this database. Stop it first, or use another one."
            ) from None
        self._file = file

    def release(self) -> None:
        """Let others use the database; calling it again does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
