"""What a player can do: step, pass, or choose a number in a battle."""

from dataclasses import dataclass, field
from typing import NamedTuple

from lineduel.rules import Side


class Step(NamedTuple):
    """A piece moves some cells in its player's direction; negative is backward."""

    piece: str
    step: int

    def __str__(self) -> str:
        return f"{self.piece}{self.step:+d}"


class Pass(NamedTuple):
    """The turn is passed, which is possible only when there is no legal step."""

    def __str__(self) -> str:
        return "pass"


class Numbers(NamedTuple):
    """The two numbers of a battle, chosen secretly and shown together: one move of the game."""

    player1: int
    player2: int

    def __str__(self) -> str:
        return f"{self.player1}:{self.player2}"


Move = Step | Pass | Numbers

PASS = Pass()


@dataclass(frozen=True, slots=True)
class Menu:
    """What can be done in a position: the legal moves in order, or none and the winner."""

    moves: tuple[Move, ...]
    winner: Side | None
    index: dict[Move, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", {move: at for at, move in enumerate(self.moves)})
