"""Worker processes with limits: what they tell on their way, and how they are stopped."""

import os
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from lineduel.errors import LineduelError, NotationError, WorkStopped
from lineduel.jobs import LimitedWorkers, Pool, tell_parent

SECONDS = 60.0
"""How long anything may take on a busy machine."""


@pytest.fixture(scope="module")
def workers() -> Iterator[LimitedWorkers]:
    workers = LimitedWorkers(1)
    yield workers
    workers.close()


def process() -> int:
    return os.getpid()


def count(number: int) -> str:
    for one in range(number):
        tell_parent(one)
    return "counted"


def count_without_end() -> None:
    number = 0
    while True:
        tell_parent(number)
        number += 1


def refuse() -> None:
    raise NotationError("That is not right.")


def test_what_is_told_comes_before_the_result(workers: LimitedWorkers) -> None:
    told: list[object] = []
    assert workers.run(count, 5, seconds=SECONDS, listener=told.append) == "counted"
    assert told == list(range(5))
    assert workers.run(count, 3, seconds=SECONDS) == "counted"


def test_outside_a_worker_nobody_is_told() -> None:
    assert count(2) == "counted"


def test_work_that_tells_something_is_stopped_and_its_process_goes_on(
    workers: LimitedWorkers,
) -> None:
    """Whoever asks next waits for no new process, and gets nothing of the old work."""
    before, stop = workers.run(process, seconds=SECONDS), threading.Event()
    with pytest.raises(WorkStopped):
        workers.run(count_without_end, seconds=SECONDS, listener=lambda _: stop.set(), stop=stop)
    assert workers.run(process, seconds=SECONDS) == before
    with pytest.raises(WorkStopped):
        workers.run(process, seconds=SECONDS, stop=stop)


def test_work_that_is_done_when_it_is_stopped_is_done(workers: LimitedWorkers) -> None:
    """To be told to stop too late confuses nobody."""
    stop = threading.Event()
    for _ in range(20):
        stop.clear()
        told: list[object] = []

        def listen(message: object, told: list[object] = told) -> None:
            told.append(message)
            if len(told) == 3:
                stop.set()

        with suppress(WorkStopped):
            assert workers.run(count, 3, seconds=SECONDS, listener=listen, stop=stop) == "counted"
        assert workers.run(count, 1, seconds=SECONDS) == "counted"


def test_an_error_of_the_work_is_raised_here(workers: LimitedWorkers) -> None:
    with pytest.raises(LineduelError, match=r"^That is not right\.$"):
        workers.run(refuse, seconds=SECONDS)


def test_a_pool_without_processes_works_here() -> None:
    """For work in a process that may not start others."""
    with Pool(0) as pool:
        found = list(pool.run(lambda items: [os.getpid() for _ in items], range(5)))
    assert [one for some in found for one in some] == [os.getpid()] * 5
