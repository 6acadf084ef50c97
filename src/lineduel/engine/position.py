"""Where the pieces stand and whose turn it is: as parsed from text, and as a checked value."""

from dataclasses import dataclass, field

from lineduel.engine.move import Menu, Move
from lineduel.rules import Side

Cells = tuple[int | None, ...]
"""The cells of one side's pieces, in the rulebook's order; None for a captured one."""
Hands = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers that player 1 and player 2 have in hand, each in order."""


@dataclass(frozen=True, slots=True)
class ParsedPosition:
    """A position as written in a text, not yet checked against a rulebook.

    `valid_position` checks it and returns a Position.
    """

    player1: Cells
    player2: Cells
    side: Side
    """Who moves; while a battle is open, who moves after it."""
    battle: int | None = None
    """The cell of the open battle."""
    hands: Hands | None = None
    """What both players can still choose in battles; None if no number is ever spent."""

    def cells(self, side: Side) -> Cells:
        return self.player1 if side is Side.ONE else self.player2

    def shared_cells(self) -> tuple[int, ...]:
        """The cells where both sides have pieces, in order."""
        both = set(self.player1) & set(self.player2)
        return tuple(sorted(cell for cell in both if cell is not None))

    def unchecked(self) -> "Position":
        """The same as a Position; the caller has to check it later."""
        return Position(self.player1, self.player2, self.side, self.battle, self.hands)

    def __str__(self) -> str:
        """The text form, `0,x,4/9,6,x/1`; a battle's cell is named only where it is in doubt.

        If numbers are spent, both hands follow: `3/3/1*;1345/125`.
        """
        text = f"{_show(self.player1)}/{_show(self.player2)}/{self.side}"
        if self.battle is not None:
            text += "*" if len(self.shared_cells()) == 1 else f"*{self.battle}"
        if self.hands is None:
            return text
        one, two = ("".join(map(str, hand)) for hand in self.hands)
        return f"{text};{one}/{two}"


class Known:
    """What a game has worked out about a position; complete once it is made, and never changed."""

    __slots__ = ("after", "index", "memory", "moves", "winner")

    def __init__(self, memory: object, menu: Menu, after: "tuple[Position, ...]") -> None:
        self.memory = memory
        """The token of the game that made this; other games ignore it."""
        self.moves: tuple[Move, ...] = menu.moves
        self.winner: Side | None = menu.winner
        self.index: dict[Move, int] = menu.index
        self.after = after
        """Where each move leads."""


_NOTHING = Known(None, Menu((), None), ())


@dataclass(frozen=True, slots=True)
class Position(ParsedPosition):
    """One moment of a game, as an immutable value."""

    # Stored on the position because a look-up in one large table costs more than the rest of a
    # step. It is not part of the value. It is a single slot, replaced in one assignment: games and
    # threads that share a position may replace each other's entry, but never see half of one.
    _known: Known = field(default=_NOTHING, init=False, compare=False, repr=False)

    def remember(self, known: Known) -> None:
        """Store what a game has worked out, replacing what another game stored."""
        object.__setattr__(self, "_known", known)

    def __reduce__(self) -> tuple[object, ...]:
        return Position, (self.player1, self.player2, self.side, self.battle, self.hands)


def _show(cells: Cells) -> str:
    return ",".join("x" if cell is None else str(cell) for cell in cells)
