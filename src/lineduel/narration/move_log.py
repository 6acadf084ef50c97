"""What happened so far, one short line for each turn, in the same words for every game."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, assert_never

from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    HandFilled,
    Moved,
    MovesAgain,
    Numbers,
    Passed,
    SentHome,
    Stayed,
    Won,
)
from lineduel.narration.move_text import step_text
from lineduel.narration.narrator import Names, Narrator
from lineduel.narration.turn_sentence import battle_won, verb
from lineduel.play import Session, Turn
from lineduel.rules import Side, listed

LOG_GAP = "  "
"""Stands between the parts of a line."""
_MOST_REMEMBERED = 4096
"""How many lines are not made twice."""


class LoggedMove(NamedTuple):
    """A turn of the game: its number, who moved, its notation and what it did."""

    number: int
    side: Side | None
    """None for a battle, in which both chose."""
    move: str
    told: str
    """Such as `S1 4→5  S4 sent home`."""


class MoveLog:
    """A session turn by turn, in a few words each."""

    def __init__(self, narrator: Narrator) -> None:
        self._narrator = narrator
        self._names = tuple(narrator.name(side) for side in Side)
        self._entry: Callable[[int, Turn, tuple[str, ...]], LoggedMove] = lru_cache(
            _MOST_REMEMBERED
        )(self._logged)

    def entries(self, session: Session, names: Names | None = None) -> tuple[LoggedMove, ...]:
        """One line for each turn."""
        numbered = enumerate(session.turns, start=1)
        return tuple(self.entry(number, turn, names) for number, turn in numbered)

    def entry(self, number: int, turn: Turn, names: Names | None = None) -> LoggedMove:
        """The line of a turn with its number; names other than the narrator's may be given."""
        called = self._names if names is None else tuple(names[side] for side in Side)
        return self._entry(number, turn, called)

    def _logged(self, number: int, turn: Turn, names: tuple[str, ...]) -> LoggedMove:
        side = None if isinstance(turn.move, Numbers) else turn.before.side
        called = dict(zip(Side, names, strict=True))
        text = LOG_GAP.join(_parts(turn.events, called, self._narrator))
        return LoggedMove(number, side, str(turn.move), text)


def _parts(events: tuple[Event, ...], names: Names, narrator: Narrator) -> Iterator[str]:
    """What happened, in a few words each."""
    label = narrator.label
    taken = [event.piece for event in events if isinstance(event, Captured)]
    moved = any(isinstance(event, Moved) for event in events)
    for event in events:
        match event:
            case Moved(_, piece, step, start, end):
                yield step_text(piece, start, end, label, back=step < 0)
            case Stayed(_, piece, _, cell):
                yield step_text(piece, cell, cell, label)
            case Passed(side):
                yield f"{names[side]} {verb(names[side], 'passes', 'pass')}"
            case Captured(_, piece, _):
                if piece == taken[0]:
                    pieces = listed(taken, "and")
                    yield f"takes {pieces}" if moved else f"{pieces} captured"
            case SentHome(_, piece, _, _):
                yield f"{piece} sent home"
            case MovesAgain():
                yield "moves again"
            case BattleOpened(cell):
                yield f"battle on {label(cell)}"
            case BattleSettled(_, number1, number2, winner):
                yield f"{number1}:{number2}"
                yield battle_won(names[winner]) if winner else "a tie"
            case HandFilled(side):
                yield f"{names[side]} {verb(names[side], 'has', 'have')} every number again"
            case Won(side, _, _, _):
                yield f"{names[side]} {verb(names[side], 'wins')}"
            case _:
                assert_never(event)
