"""The large rulebooks that solving is measured on, and small sisters of them."""

from lineduel.engine import Game
from lineduel.rulebooks import find_rulebook
from lineduel.rules import apply_changes


def cross_over(last: int, pieces: int) -> Game:
    """Cross Over on a track 0..last, with so many pieces a side and the enemy's camp as goal."""
    camp1, camp2 = list(range(pieces)), list(range(last, last - pieces, -1))
    changes = {
        "track": {"last": last},
        "player1": {"pieces": {f"A{cell}": cell for cell in camp1}, "goal": sorted(camp2)},
        "player2": {"pieces": {f"B{cell}": cell for cell in camp2}, "goal": camp1},
    }
    return Game(apply_changes(find_rulebook("cross-over"), changes))


def soldiers(last: int, pieces: int) -> Game:
    """Capture the Flag on a track 0..last, with so many soldiers a side."""
    changes = {
        "track": {"last": last},
        "player1": {"pieces": {f"A{one}": 0 for one in range(pieces)}, "goal": [last]},
        "player2": {"pieces": {f"B{one}": last for one in range(pieces)}, "goal": [0]},
    }
    return Game(apply_changes(find_rulebook("ctf-soldiers"), changes))
