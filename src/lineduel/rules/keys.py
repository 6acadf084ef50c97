"""Every key of a rulebook file, each once: what it may hold, what that means, and its default.

Reading and writing, error messages, assignments on a command line, the schema, comments, the
designer's form, the docs, and what repairs and searches try: all of it follows from these tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, Field, dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from lineduel.rules.rulebook import Property, Rules
from lineduel.rules.vocabulary import (
    BATTLE_MEETINGS,
    DISPLACING_MEETINGS,
    LARGEST_LABEL,
    LONGEST_STEP,
    MAX_NUMBERS,
    MAX_PIECES,
    MAX_STEPS,
    MIN_NUMBERS,
    OWN_MEETINGS,
    Again,
    Battle,
    BattleRule,
    Edge,
    First,
    Hand,
    Loser,
    Meeting,
    Meetings,
    Movement,
    Stuck,
    Team,
    Tie,
    Track,
    quoted,
)
from lineduel.rules.words import WORD_CHOICES, WORD_MEANINGS, BoardWords, Words

REQUIRED: Any = object()
"""In place of a default, for a key that has none."""


class KeyKind(StrEnum):
    """What sort of value a key takes."""

    INTEGER = "integer"
    INTEGERS = "integers"
    PIECES = "pieces"
    PIECE_STEPS = "piece_steps"
    FLAG = "flag"
    WORD = "word"
    TEXT = "text"


class Need(NamedTuple):
    """What has to be so for a table or key to have a meaning."""

    key: str
    words: tuple[str, ...]
    """One of these has to be the value of that key."""


@dataclass(frozen=True, eq=False)
class RulebookKey:
    """One key of a rulebook file; all values are as a file has them."""

    path: str
    """The key with its table, such as `move.steps`."""
    kind: KeyKind
    meaning: str
    default: Any = REQUIRED
    """What it is when a file leaves it out."""
    _: KW_ONLY
    words: Mapping[StrEnum, str] = field(default_factory=dict)
    """The words that it may hold, the plainest first, and what each means."""
    limits: tuple[int, int] | None = None
    """The smallest and the largest number that it may hold."""
    counts: tuple[int, int] | None = None
    """How few and how many entries it may have."""
    fields: tuple[str, ...] = ()
    """The names that are filled in in a text."""
    needs: Need | None = None
    is_recent: bool = False
    """Whether it came after version 1. It is then left out at its default, so that older records,
    certificates and engines stay valid."""
    tried: tuple[Any, ...] = ()
    """The values that a repair tries in place of another."""
    stand_in: Any = None
    """The value that a change or a mended file gives it if it needs one."""

    @cached_property
    def table(self) -> str:
        return self.path.rpartition(".")[0]

    @cached_property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    @cached_property
    def is_required(self) -> bool:
        return self.default is REQUIRED

    @property
    def plain(self) -> Any:
        """The value that needs no explanation: the first word, or the default."""
        return next(iter(self.words), self.default)

    @cached_property
    def allowed(self) -> str:
        """What it may hold, for an error message."""
        return quoted(self.words) if self.kind is KeyKind.WORD else _ALLOWED[self.kind]

    def matters(self, enemy: Meeting) -> bool:
        """Whether it has a meaning where landing on an enemy does this."""
        needs = (self.needs, RULEBOOK_TABLES[self.table].needs)
        return all(enemy in need.words for need in needs if need)

    def value(self, rules: Rules) -> Any:
        """What it holds in some rules; None in a table that they do not have."""
        part = RULEBOOK_TABLES[self.table].part(rules)
        return None if part is None else getattr(part, self.name)

    def written(self, rules: Rules) -> Any:
        """What it holds in some rules, as a file has it."""
        value = self.value(rules)
        match self.kind:
            case KeyKind.PIECES:
                return {piece.name: piece.home for piece in value}
            case KeyKind.PIECE_STEPS:
                return {name: list(steps) for name, steps in value}
            case KeyKind.INTEGERS:
                return list(value)
            case KeyKind.WORD:
                return str(value if isinstance(value, StrEnum) else First.of(value))
            case _:
                return value


_ALLOWED = {
    KeyKind.INTEGER: "a whole number",
    KeyKind.INTEGERS: "a list of whole numbers",
    KeyKind.PIECES: "names and their cells, as { A = 0, B = 1 }",
    KeyKind.PIECE_STEPS: "names of pieces and their steps, as { A = [1], B = [1, 2] }",
    KeyKind.FLAG: "true or false",
    KeyKind.TEXT: "text",
}


@dataclass(frozen=True, eq=False)
class RulebookTable:
    """A table of a rulebook file with its keys, in order."""

    name: str
    meaning: str
    keys: tuple[RulebookKey, ...]
    _: KW_ONLY
    attribute: str = ""
    """Where `Rules` has what the table says; empty if in fields of its own."""
    makes: Callable[..., Any] = dict
    """What the values of its keys make."""
    needs: Need | None = None
    is_list: bool = False
    """Whether a file has a list of such tables."""

    @property
    def is_required(self) -> bool:
        """Whether a file without it is refused whatever else it says."""
        return self.needs is None and any(key.is_required for key in self.keys)

    @cached_property
    def key_names(self) -> tuple[str, ...]:
        return tuple(key.name for key in self.keys)

    def part(self, rules: Rules) -> Any:
        """What some rules have of the table; None if they have none."""
        return getattr(rules, self.attribute) if self.attribute else rules


def _word(path: str, meaning: str, words: Mapping[Any, str], **more: Any) -> RulebookKey:
    """A key of which repairs try every word."""
    return RulebookKey(
        path, KeyKind.WORD, meaning, words=words, tried=tuple(map(str, words)), **more
    )


def _text(path: str, meaning: str, default: Any = REQUIRED) -> RulebookKey:
    return RulebookKey(path, KeyKind.TEXT, meaning, default)


def _team(player: int, end: str) -> RulebookTable:
    table = f"player{player}"
    return RulebookTable(
        table,
        f"Player {player}, who moves toward the {end} cell.",
        (
            RulebookKey(
                f"{table}.pieces",
                KeyKind.PIECES,
                f"The names of player {player}'s 1 to 8 pieces, each with the cell it starts on, "
                "which is its home.",
                counts=(1, MAX_PIECES),
            ),
            RulebookKey(
                f"{table}.goal",
                KeyKind.INTEGERS,
                f"The cells that win: player {player} wins as soon as one of their pieces stands "
                "on one.",
            ),
            RulebookKey(
                f"{table}.goal_needs",
                KeyKind.INTEGER,
                f"How many of player {player}'s pieces have to stand on goal cells at the same "
                "time, at most as many as there are.",
                1,
                limits=(1, MAX_PIECES),
                is_recent=True,
            ),
            RulebookKey(
                f"{table}.steps",
                KeyKind.INTEGERS,
                f"The steps of player {player}'s pieces in place of move.steps, in the same way; "
                "if empty, those of move.steps.",
                [],
                limits=(-LONGEST_STEP, LONGEST_STEP),
                counts=(0, MAX_STEPS),
                is_recent=True,
            ),
            RulebookKey(
                f"{table}.piece_steps",
                KeyKind.PIECE_STEPS,
                f"The steps of single pieces of player {player}, as {{ A = [1], B = [1, 2] }}, in "
                "place of those of all others.",
                {},
                counts=(0, MAX_PIECES),
                is_recent=True,
            ),
        ),
        attribute=table,
        makes=Team,
    )


_MEETINGS = {
    Meeting.BLOCKED: "the step is not allowed",
    Meeting.SHARED: "both stay on the cell",
    Meeting.CAPTURED: "every enemy piece there leaves the game",
    Meeting.SENT_HOME: "every enemy piece there goes back to its home",
    Meeting.BATTLE: "both players secretly choose a number, and the loser's pieces go",
    Meeting.WINS: "landing on an enemy wins",
}
_STEPS = (
    [1],
    [1, 2],
    [1, 3],
    [2, 3],
    [1, 2, 3],
    [1, 2, 4],
    [1, -1],
    [1, 0],
    [1, -1, 0],
    [1, 2, -1],
    [1, 2, 0],
    [1, 2, -1, -2],
    [1, 2, 3, -1],
)
_LABELS = (-LARGEST_LABEL, LARGEST_LABEL)

_TRACK = RulebookTable(
    "track",
    "The cells in a row, known by the numbers printed on them.",
    (
        RulebookKey(
            "track.first", KeyKind.INTEGER, "The number of the leftmost cell.", limits=_LABELS
        ),
        RulebookKey(
            "track.last",
            KeyKind.INTEGER,
            "The number of the rightmost cell; a track has 2 to 64 cells.",
            limits=_LABELS,
        ),
    ),
    attribute="track",
    makes=Track,
)
_TURN = RulebookTable(
    "turn",
    "Who begins, and what happens to a player who cannot move.",
    (
        RulebookKey(
            "turn.first",
            KeyKind.WORD,
            "Who makes the first move.",
            First.PLAYER1,
            words={
                First.PLAYER1: "player 1",
                First.PLAYER2: "player 2",
                First.EITHER: "the players agree or draw lots",
            },
        ),
        _word(
            "turn.stuck",
            "What happens to a player who has the turn and no legal move.",
            {
                Stuck.PASSES: "the turn passes to the other player",
                Stuck.LOSES: "that player loses at once",
            },
            default=Stuck.PASSES,
            is_recent=True,
        ),
    ),
)
_MOVE = RulebookTable(
    "move",
    "How a piece may step.",
    (
        RulebookKey(
            "move.steps",
            KeyKind.INTEGERS,
            "The steps a piece may take toward the enemy, 1 to 8 of them; negative is backward, 0 "
            "is staying.",
            limits=(-LONGEST_STEP, LONGEST_STEP),
            counts=(1, MAX_STEPS),
            tried=_STEPS,
            stand_in=[1],
        ),
        _word(
            "move.edge",
            "What a step off the track is.",
            {
                Edge.ILLEGAL: "not allowed",
                Edge.STAY: "a legal move that leaves the piece where it is",
            },
            default=Edge.ILLEGAL,
        ),
        RulebookKey(
            "move.jump",
            KeyKind.FLAG,
            "Whether a step may pass over occupied cells.",
            True,
            tried=(True, False),
        ),
        _word(
            "move.again",
            "When a player moves once more.",
            {
                Again.NEVER: "players take turns",
                Again.CAPTURE: "after taking an enemy or sending one home",
            },
            default=Again.NEVER,
            needs=Need("meet.enemy", DISPLACING_MEETINGS),
            is_recent=True,
        ),
    ),
    attribute="movement",
    makes=Movement,
)
_MEET = RulebookTable(
    "meet",
    "What happens when a piece lands on an occupied cell.",
    (
        _word(
            "meet.own",
            "What landing on your own piece does.",
            {word: _MEETINGS[word] for word in OWN_MEETINGS},
            default=Meeting.BLOCKED,
        ),
        _word("meet.enemy", "What landing on an enemy piece does.", _MEETINGS),
    ),
    attribute="meet",
    makes=Meetings,
)
_BATTLE = RulebookTable(
    "battle",
    'How a battle is fought; this table is needed with meet.enemy = "battle", and only then.',
    (
        RulebookKey(
            "battle.numbers",
            KeyKind.INTEGER,
            "Both players secretly choose a number from 1 to this, 2 to 9.",
            limits=(MIN_NUMBERS, MAX_NUMBERS),
            tried=tuple(range(MIN_NUMBERS, MAX_NUMBERS + 1)),
            stand_in=5,
        ),
        _word(
            "battle.wins",
            "Which of the two numbers wins.",
            {
                BattleRule.HIGHER: "the higher number",
                BattleRule.UNDERCUT: "the higher number, but exactly one less beats it",
                BattleRule.CYCLIC: "each number beats the half of the others just below it, "
                "counted in a circle; the count of numbers must be odd",
            },
            default=BattleRule.HIGHER,
            stand_in=str(BattleRule.UNDERCUT),
        ),
        _word(
            "battle.loser",
            "What happens to the loser's pieces on that cell.",
            {
                Loser.SENT_HOME: "they go back to their homes",
                Loser.CAPTURED: "they leave the game",
            },
            default=Loser.SENT_HOME,
            is_recent=True,
        ),
        _word(
            "battle.tie",
            "Whose pieces go when both numbers are the same.",
            {
                Tie.BOTH: "those of both players",
                Tie.ATTACKER: "those of the player who moved there",
                Tie.DEFENDER: "those of the other player",
                Tie.NOBODY: "nobody's: both stay on the cell, and the next player moves",
            },
            default=Tie.BOTH,
            is_recent=True,
        ),
        _word(
            "battle.hand",
            "What happens to a number that was chosen.",
            {
                Hand.KEPT: "it can be chosen again in the next battle",
                Hand.SPENT: "it leaves the player's hand until all the others have been chosen",
            },
            default=Hand.KEPT,
            is_recent=True,
        ),
    ),
    attribute="battle",
    makes=Battle,
    needs=Need("meet.enemy", BATTLE_MEETINGS),
)


def _said(name: str, entry: "Field[Any]") -> RulebookKey:
    """A key of what the game says, from its field in `Words` or `BoardWords`."""
    words = WORD_CHOICES.get(name, {})
    return RulebookKey(
        f"words.{name}",
        KeyKind.WORD if words else KeyKind.TEXT,
        WORD_MEANINGS[name],
        entry.default,
        words=words,
        fields=tuple(sorted(entry.metadata.get("fields", ()))),
    )


_WORDS = RulebookTable(
    "words",
    "What the game says while it is played. Every key is optional; text in braces, such as "
    "{player}, is filled in.",
    tuple(_said(one.name, one) for one in fields(Words) if one.name != "board"),
)
_BOARD = RulebookTable(
    "words.board",
    "How the track is drawn in text.",
    tuple(_said(f"board.{one.name}", one) for one in fields(BoardWords)),
)
_TOP = RulebookTable(
    "",
    "",
    (
        _text("title", "The name of the game."),
        _text("summary", "The game in one sentence.", default=""),
    ),
)
_CLAIMS = RulebookTable(
    "claims",
    "What you promise about the game; 'lineduel audit' tests each promise.",
    (
        _text("claims.says", "Your promise, in your own words."),
        RulebookKey(
            "claims.property",
            KeyKind.WORD,
            "What the promise comes down to: a property that can be tested.",
            words={
                Property.ALWAYS_ENDS: "every game ends, however it is played",
                Property.NO_DRAW: "somebody always wins",
                Property.ENDS_QUICKLY: "a game takes at most 20 times as long as the shortest "
                "possible one, on average",
                Property.SKILL_WINS: "the perfect player scores 90% or more against a random one, "
                "from either seat",
                Property.FAIR_SEATS: "neither player 1 nor player 2 has an advantage of more than "
                "0.1",
                Property.RULES_MATTER: "each rule matters in some position, in best play too",
                Property.CHOICES_MATTER: "at least 10% of the decisions can change the result",
                Property.NO_BEST_NUMBER: "no single number is best in every battle",
            },
        ),
        _text("claims.not_tested", "What the sentence says beyond the property.", default=""),
    ),
    is_list=True,
)
_ERRATA = RulebookTable(
    "errata",
    "Places where a printed rulebook contradicts itself, and what applies.",
    (
        _text("errata.where", "Where the printed rulebook goes wrong."),
        _text("errata.says", "What it says there."),
        _text("errata.ruling", "What applies instead."),
    ),
    is_list=True,
)
_VARIANTS = RulebookTable(
    "variants",
    "Other ways to play, each with the keys it changes in tables of its own, such as "
    "variants.slow.move; addressed as file.toml:NAME.",
    (
        _text("variants.summary", "What is different, in one sentence."),
        _text("variants.why", "Why somebody would play it this way."),
    ),
)

_RULES = (_TRACK, _team(1, "last"), _team(2, "first"), _TURN, _MOVE, _MEET, _BATTLE)
RULE_TABLES = tuple(table.name for table in _RULES)
"""The tables that hold the rules, in the order of a file."""
RULEBOOK_TABLES = {
    table.name: table for table in (_TOP, *_RULES, _WORDS, _BOARD, _CLAIMS, _ERRATA, _VARIANTS)
}
"""Every table by its name, in the order of a file; the keys at its top have none."""
RULEBOOK_KEYS = {key.path: key for table in RULEBOOK_TABLES.values() for key in table.keys}
"""Every key by its path."""
RULE_KEYS = {path: key for path, key in RULEBOOK_KEYS.items() if key.table in RULE_TABLES}
"""Every key of the rules by its path."""
