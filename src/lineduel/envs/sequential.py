"""A game in which one side chooses at a time, as most environments want it.

In a battle player 1 chooses a number first, which stays hidden until player 2 has chosen as well.
"""

from typing import TYPE_CHECKING

from lineduel.engine import Game, Numbers, Pass, Position, Step
from lineduel.envs.encoding import Bits, Encoding
from lineduel.errors import IllegalMove, NotNow
from lineduel.rules import Rulebook, Side

if TYPE_CHECKING:
    from lineduel.envs.regret import ExactFeedback

MOST_REMEMBERED_VIEWS = 1 << 16
"""Number of positions whose views are kept; beyond it they are computed again."""


class View:
    """What there is to say about a position when a side chooses; its arrays must not change."""

    __slots__ = ("_encoding", "_position", "_seen", "legal", "mask", "winner")

    def __init__(self, game: Game, encoding: Encoding, position: Position, chooser: Side) -> None:
        self._encoding, self._position = encoding, position
        self._seen: list[Bits | None] = [None, None]
        self.winner = game.outcome(position)
        self.legal = encoding.legal(game, position, chooser)
        self.mask = encoding.mask(self.legal)

    def seen(self, side: int) -> Bits:
        """The observation of player 1 (0) or player 2 (1)."""
        seen = self._seen[side]
        if seen is None:
            seen = self._seen[side] = self._encoding.observation(self._position, Side(side + 1))
        return seen


class SequentialGame:
    """A rulebook under way: who chooses, what is legal, and what an action does.

    With `regret`, also what each action gives away; the rulebook is solved for it.
    """

    def __init__(
        self, rulebook: Rulebook, first: Side | None = None, *, regret: bool = False
    ) -> None:
        self.game = Game(rulebook)
        self.encoding = Encoding(rulebook.rules)
        self._start = self.game.start(first)
        self._views: dict[tuple[Position, Side], View] = {}
        self._feedback: ExactFeedback | None = None
        if regret:
            from lineduel.envs.regret import feedback_on_actions  # imports what solves

            self._feedback = feedback_on_actions(rulebook, first)
        self.regret: float | None = None
        """What the last action has given away, played or not; None if that is not asked for."""
        self.reset()

    def reset(self, position: Position | None = None) -> None:
        """Begin a game, at the start or at that position."""
        begun = position or self._start
        if self._feedback:
            self._state = self._feedback.state_of(begun)
        self.position = begun
        self.number: int | None = None
        """The number that player 1 has chosen in the open battle."""
        self.view = self._look()

    @property
    def chooser(self) -> Side:
        """The side that chooses next; if the game is over, the side that would move."""
        if self.position.battle is None:
            return self.position.side
        return Side.ONE if self.number is None else Side.TWO

    @property
    def winner(self) -> Side | None:
        return self.view.winner

    def _look(self) -> View:
        """Legal actions and observations of the position."""
        key = self.position, self.chooser
        view = self._views.get(key)
        if view is None:
            if len(self._views) >= MOST_REMEMBERED_VIEWS:
                self._views.clear()
            view = self._views[key] = View(self.game, self.encoding, *key)
        return view

    def play(self, action: int) -> bool:
        """Play an action of the side that chooses, and return True; not if it is illegal."""
        if action not in self.view.legal:
            self.regret = self.regret_of_losing(self.chooser)
            return False
        if self._feedback:
            self.regret = float(self._feedback.action_regrets[self._state, action])
            self._state = int(self._feedback.states.next[self._state, action])
        move = self.encoding.move(self.chooser, action)
        if isinstance(move, Step | Pass):
            self._carry_out(move)
        elif self.number is None:
            self.number = move
            self.view = self._look()
        else:
            assert move is not None
            numbers, self.number = Numbers(self.number, move), None
            self._carry_out(numbers)
        return True

    def regret_of_losing(self, side: Side) -> float | None:
        """What a side would give away by an illegal action, which loses; None if not asked for."""
        feedback = self._feedback
        return float(feedback.losing_regrets[side - 1, self._state]) if feedback else None

    def _carry_out(self, move: Step | Pass | Numbers) -> None:
        self.position = self.game.play(self.position, move)
        self.view = self._look()

    def refusal(self, action: object) -> IllegalMove | NotNow:
        """Why an action cannot be played."""
        if self.winner is not None:
            return NotNow(f"The game is over, so action {action} cannot be played.")
        names = [self.encoding.action_name(self.chooser, one) for one in self.view.legal]
        why = f"Action {action} is illegal in {self.position}."
        return IllegalMove(action, self.position, names, why)
