"""Everyone who can choose a move: eight levels, the perfect player, and others' engines."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

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

offer(
    __name__,
    {
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
    },
)
