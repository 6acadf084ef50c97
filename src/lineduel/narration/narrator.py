"""A rulebook's templates, filled in for a position or for what happened."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Game,
    HandFilled,
    Move,
    Moved,
    MovesAgain,
    Passed,
    Position,
    SentHome,
    Stayed,
    Step,
    Won,
)
from lineduel.errors import IllegalMove
from lineduel.narration.move_effect import move_effect
from lineduel.narration.move_text import cell_label, move_text
from lineduel.play import UNNAMED, GivenNames
from lineduel.rules import Answer, Displacement, Side, fill, listed

YOU = "you"
Names = Mapping[Side, str]
"""What each side is called in the middle of a sentence, such as `player 1`, `you`, `Ann`."""
NUMBERED: Names = {Side.ONE: "player 1", Side.TWO: "player 2"}
_MOST_REMEMBERED = 4096
"""How many positions have their texts cached."""
_WIDTH = 60
"""Columns that every screen has; a track drawn in a row is broken to fit."""


class Narrator:
    """Everything a game says; every method returns text without a final newline, possibly empty."""

    def __init__(self, game: Game, names: GivenNames = UNNAMED) -> None:
        """Players are called by the names they were given, else as the rulebook calls them."""
        self.game = game
        self._given = names
        self._rules = game.rules
        self._words = game.rulebook.words
        # A long game comes back to the same positions again and again.
        remember = lru_cache(_MOST_REMEMBERED)
        self.turn: Callable[[Position], str] = remember(self._turn)
        self.prompt: Callable[[Position, Side], str] = remember(self._prompt)
        self.board: Callable[[Position], str] = remember(self._board)
        self.after: Callable[[Position], str] = remember(self._after)
        self.tell: Callable[..., str] = remember(self._tell)

    # Before a move

    def welcome(self, position: Position) -> str:
        fields: dict[str, object] = {
            "board": self.board(position),
            "places": self._places(position),
        }
        for side in Side:
            team = self._rules.team(side)
            fields[f"pieces{side}"] = listed([piece.name for piece in team.pieces], "and")
            fields[f"homes{side}"] = listed(map(self.label, dict.fromkeys(team.homes)), "and")
        return self._say(self._words.welcome, fields)

    def opening(self, start: Position) -> str:
        """The welcome; where play does not begin with all pieces at home, where they really are.

        That is said once: by the welcome or before the first question, if either of them does, or
        else by the board.
        """
        words = self._words
        if start == self.game.start(start.side) or _tells_where(words.welcome):
            return self.welcome(start)
        tells_homes = any(f"{{homes{side}}}" in words.welcome for side in Side)
        welcome = self.game.rulebook.title if tells_homes else self.welcome(start)
        parts = [welcome, "" if _tells_where(words.turn) else self.board(start)]
        return "\n\n".join(part for part in parts if part)

    def _turn(self, position: Position) -> str:
        """The text before a player is asked for a move; a battle has its own announcement."""
        if position.battle is not None:
            cell = {"cell": self.label(position.battle)}
            said = [self._say(self._words.battle, cell, position.side), *self._hands(position)]
            return "\n".join(line for line in said if line)
        asked = self._say(self._words.turn, self._turn_fields(position), position.side)
        whole = position.hands == self.game.start().hands
        hands = [] if whole else [line for line in self._hands(position) if line]
        return "\n".join((*hands, asked))

    def _prompt(self, position: Position, side: Side) -> str:
        """The question to the side that is asked; it may end in a space."""
        if position.battle is not None:
            words = self._words
            asked = words.battle_prompt if position.hands is None else words.hand_prompt
            return self._say(asked, self._hand_fields(position, side), side)
        return self._say(self._words.prompt, self._turn_fields(position), side)

    def _hands(self, position: Position) -> Iterable[str]:
        """What both sides have in hand, if numbers are spent."""
        for side in Side if position.hands is not None else ():
            yield self._say(self._words.hand, self._hand_fields(position, side), side)

    def _hand_fields(self, position: Position, side: Side) -> dict[str, object]:
        hand = listed(map(str, self.game.hand(position, side)), "and")
        return {"count": self.highest_number} | ({"hand": hand} if position.hands else {})

    def _board(self, position: Position) -> str:
        """The track, drawn the rulebook's way."""
        words = self._words.board
        drawn: list[tuple[str, str]] = []
        empty: list[tuple[str, str]] = []
        for cell in self._rules.track.cells:
            here = words.also.join(self._things(position, cell))
            fields = {"cell": self.label(cell), "here": here}
            column = fill(words.cell if here else words.empty, fields), fill(words.below, fields)
            if here:
                drawn += [*_folded(empty, words.fold), column]
                empty = []
            else:
                empty.append(column)
        drawn += _folded(empty, words.fold)
        return _rows(words.before, drawn, words.between)

    def choices(self, position: Position) -> tuple[str, ...]:
        """The legal steps in words, numbered from 1 in the rulebook's order."""
        moves = self.game.moves(position)
        return tuple(
            self._choice(position, number, move)
            for number, move in enumerate(moves, start=1)
            if isinstance(move, Step)
        )

    def moves(self, position: Position, *, effects: bool = True) -> str:
        """The legal moves, each behind what can be typed for it: a number, or its notation.

        With effects each line tells what its move does, such as `wins`.
        """
        lines = []
        for number, move in enumerate(self.game.moves(position), start=1):
            line = move_text(self.game, position, move)
            effect = str(move_effect(self.game, position, move)) if effects else ""
            line += f"   {effect}" if effect else ""
            lines.append(f"{self._typed(number, move):<{len(str(number)) + 1}} {line}")
        return "\n".join(lines)

    def _typed(self, number: int, move: Move) -> str:
        """What can be typed for a move, the rulebook's way."""
        match self._words.answer:
            case _ if not isinstance(move, Step):
                return str(move)
            case Answer.NUMBER:
                return f"{number}."
            case Answer.STEP:
                return f"{move.step}:" if self._has_one_piece(move) else f"{move}:"
            case Answer.PIECE_STEP:
                return f"{move.piece} {move.step}:"

    def _has_one_piece(self, move: Step) -> bool:
        return len(self._rules.team(self.game.owner(move.piece)).pieces) == 1

    # After a move

    def _tell(self, events: tuple[Event, ...], before: Position | None = None) -> str:
        """What happened, without the victory.

        With the position before it, also which losers of a battle were at home already.
        """
        moved = next((event for event in events if isinstance(event, Moved)), None)
        victims = [event.piece for event in events if moved and isinstance(event, Captured)]
        lines: list[str] = []
        for event in events:
            if moved and isinstance(event, SentHome):
                fields = self._step_fields(*moved[1:]) | {"victim": event.piece}
                lines.append(self._say(self._words.landed, fields, moved.side))
            lines.append(self._sentence(event, victims))
            if before and isinstance(event, BattleSettled):
                lines += self._losers_at_home(before, event)
        return "\n".join(line for line in lines if line)

    def _losers_at_home(self, before: Position, settled: BattleSettled) -> Iterable[str]:
        """A line for each piece that a battle sends home while it stands there."""
        cell, number1, number2, _ = settled
        battle, attacker = self._rules.battle, before.side.other
        if battle is None or battle.displaces is not Displacement.HOME:
            return
        for side in battle.losers(number1, number2, attacker):
            for piece, stands in zip(
                self._rules.team(side).pieces, before.cells(side), strict=True
            ):
                if stands == cell == piece.home:
                    fields = {"piece": piece.name, "cell": self.label(cell)}
                    yield self._say(self._words.already_home, fields, side)

    def _after(self, position: Position) -> str:
        """The text shown after a move has been described."""
        fields = {"board": self.board(position), "places": self._places(position)}
        return self._say(self._words.after, fields, position.side)

    def victory(self, events: Iterable[Event]) -> str:
        """Who won and how, or nothing."""
        for event in events:
            if isinstance(event, Won):
                fields: dict[str, object] = {"piece": event.piece}
                if event.cell is not None:
                    fields["cell"] = self.label(event.cell)
                return self._say(getattr(self._words, event.victory.value), fields, event.side)
        return ""

    def resigned(self, side: Side) -> str:
        return self._say(self._words.resigned, {}, side)

    def forfeited(self, side: Side) -> str:
        return self._say(self._words.forfeited, {}, side)

    def refused(self, error: IllegalMove) -> str:
        """Why a move is illegal; a step out of range is answered as the rulebook does."""
        move, position = error.move, error.position
        if not (isinstance(move, Step) and isinstance(position, Position)):
            return str(error)
        steps = [one for one in error.legal if isinstance(one, Step) and one.piece == move.piece]
        lengths = [one.step for one in steps]
        if not lengths or not self._words.too_far or min(lengths) <= move.step <= max(lengths):
            return str(error)
        *most, last = (self.label(self._landing(position, one)[1]) for one in steps)
        comma = "," if len(most) > 1 else ""
        fields = {
            "options": f"{', '.join(most)}{comma} or {last}" if most else last,
            "steps": max(lengths),
            "unit": self._unit([max(lengths)]),
        }
        return self._say(self._words.too_far, fields, position.side)

    def repeated(self, times: int) -> str:
        return self._say(self._words.repeated, {"times": times})

    def label(self, cell: int) -> str:
        """A cell as the rulebook prints it."""
        return cell_label(self.game, cell)

    def name(self, side: Side) -> str:
        """What a side is called."""
        return self.given_name(side) or self.role(side)

    def given_name(self, side: Side) -> str | None:
        """The name that a side's player was given."""
        return self._given[side - 1]

    def role(self, side: Side) -> str:
        """What the rulebook calls a side."""
        return self._words.player1 if side is Side.ONE else self._words.player2

    # How the words are filled in

    @property
    def highest_number(self) -> int:
        """The highest number that can be chosen in a battle; 0 in a game without battles."""
        return self._rules.battle.numbers if self._rules.battle else 0

    @property
    def _tie_takes_pieces(self) -> bool:
        return self._rules.battle is not None and any(self._rules.battle.tie.consequences)

    def _say(self, template: str, fields: Mapping[str, object], side: Side = Side.ONE) -> str:
        known = {
            "player": self.name(side),
            "opponent": self.name(side.other),
            "track_first": self.label(self._rules.track.first),
            "track_last": self.label(self._rules.track.last),
        }
        return fill(template, known | dict(fields)).removesuffix("\n")

    def _turn_fields(self, position: Position) -> dict[str, object]:
        side = position.side
        moves = [move for move in self.game.moves(position) if isinstance(move, Step)]
        steps = list(dict.fromkeys(move.step for move in moves))
        choices = self.choices(position)
        standing = [cell for cell in position.cells(side) if cell is not None]
        return {
            "board": self.board(position),
            "places": self._places(position),
            "cells": listed(map(self.label, standing), "and"),
            "choices": "\n".join(choices),
            "numbers": _range(range(1, len(choices) + 1)),
            "pieces": "/".join(dict.fromkeys(move.piece for move in moves)),
            "range": _range(steps),
            "steps": listed(map(str, steps), "or"),
            "target": listed(map(self.label, self._rules.team(side).goal), "or"),
            "theirs": self._pieces(position, side.other),
            "unit": self._unit(steps),
            "yours": self._pieces(position, side),
        }

    def _standing(self, position: Position, side: Side) -> Iterable[tuple[str, int]]:
        for piece, cell in zip(self._rules.team(side).pieces, position.cells(side), strict=True):
            if cell is not None:
                yield piece.name, cell

    def _pieces(self, position: Position, side: Side) -> str:
        return "\n".join(
            self._say(self._words.piece, {"piece": name, "cell": self.label(cell)}, side)
            for name, cell in self._standing(position, side)
        )

    def _places(self, position: Position) -> str:
        places = [
            (side, name, cell) for side in Side for name, cell in self._standing(position, side)
        ]
        cells = {cell for _, _, cell in places}
        if self._words.together and len(cells) == 1:
            return self._say(self._words.together, {"cell": self.label(cells.pop())})
        return "\n".join(
            self._say(self._words.place, {"piece": name, "cell": self.label(cell)}, side)
            for side, name, cell in places
        )

    def _things(self, position: Position, cell: int) -> list[str]:
        """What stands on a cell: flags, then pieces."""
        board = self._words.board
        flags = (
            board.flag1 if cell in self._rules.player2.goal else "",
            board.flag2 if cell in self._rules.player1.goal else "",
        )
        pieces = (
            name
            for side in Side
            for name, stands in self._standing(position, side)
            if stands == cell
        )
        return [thing for thing in (*flags, *pieces) if thing]

    def _landing(self, position: Position, move: Step) -> tuple[int, int, list[str]]:
        """From where to where a legal step goes, and the enemies it meets there."""
        start, end = self.game.cell_of(position, move.piece), self.game.landing(position, move)
        assert start is not None
        assert end is not None
        if start == end or not self._rules.meet.enemy.consequences.changes_something:
            return start, end, []
        enemies = self._standing(position, position.side.other)
        return start, end, [name for name, cell in enemies if cell == end]

    def _choice(self, position: Position, number: int, move: Step) -> str:
        start, end, victims = self._landing(position, move)
        fields = self._step_fields(move.piece, move.step, start, end)
        fields |= {"number": number, "to": self.label(end), "victims": listed(victims, "and")}
        words = self._words
        template = words.choice_meeting if victims else words.choice
        if start == end:
            template = words.choice_edge if move.step else words.choice_stay
        return self._say(template, fields, position.side)

    def _step_fields(self, piece: str, step: int, start: int, end: int) -> dict[str, object]:
        return {
            "piece": piece,
            "from": self.label(start),
            "cell": self.label(end),
            "direction": self._words.backward if step < 0 else self._words.forward,
            "distance": abs(step),
            "unit": self._unit([abs(step)]),
        }

    def _unit(self, steps: Iterable[int]) -> str:
        return self._words.unit if set(steps) == {1} else self._words.units

    def _sentence(self, event: Event, victims: list[str]) -> str:
        words = self._words
        match event:
            case Moved(side, piece, step, start, end):
                fields = self._step_fields(piece, step, start, end)
                if victims:
                    fields["victims"] = listed(victims, "and")
                return self._say(words.moved_capturing if victims else words.moved, fields, side)
            case Stayed(side, piece, _, cell):
                return self._say(words.stayed, {"piece": piece, "cell": self.label(cell)}, side)
            case Passed(side):
                return self._say(words.passed, {}, side)
            case SentHome(side, piece, start, home):
                cells = {"from": self.label(start), "cell": self.label(home)}
                return self._say(words.sent_home, {"piece": piece, **cells}, side)
            case MovesAgain(side):
                return self._say(words.moves_again, {}, side)
            case BattleSettled(cell, number1, number2, winner):
                shown = [
                    self._say(words.revealed, {"number": number}, side)
                    for side, number in ((Side.ONE, number1), (Side.TWO, number2))
                ]
                tied = words.battle_tied if self._tie_takes_pieces else words.battle_tied_stay
                result = words.battle_won if winner else tied
                place = {"cell": self.label(cell)}
                return "\n".join((*shown, self._say(result, place, winner or Side.ONE)))
            case Captured(side, piece, cell):
                if piece in victims:
                    return ""  # said with the step
                return self._say(words.captured, {"piece": piece, "cell": self.label(cell)}, side)
            case HandFilled(side):
                return self._say(words.hand_filled, {"count": self.highest_number}, side)
            case BattleOpened() | Won():
                return ""


def _tells_where(template: str) -> bool:
    """Whether a template says where the pieces of both sides are."""
    return any(field in template for field in ("{board}", "{places}", "{theirs}"))


def _range(numbers: Iterable[int]) -> str:
    """`1-3` for numbers in a row, else `1, 3`."""
    listed = list(numbers)
    in_a_row = len(listed) > 1 and listed == list(range(listed[0], listed[-1] + 1))
    if in_a_row and listed[0] >= 0:
        return f"{listed[0]}-{listed[-1]}"
    return ", ".join(map(str, listed))


def _folded(empty: list[tuple[str, str]], fold: str) -> list[tuple[str, str]]:
    return [(fold, "")] if fold and len(empty) > 1 else empty


def _rows(before: str, columns: list[tuple[str, str]], between: str) -> str:
    """The columns side by side, broken where a row would be wider than every screen.

    What stands below the cells makes a second row, with each text under its cell.
    """
    has_below = any(below for _, below in columns)
    margin = " " * len(before.rpartition("\n")[2]) if has_below else ""
    tops, bottoms = [""], [""]
    for top, below in columns:
        width = max(len(top), len(below)) if has_below else 0
        gap = between if tops[-1] else ""
        if gap and "\n" not in between and len(tops[-1] + gap + top.ljust(width)) > _WIDTH:
            tops.append(margin)
            bottoms.append("")
            gap = ""
        tops[-1] += gap + top.ljust(width)
        bottoms[-1] += gap + below.ljust(width)
    if not has_below:
        return before + "\n".join(tops)
    rows = zip(tops, bottoms, strict=True)
    return before + "\n".join(f"{top.rstrip()}\n{margin}{low.rstrip()}" for top, low in rows)
