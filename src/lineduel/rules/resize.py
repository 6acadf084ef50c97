"""Another number of cells: what lies in the right half of a track moves with its end."""

from typing import Any

from lineduel.errors import RulebookError
from lineduel.rules.side import Side
from lineduel.rules.vocabulary import MAX_CELLS, MIN_CELLS, Rules

LENGTH = "track.length"
"""How the number of cells is called on a command line; a rulebook says first and last."""


def resize(rules: Rules, length: int) -> dict[str, dict[str, Any]]:
    """The keys that change when the track gets `length` cells, nested as in a rulebook file.

    What lies in the very middle moves half as far as the end. RulebookError where that would put
    it between two cells.
    """
    if not MIN_CELLS <= length <= MAX_CELLS:
        raise RulebookError(LENGTH, str(length), f"{MIN_CELLS} to {MAX_CELLS} cells")
    track = rules.track
    more = length - len(track)

    def moved(cell: int) -> int:
        left, right = cell - track.first, track.last - cell
        if left != right:
            return cell + more if left > right else cell
        if more % 2:
            raise RulebookError(
                LENGTH,
                f"{length} puts what lies on {cell}, in the middle, between two cells",
                "an odd number of cells",
            )
        return cell + more // 2

    keys: dict[str, dict[str, Any]] = {"track": {"first": track.first, "last": track.last + more}}
    for side in Side:
        team = rules.team(side)
        keys[f"player{side}"] = {
            "pieces": {piece.name: moved(piece.home) for piece in team.pieces},
            "goal": [moved(cell) for cell in team.goal],
        }
    return keys
