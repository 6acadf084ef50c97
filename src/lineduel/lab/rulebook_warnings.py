"""What a valid rulebook file may have wrong all the same: nobody can win, a rule never matters.

Every position that can come up is looked at, so each warning is proved.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from lineduel.engine import Game, Likeness, Position, Step
from lineduel.facts import Fact
from lineduel.lab.usage import unused_word, usage
from lineduel.rules import Side, key_lines, listed, rulebook_from_data
from lineduel.safe_toml import parse_toml

MOST_CHECKED_POSITIONS = 60_000
"""A rulebook with more positions is not looked at."""


class WarningKind(StrEnum):
    """What a warning is about."""

    NO_WIN = "player cannot win"
    NO_GOAL = "goal out of reach"
    NO_MOVE = "pieces never move"
    NO_EFFECT = "rule never matters"


@dataclass(frozen=True, slots=True, order=True)
class RulebookWarning(Fact):
    """One thing to look at: where it stands, and what is the matter, as a sentence."""

    line: int
    key: str
    kind: WarningKind
    sentence: str


class FoundWarnings(NamedTuple):
    """The warnings about a rulebook file, in the order of its lines."""

    positions: int
    """How many positions can come up; all of them were looked at."""
    warnings: tuple[RulebookWarning, ...]


def warnings_of(text: str, most: int = MOST_CHECKED_POSITIONS) -> FoundWarnings:
    """The warnings about a valid rulebook file's text; `TooLarge` for more than `most` positions.

    Only rules that stand in the file are warned of, not those that have their defaults.
    """
    game = Game(rulebook_from_data(parse_toml(text), "rulebook"))
    positions = _positions(game, most)
    lines = key_lines(text)
    found = (
        RulebookWarning(lines[key], key, kind, sentence)
        for key, kind, sentence in _found(game, positions)
        if key in lines
    )
    return FoundWarnings(len(positions), tuple(sorted(found)))


def _positions(game: Game, most: int) -> Sequence[Position]:
    """All that can come up, whoever begins where the rules leave that open."""
    from lineduel.graph import explore_by_engine

    found: dict[Position, None] = {}
    for start in _starts(game):
        found |= dict.fromkeys(explore_by_engine(game, start, most).positions)
    return tuple(found)


def _starts(game: Game) -> list[Position]:
    sides = Side if game.rules.first is None else (game.rules.first,)
    return [game.start(side) for side in sides]


def _found(game: Game, positions: Sequence[Position]) -> Iterator[tuple[str, WarningKind, str]]:
    """Each warning: the key that it is about, its kind, and a sentence."""
    rules = game.rules
    for side in Side:
        goal = f"player{side}.goal"
        won = [one for one in positions if game.outcome(one) is side]
        if not won:
            yield goal, WarningKind.NO_WIN, f"Player {side} can never win."
        elif not any({*rules.team(side).goal} & {*one.cells(side)} for one in won):
            told = f"Player {side} can never reach a goal, and wins only in other ways."
            yield goal, WarningKind.NO_GOAL, told
        pieces = [piece.name for piece in rules.team(side).pieces]
        if stuck := [piece for piece in pieces if not _can_move(game, piece)]:
            told = f"{listed(stuck, 'and')} can never move."
            yield f"player{side}.pieces", WarningKind.NO_MOVE, told
    for one in usage(game, positions, {}):
        unused = unused_word(rules, one.word)
        if unused and not one.positions:
            yield unused.key, WarningKind.NO_EFFECT, f"This rule never matters: {unused.never}."


def _can_move(game: Game, piece: str) -> bool:
    """Whether a piece can ever leave its cell by a step of its own.

    It waits where it is until it can, so what comes up before is all that has to be looked at. The
    other pieces that are alike need not be told apart for that.
    """
    standing_for = Likeness(game.rules, apart=piece).standing_for
    waiting = list(map(standing_for, _starts(game)))
    seen = set(waiting)
    for position in waiting:
        for move in game.moves(position):
            if (
                isinstance(move, Step)
                and move.piece == piece
                and game.landing(position, move) != game.cell_of(position, piece)
            ):
                return True
            after = standing_for(game.play(position, move))
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False
