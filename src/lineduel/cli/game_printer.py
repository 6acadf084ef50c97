"""Print a game line by line, during play or from a record."""

from collections.abc import Callable
from textwrap import fill

from lineduel.cli.terminal import Terminal
from lineduel.engine import PASS, Numbers, Position
from lineduel.narration import (
    Narrator,
    capitalized,
    names_for,
    result_sentence,
    turn_sentence,
)
from lineduel.play import NO_SIDES, Session, Turn
from lineduel.rules import Side

_WIDTH = 60


class GamePrinter:
    """Prints a session as plain lines.

    Turns of people are printed in the rulebook's own words, turns of programs in one line each.
    """

    def __init__(
        self, session: Session, terminal: Terminal, repetition: Callable[[], str] | None = None
    ) -> None:
        """`repetition` is what to say of a position that has come up before, if anything."""
        self.session = session
        self._repetition = repetition or self._said_often
        self.narrator = Narrator(session.game, session.names)
        self._terminal = terminal
        self.names = names_for(self.narrator, NO_SIDES, session.people)
        """What both are called within a sentence that is not the rulebook's."""
        rules = session.game.rules
        painted = [
            [
                self.narrator.name(side),
                self.names[side],
                capitalized(self.names[side]),
                *(piece.name for piece in rules.team(side).pieces),
            ]
            for side in Side
        ]
        terminal.colour_names(*painted)

    def open(self) -> None:
        """Print the welcome, and the position if it is not where the game begins."""
        self._block(self.narrator.opening(self.session.start))

    def announce(self, position: Position) -> None:
        """Print what comes before the prompt."""
        if text := self.narrator.turn(position):
            self._terminal.say(text)

    def show(self, turn: Turn) -> None:
        """Print what happened in a turn, the position after it, and who has won."""
        if not self._is_of_people(turn):
            self._show_program(turn)
            return
        if text := self.narrator.tell(turn.events, turn.before):
            self._terminal.say(text)
        self._terminal.say()
        self._block(self.narrator.after(turn.after))
        if victory := self.narrator.victory(turn.events):
            self._terminal.say(victory)
        self._warn_of_circles()

    def sentence(self, turn: Turn) -> str:
        """What happened in a turn, in one line."""
        return turn_sentence(turn, self.names, self.narrator.label)

    def replay(self, turn: Turn) -> None:
        """Print a turn of a record as it was printed during play."""
        position, terminal = turn.before, self._terminal
        if not self._is_of_people(turn):
            pass  # a program's turn has no prompt
        elif isinstance(turn.move, Numbers):
            self.announce(position)
            for side in sorted(self.session.people):
                terminal.say(self.narrator.prompt(position, side))
        elif turn.move != PASS:
            self.announce(position)
            terminal.say(f"{self.narrator.prompt(position, position.side)}{turn.move}")
        self.show(turn)

    def close(self) -> None:
        """Print who gave the game up, if somebody did."""
        if self.session.resigned is not None:
            self._terminal.say(self.narrator.resigned(self.session.resigned))
        elif self.session.forfeited is not None:
            self._terminal.say(self.narrator.forfeited(self.session.forfeited))
        elif self.session.agreed:
            self._terminal.say(result_sentence(self.session, self.names, self.narrator))

    def _is_of_people(self, turn: Turn) -> bool:
        """Whether a person chose in that turn."""
        if isinstance(turn.move, Numbers):
            return bool(self.session.people)
        return turn.before.side in self.session.people

    def _show_program(self, turn: Turn) -> None:
        """Print a program's turn in one line and, if a person is next, the position."""
        self._terminal.say(self.sentence(turn))
        if victory := self.narrator.victory(turn.events):
            self._terminal.say(f"\n{victory}")
        elif self.session.winner is None and self.session.people:
            self._terminal.say()
            self._block(self.narrator.after(turn.after))
            self._warn_of_circles()

    def _warn_of_circles(self) -> None:
        lines = self._repetition().splitlines()
        # A long game has thousands of these, and most of them fit as they are.
        self._block("\n".join(fill(one, _WIDTH) if len(one) > _WIDTH else one for one in lines))

    def _said_often(self) -> str:
        """That the position has come up three times or more."""
        if not self.session.goes_in_circles or self.session.position.battle is not None:
            return ""
        return self.narrator.repeated(self.session.times)

    def _block(self, text: str) -> None:
        if text:
            self._terminal.say(text)
            self._terminal.say()
