"""The engine's games as environments play them: one side chooses at a time, numbers one by one."""

from dataclasses import dataclass

from lineduel.engine import Game, Numbers, Pass, Position, Step
from lineduel.envs import Encoding
from lineduel.rules import Side


@dataclass
class SequentialPlay:
    """A game under way, and the number that player 1 has chosen in the open battle."""

    game: Game
    encoding: Encoding
    position: Position
    number: int | None = None

    @property
    def chooser(self) -> Side:
        if self.position.battle is None:
            return self.position.side
        return Side.ONE if self.number is None else Side.TWO

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, by way of the moves."""
        return self.legal_for(self.chooser)

    def legal_for(self, side: Side) -> tuple[int, ...]:
        """The same for a side that is asked, in a battle for either."""
        moves = self.game.moves(self.position)
        place = 0 if self.position.battle is None else side - 1
        return tuple(sorted({self.encoding.actions_of(move)[place] for move in moves}))

    def play(self, action: int) -> Side | None:
        """Play an action; returns the winner if the game is over."""
        move = self.encoding.move(self.chooser, action)
        if isinstance(move, Step | Pass):
            self.position = self.game.play(self.position, move)
        elif self.number is None:
            assert isinstance(move, int)
            self.number = move
        else:
            assert isinstance(move, int)
            self.position = self.game.play(self.position, Numbers(self.number, move))
            self.number = None
        return self.game.outcome(self.position)
