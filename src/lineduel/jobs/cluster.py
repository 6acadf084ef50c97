"""The workers of a Dask cluster, all with the same lineduel as this machine.

Work on one worker's code and figures from another's do not go together, so a worker whose source
files, NumPy or Numba differ is refused by its name. If a cluster loses its scheduler or all of its
workers, the program waits for it and says so.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from traceback import walk_tb
from typing import Any, TypeVar

from distributed import Client, cfexecutor, get_worker
from distributed.cfexecutor import ClientExecutor
from distributed.scheduler import KilledWorker

from lineduel.errors import NoWorkers, shown
from lineduel.jobs.pool import Workers

_Done = TypeVar("_Done")
Notice = Callable[[str], None]
"""Called with a sentence for the person who waits."""
Fingerprint = dict[str, str]
"""What results depend on: versions, and a hash of lineduel's source files."""

CONNECT_SECONDS = 10
"""How long a scheduler may take to answer, at the start or after it was lost."""
WORKER_SECONDS = 60
"""How long a cluster may be without workers once it has had some."""
ANSWER_SECONDS = 5
"""How long a scheduler may take to say which workers it has."""
CLOSE_SECONDS = 5
_GLANCE = 0.2
SOURCE = "source"
NONE = "none"
PACKAGES = ("lineduel", "numpy", "numba")


class Cluster(Workers):
    """An executor on a cluster, which sends lost work again by itself for a while."""

    def __init__(
        self, address: str, notice: Notice, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = shown(address)
        self._notice, self._clock = notice, clock
        try:
            self._client: Client = _Client(address)
        except (OSError, ValueError, TypeError):  # TypeError: an address of no known form
            raise NoWorkers(f"No Dask cluster answers at {self._address}.") from None
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            self._check_workers()
        except TimeoutError:
            self.close()
            raise NoWorkers(f"The Dask cluster at {self._address} has no workers.") from None
        except BaseException:
            self.close()
            raise
        self._executor: Executor = ClientExecutor(self._client, pure=False)

    def size(self) -> int:
        """How many threads the workers have; while there are none, it waits for some."""
        lost, began = "", 0.0
        while not (threads := self.threads_now()):
            if threads is None:
                found, seconds = "does not answer any more", CONNECT_SECONDS
            else:
                found, seconds = "has no workers left", WORKER_SECONDS
            if found != lost:
                lost, began = found, self._clock()
                self._notice(
                    f"The Dask cluster at {self._address} {lost}. "
                    f"Waiting up to {seconds} seconds for it."
                )
            elif self._clock() - began > seconds or self._client.status == "closed":
                raise NoWorkers(
                    f"The Dask cluster at {self._address} {lost}: "
                    f"giving up after {seconds} seconds."
                )
            time.sleep(_GLANCE)
        if lost:
            self._notice(f"The Dask cluster at {self._address} is back.")
        return threads

    def submit(self, function: Callable[..., _Done], *arguments: object) -> Future[_Done]:
        return self._executor.submit(work_as, fingerprint(), function, *arguments)

    def is_loss(self, error: Exception) -> bool:
        return isinstance(error, KilledWorker) or _was_lost_while_read(error)

    def drop(self, future: "Future[_Done]") -> None:
        if self._connected:
            future.cancel()

    def close(self) -> None:
        with suppress(TimeoutError):  # a scheduler that does not answer is left alone
            self._client.close(timeout=CLOSE_SECONDS)

    @property
    def _connected(self) -> bool:
        return bool(self._client.status == "running")

    def threads_now(self) -> int | None:
        """Of all workers together; None if the scheduler does not answer."""
        if not self._connected:
            return None
        try:
            scheduler: Any = self._client.scheduler
            found = self._client.sync(
                scheduler.ncores, workers=None, callback_timeout=ANSWER_SECONDS
            )
        except (OSError, RuntimeError):  # lost just now, or it does not answer; closed
            return None
        return sum(int(threads) for threads in found.values())

    def _check_workers(self) -> None:
        """Refuse a worker that is not like this machine, before any work is sent."""
        for worker, found in self._client.run(fingerprint, on_error="return").items():
            if not isinstance(found, dict):  # it could not even be asked
                raise _refused(worker, "has no lineduel, or another version of it")
            check_fingerprint(worker, found, fingerprint())


class _Client(Client):
    """A client that is closed at once when it cannot connect.

    Dask leaves it open. The garbage collector closes it later, which can be while the next client
    starts, and then waits forever for a lock that its own thread holds.
    """

    def __init__(self, address: str) -> None:
        for name in ("distributed", "distributed.client", "tornado.application"):
            # We report losses ourselves.
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            Client.__init__(self, address, timeout=CONNECT_SECONDS, set_as_default=False)
        except BaseException:
            Client.close(self)
            self._loop_runner.stop()  # a client that closed itself has left its thread behind
            raise


@cache
def fingerprint() -> Fingerprint:
    """The versions and the source hash of this process; computed once, when all is loaded."""
    folder = Path(__file__).parent.parent
    digest = sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return {**{name: _version(name) for name in PACKAGES}, SOURCE: digest.hexdigest()}


def check_fingerprint(worker: str, found: Fingerprint, expected: Fingerprint) -> None:
    """Refuse a worker that differs, and say in what."""
    for part, wanted in expected.items():
        has = found.get(part, NONE)
        if has == wanted:
            continue
        if part == SOURCE:
            raise _refused(worker, "has other source files of lineduel")
        raise _refused(worker, f"has {part} {shown(has)}, not {wanted}")


def work_as(expected: Fingerprint, function: Callable[..., _Done], *arguments: object) -> _Done:
    """Call the function after checking the worker, which may have joined after the start."""
    found = fingerprint()
    if found != expected:
        check_fingerprint(str(get_worker().address), found, expected)
    return function(*arguments)


def wants_result() -> bool:
    """On a worker: whether somebody still waits for the task of this thread."""
    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state in ("executing", "long-running")


def _was_lost_while_read(error: Exception) -> bool:
    """Whether the worker that held a result was lost at the moment when Dask's executor read it.

    The executor then takes the result for an error, and fails to unpack it.
    """
    frames = [frame.f_code for frame, _ in walk_tb(error.__traceback__)]
    in_executor = bool(frames) and frames[-1].co_filename == cfexecutor.__file__
    return in_executor and isinstance(error, TypeError | ValueError) and "unpack" in str(error)


def _refused(worker: str, why: str) -> NoWorkers:
    return NoWorkers(
        f"The worker at {shown(worker)} {why}: "
        "use the same on every worker, or do without this one."
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return NONE
