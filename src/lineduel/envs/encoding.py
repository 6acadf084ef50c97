"""The one encoding that all environments share: actions as numbers, observations as zeros and ones.

Actions are counted from the side that chooses:

- the steps of its pieces, piece by piece and for each piece step by step, both in the rulebook's
  order; the side with fewer pieces leaves the last of these actions unused;
- the pass;
- with battles, the numbers 1 to n;
- in PettingZoo's parallel form only, `wait`: the other side is to move.

An observation is a flat array, seen from the side that looks: cells are counted from its own end
of the track, so that its pieces move toward higher cells.

- a row of cells for each of its pieces, 1 where the piece stands; all 0 if it was captured;
- a row for each of the other side's pieces in the same way;
- with battles, a row with 1 on the cell of the open battle;
- if numbers are spent, 1 for each of the numbers 1 to n that is in its own hand, then the same for
  the other side's hand;
- 1 if this side is player 2;
- 1 if this side is to move; in an open battle, if it is to move after it.

A number that was chosen and not yet shown is in no observation.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lineduel.engine import PASS, Game, Move, Numbers, Pass, Position, Step
from lineduel.errors import NotationError, shown
from lineduel.rules import Rules, Side

Bits = NDArray[np.int8]
"""An array of zeros and ones."""


class Encoding:
    """Actions and observations of one rulebook."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.pieces = max(len(rules.team(side).pieces) for side in Side)
        """The number of pieces of the larger side."""
        self.pieces1 = len(rules.player1.pieces)
        """The number of player 1's pieces."""
        self.cells = len(rules.track)
        self.steps = len(rules.all_steps)
        self.pass_action = self.pieces * self.steps
        self.first_number = self.pass_action + 1
        """The action that chooses the number 1 in a battle."""
        self.numbers = rules.battle.numbers if rules.battle else 0
        self.actions = self.first_number + self.numbers
        """How many actions there are, without `wait`."""
        self.wait = self.actions
        """The action of a side that is not to move, in PettingZoo's parallel form."""
        self.hand = self.numbers if rules.battle and rules.battle.hand.is_spent else 0
        """How many items of an observation show a hand."""
        self.size = (2 * self.pieces + bool(self.numbers)) * self.cells + 2 * self.hand + 2
        """The length of an observation."""
        self._moves = {
            side: (
                *(
                    Step(piece.name, step)
                    for piece in rules.team(side).pieces
                    for step in rules.all_steps
                ),
            )
            for side in Side
        }
        self._actions: dict[Move, int] = {
            move: action for side in Side for action, move in enumerate(self._moves[side])
        }
        self._actions[PASS] = self.pass_action

    def move(self, side: Side, action: int) -> Step | Pass | int | None:
        """What an action does: a move, or the number it chooses; None for `wait`."""
        if 0 <= action < len(self._moves[side]):
            return self._moves[side][action]
        if action == self.pass_action:
            return PASS
        if self.first_number <= action < self.actions:
            return action - self.first_number + 1
        if action == self.wait:
            return None
        raise self._no_action(action)

    def _no_action(self, action: object) -> NotationError:
        return NotationError(
            f"There is no action {shown(action)}; the actions are 0 to {self.actions - 1}."
        )

    def action(self, move: Move | int) -> int:
        """The action of a step, of a pass, or of a number in a battle."""
        if isinstance(move, int) and 1 <= move <= self.numbers:
            return self.first_number + move - 1
        try:
            return self._actions[move]  # type: ignore[index]
        except (KeyError, TypeError):
            raise NotationError(f"{shown(move)} is not an action of this game.") from None

    def action_name(self, side: Side, action: int) -> str:
        """An action in words: `P1-B+2`, `pass`, `3` or `wait`."""
        move = self.move(side, action)
        return "wait" if move is None else str(move)

    def actions_of(self, move: Move) -> tuple[int, ...]:
        """A move of the game as actions: one, or both sides' numbers, player 1's first."""
        numbers: Sequence[Move | int] = move if isinstance(move, Numbers) else (move,)
        return tuple(self.action(one) for one in numbers)

    def legal(self, game: Game, position: Position, side: Side) -> tuple[int, ...]:
        """The legal actions of a side that chooses in a position, in ascending order."""
        if position.battle is not None:
            return tuple([self.pass_action + number for number in game.hand(position, side)])
        return tuple([self._actions[move] for move in game.moves(position)])

    def mask(self, actions: Sequence[int], *, wait: bool = False) -> Bits:
        """1 for each of these actions; with `wait`, the array has a place for it too."""
        mask = bytearray(self.actions + wait)  # faster than NumPy for a few items
        size = len(mask)
        for action in actions:
            if not 0 <= action < size:
                raise self._no_action(action)
            mask[action] = 1
        return np.frombuffer(mask, np.int8)

    def observation(self, position: Position, side: Side) -> Bits:
        """What a side sees of a position."""
        seen = bytearray(self.size)  # faster than NumPy for a few items
        length = self.cells
        near = self.rules.track.first if side is Side.ONE else self.rules.track.last
        start = 0
        for cells in (position.cells(side), position.cells(side.other)):
            row = start
            for cell in cells:
                if cell is not None:
                    seen[row + abs(cell - near)] = 1
                row += length
            start += self.pieces * length
        if position.battle is not None:
            seen[start + abs(position.battle - near)] = 1
        if position.hands is not None:
            start = self.size - 2 - 2 * self.hand
            for each in (side, side.other):
                for number in position.hands[each - 1]:
                    seen[start + number - 1] = 1
                start += self.hand
        seen[-2] = side is Side.TWO
        seen[-1] = position.side is side
        return np.frombuffer(seen, np.int8)

    def position(self, observation: ArrayLike) -> Position:
        """The position that an observation shows; a hidden number is not part of it."""
        seen = np.asarray(observation)
        side = Side.TWO if seen[-2] else Side.ONE
        near, sign = (
            (self.rules.track.first, 1) if side is Side.ONE else (self.rules.track.last, -1)
        )
        rows = [
            near + sign * int(row.argmax()) if row.any() else None
            for row in seen[: self.size - 2 - 2 * self.hand].reshape(-1, self.cells)
        ]
        hands = None
        if self.hand:
            own, other = (
                tuple((np.flatnonzero(one) + 1).tolist())
                for one in seen[-2 - 2 * self.hand : -2].reshape(2, -1)
            )
            hands = (own, other) if side is Side.ONE else (other, own)
        mine, theirs = rows[: self.pieces], rows[self.pieces : 2 * self.pieces]
        one, two = (mine, theirs) if side is Side.ONE else (theirs, mine)
        return Position(
            tuple(one[: len(self.rules.player1.pieces)]),
            tuple(two[: len(self.rules.player2.pieces)]),
            side if seen[-1] else side.other,
            rows[-1] if self.numbers else None,
            hands,
        )
