"""The players that choose moves: eight levels, the perfect player, search, and external engines."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.players.engine_program import (
        EngineProgram as EngineProgram,
        answer as answer,
        await_ready as await_ready,
        best_choice as best_choice,
        hear as hear,
        hear_error as hear_error,
        identify as identify,
        not_ready as not_ready,
        split as split,
    )
    from lineduel.players.levels import (
        Level as Level,
        chances_seen as chances_seen,
        table_of_level as table_of_level,
    )
    from lineduel.players.lookahead import Lookahead as Lookahead, Outlook as Outlook
    from lineduel.players.perfect import (
        Fallible as Fallible,
        Perfect as Perfect,
        endless_chance as endless_chance,
        fallible_table as fallible_table,
        table_of_perfect as table_of_perfect,
    )
    from lineduel.players.policy import (
        Chances as Chances,
        Player as Player,
        Policy as Policy,
        SamplingPlayer as SamplingPlayer,
        policy_table as policy_table,
    )
    from lineduel.players.process import (
        EngineLog as EngineLog,
        Process as Process,
        no_program as no_program,
    )
    from lineduel.players.roster import (
        BUILT_IN as BUILT_IN,
        DEFAULT_LIMITS as DEFAULT_LIMITS,
        ENGINE_PREFIX as ENGINE_PREFIX,
        HUMAN as HUMAN,
        LEVELS_LISTED as LEVELS_LISTED,
        PERFECT as PERFECT,
        PROGRAMS as PROGRAMS,
        SEARCH as SEARCH,
        Limits as Limits,
        check_player_name as check_player_name,
        check_policy_name as check_policy_name,
        describe_players as describe_players,
        engine_commands as engine_commands,
        level_number as level_number,
        make_player as make_player,
        player_in_brackets as player_in_brackets,
        player_in_words as player_in_words,
        searches as searches,
        seat_names as seat_names,
        seat_player as seat_player,
        solution_for_perfect as solution_for_perfect,
    )
    from lineduel.players.search import Search as Search, ValueEstimate as ValueEstimate
    from lineduel.players.skills import (
        LEVEL_NAMES as LEVEL_NAMES,
        LEVELS as LEVELS,
        SKILLS as SKILLS,
        describe_level as describe_level,
        level_in_words as level_in_words,
    )

offer(__name__)
