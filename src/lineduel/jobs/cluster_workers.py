"""Work with limits on a Dask cluster, and on this machine while the cluster does not answer.

On the cluster, too, each piece of work has a process of its own that can be ended: a worker of Dask
cannot stop what it has begun.
"""

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError as Cancelled, Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any, TypeVar

from lineduel.errors import LineduelError, NoWorkers, TimeLimit, WorkStopped, shown
from lineduel.jobs.cluster import Cluster, wants_result
from lineduel.jobs.limited_workers import WORKERS_CLOSING, LimitedWorkers, Listener

MOST_PLACES = 64
"""The most work that is under way on a cluster at once."""
EVERY = 1.0
"""Seconds between two looks at the cluster."""
WAITING_SECONDS = 30.0
"""How long work may wait on a cluster that is busy with something else."""
_GLANCE = 0.1
_CLOSE_SECONDS = 8.0
_Result = TypeVar("_Result")


class ClusterWorkers:
    """The workers of a cluster; those of this machine take over when it is lost."""

    def __init__(
        self,
        address: str,
        here: LimitedWorkers,
        memory: int | None,
        notice: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Work at an address, each piece with at most `memory` bytes, or `here` meanwhile.

        `notice` is called with a sentence when the cluster is lost, and when it is back.
        """
        self._address, self._here, self._memory = address, here, memory
        self._notice, self._clock = notice, clock
        self._threads = ThreadPoolExecutor(MOST_PLACES, thread_name_prefix="cluster")
        self._cluster: Cluster | None = None
        self._size = 0
        self._is_closed = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="cluster", daemon=True)
        self._watcher.start()

    @property
    def places(self) -> int:
        """How much can be under way at once."""
        return min(self._size, MOST_PLACES) if self._cluster else self._here.places

    @property
    def threads(self) -> ThreadPoolExecutor:
        """Where to call `run`."""
        return self._threads

    def run(
        self,
        function: Callable[..., _Result],
        *arguments: object,
        seconds: float,
        listener: Listener | None = None,
        stop: threading.Event | None = None,
    ) -> _Result:
        """Call a function on the cluster, and wait for its result; raises as `LimitedWorkers` does.

        What the function tells on its way comes with the result. If the cluster is lost meanwhile,
        the function is called on this machine.
        """
        stop, cluster = stop or threading.Event(), self._cluster
        if cluster is not None:
            outcome = self._run_there(cluster, (function, arguments), seconds, stop)
            if outcome is not None:
                told, result = pickle.loads(outcome)
                if listener is not None:
                    for message in told:
                        listener(message)
                if isinstance(result, LineduelError):
                    raise result
                there: _Result = result
                return there
        if self._is_closed.is_set():
            raise TimeLimit(WORKERS_CLOSING)
        here: _Result = self._here.threads.submit(
            self._here.run, function, *arguments, seconds=seconds, listener=listener, stop=stop
        ).result()
        return here

    def close(self) -> None:
        """Stop working; callers that still wait for a result get an error."""
        self._is_closed.set()
        self._here.close()

    def join(self) -> None:
        """After `close`, wait until the cluster has been left."""
        self._watcher.join(_CLOSE_SECONDS)

    def _run_there(
        self, cluster: Cluster, work: object, seconds: float, stop: threading.Event
    ) -> bytes | None:
        """What comes back from the cluster; None if it is lost, or busy with something else."""
        end = self._clock() + seconds + WAITING_SECONDS
        try:
            future = cluster.submit(call_limited, pickle.dumps(work), seconds, self._memory)
        except (OSError, RuntimeError):  # it is being closed
            return None
        while self._cluster is cluster and self._clock() < end:
            if wait((future,), _GLANCE).done:
                return self._outcome(cluster, future)
            if stop.is_set() or self._is_closed.is_set():
                cluster.drop(future)
                raise WorkStopped("Stopped.") if stop.is_set() else TimeLimit(WORKERS_CLOSING)
        cluster.drop(future)
        return None

    def _outcome(self, cluster: Cluster, future: "Future[bytes]") -> bytes | None:
        try:
            return future.result()
        except (Cancelled, OSError):
            return None
        except (NoWorkers, ImportError) as error:  # a worker that joined later, and is different
            self._lose(cluster, str(error))
        except Exception as error:
            if not cluster.is_loss(error):
                raise
        return None

    # Watching over the cluster

    def _watch(self) -> None:
        said = ""
        while not self._is_closed.is_set():
            cluster = self._cluster
            if cluster is None:
                said = self._connect(said)
            elif not (size := cluster.threads_now()):
                why = "has no workers left" if size == 0 else "does not answer any more"
                self._lose(cluster, f"The Dask cluster at {shown(self._address)} {why}.")
            else:
                self._size, said = size, ""
            self._is_closed.wait(EVERY)
        if self._cluster is not None:
            self._cluster.close()

    def _connect(self, said: str) -> str:
        """Try to reach the cluster; says once why that fails, and what was said."""
        try:
            cluster = Cluster(self._address, self._notice)
        except NoWorkers as error:
            if not said and not self._is_closed.is_set() and not self._size:
                self._notice(f"{error} Working on this machine until that changes.")
            return str(error)
        is_back, self._size = bool(self._size), cluster.threads_now() or 1
        self._cluster = cluster
        named = f"The Dask cluster at {shown(self._address)}"
        self._notice(f"{named} is back." if is_back else f"{named} works for this server.")
        return ""

    def _lose(self, cluster: Cluster, why: str) -> None:
        if self._cluster is cluster and not self._is_closed.is_set():
            self._cluster = None  # callers that wait for it see that
            self._notice(f"{why} Working on this machine until that changes.")
            cluster.close()


def call_limited(work: bytes, seconds: float, memory: int | None) -> bytes:
    """On a worker of the cluster: what a function tells, and its result or its error."""
    told: list[object] = []
    function, arguments = pickle.loads(work)
    result: Any
    try:
        result = _processes(memory).run(
            function, *arguments, seconds=seconds, listener=told.append, stop=_Unwanted()
        )
    except LineduelError as error:
        result = error
    return pickle.dumps((told, result))


@cache
def _processes(memory: int | None) -> LimitedWorkers:
    return LimitedWorkers(1, memory)


class _Unwanted(threading.Event):
    """Set once nobody waits for the task of this thread any more."""

    def is_set(self) -> bool:
        return not wants_result()
