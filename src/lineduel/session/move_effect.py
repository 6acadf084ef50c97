"""What a move would do, in a few words."""

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
from lineduel.rules import listed


def move_effect(game: Game, position: Position, move: Move) -> str:
    """What a move does besides moving a piece: `takes P2-C`, `battle!`, `wins`, or nothing."""
    events = game.events(position, move)
    taken = [event.piece for event in events if isinstance(event, Captured)]
    home = [event.piece for event in events if isinstance(event, SentHome)]
    effects = [
        f"takes {listed(taken, 'and')}" if taken else "",
        f"sends {listed(home, 'and')} home" if home else "",
        "moves again" if any(isinstance(event, MovesAgain) for event in events) else "",
        "battle!" if any(isinstance(event, BattleOpened) for event in events) else "",
        "wins" if any(isinstance(event, Won) for event in events) else "",
    ]
    joined = _joined(game, position, move)
    return ", ".join(effect for effect in effects if effect) or joined


def _joined(game: Game, position: Position, move: Move) -> str:
    """Whom a piece would stand with, where that does nothing to anybody."""
    if not isinstance(move, Step):
        return ""
    cell, other = game.landing(position, move), position.side.other
    if cell is None or cell == game.cell_of(position, move.piece):
        return ""
    pieces = zip(game.rules.team(other).pieces, position.cells(other), strict=True)
    enemies = [piece.name for piece, stands in pieces if stands == cell]
    return f"joins {listed(enemies, 'and')}" if enemies else ""
