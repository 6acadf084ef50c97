"""The plain dictionary solver: games without battles, solved from what the engine says alone.

Slow and simple on purpose. It finds every position that play can reach, then works backward from
those that are over. The kernel is checked against it, and measured beside it.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from lineduel.engine import Cells, Game, Position
from lineduel.rules import Meeting, Rules, Side

Value = tuple[Side | None, int | None]
"""The winner and the plies to the end; two times None when play goes on for ever."""

Graph = dict[Position, set[Position]]


class TooLarge(Exception):
    """There are more positions than were asked for."""


def canonical(rules: Rules, position: Position) -> Position:
    """The same position with like pieces in order: of the same steps and, where any is sent home,
    of one home."""
    sends_home = rules.meet.enemy is Meeting.SENT_HOME
    player1, player2 = (
        in_order(position.cells(side), kinds(rules, side, sends_home)) for side in Side
    )
    return Position(player1, player2, position.side)


@lru_cache(1 << 12)
def kinds(rules: Rules, side: Side, sends_home: bool) -> tuple[object, ...]:
    """What tells a side's pieces apart."""
    return tuple(
        (home if sends_home else 0, frozenset(rules.steps_of(side, at)))
        for at, home in enumerate(rules.team(side).homes)
    )


@lru_cache(1 << 16)
def in_order(cells: Cells, told_apart: tuple[object, ...]) -> Cells:
    """The cells of one side, those of pieces of one kind in order."""
    ordered = list(cells)
    for kind in set(told_apart):
        alike = [at for at in range(len(cells)) if told_apart[at] == kind]
        sorted_cells = sorted((cells[at] for at in alike), key=lambda cell: (cell is None, cell))
        for at, cell in zip(alike, sorted_cells, strict=True):
            ordered[at] = cell
    return tuple(ordered)


def successors(game: Game, position: Position) -> set[Position]:
    """The different positions that the moves of a position lead to."""
    return {canonical(game.rules, game.play(position, move)) for move in game.moves(position)}


def explore(game: Game, starts: Iterable[Position], most: int | None = None) -> Graph:
    """Every position that play can reach, with its successors; none where the game is over."""
    waiting = [canonical(game.rules, start) for start in starts]
    found: Graph = {}
    while waiting:
        position = waiting.pop()
        if position not in found:
            found[position] = successors(game, position)
            waiting += found[position]
            if most is not None and len(found) > most:
                raise TooLarge
    return found


def solve(game: Game, found: Graph) -> dict[Position, Value]:
    """The value of every position, the winner hurrying, the loser delaying."""
    before = defaultdict(list)
    for position, after in found.items():
        for one in after:
            before[one].append(position)
    unknown = {position: len(after) for position, after in found.items()}
    values: dict[Position, Value] = {
        position: (game.outcome(position), 0) for position, after in found.items() if not after
    }
    latest, plies = list(values), 0
    while latest:
        settled, latest, plies = latest, [], plies + 1
        for known in settled:
            winner = values[known][0]
            for position in before[known]:
                unknown[position] -= 1
                if position not in values and (position.side is winner or unknown[position] == 0):
                    values[position] = winner, plies
                    latest.append(position)
    return {position: values.get(position, (None, None)) for position in found}
