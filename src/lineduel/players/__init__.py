"""Everyone who can choose a move: eight levels, and the perfect player."""

from lineduel.players.levels import LEVELS, Level, describe_level
from lineduel.players.perfect import Fallible, Perfect
from lineduel.players.policy import Chances, Policy, choose_move, choose_number
from lineduel.players.roster import HUMAN, check_player, describe_players, make_player

__all__ = [
    "HUMAN",
    "LEVELS",
    "Chances",
    "Fallible",
    "Level",
    "Perfect",
    "Policy",
    "check_player",
    "choose_move",
    "choose_number",
    "describe_level",
    "describe_players",
    "make_player",
]
