"""A rulebook's words for play: templates with named fields, each with a plain default.

A template is text with fields in braces, such as `{player} moves to position {cell}.`
An empty template says nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache

from lineduel.errors import RulebookError


class Answer(StrEnum):
    """The rulebook's own way of answering its prompt."""

    NUMBER = "number"
    STEP = "step"
    PIECE_STEP = "piece step"


class Labels(StrEnum):
    """How a cell's label is printed."""

    PLAIN = "plain"
    SIGNED = "signed"


_EVERYWHERE = frozenset({"player", "opponent", "track_first", "track_last"})
_SETTING = frozenset(
    {"board", "places", "pieces1", "pieces2", "homes1", "homes2", "track_first", "track_last"}
)
_TURN = _EVERYWHERE | frozenset(
    {
        "board",
        "places",
        "cells",
        "choices",
        "numbers",
        "pieces",
        "range",
        "steps",
        "target",
        "theirs",
        "unit",
        "yours",
    }
)
_STEP = _EVERYWHERE | frozenset({"piece", "from", "cell", "direction", "distance", "unit"})


def _template(default: str, *names: str, among: frozenset[str] = _EVERYWHERE) -> str:
    text: str = field(default=default, metadata={"fields": among | frozenset(names)})
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardWords:
    """How the track is drawn: what stands before, on, and between the cells."""

    before: str = ""
    cell: str = _template("{cell} [{here}]", "cell", "here", among=frozenset())
    empty: str = _template("{cell} [ ]", "cell", among=frozenset())
    below: str = _template("", "cell", "here", among=frozenset())
    between: str = "  "
    also: str = ", "
    fold: str = "..."
    flag1: str = ""
    flag2: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything a game says during play; `WORD_MEANINGS` has what each key is for."""

    player1: str = "Player 1"
    player2: str = "Player 2"
    forward: str = "forward"
    backward: str = "backward"
    unit: str = "cell"
    units: str = "cells"
    labels: Labels = Labels.PLAIN
    answer: Answer = Answer.NUMBER

    welcome: str = _template("{board}", among=_SETTING)
    place: str = _template("{player}'s {piece} is on {cell}.", "piece", "cell")
    together: str = _template("", "cell", among=frozenset({"track_first", "track_last"}))

    turn: str = _template("{player}'s turn.\n{choices}", among=_TURN)
    prompt: str = _template("Your move: ", among=_TURN)
    piece: str = _template("- {piece} on {cell}", "piece", "cell")
    choice: str = _template(
        "{number}. {piece} {direction} {distance}, to {to}", "number", "to", among=_STEP
    )
    choice_meeting: str = _template(
        "{number}. {piece} {direction} {distance}, to {to}, meeting {victims}",
        "number",
        "to",
        "victims",
        among=_STEP,
    )
    choice_stay: str = _template("{number}. {piece} stays on {cell}", "number", "piece", "cell")
    choice_edge: str = _template(
        "{number}. {piece} {direction} {distance} (stays on {cell})", "number", among=_STEP
    )
    too_far: str = _template("", "options", "steps", "unit")

    moved: str = _template("{player} moves {piece} {direction} {distance}, to {cell}.", among=_STEP)
    moved_capturing: str = _template(
        "{player} moves {piece} {direction} {distance}, to {cell}, and takes {victims}.",
        "victims",
        among=_STEP,
    )
    stayed: str = _template("{player}'s {piece} stays on {cell}.", "piece", "cell")
    passed: str = _template("{player} has no legal move and passes.")
    landed: str = _template("", "victim", among=_STEP)
    sent_home: str = _template(
        "{player}'s {piece} is sent home to {cell}.", "piece", "from", "cell"
    )
    already_home: str = _template("{player}'s {piece} is at home already.", "piece", "cell")

    moves_again: str = _template("{player} moves again.")

    battle: str = _template("Battle on {cell}!", "cell")
    battle_prompt: str = _template("{player}, choose a number from 1 to {count}: ", "count")
    hand_prompt: str = _template(
        "{player}, choose a number from your hand ({hand}): ", "count", "hand"
    )
    hand: str = _template("{player} has {hand} in hand.", "count", "hand")
    hand_filled: str = _template("{player} has every number again.", "count")
    revealed: str = _template("{player} chose {number}.", "number")
    battle_won: str = _template("{player} wins the battle.", "cell")
    captured: str = _template("{player}'s {piece} is captured.", "piece", "cell")
    battle_tied: str = _template("The battle is a tie.", "cell")
    battle_tied_stay: str = _template("The battle is a tie, and both stay on {cell}.", "cell")

    after: str = _template("{board}", "board", "places")
    won_goal: str = _template("{player} has reached the goal. {player} wins!", "piece", "cell")
    won_captured: str = _template("{player} has taken every enemy piece. {player} wins!")
    won_both_gone: str = _template(
        "Both have lost their last piece. {opponent} attacked, so {player} wins!"
    )
    won_landed: str = _template("{player} has caught {opponent}. {player} wins!", "piece", "cell")
    won_stuck: str = _template("{opponent} has no legal move. {player} wins!")
    resigned: str = _template("{player} resigns. {opponent} wins!")
    forfeited: str = _template("{player} forfeits the game. {opponent} wins!")
    repeated: str = _template("This position has now come up {times} times.", "times")

    board: BoardWords = field(default_factory=BoardWords)


WORD_MEANINGS = {
    "player1": "The name of player 1.",
    "player2": "The name of player 2.",
    "forward": "What {direction} is for a step forward.",
    "backward": "What {direction} is for a step backward.",
    "unit": "What {unit} is for one cell.",
    "units": "What {unit} is for several cells.",
    "labels": "How the numbers of cells are printed.",
    "answer": "How a player answers the prompt; the general notation always works too.",
    "welcome": "Said once, when a game begins.",
    "place": "Where one piece stands; {places} has such a line for each piece.",
    "together": "Said in place of {places} when all pieces stand on one cell.",
    "turn": "Said before a player is asked for a move.",
    "prompt": "The question for a move.",
    "piece": "One piece in {yours} and {theirs}.",
    "choice": "One move in {choices}.",
    "choice_meeting": "One move in {choices} that lands on an enemy.",
    "choice_stay": "One move in {choices} that stays.",
    "choice_edge": "One move in {choices} that would leave the track, and so stays.",
    "too_far": "The answer to a step below or above all legal ones; empty says why not.",
    "moved": "Said after a move.",
    "moved_capturing": "Said after a move that takes enemy pieces.",
    "stayed": "Said after a move that stays.",
    "passed": "Said when a player has no legal move.",
    "landed": "Said of each piece that a move lands on and sends home, before that.",
    "sent_home": "Said of each piece that is sent home.",
    "already_home": "Said of each piece that a battle sends home while it is there.",
    "moves_again": "Said when a player moves once more.",
    "battle": "Said when a battle begins.",
    "battle_prompt": "The question for a secret number.",
    "hand_prompt": "The question for a secret number if numbers are spent.",
    "hand": "Said of each player when a battle begins, if numbers are spent.",
    "hand_filled": "Said when a player has chosen the last number in hand and has all again.",
    "revealed": "Said of each number once both are chosen.",
    "battle_won": "Said when a battle is won.",
    "battle_tied": "Said when both numbers are the same.",
    "battle_tied_stay": "Said when both numbers are the same and both sides stay on the cell.",
    "captured": "Said when a piece leaves the game in a battle.",
    "after": "Said after a move has been described.",
    "won_goal": "Said when a piece has reached a goal cell.",
    "won_both_gone": "Said when both sides have lost their last piece in a battle.",
    "won_captured": "Said when a player has taken every enemy piece.",
    "won_landed": "Said when landing on an enemy has won.",
    "won_stuck": "Said when a player without a legal move has lost.",
    "resigned": "Said when a player gives up.",
    "forfeited": "Said when a player loses for breaking the rules or the clock.",
    "repeated": "Said when a position comes up again.",
    "board.before": "What stands before the first cell.",
    "board.cell": "A cell with something on it.",
    "board.empty": "A cell with nothing on it.",
    "board.below": "What stands below each cell, in a row of its own; empty draws no such row.",
    "board.between": "What stands between two cells.",
    "board.also": "What stands between two things on one cell.",
    "board.fold": "What stands for several empty cells in a row; empty draws each cell.",
    "board.flag1": "What is drawn on the cells that player 2 wants to reach.",
    "board.flag2": "What is drawn on the cells that player 1 wants to reach.",
}
"""What each key of `[words]` means."""

WORD_CHOICES: dict[str, Mapping[StrEnum, str]] = {
    "labels": {
        Labels.PLAIN: "as they are: -1, 0, 1",
        Labels.SIGNED: "with a plus sign: -1, 0, +1",
    },
    "answer": {
        Answer.NUMBER: "the number of a choice",
        Answer.STEP: "a step",
        Answer.PIECE_STEP: "a piece and a step",
    },
}
"""The keys of `[words]` that hold one of a few words, and what each means."""

FIELD_MEANINGS = {
    "board": "the track, drawn",
    "cell": "the number of the cell it is about",
    "cells": "the cells of the player's own pieces",
    "choices": "the legal moves, one a line",
    "count": "the highest number of a battle",
    "direction": "forward or backward",
    "distance": "how far the step goes",
    "from": "the cell that the piece comes from",
    "hand": "the numbers that the player has in hand, such as 1, 3 and 5",
    "here": "what stands on the cell",
    "homes1": "the cells that player 1's pieces start on",
    "homes2": "the cells that player 2's pieces start on",
    "number": "the number of the choice, or the number chosen in a battle",
    "numbers": "the numbers of the choices, such as 1-3",
    "opponent": "the name of the other player",
    "options": "the cells that the piece can go to, such as 1, 2, or 3",
    "piece": "the name of the piece",
    "pieces": "the pieces that can move, such as A/B",
    "pieces1": "the names of player 1's pieces",
    "pieces2": "the names of player 2's pieces",
    "places": "where every piece stands, one a line",
    "player": "the name of the player it is about",
    "range": "the steps that are legal, such as 1-3",
    "steps": "the steps that are legal, such as 1, 2 or 3",
    "target": "the cells that win for the player",
    "theirs": "the opponent's pieces, one a line",
    "times": "how often the position has come up",
    "to": "the cell that the move goes to",
    "track_first": "the number of the first cell",
    "track_last": "the number of the last cell",
    "unit": "the word for one cell or for several, as it fits",
    "victim": "the enemy piece that is met",
    "victims": "the enemy pieces that are met",
    "yours": "the player's own pieces, one a line",
}
"""What is filled in for each field of a template."""


def check_words(words: Words) -> None:
    """Refuse a template with a field that nothing will fill."""
    groups: tuple[tuple[Words | BoardWords, str], ...]
    groups = ((words, "words."), (words.board, "words.board."))
    for group, prefix in groups:
        for entry in fields(group):
            if "fields" not in entry.metadata:
                continue
            name, allowed = entry.name, entry.metadata["fields"]
            used = _fields_of(getattr(group, name), prefix + name)
            if not used <= allowed:
                raise RulebookError(
                    prefix + name,
                    f"the field {{{min(used - allowed)}}} cannot be used here",
                    ", ".join(f"{{{one}}}" for one in sorted(allowed)) or "plain text",
                )


@lru_cache(maxsize=1024)
def _fields_of(template: str, key: str) -> frozenset[str]:
    from string import Formatter

    used: set[str] = set()
    try:
        for _, name, spec, conversion in Formatter().parse(template):
            if name is None:
                continue
            if not name.isidentifier() or spec or conversion:
                raise ValueError
            used.add(name)
    except ValueError:
        raise RulebookError(
            key, f"{template!r} is not a template", "text with fields like {player}; {{ for a brace"
        ) from None
    return frozenset(used)


def listed(parts: Iterable[str], last: str) -> str:
    """`a`, `a or b`, `a, b or c`; nothing for no parts."""
    *most, final = tuple(parts) or ("",)
    return f"{', '.join(most)} {last} {final}" if most else final


def fill(template: str, values: Mapping[str, object]) -> str:
    """The template with its fields filled in."""
    return template.format_map(values)
