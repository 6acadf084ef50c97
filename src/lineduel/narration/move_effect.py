"""What a move would do, in a few words."""

from dataclasses import dataclass

from lineduel.engine import (
    BattleOpened,
    Captured,
    Game,
    Move,
    MovesAgain,
    Position,
    SentHome,
    Step,
    Won,
)
from lineduel.facts import Fact
from lineduel.rules import listed

_EFFECTS = {Captured, SentHome, MovesAgain, BattleOpened, Won}


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEffect(Fact):
    """What a move does besides moving a piece."""

    takes: tuple[str, ...]
    """The names of the pieces that are out of the game after it."""
    sends_home: tuple[str, ...]
    joins: tuple[str, ...]
    """The enemies that it would stand with, where that does nothing to anybody."""
    moves_again: bool
    battle: bool
    """Whether it opens a battle."""
    wins: bool

    def __str__(self) -> str:
        """`takes P2-C`, `battle!`, `wins`, or nothing."""
        effects = [
            f"takes {listed(self.takes, 'and')}" if self.takes else "",
            f"sends {listed(self.sends_home, 'and')} home" if self.sends_home else "",
            "moves again" if self.moves_again else "",
            "battle!" if self.battle else "",
            "wins" if self.wins else "",
            f"joins {listed(self.joins, 'and')}" if self.joins else "",
        ]
        return ", ".join(filter(None, effects))


_NOTHING_ELSE = MoveEffect(
    takes=(), sends_home=(), joins=(), moves_again=False, battle=False, wins=False
)


def move_effect(game: Game, position: Position, move: Move) -> MoveEffect:
    """What a legal move does."""
    events = game.events(position, move)
    kinds = set(map(type, events))
    joins = () if kinds & _EFFECTS else _joined(game, position, move)
    if len(events) == 1 and not joins:
        return _NOTHING_ELSE
    return MoveEffect(
        takes=tuple(event.piece for event in events if isinstance(event, Captured)),
        sends_home=tuple(event.piece for event in events if isinstance(event, SentHome)),
        joins=joins,
        moves_again=MovesAgain in kinds,
        battle=BattleOpened in kinds,
        wins=Won in kinds,
    )


def _joined(game: Game, position: Position, move: Move) -> tuple[str, ...]:
    """The enemies on the cell that a piece moves to."""
    if not isinstance(move, Step):
        return ()
    cell, other = game.landing(position, move), position.side.other
    if cell is None or cell == game.cell_of(position, move.piece):
        return ()
    pieces = zip(game.rules.team(other).pieces, position.cells(other), strict=True)
    return tuple(piece.name for piece, stands in pieces if stands == cell)
