"""Chances of all positions in a file beside a solution, so that no hint has to explore the game.

    lineduel chances 1
    rules track.first=0; track.last=10; …
    start 0,0/10,10/1
    asked side=1 sight=3 haste=0.2 turns=29
    0,0/10,10/1 0.8932 0.0011
    …
    sha256 …

Each line gives a position, the chance to win and the chance to lose.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from lineduel import players
from lineduel.errors import StorageError
from lineduel.rules import Side, format_rules
from lineduel.solve import Cache, Solution
from lineduel.storage import read_bytes, write_atomically

_HEAD = "lineduel chances 1"
_SEAL = "sha256 "
_LARGEST_FILE = 1 << 26
"""Largest size in bytes of a file that is read."""


class AskedChances(NamedTuple):
    """Whose chances are asked for, against which level, and within how many turns."""

    side: Side
    level: int
    turns: int


KnownChances = Mapping[str, tuple[float, float]]
"""The chances to win and to lose in each position, by its text."""


def read_chances(cache: Cache, solution: Solution, asked: AskedChances) -> KnownChances | None:
    """The chances in the file; None if there is none, or it is damaged or about something else."""
    try:
        text = read_bytes(_path(cache, solution, asked), _LARGEST_FILE).decode()
        body, seal, digest = text.rpartition(_SEAL)
        head = _head(solution, asked)
        if not seal or digest != _digest(body) or not body.startswith(head):
            return None
        rows = (line.split(" ") for line in body[len(head) :].splitlines())
        found = {position: (float(win), float(lose)) for position, win, lose in rows}
    except (StorageError, OSError, ValueError):
        return None
    return found if len(found) == solution.positions else None


def write_chances(
    cache: Cache, solution: Solution, asked: AskedChances, found: KnownChances
) -> None:
    """Write the file if that is possible, replacing any other."""
    rows = (f"{position} {win!r} {lose!r}\n" for position, (win, lose) in found.items())
    body = _head(solution, asked) + "".join(rows)
    try:
        write_atomically(_path(cache, solution, asked), f"{body}{_SEAL}{_digest(body)}")
    except (StorageError, OSError):
        return


def _path(cache: Cache, solution: Solution, asked: AskedChances) -> Path:
    side, level, turns = asked
    return cache.beside(solution, f".{side}-{level}-{turns}.chances")


def _head(solution: Solution, asked: AskedChances) -> str:
    """The lines before the first position; what a level sees is in them, as it may change."""
    skill = players.SKILLS[asked.level]
    sees = f"sight={skill.sight} haste={skill.haste}"
    return (
        f"{_HEAD}\nrules {format_rules(solution.game.rules)}\nstart {solution.start}\n"
        f"asked side={asked.side} {sees} turns={asked.turns}\n"
    )


def _digest(body: str) -> str:
    return f"{sha256(body.encode()).hexdigest()}\n"
