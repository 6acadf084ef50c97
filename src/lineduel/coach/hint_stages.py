"""What is said before a move: a hint in stages, and the coach's warning."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lineduel.coach.adviser import Adviser, MoveHint
from lineduel.coach.deeds import Deed
from lineduel.coach.number_reasons import mixture_reason
from lineduel.coach.reason_facts import (
    AllLose,
    DeedReason,
    Distance,
    Race,
    Reason,
    Threat,
    Waiting,
    Zugzwang,
)
from lineduel.coach.reason_sentences import ReasonWords, Tense, number_sentence
from lineduel.coach.reasons import reasons
from lineduel.engine import Move, Position, Step
from lineduel.narration import Names, Narrator, capitalized, move_text, names_for, verb
from lineduel.play import Seats
from lineduel.players import HUMAN
from lineduel.rules import Side, listed

MOST_PIECES = 2
"""How many pieces a hint points at."""


def names_to(side: Side, seats: Seats, narrator: Narrator) -> Names:
    """What both sides are called to the person of one side, who is `you`."""
    people = frozenset(one for one in Side if seats[one - 1] == HUMAN) | {side}
    return names_for(narrator, frozenset({side}), people)


class Tip(NamedTuple):
    """What is said to a player, and what to look at."""

    text: str
    pieces: tuple[str, ...] = ()
    cells: tuple[int, ...] = ()
    deed: Deed | None = None
    """What a piece does, if that is what it is about."""


def hint_stages(adviser: Adviser, position: Position, side: Side, names: Names) -> tuple[Tip, ...]:
    """A hint in up to three stages: where to look, the reason, and the move.

    A game too large to solve and a battle have fewer; the last stage is the whole hint.
    """
    hint = adviser.hint(position, side)
    if not isinstance(hint, MoveHint):
        return (Tip(f"{hint}{_mixture(adviser, position, side, names)}"),)
    if hint.sight is not None:
        return (Tip(str(hint)),)
    found = reasons(adviser.solution, position, hint.move)
    words = ReasonWords(
        game=adviser.solution.game,
        position=position,
        move=hint.move,
        names=names,
        tense=Tense.BEFORE,
        subject="the best move",
    )
    why = words.sentences(one for one in found if one.line[0] == hint.move)
    if not why and (avoided := _avoided(adviser, position, hint.move)):
        found, why = (avoided,), _avoids(adviser, position, avoided, names)
    pieces = (found[0].pieces if found else ()) or _moved(hint)
    cells = found[0].cells if found else ()
    stages = (
        _where_to_look(adviser, position, hint, found, names),
        Tip(why, pieces, cells, _deed(found)),
        Tip(str(hint), pieces, cells, _deed(found)),
    )
    return tuple(stage for stage in stages if stage.text)


def _moved(hint: MoveHint) -> tuple[str, ...]:
    """The piece of the best move."""
    return (hint.move.piece,) if isinstance(hint.move, Step) else ()


def _avoided(adviser: Adviser, position: Position, best: Move) -> Threat | None:
    """The gravest threat that another move would leave and the best move does not."""
    solution = adviser.solution
    if any(isinstance(one, Threat) for one in reasons(solution, position, best)):
        return None
    left = [
        one
        for move in solution.game.moves(position)
        if move != best
        for one in reasons(solution, position, move)
        if isinstance(one, Threat)
    ]
    return max(left, key=lambda one: one.cells_lost, default=None)


def _avoids(adviser: Adviser, position: Position, left: Threat, names: Names) -> str:
    """That the best move does not leave a threat that another one leaves."""
    game, other = adviser.solution.game, left.line[0]
    words = ReasonWords(game=game, position=position, move=other, names=names, tense=Tense.BEFORE)
    told = f"after {move_text(game, position, other)}, {words.sentence(left)}"
    return f"The best move leaves nothing in reach: {told}"


def coach_advice(adviser: Adviser, position: Position, move: Move, names: Names) -> Tip:
    """What the coach says before a move: what it costs, and why; empty if there is nothing.

    A move that is no mistake may still leave something to the other side. What another move would
    do is only said if there is nothing else to say.
    """
    warning = adviser.warning(position, move)
    found = warning.reasons if warning else adviser.risks(position, move)
    words = ReasonWords(
        game=adviser.solution.game,
        position=position,
        move=move,
        names=names,
        tense=Tense.BEFORE,
    )
    told = [one for one in found if one.line[0] == move] or list(found)
    lost = None if warning else adviser.chances_lost(position, move)
    text = "\n".join(filter(None, (str(warning or lost or ""), words.sentences(told))))
    return Tip(text, told[0].pieces, told[0].cells, _deed(told)) if told else Tip(text)


def _deed(found: Sequence[Reason]) -> Deed | None:
    """What the first reason is about, if a piece does something there."""
    return found[0].deed if found and isinstance(found[0], DeedReason) else None


def _where_to_look(
    adviser: Adviser, position: Position, hint: MoveHint, found: tuple[Reason, ...], names: Names
) -> Tip:
    """A pointer that does not name the move."""
    first = next(iter(found), None)
    enemy = names[position.side.other]
    match first:
        case AllLose():
            lost = capitalized(f"{enemy} {verb(enemy, 'wins')} with best play, whatever you move.")
            best = next(_places(adviser, position, _moved(hint)), None)
            return Tip(f"{lost} {best} can hold out longest." if best else lost, _moved(hint))
        case Race():
            return Tip("Count how many turns each side needs to a goal.", first.pieces)
        case Waiting():
            return Tip("Count how many safe moves each side has left.")
        case Zugzwang() | Distance():
            return Tip(f"Look for a move after which {enemy} would rather not have the turn.")
        case _:
            pieces = first.pieces if first is not None else ()
    pieces = pieces or _moved(hint)
    places = list(_places(adviser, position, pieces))
    return Tip(f"Look at {listed(places[:MOST_PIECES], 'and')}." if places else "", pieces)


def _places(adviser: Adviser, position: Position, pieces: tuple[str, ...]) -> Iterator[str]:
    game = adviser.solution.game
    label = Narrator(game).label
    for piece in dict.fromkeys(pieces):
        cell = game.cell_of(position, piece)
        if cell is not None:
            yield f"{piece} on {label(cell)}"


def _mixture(adviser: Adviser, position: Position, side: Side, names: Names) -> str:
    """Why the numbers of a battle are what they are; empty where the game is too large."""
    if not adviser.is_solved:
        return ""
    reason = mixture_reason(adviser.solution, position, side)
    told = "" if reason is None else number_sentence(reason, names)
    return f" {told}" if told else ""
