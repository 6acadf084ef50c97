"""How likely a side is to win soon if it plays its best against a level."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lineduel import graph, players
from lineduel.coach.known_chances import AskedChances, KnownChances, read_chances, write_chances
from lineduel.engine import Move, Position
from lineduel.facts import Fact
from lineduel.rules import Side
from lineduel.solve import Cache, Solution, keeping_moves

TURNS_AHEAD = 30
"""How many turns ahead chances are given."""
ASSUMED_LEVEL = 4
"""The opponent where no level is in the other seat."""
NOTABLE = 0.05
"""A move that costs less than this is not said to cost chances."""
UNLIKELY = 0.005
"""Where neither side wins with more than this probability, no figures are given."""


@dataclass(frozen=True, slots=True)
class WinningChances(Fact):
    """The probabilities that a side wins and loses within some turns against a level."""

    win: float
    lose: float
    level: int
    turns: int

    @property
    def still(self) -> float:
        """The probability that the game is not over by then."""
        return max(0.0, 1.0 - self.win - self.lose)

    @property
    def lead(self) -> float:
        """How much likelier it is to win than to lose."""
        return self.win - self.lose

    def is_better_than(self, other: "WinningChances") -> bool:
        """Whether the lead is larger, or as large with a smaller risk; rounding errors apart."""
        more = self.lead - other.lead
        if abs(more) > graph.SAME_PROSPECTS:
            return more > 0
        return self.lose < other.lose - graph.SAME_PROSPECTS


@dataclass(frozen=True, slots=True, kw_only=True)
class ChancesLost(Fact):
    """A move that keeps the value and still costs chances."""

    side: Side
    move: Move
    best: Move
    """The move with the best chances among those that keep the value."""
    after: WinningChances
    """With the move."""
    could: WinningChances
    """With the best one."""

    @property
    def points(self) -> float:
        """How much it costs, of 1."""
        return self.could.lead - self.after.lead

    def __str__(self) -> str:
        when = f"within {self.after.turns} turns against level {self.after.level}"
        return (
            f"{self.move} costs chances: {figures(self.after)} {when}; "
            f"{self.best} would give {figures(self.could)}."
        )


class Forecast:
    """The chances of either side in a solved game, computed for all positions at once.

    With a cache they are kept there, and the next process only reads them.
    """

    def __init__(self, solution: Solution, cache: Cache | None = None) -> None:
        self._solution, self._cache = solution, cache
        self._known: dict[AskedChances, KnownChances] = {}

    def chances(
        self, position: Position, side: Side, level: int = ASSUMED_LEVEL, turns: int = TURNS_AHEAD
    ) -> WinningChances:
        """The chances of a side that plays its best against a level, within that many turns.

        A turn is one ply of either side, counted from the position. The side maximises its
        probability of winning minus that of losing within the turns, then it takes the smaller
        risk of losing; in a battle its number is the best against the level's mixture.
        """
        found = self._within(AskedChances(side, level, turns))
        win, lose = found[str(self._solution.likeness.standing_for(position))]
        return WinningChances(win, lose, level, turns)

    def after_moves(self, position: Position, level: int) -> Mapping[Move, WinningChances]:
        """The chances of the side to move after each legal move, which is one of the turns."""
        game, side, turns = self._solution.game, position.side, TURNS_AHEAD
        return {
            move: replace(
                self.chances(game.play(position, move), side, level, turns - 1), turns=turns
            )
            for move in game.moves(position)
        }

    def lost(self, position: Position, move: Move, level: int) -> ChancesLost | None:
        """What a move costs that keeps the value, if that is 5 points or more.

        Points are those of the chance to win less the chance to lose, in per cent.
        """
        solution = self._solution
        keeping = keeping_moves(solution, position)
        if solution.value(position).winner is not None or move not in keeping:
            return None
        chances = self.after_moves(position, level)
        best = best_by_chances({one: chances[one] for one in keeping})[0]
        after, could = chances[move], chances[best]
        if could.lead - after.lead < NOTABLE:
            return None
        return ChancesLost(side=position.side, move=move, best=best, after=after, could=could)

    def _within(self, asked: AskedChances) -> KnownChances:
        if asked not in self._known:
            self._known[asked] = self._read(asked) or self._computed(asked)
        return self._known[asked]

    def _read(self, asked: AskedChances) -> KnownChances | None:
        return read_chances(self._cache, self._solution, asked) if self._cache else None

    def _computed(self, asked: AskedChances) -> KnownChances:
        explored = self._solution.explored()
        opponent = players.table_of_level(asked.level, explored)
        win, lose = graph.chances_within(explored, opponent, asked.side, asked.turns)
        both = zip(win.tolist(), lose.tolist(), strict=True)
        found = dict(zip(map(str, explored.positions), both, strict=True))
        if self._cache:
            write_chances(self._cache, self._solution, asked, found)
        return found


def best_by_chances(chances: Mapping[Move, WinningChances]) -> tuple[Move, ...]:
    """The moves than which no other has better chances."""
    return tuple(
        move
        for move, one in chances.items()
        if not any(other.is_better_than(one) for other in chances.values())
    )


def chances_in_words(chances: WinningChances, *, after_move: bool = False) -> str:
    """The chances in a sentence for the side that they are of, or of a move of that side."""
    best = "you play your best after this move" if after_move else "you play your best"
    when = f"within {chances.turns} turns against level {chances.level}"
    if max(chances.win, chances.lose) < UNLIKELY:
        return f"Even if {best}, neither side is likely to win {when}."
    return (
        f"If {best}, {when}: {figures(chances)}, "
        f"still playing {100 - _percent(chances.win) - _percent(chances.lose)}%."
    )


def figures(chances: WinningChances) -> str:
    """The two chances in short: `win 89%, lose 0%`."""
    return f"win {_percent(chances.win)}%, lose {_percent(chances.lose)}%"


def _percent(chance: float) -> int:
    return round(chance * 100)
