"""Forced wins as far ahead as a search sees them, for rulebooks of any size.

A depth-first search by iterative deepening, with transpositions: for each side and each depth,
whether that side wins within that many plies whatever the other does. It counts the positions that
it looks at, so that what it can see depends on the position alone and not on the machine.
"""

from typing import NamedTuple

from lineduel.engine import Game, Likeness, Move, Position
from lineduel.rules import Side
from lineduel.solve import Value

MOST_SEARCHED = 100_000
"""Different positions to look at for one move: about two seconds."""
DEEPEST = 100
"""Plies after which a search stops even if it has met few positions."""
UNSEEN = Value(-1, 1)
"""Where no forced win is seen, anything is still possible."""


class Outlook(NamedTuple):
    """What a search has found from a position."""

    sight: int
    """Every forced win of at most this many plies from the position has been found."""
    moves: tuple[tuple[Move, Value], ...]
    """Each legal move, or pair of numbers in a battle, with the value of where it leads: won by
    force in a number of plies from there, or `UNSEEN`."""
    ran_out: bool
    """Whether it stopped because more positions were needed than it may look at."""

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(value for _, value in self.moves)


class Lookahead:
    """Looks ahead in one game, at a limited number of positions per call."""

    def __init__(self, game: Game, most: int | None = None) -> None:
        self.game = game
        self.most = MOST_SEARCHED if most is None else most
        self._graph = _Graph(game)

    def look(self, position: Position, sight: int = DEEPEST, *, until_won: bool = False) -> Outlook:
        """Every forced win within `sight` plies, or as far as the limit allows.

        With `until_won` it stops at the shortest win of the side to move, because a choice depends
        on nothing beyond that. The answer does not depend on earlier calls.
        """
        if len(self._graph) > self.most:
            self._graph = _Graph(self.game)
        moves = self.game.moves(position)
        graph = self._graph
        reached = [graph.number(self.game.play(position, move)) for move in moves]
        search = _Search(graph, self.most)
        won: dict[int, Value] = {}
        seen = 0
        try:
            search.count(reached)
            while seen < sight:
                new = search.won_in(set(reached) - won.keys(), seen)
                won |= new
                seen += 1
                winners = {value.winner for value in new.values()}
                chosen = until_won and position.battle is None and position.side in winners
                if chosen or len(won) == len(set(reached)):
                    break
        except _RanOut:
            pass
        values = [won.get(one, UNSEEN) for one in reached]
        return Outlook(seen, tuple(zip(moves, values, strict=True)), search.ran_out)


class _RanOut(Exception):
    """More positions are needed than may be looked at."""


class _Graph:
    """Positions by numbers, and where each leads once that was asked; it grows as it is used."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._standing_for = Likeness(game.rules).standing_for
        self._numbers: dict[Position, int] = {}
        self._after: dict[int, tuple[int, ...]] = {}
        self.positions: list[Position] = []
        self.winner: list[Side | None] = []

    def __len__(self) -> int:
        return len(self.positions)

    def number(self, position: Position) -> int:
        standing = self._standing_for(position)
        number = self._numbers.setdefault(standing, len(self.positions))
        if number == len(self.positions):
            self.positions.append(standing)
            self.winner.append(self.game.outcome(standing))
        return number

    def after(self, at: int) -> tuple[int, ...]:
        """Where each different move leads; for an open battle a matrix, row by row."""
        if at not in self._after:
            game, position = self.game, self.positions[at]
            reached = [self.number(game.play(position, move)) for move in game.choices(position)]
            if position.battle is None:
                reached = list(dict.fromkeys(reached))
            self._after[at] = tuple(reached)
        return self._after[at]


class _Search:
    """The search for one question."""

    def __init__(self, graph: _Graph, most: int) -> None:
        self._graph = graph
        self._most = most
        self._looked_at: set[int] = set()
        self._within: dict[Side, dict[int, int]] = {side: {} for side in Side}
        self._not_within: dict[Side, dict[int, int]] = {side: {} for side in Side}
        rules = graph.game.rules
        self._numbers = rules.battle.numbers if rules.battle else 0
        self._alternates = not self._numbers and not rules.moves_again
        self.ran_out = False

    def count(self, positions: "tuple[int, ...] | list[int]") -> None:
        self._looked_at.update(positions)
        if len(self._looked_at) > self._most:
            self.ran_out = True
            raise _RanOut

    def won_in(self, positions: set[int], plies: int) -> dict[int, Value]:
        """Those that a side wins in exactly this many plies; fewer plies were searched before."""
        return {
            at: Value.won(side, plies)
            for side in Side
            for at in sorted(positions)
            if self._wins(at, side, plies)
        }

    def _wins(self, at: int, side: Side, plies: int) -> bool:
        """Whether a side wins from a position within this many plies, whatever the other does."""
        graph = self._graph
        winner = graph.winner[at]
        if winner is not None:
            return winner is side
        position = graph.positions[at]
        in_battle = position.battle is not None
        own_turn = position.side is side
        # A move never wins for the opponent; so where turns always alternate, every second ply
        # can be skipped.
        if not in_battle and not own_turn and plies == 1:
            return False
        if self._alternates and own_turn is (plies % 2 == 0):
            plies -= 1
        if plies <= 0:
            return False
        within, not_within = self._within[side], self._not_within[side]
        if plies >= within.get(at, plies + 1):
            return True
        if plies <= not_within.get(at, 0):
            return False
        after = graph.after(at)
        self.count(after)
        if in_battle:
            found = self._wins_battle(after, side, plies)
        elif plies == 1:
            winners = graph.winner
            found = any(winners[one] is side for one in after)
        elif own_turn:
            found = any(self._wins(one, side, plies - 1) for one in after)
        else:
            found = all(self._wins(one, side, plies - 1) for one in after)
        (within if found else not_within)[at] = plies
        return found

    def _wins_battle(self, after: tuple[int, ...], side: Side, plies: int) -> bool:
        """A battle is won by a number that wins whatever the other chooses."""
        numbers = self._numbers
        won = {one for one in set(after) if self._wins(one, side, plies - 1)}
        rows = [after[row * numbers : (row + 1) * numbers] for row in range(numbers)]
        lines = rows if side is Side.ONE else list(zip(*rows, strict=True))
        return any(won.issuperset(line) for line in lines)
