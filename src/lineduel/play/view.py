"""What somebody sees of a game: facts, and nothing that is still secret."""

from typing import NamedTuple

from lineduel.engine import Move, Position
from lineduel.play.seats import GivenNames, Seats
from lineduel.play.session import Turn
from lineduel.rules import Side

Sides = frozenset[Side]
"""The sides that somebody plays: none for a spectator, both at one screen."""
NO_SIDES: Sides = frozenset()


class GameView(NamedTuple):
    """A game as somebody sees it who plays these sides.

    It has no place for a number that is still secret.
    """

    sides: Sides
    version: int
    """How many events there were."""
    plies: int
    """How many turns have been played."""
    seats: Seats
    people: Sides
    """The sides that people play."""
    names: GivenNames
    position: Position
    last_turn: Turn | None
    times: int
    """How often the position has come up in this game."""
    goes_in_circles: bool
    """Whether it has come up so often that players should know."""
    is_stuck: bool
    """Whether neither side can ever move again."""
    asked: tuple[Side, ...]
    """Who has to act: the side to move, or every side that has not chosen a number yet."""
    chosen: tuple[Side, ...]
    """Who has chosen a number in the open battle; not which."""
    moves: tuple[Move, ...]
    """What can be played here now."""
    numbers: range
    """What can be chosen here now."""
    winner: Side | None
    is_over: bool
    is_aborted: bool
    """Whether it was ended without a result."""
    is_undecided: bool
    """Whether two programs have reached the limit of plies."""
    is_joined: bool
    """Whether every seat is taken."""
    can_undo: bool
    """Whether something can be taken back, or asked for."""
    undo_asked_by: Side | None
    rematch_wanted: Sides
    rematch_id: str | None
