"""Position, Move, Game: what can happen, and what then has happened."""

from lineduel.engine.events import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Moved,
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
from lineduel.engine.position import Cells, Position
from lineduel.engine.validity import check_position

__all__ = [
    "PASS",
    "BattleOpened",
    "BattleSettled",
    "Captured",
    "Cells",
    "Event",
    "Game",
    "Move",
    "Moved",
    "Numbers",
    "Obstacle",
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
]
