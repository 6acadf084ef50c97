"""Eight levels that err as people do: they miss things, but they do not throw games away."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
    from lineduel.solve import Solution


class Level:
    """A player of limited sight; in a game that has not been solved, it looks ahead."""

    def __init__(self, number: int, known: "Solution | Lookahead") -> None:
        """With a solution or by search, it chooses exactly the same moves."""
        self._number = number
        self._skill = SKILLS[number]
        self._foresight = known
        self._known: dict[tuple[Position, Side], Chances] = {}

    @property
    def name(self) -> str:
        return f"level:{self._number}"

    def chances(self, position: Position, side: Side) -> Chances:
        key = position, side
        if key not in self._known:
            if len(self._known) >= MOST_OUTLOOKS:
                self._known.clear()
            skill, game = self._skill, self._foresight.game
            values = self._outlook(position) if skill.sight else ()
            whole = chances_seen(game, position, side, skill.sight, values)
            if skill.haste:
                half = chances_seen(game, position, side, skill.sight // 2, values)
                whole = tuple(
                    (1 - skill.haste) * far + skill.haste * near
                    for far, near in zip(whole, half, strict=True)
                )
            self._known[key] = whole
        return self._known[key]

    def _outlook(self, position: Position) -> tuple[Value, ...]:
        """The value of where each legal move leads; TooDeep if that takes too many positions."""
        if not isinstance(self._foresight, Lookahead):
            return self._foresight.outlook(position)
        seen = self._foresight.look(position, self._skill.sight, until_won=True)
        if seen.ran_out:
            raise TooDeep(self._number, highest_level(seen.sight), self._foresight.most)
        return seen.values

    def table(self, graph: "GameGraph") -> "PolicyTable":
        """The same over a whole graph, by the forced wins that are known there."""
        return table_of_level(self._number, graph)


def chances_seen(
    game: Game, position: Position, side: Side, sight: int, values: Sequence[Value]
) -> Chances:
    """The chances of a side that sees this many plies ahead, given the value after each move.

    The moves that look best or, in a battle, the optimal mixture of what is seen. Without sight all
    choices are alike.
    """
    battle = game.rules.battle if position.battle is not None else None
    if sight == 0:
        size = len(game.hand(position, side) if battle else game.moves(position))
        return evenly(list(range(size)), size)
    if battle is not None:
        looks = [_seen(value, Side.ONE, sight - 1) for value in values]
        hands = game.hand(position, Side.ONE), game.hand(position, Side.TWO)
        mixtures = battle_mixtures(looks, battle, hands, position.side.other, solve_matrix)
        return tuple(mixtures[0 if side is Side.ONE else 1])
    worth = [_seen(value, side, sight - 1) for value in values]
    best = max(worth)
    return evenly([at for at, one in enumerate(worth) if one == best], len(worth))


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
