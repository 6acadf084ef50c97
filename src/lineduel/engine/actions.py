"""A fixed numbering of all moves of a rulebook, for programs that use numbers for moves.

The actions of a rulebook are numbered from 0, in this order:

- the steps of player 1's pieces: piece by piece, and for each piece step by step, both in the
  rulebook's order; a step has its number whether or not it is ever legal;
- the steps of player 2's pieces in the same way;
- the pass;
- with battles, the pairs of numbers from 1:1, 1:2 up to n:n, player 1's number first.

The numbering follows from the rules alone, and stays the same through a game: piece number p of
all pieces, player 1's first, and step number s make the action p * number of steps + s.
"""

from itertools import product

from lineduel.engine.game import Game
from lineduel.engine.move import PASS, Move, Numbers, Step
from lineduel.engine.position import Position
from lineduel.errors import NotationError, shown
from lineduel.rules import Rules, Side


class Actions:
    """The actions of one rulebook: from number to move, and back."""

    def __init__(self, rules: Rules) -> None:
        choices = range(1, rules.battle.numbers + 1) if rules.battle else ()
        self.moves: tuple[Move, ...] = (
            *(
                Step(piece.name, step)
                for side in Side
                for piece in rules.team(side).pieces
                for step in rules.movement.steps
            ),
            PASS,
            *(Numbers(*pair) for pair in product(choices, choices)),
        )
        """The move of each action."""
        self._actions = {move: action for action, move in enumerate(self.moves)}

    def __len__(self) -> int:
        """How many actions there are."""
        return len(self.moves)

    def action(self, move: Move) -> int:
        """The number of a move; NotationError if the rulebook has no such move."""
        try:
            return self._actions[move]
        except (KeyError, TypeError):
            raise NotationError(f"{shown(move)} is not a move of this game.") from None

    def move(self, action: int) -> Move:
        """The move of a number; NotationError if there is none."""
        if not 0 <= action < len(self.moves):
            last = len(self.moves) - 1
            raise NotationError(f"There is no action {action}; the actions are 0 to {last}.")
        return self.moves[action]

    def legal(self, game: Game, position: Position) -> tuple[int, ...]:
        """The legal actions of a position, in ascending order, as its moves are."""
        return tuple(self._actions[move] for move in game.moves(position))

    def legal_mask(self, game: Game, position: Position) -> bytes:
        """A byte for each action, 1 where it is legal; `numpy.frombuffer` reads it as it is."""
        mask = bytearray(len(self.moves))
        for action in self.legal(game, position):
            mask[action] = 1
        return bytes(mask)
