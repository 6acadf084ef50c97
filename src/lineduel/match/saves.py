"""The games saved on disk, each in its own file, which is written after every move."""

import os
import re
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from lineduel.errors import AlreadyExists, InUse, LineduelError, StorageError, shown
from lineduel.match.secret_numbers import remove_file, remove_numbers
from lineduel.record import Record, read_record, write_record
from lineduel.storage import (
    can_hold,
    data_folder,
    hold,
    put_aside,
    read_text,
    safe_name,
    write_atomically,
)

SUFFIX = ".duel"
SAVED = "Saved"
"""The tag that says when a game was last written."""
_SAVED = rf'(?m)^\[{SAVED} "([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9:.]+)"\]$'
_BEGUN = r"([0-9]{4}-[0-9]{2}-[0-9]{2})-([0-9]{2})([0-9]{2})([0-9]{2})-"
_DATE = r'(?m)^\[Date "([0-9]{4})\.([0-9]{2})\.([0-9]{2})"\]$'


class Saves:
    """The folder with this user's games."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder() / "games"

    def add(self, record: Record, now: datetime) -> Path:
        """Write a new game to its own file, and return the path."""
        name = f"{now:%Y-%m-%d-%H%M%S}-{safe_name(record.rulebook.id)}"
        for number in count(1):
            path = self.folder / f"{name}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            with suppress(AlreadyExists):
                save(record, path, new=True)
                break
        return path

    def delete(self, path: Path) -> None:
        """Remove a game that is open nowhere, and the files beside it."""
        held = Hold(path)
        try:
            self.remove(path)
        finally:
            held.release()

    def remove(self, path: Path) -> None:
        """Remove a game, and the files beside it."""
        remove_file(path)
        remove_numbers(path)

    def holds(self, path: Path) -> bool:
        """Whether a file is in this folder."""
        return path.resolve().parent == self.folder.resolve()

    def latest_unfinished(self, game: str | None = None) -> tuple[Path, Record]:
        """The unfinished game played last; a damaged file is set aside and reported."""
        for _, path in self.latest_first():
            record = self._read(path)
            if not record.is_over and game in (None, record.rulebook.id):
                return path, record
        of = f" of {game}" if game else ""
        raise StorageError(f"There is no unfinished game{of} to resume.")

    def _read(self, path: Path) -> Record:
        try:
            return read_record(read_text(path))
        except LineduelError as error:
            aside = put_aside(path)
            with suppress(StorageError):
                remove_numbers(path)
            raise StorageError(
                f"A saved game is damaged. {error}\n"
                f"It is kept as {shown(aside, 300)}; try again to get the game before it."
            ) from None

    def latest_first(self) -> list[tuple[str, Path]]:
        """When each game was last written, as far as it says so, and its file; the latest first."""
        try:
            found = [
                (_last_written(Path(entry.path)), entry.name, Path(entry.path))
                for entry in os.scandir(self.folder)
                if entry.name.endswith(SUFFIX) and entry.is_file()
            ]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError(
                f"{shown(self.folder, 300)} cannot be read: {error.strerror}."
            ) from None
        return [(written, path) for written, _, path in sorted(found, reverse=True)]


class Hold:
    """A saved game that is open here and nowhere else.

    The system lets go of it when this process ends, however that happens. Where the platform or
    the file system has no locks, other programs are not kept out.
    """

    def __init__(self, path: Path) -> None:
        """Lock the game, unless another program has it open."""
        self._path = path.with_name(f".{path.name}.lock")
        self._file: int | None = None
        while can_hold() and self._file is None:
            try:
                file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError:
                return
            try:
                if not hold(file):
                    raise InUse("This game is open in another window or terminal.")
                if os.path.samestat(os.fstat(file), self._path.stat()):
                    self._file = file
            except FileNotFoundError:
                pass  # the holder has just removed the file: try again
            except OSError:
                return
            finally:
                if self._file is None:
                    os.close(file)

    def release(self) -> None:
        """Release the lock; it may be called again."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                self._path.unlink()
            os.close(file)


def save(record: Record, path: Path, new: bool = False) -> None:
    """Write a record, whole or not at all; with `new` nothing is replaced."""
    write_atomically(path, write_record(record), new)


def _last_written(path: Path) -> str:
    """When a game was last written, by what it says itself; else when it was begun."""
    text = ""
    with suppress(StorageError):
        text = read_text(path)
    if saved := re.search(_SAVED, text):
        return saved[1]
    if begun := re.match(_BEGUN, path.name):
        return "{}T{}:{}:{}.999999".format(*begun.groups())  # some time in that second
    date = re.search(_DATE, text)
    return "-".join(date.groups()) if date else ""


def load(path: Path) -> Record:
    """Read a record; errors in it are reported with the file's name."""
    text = read_text(path)
    try:
        return read_record(text)
    except LineduelError as error:
        raise type(error)(f"{shown(path, 300)}: {error}") from None
