"""The players that choose moves: eight levels, the perfect player, search, and external engines."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.players.engine import (
        Engine,
        answer,
        best_choice,
        hear,
        hear_error,
        identify,
        split,
    )
    from lineduel.players.engine_log import EngineLog
    from lineduel.players.levels import Level, table_of_level
    from lineduel.players.limits import USUAL, Limits
    from lineduel.players.lookahead import Lookahead, Outlook
    from lineduel.players.perfect import (
        Fallible,
        Perfect,
        endless_chance,
        fallible_table,
        table_of_perfect,
    )
    from lineduel.players.player import Drawing, Player
    from lineduel.players.policy import Chances, Policy, choose_move, choose_number
    from lineduel.players.policy_tables import policy_table
    from lineduel.players.process import Process
    from lineduel.players.roster import (
        HUMAN,
        PERFECT,
        PROGRAMS,
        check_player_name,
        check_policy_name,
        describe_players,
        engine_commands,
        level_number,
        make_player,
        make_searching_player,
        player_in_brackets,
        player_in_words,
        searches,
        seat_names,
        seat_player,
        solution_for_perfect,
    )
    from lineduel.players.search import Search
    from lineduel.players.skills import LEVEL_NAMES, LEVELS, describe_level, level_in_words
    from lineduel.players.value_estimate import ValueEstimate

__all__ = [
    "HUMAN",
    "LEVELS",
    "LEVEL_NAMES",
    "PERFECT",
    "PROGRAMS",
    "USUAL",
    "Chances",
    "Drawing",
    "Engine",
    "EngineLog",
    "Fallible",
    "Level",
    "Limits",
    "Lookahead",
    "Outlook",
    "Perfect",
    "Player",
    "Policy",
    "Process",
    "Search",
    "ValueEstimate",
    "answer",
    "best_choice",
    "check_player_name",
    "check_policy_name",
    "choose_move",
    "choose_number",
    "describe_level",
    "describe_players",
    "endless_chance",
    "engine_commands",
    "fallible_table",
    "hear",
    "hear_error",
    "identify",
    "level_in_words",
    "level_number",
    "make_player",
    "make_searching_player",
    "player_in_brackets",
    "player_in_words",
    "policy_table",
    "searches",
    "seat_names",
    "seat_player",
    "solution_for_perfect",
    "split",
    "table_of_level",
    "table_of_perfect",
]

offer(
    __name__,
    {
        "engine": ("Engine", "answer", "best_choice", "hear", "hear_error", "identify", "split"),
        "engine_log": ("EngineLog",),
        "levels": ("Level", "table_of_level"),
        "limits": ("USUAL", "Limits"),
        "lookahead": ("Lookahead", "Outlook"),
        "perfect": ("Fallible", "Perfect", "endless_chance", "fallible_table", "table_of_perfect"),
        "player": ("Drawing", "Player"),
        "policy": ("Chances", "Policy", "choose_move", "choose_number"),
        "policy_tables": ("policy_table",),
        "process": ("Process",),
        "roster": (
            "HUMAN",
            "PERFECT",
            "PROGRAMS",
            "check_player_name",
            "check_policy_name",
            "describe_players",
            "engine_commands",
            "level_number",
            "make_player",
            "make_searching_player",
            "player_in_brackets",
            "player_in_words",
            "searches",
            "seat_names",
            "seat_player",
            "solution_for_perfect",
        ),
        "search": ("Search",),
        "skills": ("LEVELS", "LEVEL_NAMES", "describe_level", "level_in_words"),
        "value_estimate": ("ValueEstimate",),
    },
)
