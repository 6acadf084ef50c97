"""Many games between programs: exact results of policies, and tournaments of the others."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.arena.elo import (
        LARGEST_ELO as LARGEST_ELO,
        Decision as Decision,
        Points as Points,
        SprtVerdict as SprtVerdict,
        rate as rate,
    )
    from lineduel.arena.game_runner import GameResult as GameResult, play_game as play_game
    from lineduel.arena.ladder import (
        Ladder as Ladder,
        climb as climb,
        column_label as column_label,
        draw_heatmap_svg as draw_heatmap_svg,
        elo_of_score as elo_of_score,
        everyone as everyone,
        ladder_lines as ladder_lines,
        row_label as row_label,
        score_over_seats as score_over_seats,
    )
    from lineduel.arena.many_games import RandomStream as RandomStream, key_of as key_of
    from lineduel.arena.settings import (
        TOURNAMENT as TOURNAMENT,
        Settings as Settings,
        settings_of as settings_of,
    )
    from lineduel.arena.tournament import (
        FollowedTournament as FollowedTournament,
        Score as Score,
        Standings as Standings,
        Tournament as Tournament,
        record_on_line as record_on_line,
        table_lines as table_lines,
        tournament_lines as tournament_lines,
    )

offer(__name__)
