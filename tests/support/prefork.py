"""Starts the program quickly: as a fork of a process that has already loaded what it needs.

Most tests start the program, and most of a short run is the start: importing, and making the
compiler ready. A fork has arguments, folder, environment, standard streams and an exit status
of its own, as any process has. `prefork_process.py` is the process that forks.

Run as a script, this is the program for a shell that a test starts: it asks for a fork that has
its own streams, and ends as that does.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Literal, NotRequired, TypedDict

_PROCESS = Path(__file__).with_name("prefork_process.py")
QUICK_PROGRAM = Path(__file__).with_name("bin")
"""A folder for the `PATH` of a shell, with the program as such a fork."""
SHELL_SOCKET = "LINEDUEL_TESTS_SOCKET"
"""The environment variable with the number of the socket for its requests."""

Surroundings = Literal["group", "session", "terminal"]
"""Whether a process stays in the group of the one that forks, leads a session of its own, or one
whose terminal its standard streams are."""


class Request(TypedDict):
    """What a process is to run, and where."""

    module: str
    """What `python -m` is given."""
    arguments: list[str]
    folder: str
    environment: dict[str, str]
    surroundings: Surroundings
    descriptors: NotRequired[int]
    """The most files and connections that it may have open (`ulimit -n`)."""


class Forked:
    """A process that was started."""

    def __init__(self, news: BinaryIO) -> None:
        """From `news` it reads the process ID and, once the process has ended, the exit status."""
        self._news = news
        self.pid = int(news.readline())
        self.status: int | None = None
        """Once it has ended: its exit status, or minus the signal that ended it."""

    def has_ended(self, patience: float | None = 0) -> bool:
        """Whether it has, or does within that many seconds; without a limit, once it has."""
        if self.status is None and select.select([self._news], [], [], patience)[0]:
            self.status = int(self._news.readline())
            self._news.close()
        return self.status is not None

    def kill(self) -> None:
        """End it, and hear that it has ended, so that nothing stays open."""
        os.kill(self.pid, signal.SIGKILL)
        self.has_ended(None)


class Prefork:
    """The process that forks; it ends when this is closed or gone."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, str(_PROCESS), str(theirs.fileno())],
                env=environment,
                pass_fds=[theirs.fileno()],
            )

    def close(self) -> None:
        self._requests.close()
        self._process.wait()

    def run(self, request: Request, typed: bytes, patience: int) -> tuple[int, bytes, bytes]:
        """The exit status, standard output and standard error; an error if it takes too long."""
        with TemporaryFile() as given, TemporaryFile() as output, TemporaryFile() as errors:
            given.write(typed)
            given.seek(0)
            process = self.start(request, given.fileno(), output.fileno(), errors.fileno())
            if not process.has_ended(patience):
                process.kill()
                raise TimeoutError(f"{request['arguments']} took more than {patience} seconds.")
            for file in (output, errors):
                file.seek(0)
            assert process.status is not None
            return process.status, output.read(), errors.read()

    def start(self, request: Request, *streams: int) -> Forked:
        """A process with these standard streams."""
        return _start(self._requests, request, *streams)

    def fileno(self) -> int:
        """The socket for requests, for shells that are handed it."""
        return self._requests.fileno()


def _start(requests: socket.socket, request: Request, *streams: int) -> Forked:
    told, tell = os.pipe()
    socket.send_fds(requests, [json.dumps(request).encode()], [*streams, tell])
    os.close(tell)
    return Forked(os.fdopen(told, "rb", buffering=0))


if __name__ == "__main__":
    environment = dict(os.environ)
    requests = socket.socket(fileno=int(environment.pop(SHELL_SOCKET)))
    wanted: Request = {
        "module": "lineduel",
        "arguments": sys.argv[1:],
        "folder": os.getcwd(),  # noqa: PTH109  as the shell wrote it
        "environment": environment,
        "surroundings": "group",
    }
    started = _start(requests, wanted, *range(3))
    started.has_ended(None)
    sys.exit(started.status)
