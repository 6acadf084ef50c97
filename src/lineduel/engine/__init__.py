"""Position, Move, Game: what can happen, and what then has happened."""

from lineduel.engine.actions import Actions
from lineduel.engine.events import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Moved,
    MovesAgain,
    Passed,
    SentHome,
    Stayed,
    Victory,
    Won,
)
from lineduel.engine.game import Game
from lineduel.engine.move import PASS, Move, Numbers, Pass, Step
from lineduel.engine.obstacle import Obstacle
from lineduel.engine.perft import perft
from lineduel.engine.position import Cells, ParsedPosition, Position
from lineduel.engine.symmetry import Likeness
from lineduel.engine.validity import check_position, valid_position

__all__ = [
    "PASS",
    "Actions",
    "BattleOpened",
    "BattleSettled",
    "Captured",
    "Cells",
    "Event",
    "Game",
    "Likeness",
    "Move",
    "Moved",
    "MovesAgain",
    "Numbers",
    "Obstacle",
    "ParsedPosition",
    "Pass",
    "Passed",
    "Position",
    "SentHome",
    "Stayed",
    "Step",
    "Victory",
    "Won",
    "check_position",
    "perft",
    "valid_position",
]
