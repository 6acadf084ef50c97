"""Which requests are taken: for which names of the server, and how many of one address."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from lineduel.errors import TooManyRequests


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many at once, and how many a second after that."""

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
FRAMES_OF_ADDRESS = Rate(at_once=40, each_second=4)
"""Frames of one address, for each connection that it may have."""
VIEWS_OF_ADDRESS = Rate(at_once=200, each_second=20)
"""Whole games that are sent again because one address asks for them."""
VIEWS_OF_GAME = Rate(at_once=200, each_second=20)
"""How often one game is sent again as a whole to those who ask for it."""
MOST_WATCHING = 100
"""Connections of spectators to one game; players have places of their own."""
MOST_FOR_A_SEAT = 8
"""Connections of one player to one game; one more ends the oldest."""
MOST_FROM_ADDRESS = 200
"""Connections of one address, unless the server is started with another number."""
_MOST_ADDRESSES = 10_000
_MOST_HOSTS = 100
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts that stand for all networks, and how the server is then reached from its own computer."""


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
        self.frames = Rate(
            at_once=FRAMES_OF_ADDRESS.at_once * connections,
            each_second=FRAMES_OF_ADDRESS.each_second * connections,
        )
        """Frames that one address may send."""
        self._clock = clock
        self._buckets: dict[tuple[Rate, str], Bucket] = {}
        self._connected: dict[str, int] = {}

    def check(self, rate: Rate, address: str) -> None:
        """Count one; raises `TooManyRequests` where that is one too many."""
        now = self._clock()
        if len(self._buckets) > _MOST_ADDRESSES:
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


class AllowedHosts:
    """Loopback, the address that the server listens on, and the names that were allowed.

    A page of a stranger can point a name of its own at this computer (DNS rebinding). To the
    browser the server then belongs to that page; the name in the request gives it away.
    """

    def __init__(self, listening: str, allowed: Iterable[str] = ()) -> None:
        """A server that listens everywhere may be asked for by any address, but not by any name."""
        self._names = LOOPBACK_NAMES | {listening.lower(), *(name.lower() for name in allowed)}
        self._any_address = listening in EVERYWHERE
        self._known: set[bytes] = set()

    def refused(self, scope: Any) -> str | None:
        """The name of a request that is not meant for this server; None if it is.

        A request without a name does not come from a browser.
        """
        for header, given in scope["headers"]:
            if header == b"host" and given not in self._known:
                name = _host_name(str(given, "latin-1"))
                if not self._allows(name):
                    return name
                if len(self._known) < _MOST_HOSTS:
                    self._known.add(given)
        return None

    def _allows(self, name: str) -> bool:
        return name in self._names or (self._any_address and _is_address(name))


def _host_name(given: str) -> str:
    """The name in a Host header, without its port."""
    if given.startswith("["):
        return given[1:].partition("]")[0].lower()
    return given.rpartition(":")[0].lower() if given.count(":") == 1 else given.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
