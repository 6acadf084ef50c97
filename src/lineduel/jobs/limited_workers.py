"""Worker processes for work that may never end: each piece has a time limit and can be killed."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from enum import Enum, auto
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeVar

from lineduel.errors import LineduelError, TimeLimit, WorkStopped
from lineduel.jobs.pool import settle_in, uninterrupted

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

_Result = TypeVar("_Result")
Listener = Callable[[object], object]
"""Called with what a function tells while it works; in the thread that waits for its result."""
SECONDS_TO_STOP = 2.0
"""What a function may take to stop by itself; after that its process is ended."""
SECONDS_TO_START = 60.0
"""What a process may take to start and to prepare itself."""
_GLANCE = 0.1
WORKERS_CLOSING = "The server is closing."
_TOO_MUCH = "This took too much memory, so it was stopped."


class LimitedWorkers:
    """Processes that do one thing at a time; one that takes too long is ended and replaced."""

    def __init__(
        self,
        number: int,
        memory: int | None = None,
        niceness: int = 0,
        prepare: Callable[[], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Use up to `number` processes, each with at most `memory` bytes of data.

        With niceness they leave the cores to processes without it. Each calls `prepare` first;
        that, and its start, do not count as time of its work.
        """
        self._start = _Start(memory, niceness, prepare)
        self._number, self._clock = number, clock
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="worker")
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def places(self) -> int:
        """How much can be under way at once."""
        return self._number

    @property
    def threads(self) -> ThreadPoolExecutor:
        """Where to call `run`: it has one thread for each process."""
        return self._threads

    def run(
        self,
        function: Callable[..., _Result],
        *arguments: object,
        seconds: float,
        listener: Listener | None = None,
        stop: threading.Event | None = None,
    ) -> _Result:
        """Call a function in another process, and wait for its result.

        Raises `TimeLimit` after that many seconds, and the function's own `LineduelError`. What the
        function gives to `tell_parent` comes to the listener. When `stop` is set, the function
        stops the next time it tells something, and `WorkStopped` is raised.
        """
        if stop is not None and stop.is_set():
            raise WorkStopped("Stopped before it began.")
        if self._is_closed:
            raise TimeLimit(WORKERS_CLOSING)
        worker = self._take()
        try:
            work = function, arguments
            result: _Result = worker.ask(work, seconds, listener, stop or threading.Event())
        except LineduelError:
            self._give_back(worker)
            if self._is_closed:
                raise TimeLimit(WORKERS_CLOSING) from None
            raise
        except BaseException:
            worker.end()
            self._give_back(worker)
            raise
        self._give_back(worker)
        return result

    def close(self) -> None:
        """End all processes, even those at work; a thread that waits for one gets an error."""
        with self._lock:
            self._is_closed = True
            workers = [*self._idle, *self._busy]
            self._idle.clear()
        for worker in workers:
            worker.end()

    def _take(self) -> "_Worker":
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        worker = worker or _Worker(self._start, self._clock)
        with self._lock:
            self._busy.add(worker)
            closed = self._is_closed
        if closed:
            worker.end()
            raise TimeLimit(WORKERS_CLOSING)
        return worker

    def _give_back(self, worker: "_Worker") -> None:
        with self._lock:
            self._busy.discard(worker)
            if worker.is_alive and not self._is_closed:
                self._idle.append(worker)


class _Start(NamedTuple):
    """How a process begins."""

    memory: int | None
    niceness: int
    prepare: Callable[[], object] | None


class _Said(Enum):
    """What a message from a worker is."""

    READY = auto()
    TOLD = auto()
    DONE = auto()
    FAILED = auto()


class _Worker:
    """One process, and the pipe to it."""

    def __init__(self, start: _Start, clock: Callable[[], float]) -> None:
        self._clock = clock
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, start), daemon=True)
        with uninterrupted(), _as_parent():
            self._process.start()
        theirs.close()
        self._is_ready = False

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def ask(
        self,
        work: tuple[Callable[..., Any], tuple[object, ...]],
        seconds: float,
        listener: Listener | None,
        stop: threading.Event,
    ) -> Any:
        """The result of some work; what the worker tells before it is given to the listener."""
        try:
            self._wait_until_ready(stop)
            self._pipe.send(work)
            said, result = self._answer(seconds, listener, stop)
        except (EOFError, OSError):
            self.end()
            raise TimeLimit(_TOO_MUCH) from None
        if said is _Said.DONE:
            return result
        raise result

    def _wait_until_ready(self, stop: threading.Event) -> None:
        end = self._clock() + SECONDS_TO_START
        while not self._is_ready:
            if stop.is_set():
                raise WorkStopped("Stopped before it began.")
            if self._clock() > end:
                self.end()
                raise TimeLimit("A worker process took too long to start.")
            if self._pipe.poll(_GLANCE):
                self._pipe.recv()
                self._is_ready = True

    def _answer(
        self, seconds: float, listener: Listener | None, stop: threading.Event
    ) -> tuple[_Said, Any]:
        end = self._clock() + seconds
        stopping = False
        while True:
            if stop.is_set() and not stopping:
                stopping = True
                end = min(end, self._clock() + SECONDS_TO_STOP)
                self._pipe.send(None)
            left = end - self._clock()
            if left <= 0:
                self.end()
                if stopping:
                    raise WorkStopped("Stopped.")
                told = f"This took longer than {seconds:g} seconds, so it was stopped."
                raise TimeLimit(told)
            if self._pipe.poll(min(left, _GLANCE)):
                said, content = self._pipe.recv()
                if said is not _Said.TOLD:
                    return said, content
                if listener is not None:
                    listener(content)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        with suppress(OSError):
            self._pipe.close()


@contextmanager
def _as_parent() -> Iterator[None]:
    """Meanwhile this process may start others, even as a worker of Dask, which is a daemon."""
    settings = multiprocessing.current_process()._config  # type: ignore[attr-defined]  # private
    before = settings.pop("daemon", None)
    try:
        yield
    finally:
        if before is not None:
            settings["daemon"] = before


_parent: Connection | None = None
"""In a worker, the pipe to the process that waits for its results."""


def tell_parent(message: object) -> None:
    """In a worker: tell how far the work is; raises `WorkStopped` if nobody waits any more."""
    if _parent is None:
        return
    if _parent.poll():
        _parent.recv()
        raise WorkStopped("Stopped.")
    _parent.send((_Said.TOLD, message))


def _serve(pipe: Connection, start: _Start) -> None:
    """Do what comes through the pipe, until it is closed."""
    global _parent
    _parent = pipe
    settle_in()
    if start.niceness:
        os.nice(start.niceness)
    if resource is not None and start.memory is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (start.memory, start.memory))
    if start.prepare is not None:
        start.prepare()
    pipe.send((_Said.READY, None))
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            return
        if asked is None:  # asked to stop when it was done already
            continue
        function, arguments = asked
        try:
            answer: tuple[_Said, object] = _Said.DONE, function(*arguments)
        except WorkStopped as error:
            answer = _Said.FAILED, error
        except LineduelError as error:
            answer = _Said.FAILED, LineduelError(str(error))
        except RecursionError:
            answer = _Said.FAILED, LineduelError("This is nested too deeply.")
        except MemoryError:
            return  # what this process keeps from earlier work would be in the way of the next
        pipe.send(answer)
