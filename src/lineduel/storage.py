"""Read files up to a size limit, write them atomically, and find the folders they are stored in."""

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lineduel.errors import AlreadyExists, NotReplaced, NotText, StorageError, shown

try:
    import fcntl
except ImportError:  # not on this platform
    fcntl = None  # type: ignore[assignment]

LARGEST_TEXT = 16 << 20
"""Default limit, in bytes, on the size of a text file to read."""
_LONGEST_NAME = 60
_TEMPORARY = re.compile(r"\.lineduel-[0-9a-f]{16}")
_ABANDONED = 60.0
"""Seconds after which a temporary file that is not locked counts as abandoned."""
_FORGOTTEN = 86_400.0
"""Seconds after which any temporary file counts as abandoned, even if locks are not available."""


def data_folder() -> Path:
    """The folder for the user's games: LINEDUEL_DATA if set, otherwise the platform's default."""
    chosen = os.environ.get("LINEDUEL_DATA")
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("lineduel", appauthor=False)


def cache_folder() -> Path:
    """The folder for cached results: LINEDUEL_CACHE if set, otherwise the platform's default."""
    chosen = os.environ.get("LINEDUEL_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("lineduel", appauthor=False)


def user_path(text: str) -> Path:
    """The path that a user typed, with `~` expanded."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise StorageError(f"There is no home folder for {shown(text)}.") from None


def safe_name(text: str) -> str:
    """Text made safe for a file name: only ASCII letters, digits and hyphens, and cut short."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST_NAME].strip("-") or "game"


# Reading


def open_regular(path: Path, flags: int = os.O_RDONLY) -> BinaryIO:
    """Open a regular file, unbuffered; raises at once for a device, a pipe or a folder.

    A missing file raises FileNotFoundError.
    """
    # Without O_NONBLOCK, opening a pipe would wait for the other end.
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind):
        return os.fdopen(handle, "rb" if flags == os.O_RDONLY else "r+b", buffering=0)
    os.close(handle)
    what = "a directory" if stat.S_ISDIR(kind) else "a device or a pipe"
    raise StorageError(f"{shown(path, 300)} is {what}, not a file.")


def check_readable(path: Path) -> None:
    """Raise an error if the path is not a regular file or cannot be read."""
    with _reading(path):
        pass


def read_bytes(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """The contents of a file; raises if it has more than `most` bytes."""
    with _reading(path) as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(most + 1) if size <= most else b""
    if max(size, len(content)) > most:
        raise StorageError(f"{shown(path, 300)} is too large: the limit is {most >> 20} MiB.")
    return content


def read_text(path: Path, most: int = LARGEST_TEXT) -> str:
    """The contents of a text file, with all line endings as `\\n`; raises if it is too large."""
    try:
        return read_bytes(path, most).decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise NotText(f"{shown(path, 300)} is not a text file in UTF-8.") from None


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    """An open file; errors name the file."""
    try:
        with open_regular(path) as file:
            yield file
    except FileNotFoundError:
        raise StorageError(f"There is no file {shown(path, 300)}.") from None
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(path, 300)} cannot be read: {reason(error)}.") from None


# Writing


def write_atomically(
    path: Path, content: str | Iterable[bytes], new: bool = False, mode: int = 0o666
) -> None:
    """Write a file so that a crash at any moment leaves either the old contents or the new.

    With `new`, an existing file is never replaced: if several processes create the same file at
    once, one succeeds and the others get `AlreadyExists`. `mode` sets the permissions, subject to
    the user's umask.
    """
    try:
        chunks = (content.encode(),) if isinstance(content, str) else content
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path.parent)
        temporary = path.with_name(f".lineduel-{os.urandom(8).hex()}")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                hold(handle)  # to show that it is being written
                for chunk in chunks:
                    file.write(chunk)
                file.flush()
                os.fsync(handle)
            if not new:
                temporary.replace(path)
            elif not _link(temporary, path):
                raise AlreadyExists(f"{shown(path, 300)} already exists; choose another name.")
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(path, 300)} cannot be written: {reason(error)}.") from None


def put_aside(path: Path) -> Path:
    """Rename a damaged file to an unused name and return that; the old name if this fails."""
    number = 1
    while True:
        mark = "" if number == 1 else f"-{number}"
        aside = path.with_name(f"{path.name}{mark}.damaged")
        try:
            if _link(path, aside):
                path.unlink(missing_ok=True)
                return aside
        except OSError:
            return path
        number += 1


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock while a file is read and rewritten.

    If the platform or the file system does not support locks, there is no waiting.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(path, 300)} cannot be written: {reason(error)}.") from None
    try:
        if fcntl is not None:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def can_hold() -> bool:
    """Whether this platform has locks on files."""
    return fcntl is not None


def hold(file: int | BinaryIO) -> bool:
    """Lock an open file until it is closed; False if another program has locked it.

    Where the file system has no locks, other programs are not kept out.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


# Output files named by the user


def check_folder(path: Path) -> None:
    """Raise if the folder of a file that a person named does not exist: it is not made unasked."""
    if not path.parent.is_dir():
        raise StorageError(
            f"There is no folder {shown(path.parent, 300)}. Make it first, or choose another place."
        )


class Output(NamedTuple):
    """A file to write, and how to recognise one that the same command wrote before."""

    path: Path
    heads: tuple[bytes, ...] = ()
    """Possible first bytes of such a file; if empty, any existing file counts as foreign."""
    force: bool = False
    """Whether a foreign file may be replaced."""


def check_outputs(outputs: Sequence[Output], inputs: Iterable[Path] = ()) -> None:
    """Raise if an output would overwrite an input, another output, or a foreign file."""
    read = tuple(inputs)
    for number, output in enumerate(outputs):
        if _is_device(output.path):
            continue
        if any(_is_same(output.path, one) for one in read):
            raise StorageError(
                f"{shown(output.path, 300)} is read by this command and would be overwritten.\n"
                "Choose another name for the output."
            )
        if any(_is_same(output.path, other.path) for other in outputs[:number]):
            raise StorageError(
                f"Two outputs have the same name, {shown(output.path, 300)}.\n"
                "Choose another name for one of them."
            )
        if any(_is_same(folder, other.path) for folder in output.path.parents for other in outputs):
            raise StorageError(
                f"{shown(output.path.parent, 300)} cannot be both a file and a folder.\n"
                "Choose another name for one of the outputs."
            )
        _check_replaceable(output)


def write_output(output: Output, content: str | Iterable[bytes]) -> None:
    """Write an output: atomically to a file (following links), or directly to a device."""
    if not _is_device(output.path):
        _check_replaceable(output)
        write_atomically(Path(os.path.realpath(output.path)), content)
        return
    chunks = (content.encode(),) if isinstance(content, str) else content
    try:
        with _opened_device(output.path) as file:
            for chunk in chunks:
                file.write(chunk)
    except OSError as error:
        raise StorageError(
            f"{shown(output.path, 300)} cannot be written: {reason(error)}."
        ) from None


def _is_device(path: Path) -> bool:
    """Whether the path is written to directly, rather than created or replaced."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(path, 300)} cannot be written: {reason(error)}.") from None
    if stat.S_ISDIR(status.st_mode):
        raise StorageError(f"{shown(path, 300)} is a directory, not a file.")
    return not stat.S_ISREG(status.st_mode) or _standard_stream(status) is not None


def _check_replaceable(output: Output) -> None:
    """Raise `NotReplaced` if the output would replace a foreign file."""
    try:
        is_there = output.path.stat().st_size > 0
    except OSError:
        return
    if is_there and not output.force and not _begins_with(output.path, output.heads):
        raise NotReplaced(output.path)


def _begins_with(path: Path, heads: tuple[bytes, ...]) -> bool:
    try:
        with open_regular(path) as file:
            return file.read(max(map(len, heads), default=0)).startswith(heads)
    except OSError:
        return False


def _opened_device(path: Path) -> BinaryIO:
    stream = _standard_stream(path.stat())
    if stream is None:
        return path.open("wb")
    sys.stdout.flush()  # keep earlier output before this
    return os.fdopen(os.dup(stream), "wb")


def _standard_stream(status: os.stat_result) -> int | None:
    """The number of the standard stream that is this file; /dev/stdout may be a regular file."""
    for stream in (1, 2):
        with suppress(OSError):
            if os.path.samestat(status, os.fstat(stream)):
                return stream
    return None


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)


# Temporary files


def _link(source: Path, path: Path) -> bool:
    """Give a file another name; returns False if that name is already taken."""
    try:
        try:
            path.hardlink_to(source)
        except FileExistsError:
            raise
        except OSError:  # no hard links here: reserve the name, then replace it
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            source.replace(path)
    except FileExistsError:
        return False
    return True


@cache
def _remove_abandoned(folder: Path, clock: Callable[[], float] = time.time) -> None:
    """Remove temporary files left by programs that were killed while writing; once per run."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if _TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    age = clock() - entry.stat().st_mtime
                    if age > _FORGOTTEN or (age > _ABANDONED and _is_free(Path(entry.path))):
                        Path(entry.path).unlink()


def _is_free(path: Path) -> bool:
    """Whether no program is writing that file."""
    if fcntl is None:
        return False
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


def reason(error: Exception) -> str:
    """Why a file could not be used, in the system's words."""
    return (getattr(error, "strerror", None) or str(error)).lower()
