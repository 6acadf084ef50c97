"""The process that forks, for `prefork.py`.

It reads requests from a socket. Each comes with the three standard streams, and a pipe to which it
writes the process ID and the exit status.

The processes that the program starts to share its work are forks, too: of the program itself.
"""

import atexit
import gc
import json
import math
import os
import runpy
import select
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import process
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise
from multiprocessing import util
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Literal
from warnings import filterwarnings

import lineduel
from lineduel.cli import progress
from lineduel.engine import Game
from lineduel.lab.audit import audit
from lineduel.rulebooks import find_rulebook
from lineduel.solve.table import solve_table

if TYPE_CHECKING:
    from support.prefork import Request

_LONGEST = 1 << 20  # bytes of a request
_FILES = 4
_ESCAPED = "backslashreplace"  # how Python writes to standard error
_AT_THE_START = {signal.SIGINT: signal.default_int_handler}
"""What Python does about signals when it starts."""
_LEFT_OUT = (
    "lineduel.__main__",
    "lineduel.agents",
    "lineduel.envs",
    "lineduel.jobs.cluster",
    "lineduel.tablebase.gpu",
    "lineduel.web",
)
"""Modules that are run, not imported, or need packages that few commands need."""
_SHARED = {
    "serve": "lineduel.web.server",
    "join": "lineduel.web.live_client",
    "--cluster": "lineduel.jobs.cluster",
    "--scheduler-file": "distributed",  # a cluster: its scheduler is what is started first
}
"""What is imported once a word of the arguments asks for it, and then shared by all that do."""
_COMPILED = ("ctf-tokens", "flag-chase")
"""Games that are audited to have the compiler and its code at hand, without and with battles."""
_TABLES = ("blockade-duel", "cross-over")
"""Games that are solved in a table for the same, with and without repetition."""


def _load() -> None:
    """Import all of the program, and load the code that was compiled."""
    for module in walk_packages(lineduel.__path__, "lineduel."):
        if not module.name.startswith(_LEFT_OUT):
            import_module(module.name)
    progress._LINE_EVERY = math.inf  # what is printed must not depend on how busy the machine is
    for address in _COMPILED:
        audit(find_rulebook(address))
    for address in _TABLES:
        game = Game(find_rulebook(address))
        solve_table(game, game.start())


def _serve(requests: socket.socket) -> "Request":
    """Fork for every request, until nobody can ask any more; the request, in each fork."""
    running: dict[int, tuple[int, int]] = {}  # process IDs and pipes, by what tells of their end
    while True:
        asked = requests.fileno()
        news, _, _ = select.select([asked, *running], [], [])
        for ended in set(news) - {asked}:
            _report(*running.pop(ended))
            os.close(ended)
        if asked not in news:
            continue
        text, files, _, _ = socket.recv_fds(requests, _LONGEST, _FILES)
        if not text:
            os._exit(0)
        request: Request = json.loads(text)
        for word in _SHARED.keys() & request["arguments"]:
            import_module(_SHARED[word])
        *streams, tell = files
        if program := os.fork():
            os.write(tell, f"{program}\n".encode())
            running[os.pidfd_open(program)] = program, tell
            for stream in streams:
                os.close(stream)
            continue
        requests.close()
        for file in (tell, *running, *(pipe for _, pipe in running.values())):
            os.close(file)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        return request


def _report(program: int, tell: int) -> None:
    """Tell how a process has ended."""
    _, status = os.waitpid(program, 0)
    with suppress(BrokenPipeError):  # nobody wants to know
        os.write(tell, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os.close(tell)


def _run(request: "Request") -> None:
    """What `python -m MODULE` does, up to its end."""
    if request["surroundings"] != "group":
        os.setsid()
    if request["surroundings"] == "terminal":
        import fcntl
        import termios

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if most := request.get("descriptors"):
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    encoding, _, errors = request["environment"]["PYTHONIOENCODING"].partition(":")
    for name, stream in (
        ("stdin", _stream(0, "r", encoding, errors or "strict")),
        ("stdout", _stream(1, "w", encoding, errors or "strict")),
        ("stderr", _stream(2, "w", encoding, _ESCAPED)),
    ):
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = [request["module"], *request["arguments"]]
    util.spawnv_passfds = _spawn  # type: ignore[assignment]
    try:
        runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        _exit_status["now"] = int(end.code or 0)
        raise


def _stream(file: int, mode: Literal["r", "w"], encoding: str, errors: str) -> TextIOWrapper:
    """A standard stream as Python makes it at its start."""
    lines = 1 if file == 2 or os.isatty(file) else -1
    return os.fdopen(file, mode, lines, encoding=encoding, errors=errors, closefd=False)


def _spawn(_: str, command: Sequence[str | bytes], files: Sequence[int]) -> int:
    """What `multiprocessing` starts as `python -c CODE`, as a fork of this process; its ID."""
    if started := os.fork():
        return started
    status = 1
    try:
        kept = [0, 1, 2, *sorted(files)]
        for before, after in pairwise([*kept, os.sysconf("SC_OPEN_MAX")]):
            os.closerange(before + 1, after)
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, _AT_THE_START.get(number, signal.SIG_DFL))
        process._threads_wakeups.clear()  # the pools of the program are not this fork's to close
        words = [os.fsdecode(word) for word in command]
        at = words.index("-c")
        sys.argv = ["-c", *words[at + 2 :]]
        exec(words[at + 1], {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _leave() -> None:
    """Leave out the last part of an orderly end: taking all the imported modules apart."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_exit_status["now"])


if __name__ == "__main__":
    _exit_status = {"now": 1}  # as after an exception that nobody caught
    atexit.register(_leave)  # the first that is registered is called last
    _load()
    gc.collect()
    gc.freeze()  # what is shared stays shared
    # Python 3.12 and later say so on the program's standard error, which is not what it said.
    filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    _run(_serve(socket.socket(fileno=int(sys.argv[1]))))
