"""The ways to choose a move: digits, typed text, the board and the list."""

from typing import TYPE_CHECKING

from lineduel.engine import Move
from lineduel.errors import LineduelError
from lineduel.narration import read_answer
from lineduel.rules import Side

if TYPE_CHECKING:
    from lineduel.tui.duel import DuelScreen


class MoveInput:
    """Turns a person's input into a move or a number of the match."""

    def __init__(self, screen: "DuelScreen") -> None:
        self._screen = screen
        self._match = screen.match

    @property
    def is_busy(self) -> bool:
        """Whether the game is over or waits for a program."""
        match = self._match
        return match.session.winner is not None or match.session.program_asked is not None

    def choose(self, move: Move) -> None:
        """Play a person's move; if the coach warns of it, ask first."""
        session = self._match.session
        if not self.is_busy and move in session.game.moves(session.position):
            self._screen.advice.check(move, self._play)

    def press_digit(self, digit: int) -> None:
        """Play the move of a digit key or, in a battle against a program, choose that number."""
        people, asked = self._match.session.people, self._match.session.people_asked
        if self.is_busy or not asked:
            return
        if self._match.session.position.battle is None:
            self._screen.widgets.board.press_digit(digit)
        elif len(people) < len(Side):
            self._screen.loop.choose_number(asked[0], digit)

    @property
    def can_type(self) -> bool:
        """Whether a move may be typed now."""
        return not self.is_busy and self._match.session.position.battle is None

    def play_text(self, text: str) -> None:
        """Play a move that was typed or pasted."""
        session = self._match.session
        if not self.can_type:
            return
        try:
            self.choose(read_answer(session.game, session.position, text))
        except LineduelError as error:
            self._screen.complain(error)

    def _play(self, move: Move) -> None:
        if turn := self._screen.attempt(lambda: self._match.play(move)):
            self._screen.loop.played(turn)
