"""The kinds of reasons for a move: facts that a solution proves.

A reason has the line that shows it: a move, then the solution's line of best play, up to the turn
in which it happens. It begins with the move that was asked about, or with the better one that was
missed. A law in the tests works each kind out again.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar, NamedTuple

from lineduel.coach.deeds import Deed, Needs
from lineduel.coach.waiting import SafeMoves
from lineduel.engine import Move, Step
from lineduel.facts import Fact
from lineduel.rules import Side
from lineduel.solve import Value


class ReasonKind(StrEnum):
    """What a reason is about."""

    GIVEN_UP = "given up"
    REPLY = "reply"
    THREAT = "threat"
    BAD_BATTLE = "bad battle"
    GAIN = "gain"
    ESCAPE = "escape"
    NEW_GUARD = "new guard"
    RACE = "race"
    UNSTOPPABLE = "unstoppable"
    AHEAD = "ahead"
    LOST_TURNS = "lost turns"
    DISTANCE = "distance"
    ZUGZWANG = "zugzwang"
    WAITING = "waiting"
    ONLY_SAFE = "only safe"
    LEFT_GUARD = "left guard"
    NO_ESCAPE = "no escape"
    LATER = "later"
    ALL_LOSE = "all lose"


class Terms(NamedTuple):
    """What a battle leads to, by its result for the side that opened it."""

    won: Value
    tied: Value
    lost: Value
    fight: Value
    """Before the numbers are chosen."""

    @property
    def results(self) -> tuple[Value, Value, Value]:
        """What it is worth to have won, tied and lost the battle."""
        return self.won, self.tied, self.lost

    @property
    def chance(self) -> Fraction | None:
        """How likely the side is to win with best play of both, or not to lose if a tie is as good.

        None where the values do not say, or only within bounds.
        """
        won, tied, lost, fight = (one.exact for one in self)
        if won is None or lost is None or fight is None or won == lost or tied not in (won, lost):
            return None
        return Fraction(fight - lost) / Fraction(won - lost)

    def is_free(self, side: Side, value: Value) -> bool:
        """Whether the side can gain by the battle and risks nothing, if it has that value now."""
        least = min(self.tied.sure(side), self.lost.sure(side))
        return self.won.sure(side) > value.hoped(side) and least >= value.sure(side)


MOST_SHOWN = 3
"""How many different things are said about the moves of a side without a good one."""
SOON_LOST = 5
"""The most turns of which it is said that a side without a good move loses within them."""


class StrikeBack(NamedTuple):
    """The piece that can strike back at once where a piece was taken or sent home."""

    piece: str
    winner: Side | None
    """Who wins by force after it."""
    then: Deed | None = None
    """What the best answer to it takes, sends home or wins, if the other side wins by force."""
    needs: Needs | None = None
    """Of both sides in the race that is left after it, if the other side wins that."""
    left: tuple[int, int] = (0, 0)
    """How many pieces are left after it: of the side that strikes back, and of the other one."""


class Sequel(NamedTuple):
    """What comes of a deed, right after it."""

    again: tuple[Deed, ...] = ()
    """What the same side takes, sends home or wins with the extra moves that it has earned."""
    back: StrikeBack | None = None
    only: Move | None = None
    """The other side's only legal move."""
    within: int | None = None
    """In how many turns the side wins by force."""
    brief: bool = False
    """Whether best play moves a piece that blocks another away again with its next move."""

    @property
    def wins_next(self) -> bool:
        """Whether the side wins with its next move, whatever the other side plays."""
        return self.within == 2


NO_SEQUEL = Sequel()


class OwnAnswer(NamedTuple):
    """What a move of a side without a good move runs into."""

    move: Move
    own: Deed | None
    """What the move itself takes or sends home."""
    deed: Deed | None
    """What a reply that keeps the value takes, attacks, sends home, wins or threatens to win."""
    repeats: bool
    """Whether a reply leaves the side without a good move again."""
    within: int | None
    """In how many turns after the move the other side wins by force."""

    @property
    def meeting(self) -> Deed | int | str | None:
        """What the move runs into, the same for moves of which the same can be told."""
        if self.deed is None:
            soon = self.within if self.within and self.within <= SOON_LOST else None
            return soon or ("again" if self.repeats else None)
        if self.meets_itself:
            return self.deed._replace(start=0, cell=0, victims=())
        return self.deed

    @property
    def meets_itself(self) -> bool:
        """Whether the piece that moves is the one that is struck."""
        return (
            self.deed is not None
            and isinstance(self.move, Step)
            and self.deed.victims == (self.move.piece,)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason(Fact):
    """Why a move is good or bad."""

    kind: ClassVar[ReasonKind]
    rank: ClassVar[int]
    """The place among reasons of the same turn."""

    line: tuple[Move, ...]
    """The moves that show it, from the position asked about up to the turn it is about."""

    @property
    def turn(self) -> int:
        """How many turns after the first move it happens; 0 for that move itself."""
        return len(self.line) - 1

    @property
    def shown_by(self) -> tuple[Move, ...]:
        """The moves to step through: the line, and what it needs to be seen."""
        return self.line

    @property
    def pieces(self) -> tuple[str, ...]:
        """The pieces to look at."""
        return ()

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells to look at."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedReason(Reason):
    """A reason about something that a piece does."""

    deed: Deed
    terms: Terms | None = None
    """Of the battle, if it opens one."""
    sequel: Sequel = NO_SEQUEL
    forced: bool = False
    """Whether the side wins by it or sooner, whatever is played after the first move."""

    @property
    def is_trade(self) -> bool:
        """Whether the other side can strike back at once, and it is not told who wins then."""
        back = self.sequel.back
        return back is not None and back.needs is None and not self.sequel.wins_next

    @property
    def is_decisive(self) -> bool:
        """Whether the side wins with it, with its extra moves or with its next move."""
        again = self.sequel.again
        return self.deed.act.wins or any(one.act.wins for one in again) or self.sequel.wins_next

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.deed.piece, *self.deed.victims

    @property
    def cells(self) -> tuple[int, ...]:
        return self.deed.start, self.deed.cell


class Loss(StrEnum):
    """What a move can give up by itself."""

    TURN = "turn"
    """The turn, where the side to move wins."""
    GOAL = "goal"
    """A goal cell that counts, where several pieces have to be on goals."""
    HOLD = "hold"
    """A cell from which it made the best reply illegal, which goes there or past it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp(Reason):
    """What a mistake gives up by itself, before anything is played against it."""

    kind: ClassVar[ReasonKind] = ReasonKind.GIVEN_UP
    rank: ClassVar[int] = -1
    loss: Loss
    piece: str
    cell: int
    """Where the piece stood."""

    @property
    def pieces(self) -> tuple[str, ...]:
        return (self.piece,)

    @property
    def cells(self) -> tuple[int, ...]:
        return (self.cell,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(DeedReason):
    """What the other side's next move does; it keeps all that the other side has gained."""

    kind: ClassVar[ReasonKind] = ReasonKind.REPLY
    rank: ClassVar[int] = 0
    is_best: bool
    """Whether it is the first move of the solution's line."""
    own: Deed | None = None
    """What the mistake itself takes or sends home."""

    @property
    def is_trade(self) -> bool:
        if self.sequel.wins_next or self.deed.act.wins:
            return False
        back = self.sequel.back
        if back is not None:
            return back.needs is None
        return self.own is not None and self.own.piece in self.deed.victims


@dataclass(frozen=True, slots=True, kw_only=True)
class Threat(DeedReason):
    """What the other side could do next, where that changes no value."""

    kind: ClassVar[ReasonKind] = ReasonKind.THREAT
    rank: ClassVar[int] = 0
    avoidable: bool
    """Whether another move would leave nothing of the kind to do."""
    cells_lost: int
    """How far pieces would be thrown back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadBattle(DeedReason):
    """The move itself opens a battle, and its terms are worse than what another move keeps."""

    kind: ClassVar[ReasonKind] = ReasonKind.BAD_BATTLE
    rank: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain(DeedReason):
    """What the side to move does or could have done, at once or later in the line."""

    kind: ClassVar[ReasonKind] = ReasonKind.GAIN
    rank: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Escape(DeedReason):
    """The first move ends a threat, which the move asked about or some other leaves standing."""

    kind: ClassVar[ReasonKind] = ReasonKind.ESCAPE
    rank: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _GuardReason(Reason):
    """A reason about a piece that guards a cell."""

    piece: str
    cell: int

    @property
    def pieces(self) -> tuple[str, ...]:
        return (self.piece,)

    @property
    def cells(self) -> tuple[int, ...]:
        return (self.cell,)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGuard(_GuardReason):
    """The first move lets its piece guard a cell that it did not guard, and an enemy wants."""

    kind: ClassVar[ReasonKind] = ReasonKind.NEW_GUARD
    rank: ClassVar[int] = 1
    enemy: str
    """The piece that goes there in the best reply to the mistake, or that threatens to."""
    threat: Deed | None = None
    """The gravest thing that it can do from there in its next turn, after the mistake."""

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.piece, self.enemy


@dataclass(frozen=True, slots=True, kw_only=True)
class Race(Reason):
    """Nothing meets on the way any more, so that turns alone decide."""

    kind: ClassVar[ReasonKind] = ReasonKind.RACE
    rank: ClassVar[int] = 2
    needs: Needs
    first: Side
    """Who moves next in the race."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstoppable(Race):
    """Enemies may still meet, but whatever is played a side gets to a goal as fast as if alone."""

    kind: ClassVar[ReasonKind] = ReasonKind.UNSTOPPABLE
    runner: str | None
    """Its piece that has passed every enemy, if that is why."""

    @property
    def pieces(self) -> tuple[str, ...]:
        return () if self.runner is None else (self.runner,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead(Reason):
    """After the first move a side wins by force that needs fewer turns on an empty track.

    Or as many, if it has the turn. The other side may delay it on the way.
    """

    kind: ClassVar[ReasonKind] = ReasonKind.AHEAD
    rank: ClassVar[int] = 2
    needs: Needs
    first: Side
    """Who moves next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostTurns(Reason):
    """After a mistake its side needs more turns on an empty track than after the better move."""

    kind: ClassVar[ReasonKind] = ReasonKind.LOST_TURNS
    rank: ClassVar[int] = 2
    needs: Needs
    """After the mistake."""
    better: Move
    kept: int
    """What its side needs after the better move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance(Reason):
    """After the line two pieces are so far apart that the side to move loses, wherever it is."""

    kind: ClassVar[ReasonKind] = ReasonKind.DISTANCE
    rank: ClassVar[int] = 3
    side: Side
    """Who has to move."""
    apart: int
    """How many cells it is from the one piece to the other."""
    left: tuple[int, ...]
    """Such distances that the other side can leave again after some move; else it wins at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoGoodMove(Reason):
    """After the line a side has only bad moves."""

    side: Side
    within: int | None
    """In how many turns after the line that winner wins."""
    answers: tuple[OwnAnswer, ...]
    """Each legal move of the side, and what it runs into."""

    @property
    def is_circular(self) -> bool:
        """Whether all that is said of some move is that it leads to the same again."""
        return "again" in {one.meeting for one in self.answers}

    @property
    def is_shown(self) -> bool:
        """Whether a few words say what every move runs into, or there is only one move."""
        if len(self.answers) == 1:
            return True
        met = {one.meeting for one in self.answers}
        if None in met or met == {"again"}:
            return False
        strikes = all(isinstance(one, Deed) and one.act.strikes for one in met)
        return strikes or len(met) <= MOST_SHOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class NoEscape(NoGoodMove):
    """After the best reply to a mistake every move loses, and it can be said by what."""

    kind: ClassVar[ReasonKind] = ReasonKind.NO_ESCAPE
    rank: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Zugzwang(NoGoodMove):
    """After the line a side would be better off if it did not have to move."""

    kind: ClassVar[ReasonKind] = ReasonKind.ZUGZWANG
    rank: ClassVar[int] = 3
    to_spare: bool
    """Whether the last move of the line neither takes nor opens a battle: a move to spare."""
    winner: Side | None
    """Who wins by force after the line."""
    turned: Side | None
    """Who would win by force if it were the other side's turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting(Reason):
    """After the first move nobody can strike, and a side runs out of safe moves first and loses."""

    kind: ClassVar[ReasonKind] = ReasonKind.WAITING
    rank: ClassVar[int] = 3
    side: Side
    """Who runs out of moves after which the other side can strike nothing."""
    wait: tuple[Move, ...]
    """Such moves of both sides in turn, until that side has none left."""
    settled: int
    """After how many of these moves no safe move adds to those of either side or takes one away."""
    spare: SafeMoves | None = None
    """How many safe moves each side has left then, if it comes soon."""

    @property
    def shown_by(self) -> tuple[Move, ...]:
        return self.line + self.wait


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlySafe(_GuardReason):
    """The first move is the only one after which the other side can take or win nothing."""

    kind: ClassVar[ReasonKind] = ReasonKind.ONLY_SAFE
    rank: ClassVar[int] = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftGuard(_GuardReason):
    """The piece that moves guarded another cell and does not now; the best reply lands there."""

    kind: ClassVar[ReasonKind] = ReasonKind.LEFT_GUARD
    rank: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Later(DeedReason):
    """What the other side does later in the line: the first thing that matters."""

    kind: ClassVar[ReasonKind] = ReasonKind.LATER
    rank: ClassVar[int] = 5
    stepped_in: bool
    """Whether the piece steps onto that cell in the turn before."""
    must: bool
    """Whether every other move of that turn would lower the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllLose(Reason):
    """Every move loses by force, and this one lasts as long as any."""

    kind: ClassVar[ReasonKind] = ReasonKind.ALL_LOSE
    rank: ClassVar[int] = 6
    turns: int
    """Until the loss, with this move."""
    alone: bool
    """Whether every other move loses sooner."""
