"""What happened so far, one short line for each turn, in the same words for every game."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, assert_never

from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Moved,
    MovesAgain,
    Numbers,
    Passed,
    SentHome,
    Stayed,
    Won,
)
from lineduel.narration.narrator import Narrator
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
        self.entry: Callable[[int, Turn], LoggedMove] = lru_cache(_MOST_REMEMBERED)(self._entry)
        """The line of a turn with its number."""

    def entries(self, session: Session) -> tuple[LoggedMove, ...]:
        """One line for each turn."""
        return tuple(self.entry(*numbered) for numbered in enumerate(session.turns, start=1))

    def _entry(self, number: int, turn: Turn) -> LoggedMove:
        side = None if isinstance(turn.move, Numbers) else turn.before.side
        text = LOG_GAP.join(_parts(turn.events, self._narrator))
        return LoggedMove(number, side, str(turn.move), text)


def _parts(events: tuple[Event, ...], narrator: Narrator) -> Iterator[str]:
    """What happened, in a few words each."""
    label, name = narrator.label, narrator.name
    taken = [event.piece for event in events if isinstance(event, Captured)]
    moved = any(isinstance(event, Moved) for event in events)
    for event in events:
        match event:
            case Moved(_, piece, _, start, end):
                yield f"{piece} {label(start)}→{label(end)}"
            case Stayed(_, piece, _, cell):
                yield f"{piece} stays on {label(cell)}"
            case Passed(side):
                yield f"{name(side)} passes"
            case Captured(_, piece, _):
                if piece == taken[0]:
                    names = listed(taken, "and")
                    yield f"takes {names}" if moved else f"{names} captured"
            case SentHome(_, piece, _, _):
                yield f"{piece} sent home"
            case MovesAgain():
                yield "moves again"
            case BattleOpened(cell):
                yield f"battle on {label(cell)}"
            case BattleSettled(_, number1, number2, winner):
                yield f"{number1}:{number2}"
                yield f"{name(winner)} wins the battle" if winner else "a tie"
            case Won(side, _, _, _):
                yield f"{name(side)} wins"
            case _:
                assert_never(event)
