"""Many games between programs: exact results of policies, and tournaments of the others."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.arena.followed_tournament import (
        FollowedTournament as FollowedTournament,
        record_on_line as record_on_line,
    )
    from lineduel.arena.heatmap import (
        column_label as column_label,
        draw_heatmap_svg as draw_heatmap_svg,
        ladder_lines as ladder_lines,
    )
    from lineduel.arena.ladder import (
        Ladder as Ladder,
        climb as climb,
        elo_of_score as elo_of_score,
        everyone as everyone,
    )
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
        Standings as Standings,
        Tournament as Tournament,
    )
    from lineduel.arena.tournament_report import (
        table_lines as table_lines,
        tournament_lines as tournament_lines,
    )

offer(__name__)
