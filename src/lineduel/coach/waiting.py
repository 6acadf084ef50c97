"""The waiting game: who runs out of safe moves first, if nobody strikes."""

from typing import NamedTuple

from lineduel.coach.deeds import turned_to
from lineduel.engine import Move, Position
from lineduel.rules import Side
from lineduel.solve import Solution

SOON_SETTLED = 2
"""The most moves after which safe moves are counted."""
MOST_WAITED = 1_000
"""How many positions are looked at; a longer wait is not judged."""


class SafeMoves(NamedTuple):
    """How many safe moves each side could make in a row while the other stands still."""

    player1: int
    player2: int

    def of(self, side: Side) -> int:
        """A side's safe moves."""
        return self.player1 if side is Side.ONE else self.player2


class _NotJudged(Exception):
    """A move that keeps everything as it is, or more positions than are looked at."""


def waiting_line(solution: Solution, position: Position) -> tuple[Move, ...] | None:
    """Safe moves of both sides in turn, until the side that loses has none left.

    None if it need not run out of them, or that is not judged. A move is safe if it neither strikes
    nor ends the game, and nothing can be struck right after it: taken, sent home, attacked or won.
    The side that wins only makes safe moves that keep its win, the best one if possible; the other
    side holds out as long as it can. Nobody may be able to strike now, and only games in which
    every move goes forward and pieces can be struck are judged: elsewhere the wait may never end.
    """
    game, winner = solution.game, solution.value(position).winner
    if winner is None or position.battle is not None or game.outcome(position) is not None:
        return None
    meeting = game.rules.meet.enemy.consequences
    if min(game.rules.all_steps) <= 0 or not meeting.changes_something:
        return None
    search = _Waiting(solution, winner)
    turned = turned_to(position, position.side.other)
    try:
        if search.can_strike(position) or search.can_strike(turned):
            return None
        return search.line(position)
    except _NotJudged:
        return None


def safe_moves_left(
    solution: Solution, position: Position, wait: tuple[Move, ...]
) -> tuple[int, SafeMoves | None]:
    """After how many moves of a wait both sides can count their safe moves, and how many there are.

    From then on each safe move costs its own side one and the other side none. No number where that
    comes late, or is not judged.
    """
    search = _Waiting(solution, position.side)
    rows: list[SafeMoves] = []
    sides: list[Side] = []
    try:
        for turn in range(len(wait) + 1):
            rows.append(SafeMoves(*(search.most_in_a_row(position, side) for side in Side)))
            sides.append(position.side)
            if turn < len(wait):
                position = solution.game.play(position, wait[turn])
    except _NotJudged:
        return len(wait), None
    settled = len(wait)
    while settled and _is_used_up(rows[settled - 1], rows[settled], sides[settled - 1]):
        settled -= 1
    return settled, rows[settled] if settled <= SOON_SETTLED else None


def _is_used_up(before: SafeMoves, after: SafeMoves, side: Side) -> bool:
    """Whether a side has one safe move less than before, and the other side as many."""
    other = side.other
    return after.of(side) == before.of(side) - 1 and after.of(other) == before.of(other)


class _Waiting:
    """Looks through the safe moves of both sides."""

    def __init__(self, solution: Solution, winner: Side) -> None:
        self._solution, self._game, self._winner = solution, solution.game, winner
        self._moves: dict[Position, dict[Move, Position] | None] = {}
        self._lines: dict[Position, tuple[Move, ...] | None] = {}
        self._rows: dict[Position, int] = {}

    def can_strike(self, position: Position) -> bool:
        """Whether the side to move can take, send home, attack or win."""
        return self._looked_at(position) is None

    def line(self, position: Position) -> tuple[Move, ...] | None:
        """Safe moves up to the position in which the side that loses has none left, if it must."""
        if position not in self._lines:
            waits = position.side is self._winner
            self._lines[position] = self._kept_up(position) if waits else self._held_out(position)
        return self._lines[position]

    def most_in_a_row(self, position: Position, side: Side) -> int:
        """The most safe moves that a side could make while the other one stands still."""
        turned = turned_to(position, side)
        if turned not in self._rows:
            later = self._safe_moves(turned).values()
            self._rows[turned] = max(
                (1 + self.most_in_a_row(one, side) for one in later), default=0
            )
        return self._rows[turned]

    def _kept_up(self, position: Position) -> tuple[Move, ...] | None:
        """The line of the first safe move that keeps the win and makes the other side run out."""
        best = self._solution.best_move(position)
        safe = self._safe_moves(position)
        for move in sorted(safe, key=lambda one: one != best):
            if self._solution.value(safe[move]).winner is not self._winner:
                continue
            line = self.line(safe[move])
            if line is not None:
                return move, *line
        return None

    def _held_out(self, position: Position) -> tuple[Move, ...] | None:
        """The longest line of a safe move, if the side runs out after all of them."""
        longest: tuple[Move, ...] = ()
        for move, after in self._safe_moves(position).items():
            line = self.line(after)
            if line is None:
                return None
            longest = max(longest, (move, *line), key=len)
        return longest

    def _safe_moves(self, position: Position) -> dict[Move, Position]:
        moves = self._looked_at(position) or {}
        return {move: after for move, after in moves.items() if not self.can_strike(after)}

    def _looked_at(self, position: Position) -> dict[Move, Position] | None:
        """The positions after each move; None if one of the moves strikes or wins."""
        if position not in self._moves:
            if len(self._moves) == MOST_WAITED:
                raise _NotJudged
            self._moves[position] = self._after_moves(position)
        return self._moves[position]

    def _after_moves(self, position: Position) -> dict[Move, Position] | None:
        game, side, enemy = self._game, position.side, position.side.other
        found: dict[Move, Position] = {}
        for move in game.moves(position):
            after = game.play(position, move)
            struck = after.battle is not None or after.cells(enemy) != position.cells(enemy)
            if struck or game.outcome(after) is not None:
                return None
            if after.cells(side) == position.cells(side):
                raise _NotJudged
            found[move] = after
        return found
