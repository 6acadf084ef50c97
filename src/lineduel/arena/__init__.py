"""Many games between programs: exact results of policies, and tournaments of the others."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.arena.followed_tournament import FollowedTournament
    from lineduel.arena.game_runner import GameRunner
    from lineduel.arena.heatmap import column_label, draw_heatmap_svg, draw_heatmap_text, row_label
    from lineduel.arena.ladder import Ladder, climb, elo_of_score, everyone
    from lineduel.arena.percent import percent
    from lineduel.arena.settings import TOURNAMENT, Settings, settings_of
    from lineduel.arena.sprt import LARGEST_ELO, Decision, SprtVerdict
    from lineduel.arena.tournament import Score, Tally, count_games, play_on

__all__ = [
    "LARGEST_ELO",
    "TOURNAMENT",
    "Decision",
    "FollowedTournament",
    "GameRunner",
    "Ladder",
    "Score",
    "Settings",
    "SprtVerdict",
    "Tally",
    "climb",
    "column_label",
    "count_games",
    "draw_heatmap_svg",
    "draw_heatmap_text",
    "elo_of_score",
    "everyone",
    "percent",
    "play_on",
    "row_label",
    "settings_of",
]

offer(
    __name__,
    {
        "followed_tournament": ("FollowedTournament",),
        "game_runner": ("GameRunner",),
        "heatmap": ("column_label", "draw_heatmap_svg", "draw_heatmap_text", "row_label"),
        "ladder": ("Ladder", "climb", "elo_of_score", "everyone"),
        "percent": ("percent",),
        "settings": ("TOURNAMENT", "Settings", "settings_of"),
        "sprt": ("LARGEST_ELO", "Decision", "SprtVerdict"),
        "tournament": ("Score", "Tally", "count_games", "play_on"),
    },
)
