"""Everyone who can choose a move: eight levels, the perfect player, and others' engines."""

from lineduel.players.engine import Engine, Limits
from lineduel.players.levels import LEVELS, Level, describe_level
from lineduel.players.perfect import Fallible, Perfect
from lineduel.players.player import Drawing, Player
from lineduel.players.policy import Chances, Policy, choose_move, choose_number
from lineduel.players.roster import (
    HUMAN,
    check_player,
    describe_players,
    make_player,
    seat_player,
)

__all__ = [
    "HUMAN",
    "LEVELS",
    "Chances",
    "Drawing",
    "Engine",
    "Fallible",
    "Level",
    "Limits",
    "Perfect",
    "Player",
    "Policy",
    "check_player",
    "choose_move",
    "choose_number",
    "describe_level",
    "describe_players",
    "make_player",
    "seat_player",
]
