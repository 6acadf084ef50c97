"""How much one address, one connection and one game may ask for."""

from collections.abc import Callable
from dataclasses import dataclass

from lineduel.errors import TooManyRequests


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many at once, and so many a second after that."""

    at_once: float
    each_second: float


REQUESTS = Rate(at_once=400, each_second=50)
"""HTTP requests of one address."""
NEW_GAMES = Rate(at_once=100, each_second=1)
"""Games that one address creates."""
HARD_WORK = Rate(at_once=60, each_second=2)
"""What worker processes do for one address: studies, reviews, audits."""
READING = Rate(at_once=100, each_second=10)
"""Rulebooks that worker processes read for one address, as the designer does at every change."""
FRAMES = Rate(at_once=1000, each_second=100)
"""Frames of one connection."""
MOST_GUESTS = 100
"""Connections to one game."""
MOST_FROM_ADDRESS = 200
"""Connections of one address, unless the server is told otherwise."""
_MOST_KNOWN = 10_000


class Bucket:
    """What is left of a rate."""

    __slots__ = ("_at", "_left")

    def __init__(self, rate: Rate, now: float) -> None:
        self._left, self._at = rate.at_once, now

    def take(self, rate: Rate, now: float) -> bool:
        """Whether one more is allowed; it is counted then."""
        self._left = min(rate.at_once, self._left + (now - self._at) * rate.each_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class AddressLimits:
    """What each address has used of its share."""

    def __init__(self, connections: int, clock: Callable[[], float]) -> None:
        self._most = connections
        self._clock = clock
        self._buckets: dict[tuple[Rate, str], Bucket] = {}
        self._connected: dict[str, int] = {}

    def check(self, rate: Rate, address: str) -> None:
        """Count one; raises `TooManyRequests` where that is one too many."""
        now = self._clock()
        if len(self._buckets) > _MOST_KNOWN:
            self._buckets.clear()
        bucket = self._buckets.get((rate, address))
        if bucket is None:
            bucket = self._buckets[rate, address] = Bucket(rate, now)
        if not bucket.take(rate, now):
            raise TooManyRequests("Too many requests from your address. Wait a moment.")

    def connect(self, address: str) -> bool:
        """Whether an address may have one more connection; it is counted then."""
        number = self._connected.get(address, 0)
        if number >= self._most:
            return False
        self._connected[address] = number + 1
        return True

    def disconnect(self, address: str) -> None:
        """A connection has ended."""
        number = self._connected.get(address, 0) - 1
        if number > 0:
            self._connected[address] = number
        else:
            self._connected.pop(address, None)
