"""One door to many processes: those of this machine, or a Dask cluster.

Both are executors of `concurrent.futures`. Work goes out in chunks of about a second, and what
comes back is given on as it comes. A lost worker costs only its chunk, which is sent again.
"""

import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError as Cancelled,
    Future,
    wait,
)
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from multiprocessing.util import Finalize
from pathlib import Path
from types import FrameType
from typing import Any, Generic, NamedTuple, TypeVar

from lineduel.errors import LineduelError, NotInstalled, NoWorkers

try:
    import fcntl
except ImportError:  # not on this platform
    fcntl = None  # type: ignore[assignment]

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")
Work = Callable[[tuple[_Item, ...]], _Done]
"""The function applied to a chunk of items; it is sent to other processes, so it must pickle."""

CHUNK_SECONDS = 1.0
"""How long a chunk should take."""
GROWTH = 16
"""A chunk is at most this many times as large as the last of its kind."""
LARGEST = 1 << 16
"""The most items of a chunk."""
AHEAD = 2
"""Chunks waiting or under way for each worker."""
MOST_LOSSES = 5
"""How often the same chunk may be lost with its worker."""
_QUIET_TRACKER = "ignore:resource_tracker:UserWarning"
_GLANCE = 0.2
FAREWELL = 0.8
"""Seconds for workers to end by themselves."""
_MANAGER_SECONDS = 10.0
"""Seconds for the thread that hands out their work to end after them; it takes a moment."""


class Pool:
    """Workers that start when they are first needed, and end when the pool is closed."""

    def __init__(
        self,
        cores: int | None = None,
        cluster: str | None = None,
        notice: Callable[[str], None] = lambda sentence: None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        """Use cores of this machine (default: all), or the Dask cluster at an address.

        With no cores, 0, all is done in this process, for those that may not start others.
        While it waits for a cluster, it calls `notice` with a sentence that says so. Each process
        of this machine calls `prepare` first.
        """
        if cluster is not None:
            self._workers = _connect(cluster, notice)
        elif cores == 0:
            self._workers = Workers()
        else:
            self._workers = _Local(cores or os.cpu_count() or 1, prepare)

    def run(
        self,
        work: Work[_Item, _Done],
        items: Iterable[_Item],
        *,
        kind: Callable[[_Item], Hashable] = lambda item: None,
        seconds: float = CHUNK_SECONDS,
        largest: int = LARGEST,
    ) -> Iterator[_Done]:
        """Do the work for all items; results come in the order in which they are finished.

        A chunk holds items of one kind, for each kind as many as take the given seconds, up to
        `largest`; without a limit of seconds, `largest` from the first one. Items are taken only
        when they are needed. An error of the work itself is raised here.
        """
        chunks = _Chunks(iter(items), kind, seconds, largest)
        under_way: dict[Future[tuple[float, _Done | _Refusal]], _Chunk[_Item]] = {}
        try:
            while True:
                while len(under_way) < AHEAD * self._workers.size() and (chunk := chunks.next()):
                    under_way[self._workers.submit(_timed, work, chunk.items)] = chunk
                if not under_way:
                    return
                finished, _ = wait(under_way, _GLANCE, FIRST_COMPLETED)
                for future in finished:
                    chunk = under_way.pop(future)
                    try:
                        taken, done = future.result()
                    except (BrokenExecutor, Cancelled) as error:
                        chunks.again(chunk, error)
                        continue
                    except ImportError as error:
                        raise NoWorkers(f"A worker cannot do this work: {error}.") from None
                    except Exception as error:
                        if not self._workers.is_loss(error):
                            raise
                        chunks.again(chunk, error)
                        continue
                    if isinstance(done, _Refusal):
                        raise LineduelError(done.why)
                    chunks.learn(chunk, taken)
                    yield done
        finally:
            for future in under_way:
                self._workers.drop(future)

    def close(self) -> None:
        self._workers.close()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *how: object) -> None:
        self.close()


@dataclass(slots=True)
class _Chunk(Generic[_Item]):
    kind: Hashable
    items: tuple[_Item, ...]
    losses: int = 0


class _Chunks(Generic[_Item]):
    """Items grouped into chunks; chunks that were lost come again."""

    def __init__(
        self,
        items: Iterator[_Item],
        kind: Callable[[_Item], Hashable],
        seconds: float,
        largest: int,
    ) -> None:
        self._items, self._kind = items, kind
        self._seconds, self._largest = seconds, largest
        self._sizes: dict[Hashable, int] = {}
        """How many items of each kind make a chunk."""
        self._lost: list[_Chunk[_Item]] = []

    def next(self) -> _Chunk[_Item] | None:
        if self._lost:
            return self._lost.pop()
        for first in self._items:
            kind = self._kind(first)
            taken = [first]
            size = self._sizes.get(kind, 1 if math.isfinite(self._seconds) else self._largest)
            while len(taken) < size:
                item = next(self._items, None)
                if item is None:
                    break
                if self._kind(item) != kind:
                    self._items = chain((item,), self._items)
                    break
                taken.append(item)
            return _Chunk(kind, tuple(taken))
        return None

    def learn(self, chunk: _Chunk[_Item], taken: float) -> None:
        number = len(chunk.items)
        wanted = self._seconds * number / max(taken, 1e-9)
        self._sizes[chunk.kind] = max(1, int(min(wanted, number * GROWTH, self._largest)))

    def again(self, chunk: _Chunk[_Item], why: BaseException) -> None:
        chunk.losses += 1
        if chunk.losses > MOST_LOSSES:
            raise NoWorkers(
                f"Workers were lost {chunk.losses} times during the same work; giving up."
            ) from why
        self._lost.append(chunk)


class _Refusal(NamedTuple):
    """An error of ours as text, since not every exception survives the way to another process."""

    why: str


def _timed(work: Work[_Item, _Done], items: tuple[_Item, ...]) -> tuple[float, _Done | _Refusal]:
    began = time.perf_counter()
    done: _Done | _Refusal
    try:
        done = work(items)
    except LineduelError as error:
        done = _Refusal(str(error))
    except SystemExit:  # asked to leave; an executor's process would go on after it
        os._exit(1)
    return time.perf_counter() - began, done


class Workers:
    """The workers of a pool; these do the work in this process, where it is asked for."""

    def size(self) -> int:
        """How many chunks they can do at once."""
        return 1

    def submit(self, function: Callable[..., _Done], *arguments: object) -> Future[_Done]:
        future: Future[_Done] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def is_loss(self, error: Exception) -> bool:
        """Whether an error means that a worker was lost, not that the work failed."""
        return False

    def drop(self, future: Future[_Done]) -> None:
        """Drop work whose result is no longer needed."""
        future.cancel()

    def close(self) -> None:
        """End them."""


def _connect(address: str, notice: Callable[[str], None]) -> Workers:
    try:
        from lineduel.jobs.cluster import Cluster
    except ImportError:
        raise NotInstalled("Dask", "cluster") from None
    return Cluster(address, notice)


class _Local(Workers):
    """Processes of this machine; when one is lost, all are replaced."""

    def __init__(self, cores: int, prepare: Callable[[], None] | None) -> None:
        self._cores, self._prepare = cores, prepare
        self._executor: ProcessPoolExecutor | None = None
        self._others: set[int | None] = set()

    def size(self) -> int:
        return self._cores

    def submit(self, function: Callable[..., _Done], *arguments: object) -> Future[_Done]:
        for _ in range(MOST_LOSSES):
            if self._executor is None:
                _tidy_semaphores()
                _start_tracker()
                self._others = {one.pid for one in multiprocessing.active_children()}
                self._executor = ProcessPoolExecutor(
                    self._cores, multiprocessing.get_context("spawn"), _start, (self._prepare,)
                )
            try:
                with uninterrupted():
                    return self._executor.submit(function, *arguments)
            except BrokenExecutor:
                self.close()
        raise NoWorkers("The worker processes end as soon as they are started.")

    def close(self) -> None:
        executor, self._executor = self._executor, None
        if executor is None:
            return
        workers = [one for one in multiprocessing.active_children() if one.pid not in self._others]
        # Private, but after `shutdown` nobody else knows the thread; its declared type is wrong.
        manager: Any = executor._executor_manager_thread
        executor.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        end = time.monotonic() + FAREWELL
        for worker in workers:
            worker.join(max(0.0, end - time.monotonic()))
            if worker.is_alive():
                worker.kill()
        if manager is not None:
            # Python wakes it up at exit, and complains if it ends at the same moment.
            manager.join(_MANAGER_SECONDS)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold an interrupt back for a moment; a process that is started here never sees one."""
    held: list[tuple[int, FrameType | None]] = []
    # The mask is for processes that inherit it; other threads of ours may get a signal anyway.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    is_main = threading.current_thread() is threading.main_thread()  # only it handles interrupts
    before = signal.getsignal(signal.SIGINT)
    if is_main:
        signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if is_main:
            signal.signal(signal.SIGINT, before)
        if held and callable(before):
            before(*held[0])


def _start_tracker() -> None:
    """Start the process that removes the semaphores, so that it outlives a closed terminal.

    Python has it ignore the other signals that end a whole group of processes, but not this one.
    After a kill it removes what is left without a word: that is what it is there for.
    """
    if not hasattr(signal, "SIGHUP"):
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    sys.warnoptions.append(_QUIET_TRACKER)
    try:
        resource_tracker.ensure_running()  # inherits the mask and the options
    finally:
        sys.warnoptions.remove(_QUIET_TRACKER)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _tidy_semaphores() -> None:
    """Mark the semaphores of this process, and remove those of processes that were killed.

    Python removes them when a process ends, but not when its whole group is killed.
    """
    prefix = "lineduel-"
    # Private, but the only way to tell ours from others'.
    multiprocessing.current_process()._config["semprefix"] = f"/{prefix}{os.getpid()}"  # type: ignore[attr-defined]
    for file in Path("/dev/shm").glob(f"sem.{prefix}*-*"):  # elsewhere they cannot be listed
        owner = file.name.removeprefix(f"sem.{prefix}").partition("-")[0]
        if owner.isdecimal() and not _is_running(int(owner)):
            with suppress(OSError):  # another user's, or removed already
                file.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass  # it runs, or cannot be asked
    return True


def _start(prepare: Callable[[], None] | None) -> None:
    try:
        settle_in()
        _print_beside_the_report()
        if prepare is not None:
            prepare()
    except SystemExit:  # asked to leave; an executor would print it as an error
        os._exit(1)


def _print_beside_the_report() -> None:
    """Standard output belongs to our parent; what a named program's code prints is for people."""
    with suppress(OSError):  # there may be no standard error
        os.dup2(2, 1)
    sys.stdout = sys.stderr


def settle_in() -> None:
    """A worker leaves interrupts to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    sys.unraisablehook = _leave_where_nothing_can_be_raised
    # A process that is leaving anyway must not be interrupted in the middle of it.
    Finalize(None, signal.signal, (signal.SIGTERM, signal.SIG_IGN), exitpriority=0)
    parent = multiprocessing.parent_process()
    if parent is not None:
        _end_with(parent.sentinel)
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """Have the system end us when that pipe is closed, even amid a computation without signals."""
    if fcntl is not None and sys.platform == "linux":  # elsewhere SIGIO does not end a process
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)


def _leave(number: int, frame: FrameType | None) -> None:
    """Stop the work; a worker that is waiting for work has nothing to clean up and ends at once.

    It may have read half of a message, and another worker would take the rest for a whole one if
    this one let go of the queue.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if _is_waiting(frame):
        os._exit(0)
    raise SystemExit


def _leave_where_nothing_can_be_raised(met: "sys.UnraisableHookArgs") -> None:
    """A worker asked to leave while C code was calling Python, as compilers do, ends at once."""
    if isinstance(met.exc_value, SystemExit):
        os._exit(1)
    sys.__unraisablehook__(met)


def _is_waiting(frame: FrameType | None) -> bool:
    """Whether that is a worker that waits for work."""
    while frame is not None and frame.f_code is not Queue.get.__code__:
        frame = frame.f_back
    return frame is not None


def _watch(parent: BaseProcess) -> None:
    parent.join()
    if number := threading.main_thread().ident:  # it may be waiting for work that never comes
        signal.pthread_kill(number, signal.SIGTERM)
    time.sleep(FAREWELL)
    os._exit(1)
