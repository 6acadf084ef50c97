"""`lineduel backup`: copy the live games while the server runs."""

import argparse
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from lineduel.cli.options import Parser, examples
from lineduel.errors import AlreadyExists, StorageError, shown
from lineduel.storage import data_folder, user_path

_SQLITE = "sqlite:///"
_PAGES = 500
"""Pages that are copied at once; between them the server may write."""


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the file to write; it must not exist yet")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="the database to copy (default: SQLite in the data folder)",
    )
    examples(parser, "lineduel backup games.sqlite")


def run(options: argparse.Namespace) -> int:
    source, target = _source(options.database), user_path(options.file)
    if target.exists():
        raise AlreadyExists(f"{shown(target, 300)} already exists. Choose another name.")
    if not source.exists():
        raise StorageError(f"There are no live games yet: {shown(source, 300)} does not exist.")
    part = target.with_name(f".{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _copy(source, part)
        os.link(part, target)
    except FileExistsError:
        raise AlreadyExists(f"{shown(target, 300)} already exists. Choose another name.") from None
    except OSError as error:
        raise StorageError(f"{shown(target, 300)} cannot be written: {error.strerror}.") from None
    except sqlite3.Error as error:
        raise StorageError(f"{shown(source, 300)} cannot be copied: {error}.") from None
    finally:
        for ending in ("", "-journal", "-shm", "-wal"):  # SQLite's own beside it
            part.with_name(part.name + ending).unlink(missing_ok=True)
    print(f"The live games are copied to {shown(target, 300)}.")
    return 0


def _source(address: str | None) -> Path:
    if address is None:
        return data_folder() / "live.sqlite"
    if not address.startswith(_SQLITE):
        raise StorageError("Only SQLite is copied by this command. Use pg_dump for PostgreSQL.")
    return Path(address.removeprefix(_SQLITE))


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
