"""Advice from the exact solution: values, a hint, a warning."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from lineduel.coach.phrases import counted
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.errors import AddressSpaceLimit, TooLarge
from lineduel.rules import Side
from lineduel.solve import (
    Solution,
    Value,
    as_effect,
    as_prize,
    in_words,
    is_mistake,
    keeping_moves,
    keeping_numbers,
)

if TYPE_CHECKING:
    from lineduel.players import Lookahead, Outlook, Perfect

_LINE = 6
"""How many moves of the best line a hint shows."""
SMALLEST_SHOWN = Fraction(1, 100_000)
"""Smaller differences are shown as a difference: two numbers that look alike would not help."""
FALLIBLE = "against a fallible opponent"
HOPE = "+.3f"
"""How many digits of that are shown."""


class MoveAdvice(NamedTuple):
    """A legal move and what there is to say about it."""

    move: Move
    value: Value
    """What it leads to, its plies counted from the position in front of the player."""
    hope: float | None
    """Its expected value against a fallible opponent, where neither side can force a win."""
    chosen: bool
    """Whether the perfect player might choose it."""


class NumberAdvice(NamedTuple):
    """A number in a battle and what there is to say about it."""

    number: int
    chance: Fraction
    """How often best play chooses it."""
    worth: float
    """What it is worth against best play, from -1 to 1, as the chooser sees it."""


class Adviser:
    """Advice in one game, which is solved on first use.

    A game too large to solve is looked into as far as a search sees.
    """

    def __init__(self, game: Game, solve: Callable[[], Solution]) -> None:
        self._game, self._solve = game, solve
        self._lookahead: Lookahead | None = None
        self._solution: Solution | None = None
        self._perfect: Perfect | None = None

    @property
    def solution(self) -> Solution:
        if self._solution is None:
            self._solution = self._solve()
        return self._solution

    @property
    def perfect(self) -> "Perfect":
        """The player whose moves are the hints."""
        if self._perfect is None:
            from lineduel.players import Perfect

            self._perfect = Perfect(self.solution)
        return self._perfect

    def knows_no_mistake(self, moves: Iterable[tuple[Position, Move]]) -> bool:
        """Whether the game is solved already, and none of these moves was a mistake.

        That never starts a solver.
        """
        solution = self._solution
        return solution is not None and not any(
            _is_any_mistake(solution, position, move) for position, move in moves
        )

    def moves(self, position: Position) -> tuple[MoveAdvice, ...]:
        """Every legal move with its value, and a second measure where values are equal."""
        if self._is_too_large():
            return self._seen_moves(position)[1]
        chosen = self.perfect.moves(position)
        hopes = self.perfect.hopes(position)
        return tuple(
            MoveAdvice(
                move,
                value.one_ply_earlier(),
                hopes.get(move) if value.winner is None else None,
                move in chosen,
            )
            for move, value in self.solution.moves(position)
        )

    def values(self, position: Position, side: Side) -> str:
        """Every move with its value in words; in a battle the chances of best play."""
        if position.battle is not None:
            mixture = self._mixture(position, side)
            return "\n".join(f"{number}   {_percent(one)}" for number, one in mixture.items())
        return "\n".join(
            f"{'*' if one.chosen else ' '} {one.move}   {value_in_words(one, side)}"
            for one in self.moves(position)
        )

    def numbers(self, position: Position, side: Side) -> tuple[NumberAdvice, ...]:
        """Every number of an open battle; nothing for a game that is too large to solve."""
        if self._is_too_large():
            return ()
        from lineduel.coach.review import number_worth

        mixture = self.solution.mixture(position, side)
        return tuple(
            NumberAdvice(number, chance, float(number_worth(self.solution, position, side, number)))
            for number, chance in mixture.items()
        )

    def hint(self, position: Position, side: Side) -> str:
        """The move that the perfect player would make, and why."""
        if position.battle is not None:
            return self._battle_hint(position, side)
        if self._is_too_large():
            return self._seen_hint(position, side)
        move = self.perfect.moves(position)[0]
        value = self.solution.value(position)
        line = " ".join(map(str, self.solution.line(position, _LINE)))
        turns = counted(value.plies or 0, "turn")
        match value.winner:
            case None:
                return f"{move}: {self._why_safe(position, side)}"
            case winner if winner is side:
                return f"{move}: it wins in {turns}.\nBest play: {line}"
            case _:
                return f"{move}: it holds out longest, {turns}.\nBest play: {line}"

    def warning(self, position: Position, move: Move) -> str | None:
        """What a move is proved to give away, or None."""
        if not is_mistake(self.solution, position, move):
            return None
        side = position.side
        before = self.solution.value(position)
        after = self.solution.value(self.solution.game.play(position, move)).one_ply_earlier()
        less = before.sure(side) - after.hoped(side)
        if less < SMALLEST_SHOWN:
            return f"{move} is a mistake: it gives away {float(less):.1g}."
        had, has = as_prize(before, side), as_prize(after, side)
        return f"{move} is a mistake: it turns {had} into {has}."

    def _why_safe(self, position: Position, side: Side) -> str:
        """Why a move is right where neither side can force a win."""
        value = self.solution.value(position)
        keeping = keeping_moves(self.solution, position)
        worse = [
            f"{one.move} {as_effect(one.value, side)}"
            for one in self.moves(position)
            if one.move not in keeping
        ]
        told = "nobody can force a win" if value.is_even else f"it keeps {as_prize(value, side)}"
        told += f"; {', '.join(worse)}." if worse else ", and no move is proved to be worse."
        return f"{told} {second}" if (second := self._second_measure(position)) else told

    def _second_measure(self, position: Position) -> str:
        """What distinguishes the safe moves, if there are several."""
        safe = self.solution.safe_moves(position)
        if len(safe) < 2:
            return ""
        hopes, chosen = self.perfect.hopes(position), self.perfect.moves(position)
        if not hopes:
            return "The safe moves are not compared any further: the game is too large for that."
        best = hopes[chosen[0]]
        told = f"{FALLIBLE.capitalize()} it is worth {best:{HOPE}}"
        if len(chosen) == len(safe):
            return f"{told}, as much as every other safe move."
        if len(chosen) > 1:
            return f"{told}, as much as {', '.join(map(str, chosen[1:]))}, and more than the rest."
        second = max(hopes[move] for move in safe if move not in chosen)
        if f"{second:{HOPE}}" == f"{best:{HOPE}}":
            return f"{told}, a little more than any other safe move."
        return f"{told}, the next best safe move {second:{HOPE}}."

    def _battle_hint(self, position: Position, side: Side) -> str:
        mixture = self._mixture(position, side)
        used = {number: chance for number, chance in mixture.items() if chance}
        if len(used) == 1:
            return f"Choose {next(iter(used))}."
        parts = ", ".join(f"{number} with {_percent(one)}" for number, one in used.items())
        return f"Choose at random: {parts}."

    # Where the game is too large to solve

    def _is_too_large(self) -> bool:
        if self._lookahead is not None:
            return True
        try:
            return not self.solution
        except (TooLarge, AddressSpaceLimit):
            from lineduel.players import Lookahead

            self._lookahead = Lookahead(self._game)
            return True

    def _mixture(self, position: Position, side: Side) -> Mapping[int, Fraction]:
        """The chances of best play in a battle, as far as can be seen."""
        if not self._is_too_large():
            return self.solution.mixture(position, side)
        from lineduel.players import LEVELS, Level

        chances = Level(LEVELS[-1], _Seen(self._game, self._seen(position))).chances(position, side)
        return {number: Fraction(one) for number, one in enumerate(chances, start=1)}

    def _seen(self, position: Position) -> "Outlook":
        assert self._lookahead is not None
        return self._lookahead.look(position)

    def _seen_moves(self, position: Position) -> tuple[int, tuple[MoveAdvice, ...]]:
        """How many plies ahead is seen, and what that says of each move."""
        seen, side = self._seen(position), position.side
        top = max(value.for_side(side) for _, value in seen.moves)
        return seen.sight, tuple(
            MoveAdvice(move, value.one_ply_earlier(), None, value.for_side(side) == top)
            for move, value in seen.moves
        )

    def _seen_hint(self, position: Position, side: Side) -> str:
        sight, moves = self._seen_moves(position)
        best = next(one for one in moves if one.chosen)
        seen = f"seen {counted(sight, 'turn')} ahead"
        turns = counted(best.value.plies or 0, "turn")
        if best.value.winner is side:
            return f"{best.move}: it wins in {turns}, {seen}."
        if best.value.winner is not None:
            return f"{best.move}: it holds out longest, {turns}, {seen}."
        lost = [f"{one.move} {as_effect(one.value, side)}" for one in moves if one.value.winner]
        worse = f"; {', '.join(lost)}" if lost else ""
        return f"{best.move}: no forced win and no forced loss, {seen}{worse}."


class _Seen(NamedTuple):
    """A search's outlook as the foresight of a level."""

    game: Game
    seen: "Outlook"

    def outlook(self, position: Position) -> tuple[Value, ...]:
        return self.seen.values


def _is_any_mistake(solution: Solution, position: Position, move: Move) -> bool:
    """Whether a move, or one of the two numbers in a battle, is proved to be a mistake."""
    if not isinstance(move, Numbers):
        return is_mistake(solution, position, move)
    return any(
        number not in keeping_numbers(solution, position, side)
        for side, number in zip(Side, move, strict=True)
    )


def value_in_words(advice: MoveAdvice, side: Side) -> str:
    """The value of a move, followed by the second measure if there is one."""
    told = in_words(advice.value, side)
    return told if advice.hope is None else f"{told}, {advice.hope:{HOPE}} {FALLIBLE}"


def _percent(chance: Fraction) -> str:
    exact = f" ({chance})" if 1 < chance.denominator <= 1000 else ""
    return f"{float(chance):.1%}{exact}"
