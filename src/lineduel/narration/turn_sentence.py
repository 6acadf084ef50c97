"""What a turn did, in one line that is the same for every game."""

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Moved,
    MovesAgain,
    Passed,
    SentHome,
    Stayed,
    Won,
)
from lineduel.play import Turn
from lineduel.rules import Side, listed

_Label = Callable[[int], str]


def turn_sentence(turn: Turn, names: Mapping[Side, str], label: _Label) -> str:
    """`Computer moves P2-B from 9 to 7 and takes P1-C.`

    `names` are those of the seats; `label` gives a cell as the rulebook prints it.
    """
    if any(isinstance(event, BattleSettled) for event in turn.events):
        return f"{'; '.join(_battle(turn.events, names, label))}."
    mover = turn.before.side
    return f"{names[mover]} {listed(_deeds(turn.events, mover, names, label), 'and')}."


def _deeds(
    events: tuple[Event, ...], mover: Side, names: Mapping[Side, str], label: _Label
) -> Iterator[str]:
    """What the mover does, each beginning with a verb."""
    for event in events:
        match event:
            case Moved(_, piece, _, start, end):
                yield f"moves {piece} from {label(start)} to {label(end)}"
            case Stayed(_, piece, _, cell):
                yield f"leaves {piece} on {label(cell)}"
            case Passed():
                yield "has no legal move and passes"
            case Captured(_, piece):
                yield f"takes {piece}"
            case SentHome(_, piece, _, home):
                yield f"sends {piece} home to {label(home)}"
            case MovesAgain():
                yield "moves again"
            case BattleOpened():
                yield "starts a battle"
            case Won(side):
                yield "wins" if side is mover else f"{names[side]} wins"
            case BattleSettled():
                pass
            case _:
                assert_never(event)


def _battle(events: tuple[Event, ...], names: Mapping[Side, str], label: _Label) -> Iterator[str]:
    """How a battle ends, in clauses."""
    for event in events:
        match event:
            case BattleSettled(cell, number1, number2, winner):
                result = "a tie" if winner is None else f"{names[winner]} wins the battle"
                yield f"Battle on {label(cell)}, {number1} against {number2}: {result}"
            case SentHome(_, piece, _, home):
                yield f"{piece} goes home to {label(home)}"
            case Captured(_, piece):
                yield f"{piece} is taken"
            case Won(side):
                yield f"{names[side]} wins"
            case Moved() | Stayed() | Passed() | MovesAgain() | BattleOpened():
                pass
            case _:
                assert_never(event)
