"""Files that are written whole or not at all, and the folders where they are kept."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from lineduel.errors import StorageError, shown


def data_folder() -> Path:
    """Where this user's games are kept: LINEDUEL_DATA, else the platform's folder for it."""
    chosen = os.environ.get("LINEDUEL_DATA")
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("lineduel", appauthor=False)


def cache_folder() -> Path:
    """Where what can be worked out again is kept: LINEDUEL_CACHE, else the platform's folder."""
    chosen = os.environ.get("LINEDUEL_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("lineduel", appauthor=False)


def user_path(text: str) -> Path:
    """The path that a person typed."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise StorageError(f"There is no home folder for {shown(text)}.") from None


def write_atomically(path: Path, content: str | Iterable[bytes], new: bool = False) -> None:
    """Write a file so that a crash at any moment leaves either the old content or the new.

    With `new` an old content is never replaced.
    """
    chunks = (content.encode(),) if isinstance(content, str) else content
    try:
        if new and path.exists():
            raise StorageError(f"{shown(path, 200)} is there already; choose another name.")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".lineduel-")
        temporary = Path(name)
        try:
            temporary.chmod(0o666 & ~_umask())
            with os.fdopen(handle, "wb") as file:
                for chunk in chunks:
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(path, 200)} cannot be written: {_reason(error)}.") from None


def read_text(path: Path) -> str:
    """A text file's content."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StorageError(f"There is no file {shown(path, 200)}.") from None
    except UnicodeDecodeError:
        raise StorageError(f"{shown(path, 200)} is not a text file in UTF-8.") from None
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(path, 200)} cannot be read: {_reason(error)}.") from None


def _umask() -> int:
    """What new files of this user are not to allow; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
