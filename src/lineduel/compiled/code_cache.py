"""The cache of compiled code: one folder for each state of the sources and the compiler.

Numba recompiles a function if its own file changes, but not if a function or a number that it
imports from another file changes. Here, a change to any of these files selects another folder.
"""

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from lineduel.storage import cache_folder

try:
    import fcntl
except ImportError:  # not on this platform
    fcntl = None  # type: ignore[assignment]

PREFIX = "compiled-"
MARK = "in-use"
"""The file that is locked by every process that uses code from the folder."""
NOTICE_MARK = "compiling"
"""The file that is locked by the process that has shown the notice about compiling."""
KEPT = 3
"""Number of folders kept for other states, so that going back to one needs no compiling."""
UNUSED = 3600.0
"""Seconds since a folder was last taken into use after which it may be removed."""
_PACKAGE = Path(__file__).parent.parent
_WHOLE = ("compiled/", "graph/", "tablebase/")
"""Packages in which any module may contain functions that another module compiles."""
_DECORATORS = {b"compiled", b"inner", b"borrowing"}
_IMPORT = re.compile(rb"^\s*from (lineduel[.\w]*) import (\([^)]*\)|.*)", re.MULTILINE)
_NAME = re.compile(rb"\w+")


@cache
def code_folder() -> Path | None:
    """The folder for code compiled from the current sources; None if nothing can be stored."""
    try:
        name = PREFIX + state_key()
    except OSError:  # there are no sources to read
        return None
    for root in _roots():
        folder = root / name
        if _take(folder):
            _remove_unused(root, folder)
            return folder
    return None


def has_code(package: str) -> bool:
    """Whether functions of that package have been compiled and stored for the current sources."""
    folder = code_folder()
    # Numba has a folder for each package, and an index file for each function.
    return folder is not None and any(folder.glob(f"{package}_*/*.nbi"))


def state_key() -> str:
    """A hash of all sources of compiled code, and of the versions of the tools that compile it."""
    digest = sha256("\n".join(_versions()).encode())
    for path, content in sorted(compiled_sources(_PACKAGE).items()):
        digest.update(f"\n{path} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:20]


def compiled_sources(package: Path) -> dict[str, bytes]:
    """The modules that may contain compiled functions and their direct imports, by path."""
    contents = {path.relative_to(package).as_posix(): path.read_bytes() for path in _files(package)}
    found = {
        path: content
        for path, content in contents.items()
        if path.startswith(_WHOLE) or _compiles(content)
    }
    for content in tuple(found.values()):
        found |= {path: contents[path] for path in _imported(content, contents)}
    return found


def _compiles(content: bytes) -> bool:
    """Whether a module imports a decorator that compiles functions."""
    return any(
        module == b"lineduel.compiled" and _DECORATORS.intersection(_NAME.findall(names))
        for module, names in _IMPORT.findall(content)
    )


def _imported(content: bytes, contents: dict[str, bytes]) -> Iterator[str]:
    """The files that a module imports from; for a package, also those that define the names."""
    for module, names in _IMPORT.findall(content):
        path = "/".join(module.decode().split(".")[1:])
        package = f"{path}/__init__.py"
        if package in contents:
            yield package
            yield from _offered_by(contents[package], set(_NAME.findall(names)))
        elif f"{path}.py" in contents:
            yield f"{path}.py"


def _offered_by(package: bytes, names: set[bytes]) -> Iterator[str]:
    """The files from which a package imports these names."""
    for module, offered in _IMPORT.findall(package):
        if names.intersection(_NAME.findall(offered)):
            yield f"{'/'.join(module.decode().split('.')[1:])}.py"


def _files(package: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(package):
        yield from (Path(folder, name) for name in names if name.endswith(".py"))


def _versions() -> Iterator[str]:
    # Numba itself is not imported: that takes a while, and the notice must not wait for it.
    from importlib.metadata import version

    from llvmlite import binding

    yield from (sys.version, version("numpy"), version("numba"), version("llvmlite"))
    yield binding.get_host_cpu_name()
    with suppress(RuntimeError):  # not known everywhere
        yield binding.get_host_cpu_features().flatten()


def numba_settings() -> Any:
    """Numba's settings, which have no type annotations."""
    import numba

    return numba.config


def _roots() -> Iterator[Path]:
    """The folders to try: NUMBA_CACHE_DIR, the package's `__pycache__`, the user's cache."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen)
    yield _PACKAGE / "__pycache__"
    yield cache_folder()


def _take(folder: Path) -> bool:
    """Create and lock a folder; returns whether it exists and only this user can write to it.

    Its contents are executed, so nobody else may write to it. The lock prevents its removal.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            return False
        handle = os.open(folder / MARK, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock(handle, exclusive=False):  # it is being removed
            os.close(handle)
            return False
        os.utime(folder / MARK)  # the lock is held until this process ends
    except OSError:  # it cannot be written to, or has just been removed
        return False
    return True


def hold_notice() -> bool:
    """Take the lock for the notice; returns False if another process holds it."""
    folder = code_folder()
    if folder is None:
        return True
    try:
        handle = os.open(folder / NOTICE_MARK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return True
    return _lock(handle, exclusive=True)  # held until this process ends


def _remove_unused(root: Path, current: Path) -> None:
    """Remove the folders of earlier states, except the latest ones and those in use."""
    with suppress(OSError):
        others = [path for path in root.glob(f"{PREFIX}*") if path != current]
        others.sort(key=_last_used, reverse=True)
        for folder in others[KEPT:]:
            if time.time() - _last_used(folder) > UNUSED:
                _remove(folder)


def _last_used(folder: Path) -> float:
    mark = folder / MARK
    return (mark if mark.exists() else folder).stat().st_mtime


def _remove(folder: Path) -> None:
    """Remove a folder unless a process has locked it."""
    handle = os.open(folder / MARK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if _lock(handle, exclusive=True):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)


def _lock(handle: int, *, exclusive: bool) -> bool:
    """Lock a file; returns False if another process has locked it, True without lock support."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
