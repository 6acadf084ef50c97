"""A solved position in words: one screen of text."""

from collections.abc import Callable, Iterator
from enum import Enum, auto
from fractions import Fraction
from functools import partial
from textwrap import fill

from lineduel.engine import Position
from lineduel.players import endless_chance
from lineduel.quantities import counted
from lineduel.rules import Side
from lineduel.solve import LIMITED, Solution, Value, as_verdict, move_in_words

_WIDTH = 60
MOST_PLIES, FIRST_PLIES = 500, 8


class Emphasis(Enum):
    """What a text is about, for those who paint it."""

    VERDICT = auto()
    WON = auto()
    LOST = auto()
    NEITHER = auto()


_Paint = Callable[[str, Emphasis], str]
"""The text as it is shown."""


def solution_lines(solution: Solution, position: Position, paint: _Paint) -> Iterator[str]:
    """Who wins a position, what each move is worth, and the line of best play."""
    game = solution.game
    yield f"{game.rulebook.title} ({game.rulebook.id}), {position}"
    yield paint(_verdict(solution, position), Emphasis.VERDICT)
    if game.outcome(position) is not None:
        return
    what = "can come up" if solution.counted == "reachable" else "were solved"
    yield f"{solution.positions:,} positions {what}{_longest(solution.longest)}."
    if solution.limited:
        yield LIMITED
    if position.battle is not None:
        for side in Side:
            yield f"\nPlayer {side} chooses"
            for number, chance in solution.mixture(position, side).items():
                yield f"  {number}  {_percent(chance)}"
        return
    moves = solution.moves(position)
    best = solution.best(position)
    yield f"\nPlayer {position.side} to move:"
    width = max(len(str(move)) for move, _ in moves)
    for move, value in moves:
        star = "*" if move in best else " "
        told = paint(move_in_words(value, position.side), _colour(value, position.side))
        yield f"{star} {move!s:<{width}}  {told}"
    yield f"\n{_best_play(solution, position)}"


def _longest(plies: int | None) -> str:
    if not plies:
        return ""
    count = counted(plies, "ply", "plies")
    return f"; the longest forced win from any of them takes {count}"


def _colour(value: Value, side: Side) -> Emphasis:
    """The colour of a value for a side: won, lost, or neither."""
    if value.winner is None:
        return Emphasis.NEITHER
    return Emphasis.WON if value.winner is side else Emphasis.LOST


def _verdict(solution: Solution, position: Position) -> str:
    if (over := solution.game.outcome(position)) is not None:
        return f"The game is over: player {over} has won."
    return as_verdict(solution.value(position), partial(endless_chance, solution, position))


def _best_play(solution: Solution, position: Position) -> str:
    """The line of best play; only its beginning if it comes to a battle or nobody can win."""
    value = solution.value(position)
    line = solution.line(position, FIRST_PLIES if value.winner is None else MOST_PLIES)
    shown = [*map(str, line), *(() if len(line) == value.plies else ("…",))]
    return fill(f"Best play: {' '.join(shown)}", _WIDTH, break_on_hyphens=False)


def _percent(chance: Fraction) -> str:
    exact = f"  ({chance})" if 1 < chance.denominator <= 100_000 else ""
    return f"{float(chance) * 100:6.2f} %{exact}"
