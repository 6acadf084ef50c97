"""The real program in a process of its own, and what it left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from support.prefork import Forked, Prefork, Request, Surroundings

PYTHON_M = (sys.executable, "-m", "lineduel")
PATIENCE = 120
"""Seconds after which what has not happened never will, however busy the machine is."""

_OF_THE_START = (
    "PYTHONPATH",
    "PYTHONUTF8",
    "LANG",
    "LC_ALL",
    "NUMBA_CACHE_DIR",
)
"""Environment variables that Python reads when it starts, and that a fork does not follow."""


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
            if not process.has_ended(4 * PATIENCE):
                process.kill()
                raise TimeoutError(f"{arguments} took more than {4 * PATIENCE} seconds.")
            assert process.status is not None
            output.seek(0)
            return process.status, output.read().decode()

    def request(
        self,
        arguments: Sequence[str | bytes],
        settings: Mapping[str, str],
        surroundings: Surroundings = "group",
    ) -> Request:
        """What starts it as a fork."""
        return {
            "module": "lineduel",
            "arguments": [os.fsdecode(argument) for argument in arguments],
            "folder": str(self.folder),
            "environment": self.environment(**settings),
            "surroundings": surroundings,
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
    def started(
        self,
        *arguments: str,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
        fresh: bool = False,
        **settings: str,
    ) -> Iterator[subprocess.Popen[str]]:
        """The program under way, in a group of its own that is gone in the end.

        With `fresh` it is no fork.
        """
        start = subprocess.Popen if fresh or not may_fork(settings) else ForkedProgram
        process = start(
            [*PYTHON_M, *arguments],
            cwd=self.folder,
            env=self.environment(**settings),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            with suppress(BrokenPipeError):
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


class ForkedProgram(subprocess.Popen[str]):
    """A `Popen` of `python -m MODULE` that is a fork, in a session of its own."""

    _forked: Forked

    def _execute_child(self, command: Sequence[str], *details: Any) -> None:
        """What `Popen` calls to start a program. After the folder and the environment come the
        ends of the pipes, the child's and ours in turn: -1 is the stream of this process."""
        _, _, module, *arguments = command
        (folder, environment), ends = details[4:6], details[9:15]
        streams = [
            stream if end == -1 else end for stream, end in enumerate((ends[0], *ends[3::2]))
        ]
        request: Request = {
            "module": module,
            "arguments": arguments,
            "folder": os.fspath(folder),
            "environment": environment,
            "surroundings": "session",
        }
        self._forked = prefork().start(request, *streams)
        self.pid = self._forked.pid
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]

    def _internal_poll(self, *_: object, **__: object) -> int | None:
        if self.returncode is None and self._forked.has_ended():
            self.returncode = self._forked.status
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        if not self._forked.has_ended(timeout):
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        assert self._forked.status is not None
        self.returncode = self._forked.status
        return self.returncode


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
