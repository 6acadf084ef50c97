"""Many games between programs: exact results of policies, and tournaments of the others."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.arena.followed_tournament import FollowedTournament as FollowedTournament
    from lineduel.arena.game_runner import GameRunner as GameRunner
    from lineduel.arena.heatmap import (
        column_label as column_label,
        draw_heatmap_svg as draw_heatmap_svg,
        draw_heatmap_text as draw_heatmap_text,
        row_label as row_label,
    )
    from lineduel.arena.ladder import (
        Ladder as Ladder,
        climb as climb,
        elo_of_score as elo_of_score,
        everyone as everyone,
    )
    from lineduel.arena.percent import percent as percent
    from lineduel.arena.settings import (
        TOURNAMENT as TOURNAMENT,
        Settings as Settings,
        settings_of as settings_of,
    )
    from lineduel.arena.sprt import (
        LARGEST_ELO as LARGEST_ELO,
        Decision as Decision,
        SprtVerdict as SprtVerdict,
    )
    from lineduel.arena.tournament import (
        Score as Score,
        Tally as Tally,
        count_games as count_games,
        play_on as play_on,
    )

offer(__name__)
