"""The random numbers of a game: a stream that depends only on the game it is for.

SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the n-th number of a stream is a hash of its key
and n, so that one game's numbers can be drawn one by one, or those of many games at once.
"""

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

GAMMA = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = (1 << 64) - 1
UNIT = 2.0**-53


def key_of(*words: object) -> int:
    """The key of a stream, from whatever the stream is to depend on."""
    text = "/".join(map(str, words))
    return int.from_bytes(sha256(text.encode()).digest()[:8])


class RandomStream(Random):
    """The stream of one key, one number after the other."""

    def __init__(self, key: int) -> None:
        super().__init__(key)
        self._state = key

    def random(self) -> float:
        found = word(self._state, 0)
        self._state = (self._state + GAMMA) & MASK
        return (found >> 11) * UNIT


def word(key: int, drawn: int) -> int:
    """The 64-bit integer after this many draws, usable as a key."""
    mixed = (key + (drawn + 1) * GAMMA) & MASK
    mixed = ((mixed ^ (mixed >> 30)) * FIRST) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * SECOND) & MASK
    return mixed ^ (mixed >> 31)


def draws(keys: "Words", drawn: "Words") -> "NDArray[np.float64]":
    """For each key, the number after this many draws."""
    import numpy as np

    found: NDArray[np.float64] = (words(keys, drawn) >> np.uint64(11)).astype(np.float64) * UNIT
    return found


def words(keys: "Words | int", drawn: "Words") -> "Words":
    """`word` for each key."""
    import numpy as np

    word = np.uint64
    mixed = np.asarray(keys, word) + (drawn + word(1)) * word(GAMMA)
    mixed = (mixed ^ (mixed >> word(30))) * word(FIRST)
    mixed = (mixed ^ (mixed >> word(27))) * word(SECOND)
    found: Words = mixed ^ (mixed >> word(31))
    return found
