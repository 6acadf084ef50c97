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
    between: str = "  "
    also: str = ", "
    """Between the things that stand on one cell."""
    fold: str = "..."
    """Stands for two or more empty cells in a row; empty: each is drawn."""
    flag1: str = ""
    flag2: str = ""
    """What is drawn on the cells that the other player wants to reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything a game says during play."""

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
    """In place of the places when all pieces stand on one cell."""

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

    moved: str = _template("{player} moves {piece} {direction} {distance}, to {cell}.", among=_STEP)
    moved_capturing: str = _template(
        "{player} moves {piece} {direction} {distance}, to {cell}, and takes {victims}.",
        "victims",
        among=_STEP,
    )
    stayed: str = _template("{player}'s {piece} stays on {cell}.", "piece", "cell")
    passed: str = _template("{player} has no legal move and passes.")
    sent_home: str = _template(
        "{player}'s {piece} is sent home to {cell}.", "piece", "from", "cell"
    )

    moves_again: str = _template("{player} moves again.")

    battle: str = _template("Battle on {cell}!", "cell")
    battle_prompt: str = _template("{player}, choose a number from 1 to {count}: ", "count")
    revealed: str = _template("{player} chose {number}.", "number")
    battle_won: str = _template("{player} wins the battle.", "cell")
    captured: str = _template("{player}'s {piece} is captured.", "piece", "cell")
    """A piece that was captured in a battle."""
    battle_tied: str = _template("The battle is a tie.", "cell")
    battle_tied_stay: str = _template("The battle is a tie, and both stay on {cell}.", "cell")
    """Where a tie takes nobody's pieces."""

    after: str = _template("{board}", "board", "places")
    """Shown after each move has been told."""
    won_goal: str = _template("{player} has reached the goal. {player} wins!", "piece", "cell")
    won_captured: str = _template("{player} has taken every enemy piece. {player} wins!")
    won_both_gone: str = _template(
        "Both have lost their last piece. {opponent} attacked, so {player} wins!"
    )
    won_landed: str = _template("{player} has caught {opponent}. {player} wins!", "piece", "cell")
    resigned: str = _template("{player} resigns. {opponent} wins!")
    forfeited: str = _template("{player} forfeits the game. {opponent} wins!")
    repeated: str = _template("This position has now come up {times} times.", "times")

    board: BoardWords = field(default_factory=BoardWords)


def check_words(words: Words) -> None:
    """Refuse a template with a field that nothing will fill."""
    groups: tuple[tuple[Words | BoardWords, str], ...]
    groups = ((words, "words."), (words.board, "words.board."))
    for group, prefix in groups:
        for name, allowed in _template_fields(group):
            used = _fields_of(getattr(group, name), prefix + name)
            if not used <= allowed:
                raise RulebookError(
                    prefix + name,
                    f"the field {{{min(used - allowed)}}} cannot be used here",
                    ", ".join(f"{{{one}}}" for one in sorted(allowed)) or "plain text",
                )


def _template_fields(group: Words | BoardWords) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (entry.name, entry.metadata["fields"])
        for entry in fields(group)
        if "fields" in entry.metadata
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
