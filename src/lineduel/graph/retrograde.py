"""Forced wins by retrograde analysis: from the ended positions back to all that lead there.

Positions are settled in the order of the plies that are left, so each is settled once, with the
winner hurrying and the loser delaying. What is never settled, nobody can force.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from lineduel.graph.columns import BATTLE, Columns, as_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOT_FORCED = -1
"""The plies of a position that nobody wins by force."""


class ForcedWins(NamedTuple):
    """Who wins each position of a graph by force, and in how many plies."""

    winner: "list[int] | NDArray[np.int8]"
    """1 or 2, or 0 where neither side can force a win."""
    plies: "list[int] | NDArray[np.int32]"
    """With the winner hurrying and the loser delaying, or NOT_FORCED."""


def forced_wins(columns: Columns, numbers: int, *, compiled: bool) -> ForcedWins:
    """Settle all positions that one side can force to a win, whatever the other does.

    Battles have so many numbers. The answer is in arrays if compiled code finds it, else in lists.
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

    from lineduel.graph.compiled_forms import settle_compiled

    first, after, mover, ended = as_arrays(columns)
    size, choices = len(mover), len(after)
    winner, plies = ended.copy(), np.full(size, NOT_FORCED, np.int32)
    origin, entering, left = (np.zeros(choices, np.int64) for _ in range(3))
    entry, queue = np.zeros(size + 2, np.int64), np.zeros(size, np.int64)
    settle_compiled(
        first, after, mover, numbers, winner, plies, origin, entering, left, entry, queue
    )
    return ForcedWins(winner, plies)


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
    """Fill in the winners and plies of forced wins; `winner` comes in with the ended positions.

    It runs on lists as it is, and compiled on arrays. The last five are for its own use and come
    in as zeros: the first three as long as there are choices, the others as there are positions,
    `entry` longer by two.
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
            # For each number of player 1, then of player 2, the answers to it that do not lose.
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
