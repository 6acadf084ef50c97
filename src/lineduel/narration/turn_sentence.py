"""What a turn did, in one line that is the same for every game."""

from collections.abc import Callable, Iterator
from typing import assert_never

from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    HandFilled,
    Moved,
    MovesAgain,
    Passed,
    SentHome,
    Stayed,
    Won,
)
from lineduel.narration.move_text import step_text
from lineduel.narration.narrator import YOU, Names
from lineduel.play import Turn
from lineduel.rules import Side, listed

_Label = Callable[[int], str]


def turn_sentence(turn: Turn, names: Names, label: _Label) -> str:
    """`The computer moved P2-B 9→7 and took P1-C.`, `You moved P1 back to 1.`

    `label` gives a cell as the rulebook prints it.
    """
    if any(isinstance(event, BattleSettled) for event in turn.events):
        return f"{'; '.join(_battle(turn.events, names, label))}."
    mover = turn.before.side
    deeds = listed(_deeds(turn.events, mover, names, label), "and")
    return capitalized(f"{names[mover]} {deeds}.")


def capitalized(sentence: str) -> str:
    """A sentence with a large first letter."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def verb(name: str, third_person: str, second_person: str = "") -> str:
    """A verb as it follows a name: `moves`, but `move` after `you`."""
    return (second_person or third_person.removesuffix("s")) if name == YOU else third_person


def battle_won(name: str) -> str:
    """Who wins a battle."""
    return f"{name} {verb(name, 'wins')} the battle"


def _deeds(events: tuple[Event, ...], mover: Side, names: Names, label: _Label) -> Iterator[str]:
    """What the mover does, each beginning with a verb."""
    who = names[mover]
    for event in events:
        match event:
            case Moved(_, piece, step, start, end):
                way = step_text(piece, start, end, label, back=step < 0)
                yield f"moved {way}"
            case Stayed(_, piece, _, cell):
                yield f"left {piece} on {label(cell)}"
            case Passed():
                yield "had no legal move and passed"
            case Captured(_, piece):
                yield f"took {piece}"
            case SentHome(_, piece, _, home):
                yield f"sent {piece} home to {label(home)}"
            case MovesAgain():
                yield f"{verb(who, 'moves')} again"
            case BattleOpened():
                yield "started a battle"
            case Won(side):
                yield "won" if side is mover else f"{names[side]} won"
            case BattleSettled() | HandFilled():
                pass
            case _:
                assert_never(event)


def _battle(events: tuple[Event, ...], names: Names, label: _Label) -> Iterator[str]:
    """How a battle ends, in clauses."""
    for event in events:
        match event:
            case BattleSettled(cell, number1, number2, winner):
                result = "a tie" if winner is None else f"{names[winner]} won the battle"
                yield f"Battle on {label(cell)}, {number1} against {number2}: {result}"
            case SentHome(_, piece, _, home):
                yield f"{piece} went home to {label(home)}"
            case Captured(_, piece):
                yield f"{piece} was taken"
            case HandFilled(side):
                yield f"{names[side]} {verb(names[side], 'has', 'have')} every number again"
            case Won(side):
                yield f"{names[side]} won"
            case Moved() | Stayed() | Passed() | MovesAgain() | BattleOpened():
                pass
            case _:
                assert_never(event)
