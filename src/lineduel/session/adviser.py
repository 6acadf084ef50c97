"""What the exact solution has to say to a player: values, a hint, a warning."""

from collections.abc import Callable
from fractions import Fraction

from lineduel.engine import Move, Position
from lineduel.rules import Side
from lineduel.solve import Solution, Value, in_words

LINE = 6
"""How many moves of the best line a hint shows."""


class Adviser:
    """Advice in one game; it is solved when the first question comes."""

    def __init__(self, solve: Callable[[], Solution]) -> None:
        self._solve = solve
        self._solution: Solution | None = None

    @property
    def solution(self) -> Solution:
        if self._solution is None:
            self._solution = self._solve()
        return self._solution

    def values(self, position: Position, side: Side) -> str:
        """Every move with its value in words; in a battle the chances of best play."""
        if position.battle is not None:
            mixture = self.solution.mixture(position, side)
            return "\n".join(f"{number}   {_percent(one)}" for number, one in mixture.items())
        best = self.solution.best(position)
        return "\n".join(
            f"{'*' if move in best else ' '} {move}   {in_words(value, side)}"
            for move, value in self.solution.moves(position)
        )

    def hint(self, position: Position, side: Side) -> str:
        """The best move and why."""
        if position.battle is not None:
            return self._battle_hint(position, side)
        move = self.solution.best(position)[0]
        value = self.solution.value(position)
        line = " ".join(map(str, self.solution.line(position, LINE)))
        match value.winner:
            case None:
                return f"{move}: {self._why_safe(position, side)}"
            case winner if winner is side:
                return f"{move}: it wins in {value.plies}.\nThe way: {line}"
            case _:
                return f"{move}: it holds out longest, {value.plies} plies.\nThe way: {line}"

    def warning(self, position: Position, move: Move) -> str | None:
        """What a move gives away, or None when it keeps the value."""
        side = position.side
        before = self.solution.value(position)
        after = self.solution.value(self.solution.game.play(position, move))
        if after.for_side(side)[:2] >= before.for_side(side)[:2]:
            return None
        return f"{move} gives away value: {_turn(before, side)} becomes {_turn(after, side)}."

    def _why_safe(self, position: Position, side: Side) -> str:
        """Why a move is right where nobody wins by force."""
        value = self.solution.value(position)
        worse = [
            f"{move} {_fate(after, side)}"
            for move, after in self.solution.moves(position)
            if after.for_side(side)[:2] < value.for_side(side)[:2]
        ]
        kept = "nobody can force a win" if value.endless else f"it keeps {in_words(value, side)}"
        return f"{kept}; {', '.join(worse)}." if worse else f"{kept}, and no move is worse."

    def _battle_hint(self, position: Position, side: Side) -> str:
        mixture = self.solution.mixture(position, side)
        used = {number: chance for number, chance in mixture.items() if chance}
        if len(used) == 1:
            return f"Choose {next(iter(used))}."
        parts = ", ".join(f"{number} with {_percent(one)}" for number, one in used.items())
        return f"Draw your number by lot: {parts}."


def _fate(value: Value, side: Side) -> str:
    """A value as what a move does: `loses in 4`, `is worth -1/47`."""
    told = in_words(value, side)
    return told if value.winner is not None else f"is {told if value.endless else 'worth ' + told}"


def _turn(value: Value, side: Side) -> str:
    """A value as a thing that is had."""
    if value.winner is not None:
        return f"a {'win' if value.winner is side else 'loss'} in {value.plies}"
    return "endless play" if value.endless else in_words(value, side)


def _percent(chance: Fraction) -> str:
    exact = f" ({chance})" if 1 < chance.denominator <= 1000 else ""
    return f"{float(chance):.1%}{exact}"
