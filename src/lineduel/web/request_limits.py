"""Which requests are taken: for which names of the server, from whom, and how many."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from socket import AF_INET, SOCK_DGRAM, socket
from typing import Any

from lineduel.errors import TooManyRequests


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rate:
    """How many at once, and how many a second after that; each is counted apart."""

    at_once: float
    each_second: float


REQUESTS = Rate(at_once=400, each_second=50)
"""HTTP requests of one address, except for the files of the page."""
PAGE_FILES = Rate(at_once=6000, each_second=400)
"""Files of the page for one address, from memory: a class behind one address opens it at once."""
NEW_GAMES = Rate(at_once=100, each_second=1)
"""Games that one address creates."""
HARD_WORK = Rate(at_once=60, each_second=2)
"""What worker processes do for one address: studies, reviews, audits."""
READING = Rate(at_once=100, each_second=10)
"""Rulebooks that worker processes read for one address, as the designer does at every change."""
FRAMES = Rate(at_once=1000, each_second=100)
"""Frames of one connection."""
FRAMES_OF_ADDRESS = Rate(at_once=10, each_second=1)
"""Frames of one address, for each connection that it may have."""
VIEWS_OF_ADDRESS = Rate(at_once=400, each_second=50)
"""Whole games that are sent again because one address asks for them."""
VIEWS_OF_GAME = Rate(at_once=400, each_second=50)
"""How often one game is sent again as a whole to those who ask for it."""
MOST_WATCHING = 100
"""Connections of spectators to one game; players have places of their own."""
MOST_FOR_A_SEAT = 8
"""Connections of one player to one game; one more ends the oldest."""
MOST_FROM_ADDRESS = 1000
"""Connections of one address, unless the server is started with another number."""
_MOST_ADDRESSES = 10_000
_MOST_HOSTS = 100
_IPV6_SHARE = 64
"""Bits of an IPv6 address that tell customers apart; each has all addresses that begin so."""
_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^:\[\]]*))(?::[0-9]*)?")
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_ELSEWHERE = "192.0.2.1"
"""An address that is kept for documents and belongs to nobody."""
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
        key = rate, share_of(address)
        bucket = self._buckets.pop(key, None) or Bucket(rate, now)
        self._buckets[key] = bucket  # the last, so that the first was not used for longest
        if len(self._buckets) > _MOST_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]
        if not bucket.take(rate, now):
            raise TooManyRequests("Too many requests from your address. Wait a moment.")

    def connect(self, address: str) -> bool:
        """Whether an address may have one more connection; it is counted then."""
        share = share_of(address)
        number = self._connected.get(share, 0)
        if number >= self._most:
            return False
        self._connected[share] = number + 1
        return True

    def disconnect(self, address: str) -> None:
        """A connection has ended."""
        share = share_of(address)
        number = self._connected.get(share, 0) - 1
        if number > 0:
            self._connected[share] = number
        else:
            self._connected.pop(share, None)


@lru_cache(_MOST_ADDRESSES)
def share_of(address: str) -> str:
    """What an address is counted as: itself, or its network in IPv6."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ip_network((found, _IPV6_SHARE), strict=False))
    return str(found)


def is_in(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Whether an address belongs to one of these."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in one for one in networks)


def has_own_origin(scope: Any) -> bool:
    """Whether a page of this server asks, or a program other than a browser."""
    headers = dict(scope["headers"])
    if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
        return False
    origin = headers.get(b"origin")
    if origin is None:
        return True
    host: bytes = headers.get(b"host", b"")
    _, _, asking = bytes(origin).partition(b"://")
    return asking != b"" and asking.lower() == host.lower()


def is_json(scope: Any) -> bool:
    """Whether a body says that it is JSON, which a page of a stranger may not send."""
    kind: bytes = dict(scope["headers"]).get(b"content-type", b"")
    return kind.partition(b";")[0].strip().lower() == b"application/json"


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

    def reachable(self) -> list[str]:
        """The names and addresses by which others can reach this server; nothing is sent."""
        names = sorted(self._names - LOOPBACK_NAMES - EVERYWHERE.keys())
        if self._any_address:
            with socket(AF_INET, SOCK_DGRAM) as probe, suppress(OSError):
                probe.connect((_ELSEWHERE, 9))  # chooses the network; a datagram needs no answer
                names.append(str(probe.getsockname()[0]))
        return [name for name in names if name and not _is_loopback(name)]

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
    """The name in a Host header, without its port; all of it if it is no such header."""
    found = _HOST.fullmatch(given.lower())
    return (found["address"] or found["name"] or "") if found else given.lower()


def _is_loopback(name: str) -> bool:
    return _is_address(name) and ip_address(name).is_loopback


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
