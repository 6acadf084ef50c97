"""A cache with a limit in bytes: what was used least recently goes first."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")
ENTRY_BYTES = 500
"""What an entry takes besides its value: its key, and its place in the cache."""


class BoundedCache(Generic[_Value]):
    """Values by key, as many as fit into a number of bytes."""

    def __init__(self, most: int) -> None:
        """Keep at most this many bytes."""
        self._most = most
        self._held: OrderedDict[Hashable, tuple[_Value, int]] = OrderedDict()
        self.bytes = 0
        """What is held now."""

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: Hashable) -> _Value | None:
        """The value of a key, if it is still there."""
        held = self._held.get(key)
        if held is None:
            return None
        self._held.move_to_end(key)
        return held[0]

    def put(self, key: Hashable, value: _Value, size: int) -> None:
        """Keep a value of that many bytes; others make room for it."""
        self._drop(key)
        size += ENTRY_BYTES
        if size > self._most:
            return
        while self.bytes + size > self._most:
            self._drop(next(iter(self._held)))
        self._held[key] = value, size
        self.bytes += size

    def _drop(self, key: Hashable) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            self.bytes -= held[1]
