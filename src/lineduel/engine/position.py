"""Where the pieces stand and whose turn it is: as somebody wrote it, and as a rulebook has it."""

from dataclasses import dataclass, field

from lineduel.engine.move import Menu, Move
from lineduel.rules import Side

Cells = tuple[int | None, ...]
"""The cells of one side's pieces, in the rulebook's order; None for a captured one."""


@dataclass(frozen=True, slots=True)
class ParsedPosition:
    """What a text says of a position; no rulebook has been asked whether it can be.

    `valid_position` makes it a Position.
    """

    player1: Cells
    player2: Cells
    side: Side
    """Who moves; while a battle is open, who moves after it."""
    battle: int | None = None
    """The cell of the open battle."""

    def cells(self, side: Side) -> Cells:
        return self.player1 if side is Side.ONE else self.player2

    def shared_cells(self) -> tuple[int, ...]:
        """The cells where both sides have pieces, in order."""
        both = set(self.player1) & set(self.player2)
        return tuple(sorted(cell for cell in both if cell is not None))

    def unchecked(self) -> "Position":
        """The same as a Position, for whoever checks it later."""
        return Position(self.player1, self.player2, self.side, self.battle)

    def __str__(self) -> str:
        """The text form, `0,x,4/9,6,x/1`; a battle's cell is named only where it is in doubt."""
        text = f"{_show(self.player1)}/{_show(self.player2)}/{self.side}"
        if self.battle is None:
            return text
        return f"{text}*" if len(self.shared_cells()) == 1 else f"{text}*{self.battle}"


class Known:
    """What a game has worked out about a position; complete once it is made, and never changed."""

    __slots__ = ("after", "index", "memory", "moves", "winner")

    def __init__(self, memory: object, menu: Menu, after: "tuple[Position, ...]") -> None:
        self.memory = memory
        """Whoever holds the same object may look things up here."""
        self.moves: tuple[Move, ...] = menu.moves
        self.winner: Side | None = menu.winner
        self.index: dict[Move, int] = menu.index
        self.after = after
        """Where each move leads."""


_NOTHING = Known(None, Menu((), None), ())


@dataclass(frozen=True, slots=True)
class Position(ParsedPosition):
    """One moment of a game, as an immutable value."""

    # Kept with the position because a look-up in one large table costs more than the rest of a
    # step. No part of the value. It is one slot that is filled at one stroke: games and threads
    # that share a position may replace what another has put there, but never see half of it.
    _known: Known = field(default=_NOTHING, init=False, compare=False, repr=False)

    def remember(self, known: Known) -> None:
        """Keep what a game has worked out, in place of what any other game has."""
        object.__setattr__(self, "_known", known)

    def __reduce__(self) -> tuple[object, ...]:
        return Position, (self.player1, self.player2, self.side, self.battle)


def _show(cells: Cells) -> str:
    return ",".join("x" if cell is None else str(cell) for cell in cells)
