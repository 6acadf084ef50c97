"""Where the pieces stand and whose turn it is."""

from dataclasses import dataclass, field

from lineduel.engine.move import Menu
from lineduel.rules import Side

Cells = tuple[int | None, ...]
"""The cells of one side's pieces, in the rulebook's order; None for a captured one."""


@dataclass(frozen=True, slots=True)
class Position:
    """One moment of a game, as an immutable value."""

    player1: Cells
    player2: Cells
    side: Side
    """Who moves; while a battle is open, who moves after it."""
    battle: int | None = None
    """The cell of the open battle."""

    # What a game has worked out here, kept with the position because a look-up in one large
    # table costs more than the rest of a step. No part of the value.
    _memory: object = field(default=None, init=False, compare=False, repr=False)
    _menu: Menu = field(init=False, compare=False, repr=False)
    _after: "tuple[Position, ...]" = field(init=False, compare=False, repr=False)

    def cells(self, side: Side) -> Cells:
        return self.player1 if side is Side.ONE else self.player2

    def shared_cells(self) -> tuple[int, ...]:
        """The cells where both sides have pieces, in order."""
        both = set(self.player1) & set(self.player2)
        return tuple(sorted(cell for cell in both if cell is not None))

    def remember(self, memory: object, menu: Menu, after: "tuple[Position, ...]") -> None:
        """Keep what a game has worked out; whoever holds the same memory may look it up."""
        object.__setattr__(self, "_menu", menu)
        object.__setattr__(self, "_after", after)
        object.__setattr__(self, "_memory", memory)

    def __reduce__(self) -> tuple[object, ...]:
        return Position, (self.player1, self.player2, self.side, self.battle)

    def __str__(self) -> str:
        """The text form, `0,x,4/9,6,x/1`; a battle's cell is named only where it is in doubt."""
        text = f"{_show(self.player1)}/{_show(self.player2)}/{self.side}"
        if self.battle is None:
            return text
        return f"{text}*" if len(self.shared_cells()) == 1 else f"{text}*{self.battle}"


def _show(cells: Cells) -> str:
    return ",".join("x" if cell is None else str(cell) for cell in cells)
