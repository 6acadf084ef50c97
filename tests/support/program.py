"""The real program in a process of its own, and what it left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

from support.prefork import Prefork, Request

PYTHON_M = (sys.executable, "-m", "lineduel")
PATIENCE = 120
"""Seconds after which what has not happened never will, however busy the machine is."""

_OF_THE_START = (
    "PYTHONIOENCODING",
    "PYTHONPATH",
    "PYTHONUTF8",
    "LANG",
    "LC_ALL",
    "NUMBA_CACHE_DIR",
)
"""Environment variables that Python reads when it starts."""


@dataclass(frozen=True)
class Finished:
    """How a run of the program ended, and what it said."""

    status: int
    out: str
    err: str

    @classmethod
    def from_bytes(cls, status: int, out: bytes, err: bytes) -> "Finished":
        """With the bytes as text; those that are no UTF-8 are kept."""
        return cls(
            status, out.decode(errors="surrogateescape"), err.decode(errors="surrogateescape")
        )

    @property
    def complaints(self) -> list[str]:
        return self.err.splitlines()


class Program:
    """`python -m lineduel` in a folder of its own, away from the user's games and settings."""

    def __init__(self, folder: Path, cache: Path | None = None) -> None:
        """With `cache` for the solutions it keeps, or a folder of its own for them."""
        self.folder = folder
        self.data = folder / "data"
        self._cache = cache or folder / "cache"

    def __call__(
        self, *arguments: str | bytes, typed: str | bytes = "", **settings: str
    ) -> Finished:
        """Run it to its end with these answers piped in; `settings` are environment variables."""
        if not may_fork(settings):
            return self.python("-m", "lineduel", *arguments, typed=typed, **settings)
        request = self.request(arguments, settings)
        given = typed.encode() if isinstance(typed, str) else typed
        return Finished.from_bytes(*prefork().run(request, given, PATIENCE))

    def printed(self, *arguments: str, **settings: str) -> tuple[int, str]:
        """Its exit status, and all that it prints on either stream, in the order in which it does.

        It may take a while, and nothing is piped in.
        """
        with TemporaryFile() as output, Path(os.devnull).open() as nothing:
            file = output.fileno()
            request = self.request(arguments, settings)
            process = prefork().start(request, nothing.fileno(), file, file)
            assert process.has_ended(4 * PATIENCE), arguments
            assert process.status is not None
            output.seek(0)
            return process.status, output.read().decode()

    def request(
        self,
        arguments: Sequence[str | bytes],
        settings: Mapping[str, str],
        *,
        terminal: bool = False,
    ) -> Request:
        """What starts it as a fork."""
        return {
            "arguments": [os.fsdecode(argument) for argument in arguments],
            "folder": str(self.folder),
            "environment": self.environment(**settings),
            "terminal": terminal,
        }

    def python(self, *arguments: str | bytes, typed: str | bytes = "", **settings: str) -> Finished:
        """Run Python itself in the same surroundings."""
        done = subprocess.run(
            [sys.executable, *arguments],
            input=typed.encode() if isinstance(typed, str) else typed,
            capture_output=True,
            cwd=self.folder,
            env=self.environment(**settings),
            timeout=PATIENCE,
            check=False,
        )
        return Finished.from_bytes(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def started(self, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        """The program under way, in a group of its own that is gone in the end."""
        process = subprocess.Popen(
            [*PYTHON_M, *arguments],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def environment(self, **settings: str) -> dict[str, str]:
        """Nothing of this machine's own settings but where Python finds what it needs."""
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        usual = {
            "HOME": str(self.folder),
            "LINEDUEL_DATA": str(self.data),
            "LINEDUEL_CACHE": str(self._cache),
            "LINEDUEL_CONFIG": str(self.folder / "config.toml"),
            "LANG": "C.UTF-8",
            "PYTHONIOENCODING": "utf-8:strict",  # as in most people's locales
        }
        return kept | usual | settings

    @property
    def saved(self) -> list[Path]:
        """The games that were kept, in the order of their names."""
        return sorted(
            path
            for path in self.data.glob("games/*")
            if not path.name.startswith(".")  # one that is just being written
        )

    @property
    def cached(self) -> list[Path]:
        """The solutions that were kept."""
        return sorted(self._cache.glob("solutions/*"))


def may_fork(settings: Mapping[str, str]) -> bool:
    """Whether a fork sees these settings: some are read only when Python starts."""
    return settings.keys().isdisjoint(_OF_THE_START)


@cache
def prefork() -> Prefork:
    """One for all tests of this process."""
    return Prefork({**os.environ, "LANG": "C.UTF-8"})


def wait_until(happened: Callable[[], object]) -> None:
    """Until it has happened; a failure if it never does."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "It did not happen."
        time.sleep(0.01)


def wait_for(path: Path, more_than: int, process: subprocess.Popen[str]) -> None:
    """Until the file has more lines than that, or the program has ended."""
    wait_until(
        lambda: (
            process.poll() is not None
            or (path.exists() and path.read_bytes().count(b"\n") > more_than)
        )
    )
