"""What somebody sees of a game besides its course: facts, and nothing that is still secret."""

from typing import NamedTuple

from lineduel.engine import Move
from lineduel.play.intents import AnswerStop, AnswerUndo
from lineduel.rules import Side

Sides = frozenset[Side]
"""The sides that somebody plays: none for a spectator, both at one screen."""
NO_SIDES: Sides = frozenset()


class SaidReaction(NamedTuple):
    """What a side said last, and how many things it has said: the same thing twice is news, too."""

    side: Side
    reaction: str
    number: int


class GameView(NamedTuple):
    """A game as somebody sees it who plays these sides; the course of it is in its session.

    It has no place for a number that is still secret.
    """

    sides: Sides
    people: Sides
    """The sides that people play."""
    asked: tuple[Side, ...]
    """Who has to act: the side to move, or every side that has not chosen a number yet."""
    chosen: tuple[Side, ...]
    """Who has chosen a number in the open battle; not which."""
    moves: tuple[Move, ...]
    """What can be played here now."""
    numbers: tuple[int, ...]
    """What can be chosen here now, by the first of those who are asked."""
    is_over: bool
    is_joined: bool
    """Whether every seat is taken."""
    can_undo: bool
    """Whether something can be taken back, or asked for."""
    undo_asked_by: Side | None
    undo_to: int | None
    """How many turns that would leave."""
    can_offer_stop: bool
    stop_offered_by: Side | None
    stop_refused_by: Side | None
    """Who wants to play on; forgotten with the next turn."""
    rematch_wanted: Sides
    rematch_id: str | None
    reactions: tuple["SaidReaction", ...] = ()
    """The latest reaction of each side that has shown one."""

    def answer(self, yes: bool) -> AnswerUndo | AnswerStop:
        """The answer to what one player asks of the other."""
        if self.undo_asked_by is None and self.stop_offered_by is not None:
            return AnswerStop(yes)
        return AnswerUndo(yes, self.undo_to)

    @property
    def is_replaced(self) -> bool:
        """Whether the computer plays for somebody who has a seat here."""
        return len(self.sides) == 1 and self.sides.isdisjoint(self.people) and not self.is_over
