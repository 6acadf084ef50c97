"""Worker processes for work that may never end: each piece has a time limit and can be killed."""

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from lineduel.errors import LineduelError, TimeLimit
from lineduel.jobs.pool import settle_in

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

_Result = TypeVar("_Result")


class LimitedWorkers:
    """Processes that do one thing at a time; one that takes too long is ended and replaced."""

    def __init__(self, number: int, memory: int | None = None) -> None:
        """Use so many processes, each with at most `memory` bytes of data."""
        self._memory = memory
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="worker")
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def threads(self) -> ThreadPoolExecutor:
        """Where to call `run`: it has one thread for each process."""
        return self._threads

    def run(self, function: Callable[..., _Result], *arguments: object, seconds: float) -> _Result:
        """Call a function in another process, and wait for its result.

        Raises `TimeLimit` after so many seconds, and the function's own `LineduelError`.
        """
        worker = self._take()
        try:
            result: _Result = worker.ask(function, arguments, seconds)
        except LineduelError:
            self._give_back(worker)
            raise
        except BaseException:
            worker.end()
            self._give_back(worker)
            raise
        self._give_back(worker)
        return result

    def close(self) -> None:
        """End all processes, also those that are at work."""
        with self._lock:
            self._is_closed = True
            workers = [*self._idle, *self._busy]
            self._idle.clear()
        for worker in workers:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _take(self) -> "_Worker":
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        worker = worker or _Worker(self._memory)
        with self._lock:
            self._busy.add(worker)
            closed = self._is_closed
        if closed:
            worker.end()
            raise TimeLimit("The server is closing.")
        return worker

    def _give_back(self, worker: "_Worker") -> None:
        with self._lock:
            self._busy.discard(worker)
            if worker.is_alive and not self._is_closed:
                self._idle.append(worker)


class _Worker:
    """One process, and the pipe to it."""

    def __init__(self, memory: int | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, memory), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def ask(self, function: Callable[..., Any], arguments: tuple[object, ...], limit: float) -> Any:
        try:
            self._pipe.send((function, arguments))
            if not self._pipe.poll(limit):
                self.end()
                raise TimeLimit(f"This took longer than {limit:g} seconds, so it was stopped.")
            is_done, result = self._pipe.recv()
        except (EOFError, OSError):
            self.end()
            raise TimeLimit("This took too much memory, so it was stopped.") from None
        if is_done:
            return result
        raise result

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        with suppress(OSError):
            self._pipe.close()


def _serve(pipe: Connection, memory: int | None) -> None:
    """Do what comes through the pipe, until it is closed."""
    settle_in()
    if resource is not None and memory is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    while True:
        try:
            function, arguments = pipe.recv()
        except EOFError:
            return
        try:
            answer: tuple[bool, object] = True, function(*arguments)
        except LineduelError as error:
            answer = False, LineduelError(str(error))
        except MemoryError:
            answer = False, TimeLimit("This took too much memory, so it was stopped.")
        pipe.send(answer)
