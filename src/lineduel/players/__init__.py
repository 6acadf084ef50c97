"""Everyone who can choose a move: eight levels, the perfect player, and others' engines."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineduel.players.engine import Engine
    from lineduel.players.levels import Level
    from lineduel.players.limits import Limits
    from lineduel.players.perfect import Fallible, Perfect
    from lineduel.players.player import Drawing, Player
    from lineduel.players.policy import Chances, Policy, choose_move, choose_number
    from lineduel.players.roster import (
        HUMAN,
        check_player_name,
        describe_players,
        engine_commands,
        make_player,
        seat_player,
    )
    from lineduel.players.skills import LEVELS, describe_level

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
    "check_player_name",
    "choose_move",
    "choose_number",
    "describe_level",
    "describe_players",
    "engine_commands",
    "make_player",
    "seat_player",
]
_FILES = {
    "engine": ("Engine",),
    "levels": ("Level",),
    "limits": ("Limits",),
    "perfect": ("Fallible", "Perfect"),
    "player": ("Drawing", "Player"),
    "policy": ("Chances", "Policy", "choose_move", "choose_number"),
    "roster": (
        "HUMAN",
        "check_player_name",
        "describe_players",
        "engine_commands",
        "make_player",
        "seat_player",
    ),
    "skills": ("LEVELS", "describe_level"),
}


def __getattr__(name: str) -> object:
    """Each name is imported on first use: who plays against a person needs no engine."""
    for file, names in _FILES.items():
        if name in names:
            return getattr(import_module(f"lineduel.players.{file}"), name)
    raise AttributeError(f"module 'lineduel.players' has no attribute '{name}'")
