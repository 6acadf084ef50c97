"""The vocabulary of rulebooks: every word with its consequences, validated on creation.

Code that needs to know what a word does uses its consequences. It unpacks them or matches on them
exhaustively, so that mypy reports the place when a new one is added.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum, auto
from functools import cache
from typing import NamedTuple, assert_never

from lineduel.errors import RulebookError

MIN_CELLS, MAX_CELLS = 2, 64
MAX_PIECES = 8
MAX_STEPS = 8
LONGEST_STEP = 63
MIN_NUMBERS, MAX_NUMBERS = 2, 9
LARGEST_LABEL = 9999


class Side(IntEnum):
    """Player 1, who moves toward the last cell, or player 2, who moves toward the first."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> "Side":
        return Side.TWO if self is Side.ONE else Side.ONE

    @property
    def direction(self) -> int:
        return 1 if self is Side.ONE else -1


class First(StrEnum):
    """The rulebook's word for who begins."""

    PLAYER1 = "player1"
    PLAYER2 = "player2"
    EITHER = "either"

    @classmethod
    def of(cls, side: Side | None) -> "First":
        """The word for a side; `EITHER` if the players agree on it or draw lots."""
        return cls.EITHER if side is None else cls(f"player{side}")

    @property
    def side(self) -> Side | None:
        return next((side for side in Side if First.of(side) is self), None)


class Stuck(StrEnum):
    """What happens to a player who has the turn and no legal move."""

    PASSES = "passes"
    LOSES = "loses"

    @property
    def ends_game(self) -> bool:
        """Whether the other player wins at once."""
        match self:
            case Stuck.PASSES:
                return False
            case Stuck.LOSES:
                return True
            case _:
                assert_never(self)


class Edge(StrEnum):
    """What happens to a step off the track."""

    ILLEGAL = "illegal"
    STAY = "stay"

    @property
    def keeps_cell(self) -> bool:
        """Whether such a step is legal and leaves the piece on its cell."""
        match self:
            case Edge.ILLEGAL:
                return False
            case Edge.STAY:
                return True
            case _:
                assert_never(self)


class Again(StrEnum):
    """When a side moves again after its move."""

    NEVER = "never"
    CAPTURE = "capture"

    @property
    def after_displacing(self) -> bool:
        """Whether a side moves again after a step that captured an enemy or sent one home."""
        match self:
            case Again.NEVER:
                return False
            case Again.CAPTURE:
                return True
            case _:
                assert_never(self)


class Displacement(Enum):
    """Where a piece goes after an enemy landed on it or after it lost a battle."""

    NONE = auto()
    """It stays."""
    OUT = auto()
    """Out of the game."""
    HOME = auto()
    """Back to the cell it started on."""

    @property
    def comes_back(self) -> bool:
        """Whether the piece can return to a cell it was on before, so that play can repeat."""
        match self:
            case Displacement.NONE | Displacement.OUT:
                return False
            case Displacement.HOME:
                return True
            case _:
                assert_never(self)


class Loser(StrEnum):
    """What happens to the pieces that lost a battle."""

    SENT_HOME = "sent home"
    CAPTURED = "captured"

    @property
    def displaces(self) -> Displacement:
        match self:
            case Loser.SENT_HOME:
                return Displacement.HOME
            case Loser.CAPTURED:
                return Displacement.OUT
            case _:
                assert_never(self)


class Tied(NamedTuple):
    """Whose pieces leave the cell when a battle is tied."""

    attacker_goes: bool
    defender_goes: bool


class Tie(StrEnum):
    """The rulebook's word for whose pieces leave the cell when a battle is tied."""

    BOTH = "both"
    ATTACKER = "attacker"
    DEFENDER = "defender"
    NOBODY = "nobody"

    @property
    def consequences(self) -> Tied:
        match self:
            case Tie.BOTH:
                return Tied(attacker_goes=True, defender_goes=True)
            case Tie.ATTACKER:
                return Tied(attacker_goes=True, defender_goes=False)
            case Tie.DEFENDER:
                return Tied(attacker_goes=False, defender_goes=True)
            case Tie.NOBODY:
                return Tied(attacker_goes=False, defender_goes=False)
            case _:
                assert_never(self)


class Hand(StrEnum):
    """What happens to a number that was chosen in a battle."""

    KEPT = "kept"
    SPENT = "spent"

    @property
    def is_spent(self) -> bool:
        """Whether it cannot be chosen again until all the others have been."""
        match self:
            case Hand.KEPT:
                return False
            case Hand.SPENT:
                return True
            case _:
                assert_never(self)


class Resting(Enum):
    """The cells on which enemies can be together after a move is complete."""

    ANYWHERE = auto()
    HOME_OF_BOTH = auto()
    """Only on a cell where all pieces of both sides are at home."""
    HOME_OF_ONE = auto()
    """Only on a cell where all pieces of at least one side are at home."""
    WINNING_CELL = auto()
    """Only on a cell where one side has just landed on the other and won."""
    NOWHERE = auto()


class Consequences(NamedTuple):
    """What happens when a piece lands on an occupied cell; a word says what is not the default."""

    blocks: bool = False
    """The step is illegal."""
    displaces: Displacement = Displacement.NONE
    """What happens to every piece that was there."""
    opens_battle: bool = False
    """Both players choose numbers, which decide who is displaced."""
    wins: bool = False
    """The side that lands there wins."""
    resting: Resting = Resting.NOWHERE
    """Where enemies can be together afterwards; used only for meetings with an enemy. After a
    battle, `Battle.resting` applies instead."""
    start_together: bool = False
    """Enemies may have the same home."""
    for_own: bool = False
    """A rulebook may also use the word for pieces of the same side."""

    @property
    def changes_something(self) -> bool:
        """Whether anything happens besides the move of the piece."""
        return self.displaces is not Displacement.NONE or self.opens_battle or self.wins


class Meeting(StrEnum):
    """What landing on an occupied cell does."""

    BLOCKED = "blocked"
    SHARED = "shared"
    CAPTURED = "captured"
    SENT_HOME = "sent home"
    BATTLE = "battle"
    WINS = "wins"

    @property
    def consequences(self) -> Consequences:
        return _consequences(self)


@cache
def _consequences(meeting: Meeting) -> Consequences:
    match meeting:
        case Meeting.BLOCKED:
            return Consequences(
                blocks=True, resting=Resting.HOME_OF_BOTH, start_together=True, for_own=True
            )
        case Meeting.SHARED:
            return Consequences(resting=Resting.ANYWHERE, start_together=True, for_own=True)
        case Meeting.CAPTURED:
            return Consequences(displaces=Displacement.OUT)
        case Meeting.SENT_HOME:
            return Consequences(displaces=Displacement.HOME, resting=Resting.HOME_OF_ONE)
        case Meeting.BATTLE:
            return Consequences(opens_battle=True)
        case Meeting.WINS:
            return Consequences(wins=True, resting=Resting.WINNING_CELL)
        case _:
            assert_never(meeting)


def meetings_that(holds: Callable[[Consequences], bool]) -> tuple[Meeting, ...]:
    """The words whose consequences satisfy the condition."""
    return tuple(meeting for meeting in Meeting if holds(meeting.consequences))


def quoted(words: Iterable[StrEnum]) -> str:
    """Words in quotes, as in a rulebook: `"blocked" or "shared"`."""
    return " or ".join(f'"{word}"' for word in words)


OWN_MEETINGS = meetings_that(lambda one: one.for_own)
BATTLE_MEETINGS = meetings_that(lambda one: one.opens_battle)
DISPLACING_MEETINGS = meetings_that(lambda one: one.displaces is not Displacement.NONE)


class BattleRule(StrEnum):
    """Which of two secret numbers wins."""

    HIGHER = "higher"
    UNDERCUT = "undercut"
    CYCLIC = "cyclic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """Cells in a row, identified by the labels printed on them."""

    first: int
    last: int

    def __post_init__(self) -> None:
        for key, label in (("track.first", self.first), ("track.last", self.last)):
            if abs(label) > LARGEST_LABEL:
                raise RulebookError(
                    key, f"{label} is out of range", f"-{LARGEST_LABEL} to {LARGEST_LABEL}"
                )
        if not MIN_CELLS <= len(self) <= MAX_CELLS:
            raise RulebookError(
                "track",
                f"first = {self.first} and last = {self.last} make {max(len(self), 0)} cells",
                f"{MIN_CELLS} to {MAX_CELLS} cells, first before last",
            )

    def __len__(self) -> int:
        return max(self.last - self.first + 1, 0)

    def __contains__(self, cell: int) -> bool:
        return self.first <= cell <= self.last

    @property
    def cells(self) -> range:
        return range(self.first, self.last + 1)


class Piece(NamedTuple):
    """A piece: its name, and the cell it starts on and is sent home to."""

    name: str
    home: int


class Team(NamedTuple):
    """One player's pieces, in order, and the cells on which they win."""

    pieces: tuple[Piece, ...]
    goal: tuple[int, ...]
    goal_needs: int = 1
    """How many of the pieces have to stand on goal cells at the same time."""
    steps: tuple[int, ...] = ()
    """The steps of its pieces; empty if they are those of `Movement`."""
    piece_steps: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The steps of single pieces, by their names, in place of those of the side."""

    def has_arrived(self, cells: Iterable[int | None]) -> bool:
        """Whether enough of the pieces on these cells stand on goal cells."""
        return sum(cell in self.goal for cell in cells) >= self.goal_needs

    def renamed(self, names: Sequence[str]) -> "Team":
        """The same team with other names for its pieces, in their order."""
        new = {piece.name: name for piece, name in zip(self.pieces, names, strict=True)}
        return self._replace(
            pieces=tuple(piece._replace(name=new[piece.name]) for piece in self.pieces),
            piece_steps=tuple((new[name], steps) for name, steps in self.piece_steps),
        )

    def placed(self, cell: Callable[[int], int]) -> "Team":
        """The same team on other cells."""
        return self._replace(
            pieces=tuple(piece._replace(home=cell(piece.home)) for piece in self.pieces),
            goal=tuple(sorted(map(cell, self.goal))),
        )

    @property
    def homes(self) -> tuple[int, ...]:
        return tuple(piece.home for piece in self.pieces)


def check_steps(key: str, steps: tuple[int, ...]) -> None:
    """Raise unless these are steps that a piece can have."""
    usable = all(abs(step) <= LONGEST_STEP for step in steps)
    if not (1 <= len(steps) <= MAX_STEPS and usable and len(set(steps)) == len(steps)):
        raise RulebookError(
            key,
            f"[{', '.join(map(str, steps))}]",
            f"1 to {MAX_STEPS} different whole numbers from -{LONGEST_STEP} to {LONGEST_STEP}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """How a piece may step in its player's direction; negative is backward, 0 means it stays."""

    steps: tuple[int, ...]
    edge: Edge = Edge.ILLEGAL
    jump: bool = True
    again: Again = Again.NEVER

    def __post_init__(self) -> None:
        check_steps("move.steps", self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meetings:
    """What landing on a piece of the same side and on an enemy piece does."""

    own: Meeting
    enemy: Meeting

    def __post_init__(self) -> None:
        if self.own not in OWN_MEETINGS:
            raise RulebookError("meet.own", f'"{self.own}"', quoted(OWN_MEETINGS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Battle:
    """A battle: both players secretly choose a number from 1 to `numbers`."""

    numbers: int
    wins: BattleRule = BattleRule.HIGHER
    loser: Loser = Loser.SENT_HOME
    tie: Tie = Tie.BOTH
    hand: Hand = Hand.KEPT

    def __post_init__(self) -> None:
        if not MIN_NUMBERS <= self.numbers <= MAX_NUMBERS:
            raise RulebookError(
                "battle.numbers", str(self.numbers), f"{MIN_NUMBERS} to {MAX_NUMBERS}"
            )
        if self.wins is BattleRule.CYCLIC and self.numbers % 2 == 0:
            raise RulebookError(
                "battle.numbers", f'{self.numbers} with wins = "cyclic"', "an odd number"
            )

    @property
    def whole_hand(self) -> tuple[int, ...]:
        """Every number that a player can have in hand."""
        return tuple(range(1, self.numbers + 1))

    def hand_after(self, hand: tuple[int, ...], number: int) -> tuple[int, ...]:
        """A hand once a number of it has been chosen; an empty one is filled again at once."""
        return tuple(one for one in hand if one != number) or self.whole_hand

    @property
    def displaces(self) -> Displacement:
        """What happens to the loser's pieces and, after a tie, to the pieces that go."""
        return self.loser.displaces

    @property
    def resting(self) -> Resting:
        """The cells on which enemies can be together after a battle."""
        if not any(self.tie.consequences):
            return Resting.ANYWHERE
        match self.displaces:
            case Displacement.NONE:
                return Resting.ANYWHERE
            case Displacement.OUT:
                return Resting.NOWHERE
            case Displacement.HOME:
                return Resting.HOME_OF_ONE
            case _:
                assert_never(self.displaces)

    def losers(self, number1: int, number2: int, attacker: Side) -> tuple[Side, ...]:
        """The sides whose pieces leave the cell."""
        winner = self.winner(number1, number2)
        if winner is not None:
            return (winner.other,)
        attacker_goes, defender_goes = self.tie.consequences
        return tuple(
            side for side in Side if (attacker_goes if side is attacker else defender_goes)
        )

    def keeper(self, number1: int, number2: int, attacker: Side) -> Side | None:
        """The only side that stays on the cell; None if both go or both stay."""
        losers = self.losers(number1, number2, attacker)
        return losers[0].other if len(losers) == 1 else None

    def winner(self, number1: int, number2: int) -> Side | None:
        """The side whose number wins, or None for a tie."""
        if number1 == number2:
            return None
        match self.wins:
            case BattleRule.HIGHER:
                first_wins = number1 > number2
            case BattleRule.UNDERCUT:
                first_wins = number1 - number2 == -1 or number1 - number2 > 1
            case BattleRule.CYCLIC:
                first_wins = (number1 - number2) % self.numbers <= (self.numbers - 1) // 2
            case _:
                assert_never(self.wins)
        return Side.ONE if first_wins else Side.TWO
