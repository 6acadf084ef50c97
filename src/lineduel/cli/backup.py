"""`lineduel backup`: copy the live games while the server runs."""

import argparse
from pathlib import Path

from lineduel.cli.options import Parser, examples
from lineduel.errors import StorageError, shown
from lineduel.storage import data_folder, user_path
from lineduel.web import back_up

_SQLITE = "sqlite:///"


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
    back_up(source, target)
    print(f"The live games are copied to {shown(target, 300)}.")
    return 0


def _source(address: str | None) -> Path:
    if address is None:
        return data_folder() / "live.sqlite"
    if not address.startswith(_SQLITE):
        raise StorageError("Only SQLite is copied by this command. Use pg_dump for PostgreSQL.")
    return Path(address.removeprefix(_SQLITE))
