"""Forced wins by retrograde analysis: from the ended positions back to all that lead there.

Positions are settled in order of the plies left, so each is settled once. The winner plays for the
fastest win and the loser for the slowest. A position that is never settled has no forced win.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lineduel.graph.game_graph import BATTLE, Columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOT_FORCED = -1
"""The `plies` entry of a position without a forced win."""


class ForcedWins(NamedTuple):
    """The side that can force a win from each position of a graph, and the number of plies."""

    winner: "list[int] | NDArray[np.int8]"
    """1 or 2, or 0 if neither side can force a win."""
    plies: "list[int] | NDArray[np.int32]"
    """Plies to the win if the winner hurries and the loser delays, or NOT_FORCED."""


def forced_wins(columns: Columns, numbers: int, *, compiled: bool) -> ForcedWins:
    """Find all positions from which one side can force a win.

    `numbers` is the number of choices a side has in a battle. The result is in arrays if `compiled`
    is set, otherwise in lists.
    """
    return _in_arrays(columns, numbers) if compiled else _in_lists(columns, numbers)


def _in_lists(columns: Columns, numbers: int) -> ForcedWins:
    first, after, mover, winner = (column.tolist() for column in columns)
    size, choices = len(mover), len(after)
    plies = [NOT_FORCED] * size
    origin, entering, left = [0] * choices, [0] * choices, [0] * choices
    entry, queue = [0] * (size + 2), [0] * size
    settle_positions(
        first, after, mover, numbers, winner, plies, origin, entering, left, entry, queue
    )
    return ForcedWins(winner, plies)


def _in_arrays(columns: Columns, numbers: int) -> ForcedWins:
    import numpy as np

    first, after, mover, ended = map(np.asarray, columns)
    size, choices = len(mover), len(after)
    winner, plies = ended.copy(), np.full(size, NOT_FORCED, np.int32)
    # An item per choice is most of the memory.
    kind = np.int32 if choices < 1 << 31 else np.int64
    origin, entering, left = (np.zeros(choices, kind) for _ in range(3))
    entry, queue = np.zeros(size + 2, np.int64), np.zeros(size, np.int64)
    _compiled_settle()(
        first, after, mover, numbers, winner, plies, origin, entering, left, entry, queue
    )
    return ForcedWins(winner, plies)


@cache
def _compiled_settle() -> Callable[..., None]:
    from lineduel.compiled import compiled

    return compiled(settle_positions)


def settle_positions(
    first: Any,
    after: Any,
    mover: Any,
    numbers: int,
    winner: Any,
    plies: Any,
    origin: Any,
    entering: Any,
    left: Any,
    entry: Any,
    queue: Any,
) -> None:
    """Fill in the winners and plies of forced wins; pass `winner` with the ended positions set.

    The function runs on lists in Python, and on arrays when compiled. The last five arguments are
    scratch space and must be zeros. `origin`, `entering` and `left` have an item per choice;
    `queue` has an item per position, and `entry` has two more than that.
    """
    # The choices that lead to position p are entering[entry[p]:entry[p + 1]].
    size, settled, done = len(mover), 0, 0
    for choice in range(len(after)):
        entry[after[choice] + 2] += 1
    for at in range(size):
        entry[at + 2] += entry[at + 1]
    for at in range(size):
        begin, end = first[at], first[at + 1]
        for choice in range(begin, end):
            origin[choice] = at
            reached = after[choice]
            entering[entry[reached + 1]] = choice
            entry[reached + 1] += 1
        if winner[at] != 0:
            plies[at] = 0
            queue[settled] = at
            settled += 1
        elif mover[at] == BATTLE:
            # For each number of player 1, then of player 2: the replies that do not yet lose.
            for number in range(2 * numbers):
                left[begin + number] = numbers
        elif end > begin:
            left[begin] = end - begin  # choices that are not yet known to lose
    while done < settled:
        reached = queue[done]
        done += 1
        won = winner[reached]
        for one in range(entry[reached], entry[reached + 1]):
            choice = entering[one]
            at = origin[choice]
            if winner[at] != 0:
                continue
            slot = first[at]
            if mover[at] == BATTLE:
                number = choice - slot
                slot += number // numbers if won == 1 else numbers + number % numbers
            left[slot] -= 1
            if left[slot] == 0 or mover[at] == won:
                winner[at], plies[at] = won, plies[reached] + 1
                queue[settled] = at
                settled += 1
