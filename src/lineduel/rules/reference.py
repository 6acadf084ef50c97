"""What every key of a rulebook file means: one source for the schema, the docs and new files."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from typing import Any, NamedTuple, assert_never

from lineduel.errors import RulebookError
from lineduel.rules.assignments import COMMAND_KEYS
from lineduel.rules.resize import LENGTH
from lineduel.rules.rulebook import Property
from lineduel.rules.toml import all_rules_data, rules_from_data
from lineduel.rules.vocabulary import (
    LARGEST_LABEL,
    LONGEST_STEP,
    MAX_NUMBERS,
    MAX_PIECES,
    MAX_STEPS,
    MIN_NUMBERS,
    OWN_MEETINGS,
    Again,
    BattleRule,
    Displacement,
    Edge,
    Loser,
    Meeting,
    Tie,
    meetings_that,
)
from lineduel.rules.words import Answer, BoardWords, Labels, Words

REQUIRED = object()
"""In place of a default where there is none."""

TABLE_MEANINGS = {
    "track": "The cells in a row, known by the numbers printed on them.",
    "player1": "Player 1, who moves toward the last cell.",
    "player2": "Player 2, who moves toward the first cell.",
    "turn": "Who begins.",
    "move": "How a piece may step.",
    "meet": "What happens when a piece lands on an occupied cell.",
    "battle": 'How a battle is fought; this table is needed with meet.enemy = "battle", and only '
    "then.",
    "words": "What the game says while it is played. Every key is optional; text in braces, such "
    "as {player}, is filled in.",
    "words.board": "How the track is drawn in text.",
    "claims": "What you promise about the game; 'lineduel audit' tests each promise.",
    "errata": "Places where a printed rulebook contradicts itself, and what applies.",
    "variants": "Other ways to play, each with the keys it changes in tables of its own, such as "
    "variants.slow.move; addressed as file.toml:NAME.",
}
"""What each table is for."""

RULE_MEANINGS = {
    "track.first": "The number of the leftmost cell.",
    "track.last": "The number of the rightmost cell; a track has 2 to 64 cells.",
    "player1.pieces": "The names of player 1's 1 to 8 pieces, each with the cell it starts on, "
    "which is its home.",
    "player1.goal": "The cells that win: player 1 wins as soon as one of their pieces stands on "
    "one.",
    "player2.pieces": "The names of player 2's 1 to 8 pieces, each with the cell it starts on, "
    "which is its home.",
    "player2.goal": "The cells that win: player 2 wins as soon as one of their pieces stands on "
    "one.",
    "turn.first": "Who makes the first move.",
    "move.steps": "The steps a piece may take toward the enemy, 1 to 8 of them; negative is "
    "backward, 0 is staying.",
    "move.edge": "What a step off the track is.",
    "move.jump": "Whether a step may pass over occupied cells.",
    "move.again": "When a player moves once more.",
    "meet.own": "What landing on your own piece does.",
    "meet.enemy": "What landing on an enemy piece does.",
    "battle.numbers": "Both players secretly choose a number from 1 to this, 2 to 9.",
    "battle.wins": "Which of the two numbers wins.",
    "battle.loser": "What happens to the loser's pieces on that cell.",
    "battle.tie": "Whose pieces go when both numbers are the same.",
}
"""What each key of the rules means."""


def _meeting(word: Meeting) -> str:
    """What landing on a piece does."""
    match word:
        case Meeting.BLOCKED:
            return "the step is not allowed"
        case Meeting.SHARED:
            return "both stay on the cell"
        case Meeting.CAPTURED:
            return "every enemy piece there leaves the game"
        case Meeting.SENT_HOME:
            return "every enemy piece there goes back to its home"
        case Meeting.BATTLE:
            return "both players secretly choose a number, and the loser's pieces go"
        case Meeting.WINS:
            return "whoever lands on an enemy wins"
        case _:
            assert_never(word)


def _edge(word: Edge) -> str:
    """What a step off the track is."""
    match word:
        case Edge.ILLEGAL:
            return "not allowed"
        case Edge.STAY:
            return "a legal move that leaves the piece where it is"
        case _:
            assert_never(word)


def _battle_rule(word: BattleRule) -> str:
    """Which number wins."""
    match word:
        case BattleRule.HIGHER:
            return "the higher number"
        case BattleRule.UNDERCUT:
            return "the higher number, but exactly one less beats it"
        case BattleRule.CYCLIC:
            return (
                "each number beats the half of the others just below it, counted in a circle; "
                "the count of numbers must be odd"
            )
        case _:
            assert_never(word)


def _again(word: Again) -> str:
    """When a player moves once more."""
    match word:
        case Again.NEVER:
            return "players take turns"
        case Again.CAPTURE:
            return "after taking an enemy or sending one home"
        case _:
            assert_never(word)


def _loser(word: Loser) -> str:
    """What happens to the pieces that have lost a battle."""
    match word:
        case Loser.SENT_HOME:
            return "they go back to their homes"
        case Loser.CAPTURED:
            return "they leave the game"
        case _:
            assert_never(word)


def _tie(word: Tie) -> str:
    """Whose pieces go on a tie."""
    match word:
        case Tie.BOTH:
            return "those of both players"
        case Tie.ATTACKER:
            return "those of the player who moved there"
        case Tie.DEFENDER:
            return "those of the other player"
        case Tie.NOBODY:
            return "nobody's: both stay on the cell, and the next player moves"
        case _:
            assert_never(word)


class _First(StrEnum):
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    EITHER = "either"


KEY_CHOICES: dict[str, Mapping[Any, str]] = {
    "turn.first": {
        _First.PLAYER1: "player 1",
        _First.PLAYER2: "player 2",
        _First.EITHER: "the players agree or draw lots",
    },
    "move.edge": {word: _edge(word) for word in Edge},
    "move.again": {word: _again(word) for word in Again},
    "meet.own": {word: _meeting(word) for word in OWN_MEETINGS},
    "meet.enemy": {word: _meeting(word) for word in Meeting},
    "battle.wins": {word: _battle_rule(word) for word in BattleRule},
    "battle.loser": {word: _loser(word) for word in Loser},
    "battle.tie": {word: _tie(word) for word in Tie},
    "words.labels": {
        Labels.PLAIN: "as they are: -1, 0, 1",
        Labels.SIGNED: "with a plus sign: -1, 0, +1",
    },
    "words.answer": {
        Answer.NUMBER: "the number of a choice",
        Answer.STEP: "a step",
        Answer.PIECE_STEP: "a piece and a step",
    },
}
"""The words that a key may hold, and what each means."""

KEY_RANGES = {
    "track.first": (-LARGEST_LABEL, LARGEST_LABEL),
    "track.last": (-LARGEST_LABEL, LARGEST_LABEL),
    "move.steps": (-LONGEST_STEP, LONGEST_STEP),
    "battle.numbers": (MIN_NUMBERS, MAX_NUMBERS),
}
"""The smallest and the largest number that a key may hold."""

KEY_COUNTS = {
    "player1.pieces": (1, MAX_PIECES),
    "player2.pieces": (1, MAX_PIECES),
    "move.steps": (1, MAX_STEPS),
}
"""How few and how many entries a key may have."""


class Need(NamedTuple):
    """What has to be so for a table or key to have a meaning."""

    key: str
    words: tuple[str, ...]
    """One of these has to be the value of that key."""


KEY_NEEDS = {
    "battle": Need("meet.enemy", meetings_that(lambda one: one.opens_battle)),
    "move.again": Need(
        "meet.enemy", meetings_that(lambda one: one.displaces is not Displacement.NONE)
    ),
}
"""The tables and keys that belong to certain words of other keys."""

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
    "moved": "Said after a move.",
    "moved_capturing": "Said after a move that takes enemy pieces.",
    "stayed": "Said after a move that stays.",
    "passed": "Said when a player has no legal move.",
    "sent_home": "Said of each piece that is sent home.",
    "moves_again": "Said when a player moves once more.",
    "battle": "Said when a battle begins.",
    "battle_prompt": "The question for a secret number.",
    "revealed": "Said of each number once both are chosen.",
    "battle_won": "Said when a battle is won.",
    "battle_tied": "Said when both numbers are the same.",
    "battle_tied_stay": "Said when both numbers are the same and both sides stay on the cell.",
    "captured": "Said when a piece leaves the game in a battle.",
    "after": "Said once a move has been told.",
    "won_goal": "Said when a piece has reached a goal cell.",
    "won_both_gone": "Said when both sides have lost their last piece in a battle.",
    "won_captured": "Said when a player has taken every enemy piece.",
    "won_landed": "Said when landing on an enemy has won.",
    "resigned": "Said when a player gives up.",
    "forfeited": "Said when a player loses for breaking the rules or the clock.",
    "repeated": "Said when a position comes up again.",
    "board.before": "What stands before the first cell.",
    "board.cell": "A cell with something on it.",
    "board.empty": "A cell with nothing on it.",
    "board.between": "What stands between two cells.",
    "board.also": "What stands between two things on one cell.",
    "board.fold": "What stands for several empty cells in a row; empty draws each cell.",
    "board.flag1": "What is drawn on the cells that player 2 wants to reach.",
    "board.flag2": "What is drawn on the cells that player 1 wants to reach.",
}
"""What each key of `[words]` means."""

FIELD_MEANINGS = {
    "board": "the track, drawn",
    "cell": "the number of the cell it is about",
    "cells": "the cells of the player's own pieces",
    "choices": "the legal moves, one a line",
    "count": "the highest number of a battle",
    "direction": "forward or backward",
    "distance": "how far the step goes",
    "from": "the cell that the piece comes from",
    "here": "what stands on the cell",
    "homes1": "the cells that player 1's pieces start on",
    "homes2": "the cells that player 2's pieces start on",
    "number": "the number of the choice, or the number chosen in a battle",
    "numbers": "the numbers of the choices, such as 1-3",
    "opponent": "the name of the other player",
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
    "victims": "the enemy pieces that are met",
    "yours": "the player's own pieces, one a line",
}
"""What is filled in for each field of a template."""

PROPERTY_MEANINGS = {
    Property.ALWAYS_ENDS: "every game ends, however it is played",
    Property.NO_DRAW: "somebody always wins",
    Property.ENDS_QUICKLY: "a game takes at most 20 times as long as the shortest possible one, "
    "on average",
    Property.SKILL_WINS: "the perfect player scores 90% or more against a random one, from either "
    "seat",
    Property.FAIR_SEATS: "neither player 1 nor player 2 has an advantage of more than 0.1",
    Property.RULES_MATTER: "each rule matters in some position, in best play too",
    Property.CHOICES_MATTER: "at least 10% of the decisions can change the result",
    Property.NO_BEST_NUMBER: "no single number is best in every battle",
}
"""What each property of a claim means."""

OTHER_MEANINGS = {
    "title": "The name of the game.",
    "summary": "The game in one sentence.",
    "claims.says": "Your promise, in your own words.",
    "claims.property": "What the promise comes down to: a property that can be tested.",
    "claims.not_tested": "What the sentence says beyond the property.",
    "errata.where": "Where the printed rulebook goes wrong.",
    "errata.says": "What it says there.",
    "errata.ruling": "What applies instead.",
    "variants.summary": "What is different, in one sentence.",
    "variants.why": "Why somebody would play it this way.",
}
"""What each other key means."""
OPTIONAL_KEYS = ("summary", "claims.not_tested")
"""Those of the other keys that may be left out, and are then empty."""


class WordKey(NamedTuple):
    """A key of `[words]`: its default, and the fields that its text may have."""

    key: str
    meaning: str
    default: str
    fields: tuple[str, ...]


def word_keys() -> tuple[WordKey, ...]:
    """Every key of `[words]`, as the file has them: `words.turn`, `words.board.cell`."""
    single = [one for one in fields(Words) if one.name != "board"]
    named = [(one.name, one) for one in single]
    named += [(f"board.{one.name}", one) for one in fields(BoardWords)]
    return tuple(_word_key(name, one) for name, one in named)


def _word_key(name: str, entry: "Field[Any]") -> WordKey:
    assert entry.default is not MISSING
    allowed = tuple(sorted(entry.metadata.get("fields", ())))
    return WordKey(f"words.{name}", WORD_MEANINGS[name], str(entry.default), allowed)


def rule_keys() -> tuple[str, ...]:
    """Every key of the rules, as a file has them: `move.steps`."""
    return tuple(key for key in COMMAND_KEYS if key != LENGTH)


def rule_defaults() -> dict[str, Any]:
    """What each key of the rules is when a file leaves it out; REQUIRED where it may not."""
    plain = rules_from_data(_SMALLEST)
    fighting = {**_SMALLEST, "meet": {"enemy": "battle"}, "battle": {"numbers": 2}}
    known = all_rules_data(plain) | {"battle": all_rules_data(rules_from_data(fighting))["battle"]}
    defaults = {}
    for name in rule_keys():
        table, key = name.split(".")
        defaults[name] = REQUIRED if _is_required(fighting, table, key) else known[table][key]
    return defaults


_SMALLEST: dict[str, dict[str, Any]] = {
    "track": {"first": 0, "last": 2},
    "player1": {"pieces": {"A": 0}, "goal": [2]},
    "player2": {"pieces": {"B": 2}, "goal": [0]},
    "move": {"steps": [1]},
    "meet": {"enemy": "wins"},
}
"""Rules that hold nothing but what they have to."""


def _is_required(data: Mapping[str, Mapping[str, Any]], table: str, key: str) -> bool:
    """Whether rules are refused without a key."""
    without = {name: value for name, value in data.get(table, {}).items() if name != key}
    try:
        rules_from_data({**data, table: without})
    except RulebookError:
        return True
    return False
