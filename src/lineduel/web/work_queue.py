"""Work for guests in worker processes: addresses take turns, and what nobody waits for ends."""

import asyncio
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from functools import partial
from typing import Any, Protocol, TypeVar

from lineduel.errors import TooManyRequests, WorkStopped

MOST_WAITING = 24
"""How much work of one address may wait."""
_Result = TypeVar("_Result")


class WorkerProcesses(Protocol):
    """Processes that work for a queue, here or elsewhere."""

    @property
    def places(self) -> int:
        """How much can be under way at once."""

    @property
    def threads(self) -> Executor:
        """Where to call `run`."""

    def run(
        self,
        function: Callable[..., _Result],
        *arguments: object,
        seconds: float,
        listener: Callable[[object], object] | None = None,
        stop: threading.Event | None = None,
    ) -> _Result:
        """Call a function in another process, and wait for its result."""


class WorkQueue:
    """Hands work to workers without ever making the event loop wait."""

    def __init__(self, workers: WorkerProcesses) -> None:
        self._workers = workers
        self._turns = FairTurns(lambda: workers.places)

    def check(self, address: str) -> None:
        """Raise `TooManyRequests` if too much work of an address waits already."""
        self._turns.check(address)

    async def run(
        self,
        function: Callable[..., _Result],
        *arguments: object,
        seconds: float,
        address: str,
        is_refusable: bool = True,
    ) -> _Result:
        """The result of a function; the seconds count from its turn.

        If this is cancelled, so is the work, whether it has begun or not. What is not refusable
        waits even where the address has too much waiting already.
        """
        if is_refusable:
            self.check(address)
        work = self.stream(function, *arguments, seconds=seconds, address=address)
        async for told in work:
            last = told
        result: _Result = last
        return result

    async def stream(
        self, function: Callable[..., Any], *arguments: object, seconds: float, address: str
    ) -> AsyncIterator[Any]:
        """What a function tells while it works, and then its result.

        The work stops when nobody listens any more.
        """
        await self._turns.enter(address)
        loop, stop = asyncio.get_running_loop(), threading.Event()
        messages: asyncio.Queue[Any] = asyncio.Queue()
        work = partial(
            self._workers.run,
            function,
            *arguments,
            seconds=seconds,
            listener=lambda message: loop.call_soon_threadsafe(messages.put_nowait, message),
            stop=stop,
        )
        result = loop.run_in_executor(self._workers.threads, work)

        def finish(done: "asyncio.Future[Any]") -> None:
            self._turns.leave(address)
            done.exception()  # where nobody waits any more, nobody else looks at it
            messages.put_nowait(done)

        result.add_done_callback(finish)
        try:
            while (message := await messages.get()) is not result:
                yield message
            yield result.result()
        finally:
            stop.set()


class FairTurns:
    """Turns at a number of places, given to addresses in rotation.

    Where there are several places, one address never has all of them, so that a second one does
    not wait for it.
    """

    def __init__(self, places: Callable[[], int]) -> None:
        self._places = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Those who wait, by address; the address whose turn is next comes first."""
        self._under_way: Counter[str] = Counter()

    def check(self, address: str) -> None:
        """Raise `TooManyRequests` if an address has too much waiting."""
        if len(self._waiting.get(address, ())) >= MOST_WAITING:
            raise TooManyRequests(
                f"{MOST_WAITING} requests from your address are waiting to be worked on. "
                "Wait for one of them, then try again."
            )

    async def enter(self, address: str) -> None:
        """Wait for a turn; call `leave` afterwards."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        self._give_turns()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._forget(address, turn)
            else:  # it came at the same moment
                self.leave(address)
            raise

    def leave(self, address: str) -> None:
        """A place is free again."""
        self._under_way -= Counter((address,))
        self._give_turns()

    def _give_turns(self) -> None:
        places = self._places()
        share = max(1, places - 1)
        while self._under_way.total() < places:
            address = next((one for one in self._waiting if self._under_way[one] < share), None)
            if address is None:
                return
            turns = self._waiting.pop(address)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns  # behind the others
            if not turn.cancelled():  # its caller may not have noticed yet
                self._under_way[address] += 1
                turn.set_result(None)

    def _forget(self, address: str, turn: "asyncio.Future[None]") -> None:
        turns = self._waiting.get(address, deque())
        if turn in turns:
            turns.remove(turn)
        if not turns:
            self._waiting.pop(address, None)


async def while_connected(
    receive: Callable[[], Awaitable[Any]], work: Coroutine[Any, Any, _Result]
) -> _Result:
    """The result of some work for a client; when the client hangs up, it is cancelled."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_hang_up(receive))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise WorkStopped("Nobody waits for this answer any more.")
        return working.result()
    finally:
        working.cancel()
        gone.cancel()


async def _hang_up(receive: Callable[[], Awaitable[Any]]) -> None:
    """Wait until a client, whose request has been read, hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass
