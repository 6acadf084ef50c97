"""The names by which a server may be asked for.

A page of a stranger can point a name of its own at this computer (DNS rebinding). To the browser
the server then belongs to that page; it is told apart by the name in the request.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_EVERYWHERE = frozenset({"0.0.0.0", "::"})
_MOST_KNOWN = 100


class AllowedHosts:
    """Loopback, the address that the server listens on, and the names that were allowed."""

    def __init__(self, listening: str, allowed: Iterable[str] = ()) -> None:
        """A server that listens everywhere may be asked for by any address, but not by any name."""
        self._names = LOOPBACK_NAMES | {listening.lower(), *(name.lower() for name in allowed)}
        self._any_address = listening in _EVERYWHERE
        self._known: set[bytes] = set()

    def refused(self, scope: Any) -> str | None:
        """The name of a request that is not meant for this server; None if it is.

        A request without a name is no browser's.
        """
        for header, given in scope["headers"]:
            if header == b"host" and given not in self._known:
                name = host_name(str(given, "latin-1"))
                if not self._allows(name):
                    return name
                if len(self._known) < _MOST_KNOWN:
                    self._known.add(given)
        return None

    def _allows(self, name: str) -> bool:
        return name in self._names or (self._any_address and _is_address(name))


def host_name(given: str) -> str:
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
