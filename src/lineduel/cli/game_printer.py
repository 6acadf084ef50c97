"""A game shown line by line, at a prompt or from a record."""

from lineduel.cli.terminal import Terminal
from lineduel.engine import PASS, Numbers, Position
from lineduel.rules import Side
from lineduel.session import Narrator, Session, Turn


class GamePrinter:
    """What a session looks like on a terminal that only appends."""

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self.session = session
        self.narrator = Narrator(session.game)
        self._terminal = terminal
        rules = session.game.rules
        names = {
            side: [self.narrator.name(side), *(piece.name for piece in rules.team(side).pieces)]
            for side in Side
        }
        terminal.colour_names(names[Side.ONE], names[Side.TWO])

    def open(self) -> None:
        """The welcome; and the board, where play does not begin with all pieces at home."""
        start, game = self.session.start, self.session.game
        self._block(self.narrator.welcome(start))
        if start != game.start(start.side):
            self._block(self.narrator.board(start))

    def announce(self, position: Position) -> None:
        """What is said before the question."""
        if text := self.narrator.turn(position):
            self._terminal.say(text)

    def show(self, turn: Turn) -> None:
        """What a move did, what then is seen, and who has won."""
        if told := self.narrator.tell(turn.events):
            self._terminal.say(told)
        self._terminal.say()
        self._block(self.narrator.after(turn.after))
        if victory := self.narrator.victory(turn.events):
            self._terminal.say(victory)
        if self.session.winner is None and self.session.times > 1 and turn.after.battle is None:
            self._block(self.narrator.repeated(self.session.times))

    def replay(self, turn: Turn) -> None:
        """A move of a record, as it looked when it was played."""
        position, terminal = turn.before, self._terminal
        if isinstance(turn.move, Numbers):
            self.announce(position)
            for side in Side:
                terminal.say(self.narrator.prompt(position, side))
        elif turn.move != PASS:
            self.announce(position)
            terminal.say(f"{self.narrator.prompt(position, position.side)}{turn.move}")
        self.show(turn)

    def resigned(self, side: Side) -> None:
        self._terminal.say(self.narrator.resigned(side))

    def forfeited(self, side: Side) -> None:
        self._terminal.say(self.narrator.forfeited(side))

    def _block(self, text: str) -> None:
        if text:
            self._terminal.say(text)
            self._terminal.say()
