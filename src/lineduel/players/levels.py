"""Eight levels that err as people do: they miss things, but they do not throw games away."""

from typing import TYPE_CHECKING, Protocol

from lineduel.engine import Game, Position
from lineduel.errors import TooDeep
from lineduel.graph import ALL_PLIES, battle_mixtures
from lineduel.players.lookahead import Lookahead
from lineduel.players.policy import Chances, evenly
from lineduel.players.skills import LEVELS, SKILLS, highest_level
from lineduel.rules import Side
from lineduel.solve import MOST_OUTLOOKS, Value, solve_matrix

if TYPE_CHECKING:
    from lineduel.graph import BattleSolver, GameGraph, PolicyTable


class Foresight(Protocol):
    """The basis of a level's choices: a solution, or a search as deep as the level sees."""

    @property
    def game(self) -> Game: ...

    def outlook(self, position: Position) -> tuple[Value, ...]:
        """The value of where each legal move leads, as far as it is known, in order."""
        ...


class LevelSearch:
    """What a level sees, by search; with a solution it would choose exactly the same moves."""

    def __init__(self, number: int, lookahead: Lookahead) -> None:
        self.game = lookahead.game
        self._number = number
        self._lookahead = lookahead
        self._last: tuple[Position, tuple[Value, ...]] | None = None

    def outlook(self, position: Position) -> tuple[Value, ...]:
        """What the level sees of each move; TooDeep if that takes too many positions."""
        if self._last is None or self._last[0] != position:
            seen = self._lookahead.look(position, SKILLS[self._number].sight, until_won=True)
            if seen.ran_out:
                raise TooDeep(self._number, highest_level(seen.sight), self._lookahead.most)
            self._last = position, seen.values
        return self._last[1]


class Level:
    """A player of limited sight; in a game that has not been solved, it looks ahead."""

    def __init__(self, number: int, known: Foresight | Lookahead) -> None:
        self._number = number
        self._skill = SKILLS[number]
        self._foresight = LevelSearch(number, known) if isinstance(known, Lookahead) else known
        self._known: dict[tuple[Position, Side], Chances] = {}

    @property
    def name(self) -> str:
        return f"level:{self._number}"

    def chances(self, position: Position, side: Side) -> Chances:
        key = position, side
        if key not in self._known:
            if len(self._known) >= MOST_OUTLOOKS:
                self._known.clear()
            skill = self._skill
            whole = self._look(position, side, skill.sight)
            if skill.haste:
                half = self._look(position, side, skill.sight // 2)
                whole = tuple(
                    (1 - skill.haste) * far + skill.haste * near
                    for far, near in zip(whole, half, strict=True)
                )
            self._known[key] = whole
        return self._known[key]

    def table(self, graph: "GameGraph") -> "PolicyTable":
        """The same over a whole graph, by the forced wins that are known there."""
        return table_of_level(self._number, graph)

    def _look(self, position: Position, side: Side, sight: int) -> Chances:
        if position.battle is not None:
            return self._numbers(position, side, sight)
        if sight == 0:
            size = len(self._foresight.game.moves(position))
            return evenly(list(range(size)), size)
        values = self._foresight.outlook(position)
        worth = [_seen(value, side, sight - 1) for value in values]
        best = max(worth)
        return evenly([at for at, one in enumerate(worth) if one == best], len(worth))

    def _numbers(self, position: Position, side: Side, sight: int) -> Chances:
        """The optimal mixture of what is seen; without sight all numbers are alike."""
        battle = self._foresight.game.rules.battle
        assert battle is not None
        if sight == 0:
            return evenly(list(range(battle.numbers)), battle.numbers)
        values = self._foresight.outlook(position)
        looks = [_seen(value, Side.ONE, sight - 1) for value in values]
        mixtures = battle_mixtures(looks, battle, position.side.other, solve_matrix)
        return tuple(mixtures[0 if side is Side.ONE else 1])


def table_of_level(
    number: int, graph: "GameGraph", solve_battle: "BattleSolver | None" = solve_matrix
) -> "PolicyTable":
    """How a level plays in every position of a graph."""
    from lineduel.graph import level_table

    skill = SKILLS[number]
    return level_table(graph, skill.sight, skill.haste, solve_battle)


def fitting_level(game: Game, position: Position) -> int:
    """The highest level that can look as far as it should in a position."""
    seen = Lookahead(game).look(position, SKILLS[LEVELS[-1]].sight)
    return highest_level(seen.sight) if seen.ran_out else LEVELS[-1]


def _seen(value: Value, side: Side, sight: int) -> float:
    """How a value looks to a side that sees this many plies ahead: sooner wins count more."""
    if value.plies is None or value.plies > sight:
        return 0.0
    soon = 1 - value.plies / ALL_PLIES
    return soon if value.winner is side else -soon
