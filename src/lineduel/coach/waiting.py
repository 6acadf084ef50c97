"""The waiting game: who runs out of safe moves first, if nobody strikes."""

from lineduel.coach.deeds import turned_to
from lineduel.engine import Game, Likeness, Move, Position
from lineduel.rules import Side

MOST_WAITED = 1_000
"""How many positions are looked at; a longer wait is not judged."""


class _NotJudged(Exception):
    """A move that keeps everything as it is, or more positions than are looked at."""


def waiting_line(game: Game, position: Position) -> tuple[Move, ...] | None:
    """Safe moves of both sides in turn, until a side has none left; None if that is not judged.

    A move is safe if it neither strikes nor ends the game, and nothing can be struck right after
    it: taken, sent home, attacked or won. The side that can make the other run out first does so;
    the other one holds out as long as it can. Nobody may be able to strike now, and only games in
    which every move goes forward are judged: elsewhere the wait may never end.
    """
    if position.battle is not None or game.outcome(position) is not None:
        return None
    if min(game.rules.all_steps) <= 0:
        return None
    search = _Waiting(game)
    turned = turned_to(position, position.side.other)
    try:
        if search.can_strike(position) or search.can_strike(turned):
            return None
        return search.line(position)
    except _NotJudged:
        return None


def runs_out(position: Position, line: tuple[Move, ...]) -> Side:
    """The side that is without a safe move after a line of safe moves from a position."""
    return position.side if len(line) % 2 == 0 else position.side.other


class _Waiting:
    """Looks through the safe moves of both sides; positions that are alike only once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._likeness = Likeness(game.rules)
        self._moves: dict[Position, dict[Move, Position] | None] = {}
        self._lengths: dict[Position, int] = {}

    def line(self, position: Position) -> tuple[Move, ...]:
        """Safe moves up to the position in which a side has none left."""
        found: list[Move] = []
        left = self._length(self._likeness.standing_for(position))
        while left:
            left -= 1
            for move in self._game.moves(position):
                after = self._game.play(position, move)
                alike = self._likeness.standing_for(after)
                if self._looked_at(alike) is not None and self._length(alike) == left:
                    found.append(move)
                    position = after
                    break
        return tuple(found)

    def can_strike(self, position: Position) -> bool:
        """Whether the side to move can take, send home, attack or win."""
        return self._looked_at(self._likeness.standing_for(position)) is None

    def _length(self, position: Position) -> int:
        """How many safe moves follow; the side to move runs out after an even number."""
        if position not in self._lengths:
            longest = 0
            for after in (self._looked_at(position) or {}).values():
                if self._looked_at(after) is None:
                    continue
                length = 1 + self._length(after)
                longest = max(longest, length)
                if length % 2 == 1:  # the other side runs out
                    longest = length
                    break
            self._lengths[position] = longest
        return self._lengths[position]

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
            found[move] = self._likeness.standing_for(after)
        return found
