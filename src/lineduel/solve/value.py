"""The value of a position, and how it is put into words: as a phrase, a sentence or a sign."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from lineduel.facts import Fact
from lineduel.quantities import counted, plural
from lineduel.rules import Side

Number = int | Fraction
LIMITED = "The work limit was reached: tighter bounds may exist."
LARGEST_DENOMINATOR = 100_000
"""Fractions with a larger denominator are written as decimals."""
_SAME = Fraction(1, 10**6)
"""Bounds that differ by less are written as one number."""


class Endless(StrEnum):
    """Whether best play by both sides can go on for ever."""

    NEVER = "never"
    POSSIBLE = "possible"
    """Some best play goes on for ever, or this could not be ruled out."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Value(Fact):
    """The payoff that player 1 can expect, as a proved interval: win 1, loss -1, endless play 0.

    `plies` is the length of a forced win if the winner plays for the fastest win and the loser for
    the slowest.
    """

    low: Number
    high: Number
    plies: int | None = None
    endless: Endless | None = field(default=None, compare=False)
    """Whether best play can go on for ever; None if not yet computed."""

    @classmethod
    def won(cls, winner: Side, plies: int) -> "Value":
        worth = 1 if winner is Side.ONE else -1
        return cls(worth, worth, plies, Endless.NEVER)

    @property
    def winner(self) -> Side | None:
        """The side that can force a win: `plies` is set and the value is 1 or -1."""
        if self.plies is None or self.low != self.high:
            return None
        if self.low == 1:
            return Side.ONE
        return Side.TWO if self.low == -1 else None

    @property
    def exact(self) -> Number | None:
        """The value, if the interval is a single number; otherwise None."""
        return self.low if self.low == self.high else None

    @property
    def is_even(self) -> bool:
        """Whether it is proved that neither side can expect more than the other."""
        return self.low == self.high == 0

    @property
    def is_about_even(self) -> bool:
        """Whether bounds that differ, by hardly anything, leave it open who can expect more."""
        return self.low <= 0 <= self.high and 0 < self.high - self.low < _SAME

    @property
    def is_undecided(self) -> bool:
        """Whether nothing is proved about it."""
        return (self.low, self.high) == (-1, 1)

    @property
    def never_ends(self) -> bool:
        """Whether it is proved that the game never ends when both play best."""
        return self.endless is Endless.ALWAYS

    def sure(self, side: Side) -> Number:
        """The least that a side can expect with best play."""
        return self.low if side is Side.ONE else -self.high

    def hoped(self, side: Side) -> Number:
        """The most that a side can expect with best play."""
        return self.high if side is Side.ONE else -self.low

    def expected(self, side: Side) -> Fraction:
        """What a side can expect as one number: the middle of the bounds."""
        return Fraction(self.sure(side) + self.hoped(side)) / 2

    def leader(self) -> Side | None:
        """The side that is proved to expect more than the other; None if neither is."""
        if self.low > 0:
            return Side.ONE
        return Side.TWO if self.high < 0 else None

    def is_lost(self, side: Side) -> bool:
        """Whether it is proved that a side loses against best play."""
        return self.hoped(side) == -1

    def one_ply_earlier(self) -> "Value":
        """The same value, with plies counted from before the move that leads here."""
        return self if self.plies is None else replace(self, plies=self.plies + 1)

    def for_side(self, side: Side) -> tuple[Number, Number, float]:
        """A sort key for moves, larger is better: lower bound, upper bound, then `haste`."""
        return self.sure(side), self.hoped(side), self.haste(side)

    def haste(self, side: Side) -> float:
        """A sort key for equal bounds: sooner wins are larger, and so are later losses.

        A result without a fixed number of plies lies between forced wins and forced losses.
        """
        if self.plies is None:
            return 0.0
        soon = 1 / (1 + self.plies)
        return soon if self.winner is side else -soon


NEVER_ENDS = Value(0, 0, endless=Endless.ALWAYS)
"""Without battles: neither side can force a win, so best play by both sides never ends."""


_UNDECIDED = "Who can expect more is undecided: nothing was proved about the value."


def in_words(value: Value, side: Side) -> str:
    """What a value means to one side: `wins in 7`, `even`, `about even`, `never ends`, `+1/47`."""
    if value.winner is not None:
        when = f"in {value.plies}" if value.plies else "at once"
        return f"{'wins' if value.winner is side else 'loses'} {when}"
    if value.is_even:
        return "never ends" if value.never_ends else "even"
    if value.is_about_even:
        return "about even"
    low, high = value.sure(side), value.hoped(side)
    if value.is_undecided:
        return "undecided"
    if low == high and abs(low) == 1:
        return "wins in the end" if low == 1 else "loses in the end"
    if low == high:
        return _signed(low)
    if high - low < _SAME:
        return f"{float(low + high) / 2:+.6f}"
    return f"{float(low):+.4f} to {float(high):+.4f}"


def _signed(number: Number) -> str:
    fraction = Fraction(number)
    if fraction.denominator > LARGEST_DENOMINATOR:
        return f"{float(fraction):+.6f}"
    return f"{'+' if fraction > 0 else ''}{fraction}"


def move_in_words(after: Value, side: Side) -> str:
    """What a move means to one side, given the value after it; plies include the move itself."""
    return in_words(after.one_ply_earlier(), side)


def as_prize(value: Value, side: Side) -> str:
    """A value as a noun phrase: `a win in 5`, `an even game`, `+1/47`."""
    if value.winner is not None:
        return f"a {'win' if value.winner is side else 'loss'} in {value.plies}"
    if value.is_even:
        return "a game that never ends" if value.never_ends else "an even game"
    if value.is_about_even:
        return "a game that is about even"
    if value.exact in (1, -1):
        return f"a sure {'win' if value.sure(side) == 1 else 'loss'} in the end"
    return in_words(value, side)


def as_effect(value: Value, side: Side) -> str:
    """A value as what a move does: `loses in 4 turns`, `leaves the game even`, `is worth -1/47`."""
    told = in_words(value, side)
    if value.winner is not None and value.plies:
        return f"{told} {plural(value.plies, 'turn')}"
    if told.startswith(("wins", "loses")):
        return told
    if value.is_even:
        return "leads to a game that never ends" if value.never_ends else "leaves the game even"
    if value.is_about_even:
        return "leaves the game about even"
    return f"is worth {told}"


def in_short(value: Value) -> str:
    """A value for a table, for player 1: `P2 in 20`, `never ends`, `even`, `+1/47`."""
    if value.winner is not None:
        return f"P{value.winner} in {value.plies}"
    return in_words(value, Side.ONE)


def as_sign(value: Value, side: Side) -> str:
    """A symbol: `+17` wins in 17, `-4` loses in 4, `∞` never ends, `=` is even, `?` is unknown."""
    if value.winner is not None:
        return f"{'+' if value.winner is side else '-'}{value.plies}"
    if value.is_undecided:
        return "?"
    if value.is_even or value.is_about_even:
        return "∞" if value.never_ends else "="
    return f"{float(value.expected(side)):+.2f}".replace("0.", ".")


def as_sentence(value: Value) -> str:
    """The result of best play, in one sentence for designers."""
    if value.plies == 0:
        return f"The game is over at once: player {value.winner} has won."
    if value.winner is not None:
        return f"With best play player {value.winner} wins in {_turns(value)}."
    if value.is_even and value.never_ends:
        return "With best play nobody can force a win: the game never ends."
    if value.exact in (1, -1):
        return f"With best play player {1 if value.exact == 1 else 2} wins in the end."
    if value.is_undecided:
        return _UNDECIDED
    told = f"With best play the game is {in_words(value, Side.ONE)}"
    if not (value.is_even or value.is_about_even):
        told = f"With best play player 1 can expect {in_words(value, Side.ONE)}"
    match value.endless:
        case Endless.NEVER:
            return f"{told}, and somebody wins in the end."
        case Endless.ALWAYS:
            return f"{told}, and the game never ends."
        case _:
            return f"{told}, and it can go on for ever."


def as_verdict(value: Value, endless_chance: Callable[[], float]) -> str:
    """The result of best play by both sides, in one to three lines.

    `endless_chance` gives the probability that two perfect players go on for ever. It is called
    only if best play may or may not end.
    """
    if value.winner is not None:
        return f"Player {value.winner} wins in {_turns(value)}."
    if value.never_ends and value.is_even:
        return "Neither player can force a win: with best play the game never ends."
    if value.exact in (1, -1):
        winner = 1 if value.exact == 1 else 2
        return f"Player {winner} wins in the end, but not within a fixed number of turns."
    told = "The game is even: neither player can expect more than the other."
    gap = f"{float(value.high - value.low):.1g}"
    if value.is_about_even:
        told = f"The game is even to within {gap}: neither player is sure of more."
    elif value.is_undecided:
        told = _UNDECIDED
    elif not value.is_even:
        told = f"Player 1 can expect {in_words(value, Side.ONE)} (win 1, loss -1, endless 0)."
        if value.exact is None:
            told += (
                f"\nEach perfect player is sure of this to within {gap}, and perhaps of no more."
            )
    return f"{told}\n{_endless(value, endless_chance)}"


def _turns(value: Value) -> str:
    return counted(value.plies or 0, "turn")


def _endless(value: Value, chance: Callable[[], float]) -> str:
    """Whether best play goes on for ever, if neither side can force a win."""
    match value.endless:
        case Endless.NEVER:
            return "With best play somebody wins in the end."
        case Endless.ALWAYS:
            return "With best play the game never ends."
        case _:
            told = "Best play of both can go on for ever; between two perfect players"
            return f"{told} {_share(chance())}."


def _share(chance: float) -> str:
    if chance == 0:
        return "it always ends"
    return f"that happens in {chance:.1%} of the games"
