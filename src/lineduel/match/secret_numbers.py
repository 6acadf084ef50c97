"""Numbers chosen in an open battle, kept beside a saved game so that they survive a restart.

Only the account that plays can read the file (mode 0600), and it is removed at the reveal.
"""

from collections.abc import Mapping
from pathlib import Path

from lineduel.engine import Move
from lineduel.errors import StorageError, shown
from lineduel.rules import Side
from lineduel.storage import read_bytes, write_atomically

OWNER_ONLY = 0o600
_LARGEST = 1 << 20


def keep_numbers(game: Path, moves: tuple[Move, ...], numbers: Mapping[Side, int]) -> None:
    """Write the numbers chosen after these moves; without any, remove the earlier ones."""
    if not numbers:
        remove_numbers(game)
        return
    import json

    document = {
        "moves": [str(move) for move in moves],
        "numbers": {str(side): number for side, number in numbers.items()},
    }
    write_atomically(_path(game), json.dumps(document) + "\n", mode=OWNER_ONLY)


def secret_numbers(game: Path, moves: tuple[Move, ...]) -> dict[Side, int]:
    """The numbers chosen after exactly these moves; none if the file is missing or damaged."""
    import json

    try:
        document = json.loads(read_bytes(_path(game), _LARGEST))
    except (StorageError, ValueError, RecursionError):
        return {}
    match document:
        case {"moves": list(after), "numbers": dict(numbers)} if len(numbers) == 1:
            ((name, number),) = numbers.items()
            side = {str(side): side for side in Side}.get(name)
            belongs = after == [str(move) for move in moves] and type(number) is int
            return {side: number} if side and belongs else {}
        case _:
            return {}


def remove_numbers(game: Path) -> None:
    """Remove the numbers kept beside that game, if there are any."""
    remove_file(_path(game))


def remove_file(path: Path) -> None:
    """Remove a file, if it is there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{shown(path, 300)} cannot be removed: {error.strerror}.") from None


def _path(game: Path) -> Path:
    return game.with_name(f".{game.name}.secret")
