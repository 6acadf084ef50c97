"""The vocabulary of rulebooks: every word with its consequences, validated on creation.

Code that needs to know what a word does uses its consequences. It unpacks them or matches on them
exhaustively, so that mypy reports the place when a new one is added.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import cache
from typing import NamedTuple, assert_never

from lineduel.errors import RulebookError
from lineduel.rules.side import Side

MIN_CELLS, MAX_CELLS = 2, 64
MAX_PIECES = 8
MAX_STEPS = 8
LONGEST_STEP = 63
MIN_NUMBERS, MAX_NUMBERS = 2, 9
LARGEST_LABEL = 9999


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
    """What happens when a piece lands on an occupied cell; every word defines all fields."""

    blocks: bool
    """The step is illegal."""
    displaces: Displacement
    """What happens to every piece that was there."""
    opens_battle: bool
    """Both players choose numbers, which decide who is displaced."""
    wins: bool
    """The side that lands there wins."""
    resting: Resting
    """Where enemies can be together afterwards; used only for meetings with an enemy. After a
    battle, `Battle.resting` applies instead."""
    start_together: bool
    """Enemies may have the same home."""
    for_own: bool
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
                blocks=True,
                displaces=Displacement.NONE,
                opens_battle=False,
                wins=False,
                resting=Resting.HOME_OF_BOTH,
                start_together=True,
                for_own=True,
            )
        case Meeting.SHARED:
            return Consequences(
                blocks=False,
                displaces=Displacement.NONE,
                opens_battle=False,
                wins=False,
                resting=Resting.ANYWHERE,
                start_together=True,
                for_own=True,
            )
        case Meeting.CAPTURED:
            return Consequences(
                blocks=False,
                displaces=Displacement.OUT,
                opens_battle=False,
                wins=False,
                resting=Resting.NOWHERE,
                start_together=False,
                for_own=False,
            )
        case Meeting.SENT_HOME:
            return Consequences(
                blocks=False,
                displaces=Displacement.HOME,
                opens_battle=False,
                wins=False,
                resting=Resting.HOME_OF_ONE,
                start_together=False,
                for_own=False,
            )
        case Meeting.BATTLE:
            return Consequences(
                blocks=False,
                displaces=Displacement.NONE,
                opens_battle=True,
                wins=False,
                resting=Resting.NOWHERE,
                start_together=False,
                for_own=False,
            )
        case Meeting.WINS:
            return Consequences(
                blocks=False,
                displaces=Displacement.NONE,
                opens_battle=False,
                wins=True,
                resting=Resting.WINNING_CELL,
                start_together=False,
                for_own=False,
            )
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

    @property
    def homes(self) -> tuple[int, ...]:
        return tuple(piece.home for piece in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """How a piece may step in its player's direction; negative is backward, 0 means it stays."""

    steps: tuple[int, ...]
    edge: Edge = Edge.ILLEGAL
    jump: bool = True
    again: Again = Again.NEVER

    def __post_init__(self) -> None:
        usable = all(abs(step) <= LONGEST_STEP for step in self.steps)
        distinct = len(set(self.steps)) == len(self.steps)
        if not (1 <= len(self.steps) <= MAX_STEPS and usable and distinct):
            raise RulebookError(
                "move.steps",
                f"[{', '.join(map(str, self.steps))}]",
                f"1 to {MAX_STEPS} different whole numbers from -{LONGEST_STEP} to {LONGEST_STEP}",
            )


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

    @property
    def can_take_all(self) -> bool:
        """Whether both sides can lose their last piece at once."""
        return self.displaces is Displacement.OUT and all(self.tie.consequences)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything that affects play: games with equal rules are the same game under any name."""

    track: Track
    player1: Team
    player2: Team
    movement: Movement
    meet: Meetings
    first: Side | None = Side.ONE
    """The side that begins; None if the players agree on it or draw lots."""
    battle: Battle | None = None

    def __post_init__(self) -> None:
        self._check_names()
        for side in Side:
            self._check_team(side)
        self._check_starts()
        self._check_again()
        fights = self.meet.enemy.consequences.opens_battle
        if fights and self.battle is None:
            raise RulebookError(
                "battle",
                f'missing, though meet.enemy is "{self.meet.enemy}"',
                "a table with numbers",
            )
        if self.battle is not None and not fights:
            raise RulebookError(
                "battle", f'given, though meet.enemy is "{self.meet.enemy}"', "no such table then"
            )

    def team(self, side: Side) -> Team:
        return self.player1 if side is Side.ONE else self.player2

    @property
    def resting(self) -> Resting:
        """The cells on which enemies can be together after a move is complete."""
        return self.battle.resting if self.battle else self.meet.enemy.consequences.resting

    @property
    def both_can_be_gone(self) -> bool:
        """Whether both sides can lose their last piece at once."""
        return self.battle is not None and self.battle.can_take_all

    @property
    def displacements(self) -> frozenset[Displacement]:
        """Everything that can happen to a piece that is landed on or in a battle."""
        landing = self.meet.enemy.consequences.displaces
        return frozenset((landing, self.battle.displaces) if self.battle else (landing,))

    @property
    def pieces_leave(self) -> bool:
        """Whether a piece can leave the game."""
        return Displacement.OUT in self.displacements

    @property
    def pieces_come_back(self) -> bool:
        """Whether being landed on or a battle can return a piece to a cell it was on before."""
        return any(one.comes_back for one in self.displacements)

    @property
    def moves_again(self) -> bool:
        """Whether a side can have two turns in a row."""
        return self.movement.again.after_displacing

    @property
    def homes_matter(self) -> bool:
        """Whether pieces can be sent home, so that pieces with different homes are not alike."""
        return Displacement.HOME in self.displacements

    def like_pieces(self, side: Side) -> tuple[tuple[int, ...], ...]:
        """The indices of a side's pieces, grouped into pieces that are interchangeable."""
        homes_matter, groups = self.homes_matter, dict[int, list[int]]()
        for place, home in enumerate(self.team(side).homes):
            groups.setdefault(home if homes_matter else 0, []).append(place)
        return tuple(map(tuple, groups.values()))

    def _check_again(self) -> None:
        if self.movement.again.after_displacing and self.meet.enemy not in DISPLACING_MEETINGS:
            raise RulebookError(
                "move.again",
                f'"{self.movement.again}", though meet.enemy is "{self.meet.enemy}"',
                f'"{Again.NEVER}", unless meet.enemy is {quoted(DISPLACING_MEETINGS)}',
            )

    def _check_names(self) -> None:
        seen: set[str] = set()
        for side in Side:
            for piece in self.team(side).pieces:
                if piece.name.upper() in seen:
                    raise RulebookError(
                        f"player{side}.pieces",
                        f"a second piece is called {piece.name}",
                        "a name for each piece of both players, letters in either case being alike",
                    )
                seen.add(piece.name.upper())

    def _check_team(self, side: Side) -> None:
        team, key = self.team(side), f"player{side}"
        on_track = f"cells {self.track.first} to {self.track.last}"
        if not 1 <= len(team.pieces) <= MAX_PIECES:
            raise RulebookError(
                f"{key}.pieces", f"{len(team.pieces)} pieces", f"1 to {MAX_PIECES} pieces"
            )
        for piece in team.pieces:
            if piece.home not in self.track:
                raise RulebookError(
                    f"{key}.pieces", f"{piece.name} starts on {piece.home}, off the track", on_track
                )
            if piece.home in team.goal:
                raise RulebookError(
                    f"{key}.pieces",
                    f"{piece.name} starts on {piece.home}, which is its own goal",
                    "a cell that does not win at once",
                )
        if not team.goal or len(set(team.goal)) != len(team.goal):
            raise RulebookError(
                f"{key}.goal", f"[{', '.join(map(str, team.goal))}]", "one or more different cells"
            )
        for cell in team.goal:
            if cell not in self.track:
                raise RulebookError(f"{key}.goal", f"{cell} is off the track", on_track)

    def _check_starts(self) -> None:
        if self.meet.enemy.consequences.start_together:
            return
        allowed = meetings_that(lambda consequences: consequences.start_together)
        for cell in sorted(set(self.player1.homes) & set(self.player2.homes)):
            raise RulebookError(
                "player2.pieces",
                f"both players start on {cell}",
                f"different cells, unless meet.enemy is {quoted(allowed)}",
            )
