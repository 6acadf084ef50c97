"""Eight levels that err as people do: they miss things, but they do not throw games away."""

from lineduel.engine import Move, Numbers, Position
from lineduel.players.policy import Chances, evenly
from lineduel.players.skills import SKILLS, describe_level
from lineduel.rules import Side
from lineduel.solve import Solution, Value
from lineduel.solve.recursive.matrix import solve_matrix

_PREFERS_TO_WIN = 0.01
"""What winning a battle is worth where nothing else is seen."""


class Level:
    """A player of limited sight in a solved game."""

    def __init__(self, number: int, solution: Solution) -> None:
        self._number = number
        self._skill = SKILLS[number]
        self._solution = solution
        self._known: dict[tuple[Position, Side], Chances] = {}

    @property
    def name(self) -> str:
        return f"level:{self._number}"

    @property
    def description(self) -> str:
        return describe_level(self._number)

    def chances(self, position: Position, side: Side) -> Chances:
        key = position, side
        if key not in self._known:
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

    def _look(self, position: Position, side: Side, sight: int) -> Chances:
        if position.battle is not None:
            return self._numbers(position, side, sight)
        worth = [_seen(value, side, sight - 1) for value in self._solution.outlook(position)]
        best = max(worth)
        return evenly([at for at, one in enumerate(worth) if one == best], len(worth))

    def _numbers(self, position: Position, side: Side, sight: int) -> Chances:
        """The optimal mixture of what is seen; without sight all numbers are alike."""
        battle = self._solution.game.rules.battle
        assert battle is not None
        numbers = range(1, battle.numbers + 1)
        if sight == 0:
            return evenly(list(range(battle.numbers)), battle.numbers)
        rows = [
            [self._gain(position, Numbers(one, two), sight) for two in numbers] for one in numbers
        ]
        _, mixture1, mixture2 = solve_matrix(rows)
        return tuple(float(chance) for chance in (mixture1 if side is Side.ONE else mixture2))

    def _gain(self, position: Position, move: Move, sight: int) -> float:
        """What a pair of numbers seems to be worth to player 1."""
        game = self._solution.game
        assert isinstance(move, Numbers)
        assert game.rules.battle is not None
        winner = game.rules.battle.winner(*move)
        prefers = {Side.ONE: _PREFERS_TO_WIN, Side.TWO: -_PREFERS_TO_WIN, None: 0.0}[winner]
        value = self._solution.value(game.play(position, move))
        return _seen(value, Side.ONE, sight - 1) + prefers


def _seen(value: Value, side: Side, sight: int) -> float:
    """What a value looks like to a side that sees so many plies ahead: the sooner, the more."""
    if value.plies is None or value.plies > sight:
        return 0.0
    soon = 1 - value.plies / 100_000
    return soon if value.winner is side else -soon
