"""What an agent is asked, as text, and how its answer is read.

The rules in words come from `rules.describe`, in one of three phrasings.
"""

import json
import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from lineduel.engine import Game, Move, Position, Step
from lineduel.errors import LineduelError, NotationError, shown
from lineduel.record import parse_move
from lineduel.rules import Phrasing, Rules, Side, listed, rule_sentences

_MARK = re.compile(r"answer[\s*_`\"']*[:=]", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.+-])[0-9]+(?![\w]|\.[0-9])")
_ANY_STEP = re.compile(r"(?<![\w-])([A-Za-z][A-Za-z0-9_-]*?)\s*([+-])\s*([0-9]+)(?![\w])")
_NUMBERS_MOST = 9


class PositionForm(StrEnum):
    """How a position is shown."""

    TEXT = "text"
    JSON = "json"


class ReadingRule(StrEnum):
    """How an answer is read."""

    LAST = "last"
    """The last choice behind the last `ANSWER:` counts or, without that word, the last choice."""
    MARKED = "marked"
    """Only what stands behind the last `ANSWER:` counts."""


class Failure(StrEnum):
    """Why an answer is no choice."""

    ILLEGAL = "illegal"
    """It can be read, but the rules do not allow it."""
    UNREADABLE = "unreadable"
    """No choice can be read in it."""


class ReadAnswer(NamedTuple):
    """The choice that was read, or why there is none."""

    choice: Move | int | None
    failure: Failure | None = None
    why: str = ""
    """In a few words: `empty`, `late`, `no choice in it`; for an illegal one, the rule."""


def question_text(
    game: Game,
    position: Position,
    side: Side,
    *,
    phrasing: Phrasing = Phrasing.PLAIN,
    form: PositionForm = PositionForm.TEXT,
    history: Sequence[Move] | None = None,
    show_moves: bool = True,
) -> str:
    """The rules, the position, and what to answer; with the moves so far if they are given."""
    parts = [rules_text(game.rules, phrasing), f"You are player {side}."]
    if history is not None:
        parts.append(f"Moves so far: {' '.join(map(str, history)) or 'none'}")
    parts.append(position_text(game, position, side, form))
    if position.battle is not None and game.rules.battle is not None:
        if show_moves:
            parts.append(numbers_text(game, position, side))
        number = game.hand(position, side)[0]
        ask = f"Choose your number. You may think aloud. End with a line such as\nANSWER: {number}"
    else:
        moves = game.moves(position)
        if show_moves:
            parts.append(f"Your legal moves: {' '.join(map(str, moves))}")
        piece = game.rules.team(side).pieces[0].name
        step = game.rules.steps_of(side, 0)[0]
        ask = (
            "Choose your move. Write it as the piece and the signed number of cells: + is forward, "
            "- is backward for you, +0 is staying; write pass if you have no legal move. "
            f"You may think aloud. End with a line such as\nANSWER: {Step(piece, step)}"
        )
    return "\n\n".join((*parts, ask)) + "\n"


def numbers_text(game: Game, position: Position, side: Side) -> str:
    """Which numbers a side can choose in a battle."""
    hand = game.hand(position, side)
    if position.hands is None:
        return f"You can choose 1 to {hand[-1]}."
    return f"You can choose {listed(map(str, hand), 'or')}."


def rules_text(rules: Rules, phrasing: Phrasing = Phrasing.PLAIN) -> str:
    """The rules in words, a sentence on each line."""
    return "\n".join(("The rules:", *rule_sentences(rules, phrasing)))


def position_text(game: Game, position: Position, side: Side, form: PositionForm) -> str:
    """Where the pieces stand and whose turn it is, in words or as JSON."""
    placed = {
        each: dict(
            zip(
                (piece.name for piece in game.rules.team(each).pieces),
                position.cells(each),
                strict=True,
            )
        )
        for each in Side
    }
    if form is PositionForm.JSON:
        data: dict[str, object] = {f"player{each}": placed[each] for each in Side}
        if position.battle is None:
            data["to_move"] = int(position.side)
        else:
            data["battle_on"] = position.battle
        if position.hands is not None:
            data |= {f"hand{each}": list(game.hand(position, each)) for each in Side}
        return f"The position: {json.dumps(data)}"
    lines = ["The position:"]
    for each in Side:
        cells = ", ".join(
            f"{name} {'is out of the game' if cell is None else f'on {cell}'}"
            for name, cell in placed[each].items()
        )
        hand = ""
        if position.hands is not None:
            numbers = listed(map(str, game.hand(position, each)), "and")
            hand = f" Numbers in hand: {numbers}."
        lines.append(f"Player {each}: {cells}.{hand}")
    if position.battle is None:
        lines.append("It is your turn.")
    else:
        lines.append(f"A battle is open on cell {position.battle}. Both choose in secret.")
    return "\n".join(lines)


# Reading


def read_choice(
    game: Game,
    position: Position,
    text: str,
    rule: ReadingRule = ReadingRule.LAST,
    *,
    side: Side | None = None,
) -> ReadAnswer:
    """The choice in an answer: the last one counts.

    In a battle of spent numbers, `side` says whose hand it is from, if not that of the side to move
    next.

    Digits of any script are digits. A choice that the rules do not allow is illegal; where no
    choice can be read, the answer is unreadable.
    """
    plain = _plain(text)
    if not plain.strip():
        return _unreadable("empty")
    marks = [*_MARK.finditer(plain)]
    if not marks and rule is ReadingRule.MARKED:
        return _unreadable("no line ANSWER:")
    if marks:
        behind = plain[marks[-1].end() :].strip(" \t\r\n*_`\"'")
        plain = behind.splitlines()[0] if behind else ""
    if position.battle is not None:
        return _read_number(
            plain, game.hand(position, side or position.side), position.hands is not None
        )
    return _read_move(game, position, plain, marked=bool(marks))


def _plain(text: str) -> str:
    """The text with signs and digits of other scripts as plain ones."""
    letters = unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-")
    return "".join(
        str(unicodedata.decimal(one)) if one.isdecimal() and not one.isascii() else one
        for one in letters
    )


def _read_number(text: str, hand: tuple[int, ...], spent: bool) -> ReadAnswer:
    found = _NUMBER.findall(text)
    if not found:
        return _unreadable("no choice in it")
    number = int(found[-1][:_NUMBERS_MOST])
    if number in hand:
        return ReadAnswer(number)
    allowed = "in your hand" if spent else f"from 1 to {hand[-1]}"
    return ReadAnswer(None, Failure.ILLEGAL, f"{number} is not a number {allowed}")


def _read_move(game: Game, position: Position, text: str, marked: bool) -> ReadAnswer:
    pieces = {
        piece.name.upper(): piece.name for side in Side for piece in game.rules.team(side).pieces
    }
    names = "|".join(map(re.escape, sorted(pieces, key=len, reverse=True)))
    known = re.compile(
        rf"(?<![\w-])(?:(?P<piece>{names})[*_`]*\s*(?P<sign>[+-])\s*(?P<step>[0-9]{{1,4}})(?!\w)"
        r"|(?P<pass>pass)(?!\w))",
        re.IGNORECASE,
    )
    found = [*known.finditer(text)]
    if found:
        last = found[-1]
        written = "pass"
        if not last["pass"]:
            step = int(f"{last['sign']}{last['step']}")
            written = f"{pieces[last['piece'].upper()]}{step:+d}"
    elif marked and (other := [*_ANY_STEP.finditer(text)]):
        written = "".join(other[-1].groups())
    else:
        return _unreadable("no choice in it")
    legal = {str(move): move for move in game.moves(position)}
    if written in legal:
        return ReadAnswer(legal[written])
    try:
        game.play(position, parse_move(written))
    except NotationError:
        return ReadAnswer(None, Failure.ILLEGAL, f"{shown(written)} is not a move")
    except LineduelError as error:
        return ReadAnswer(None, Failure.ILLEGAL, str(error).rstrip("."))
    raise AssertionError(written)


def _unreadable(why: str) -> ReadAnswer:
    return ReadAnswer(None, Failure.UNREADABLE, why)


def again_text(text: str, read: ReadAnswer) -> str:
    """A question once more, with what was wrong with the answer."""
    kind = "is not legal" if read.failure is Failure.ILLEGAL else "could not be read"
    return f"{text}\nYour last answer {kind}: {read.why}. Answer again.\n"
