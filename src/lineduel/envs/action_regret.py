"""What each action gives away, for environments that say so while they play."""

from typing import NamedTuple

from lineduel.engine import Game, Position
from lineduel.envs.best_response import Values
from lineduel.envs.regret import ExactFeedback
from lineduel.envs.state_table import NO_STATE, StateIndex, StateTable
from lineduel.errors import InvalidPosition, TooLarge
from lineduel.rules import Rulebook, Side


class ActionRegrets(NamedTuple):
    """What the actions of a whole game give away."""

    states: StateTable
    lost: Values
    """What each legal action gives away in each state that is not over; NaN for the others."""
    losing: Values
    """What each side gives away there by losing at once."""


def action_regrets(rulebook: Rulebook, first: Side | None) -> ActionRegrets:
    """The exact regret of every action; `TooLarge` where the rulebook cannot be solved for it."""
    try:
        feedback = ExactFeedback(rulebook, first=first)
    except TooLarge as error:
        limit, *_ = str(error).splitlines()
        why = f"regret=True solves the whole rulebook. {limit}\nLeave regret out for this one."
        raise TooLarge(error.positions, error.most, why) from None
    return ActionRegrets(feedback.states, feedback.action_regrets, feedback.losing_regrets())


class RegretMeter:
    """Follows a game action by action, and knows what the next one would give away."""

    def __init__(self, rulebook: Rulebook, first: Side | None) -> None:
        self._known = action_regrets(rulebook, first)
        self._start = Game(rulebook).start(first)
        self._index = StateIndex(rulebook.rules, self._known.states)
        self._state = self._known.states.start

    def begin(self, position: Position) -> None:
        """Follow a game from that position."""
        state = self._known.states.start
        if position != self._start:
            state = int(self._index.find([position])[0])
        if state == NO_STATE:
            raise InvalidPosition(
                f"{position} cannot come up from {self._start}, and regret is known only for "
                "what can.\nLeave regret out to begin there."
            )
        self._state = state

    def play(self, action: int) -> None:
        """Go on by a legal action."""
        self._state = int(self._known.states.next[self._state, action])

    def of_action(self, action: int) -> float:
        """What a legal action would give away."""
        return float(self._known.lost[self._state, action])

    def of_losing(self, side: Side) -> float:
        """What an illegal action of a side would give away: it loses."""
        return float(self._known.losing[side - 1, self._state])
