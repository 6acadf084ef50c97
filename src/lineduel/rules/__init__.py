"""The vocabulary: a validated, immutable Rulebook."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.rules.assignments import (
        COMMAND_KEYS as COMMAND_KEYS,
        LENGTH as LENGTH,
        apply_assigned as apply_assigned,
        assign as assign,
        assignments_between as assignments_between,
        check_length_alone as check_length_alone,
        format_rules as format_rules,
        format_value as format_value,
        parse_assignments as parse_assignments,
        parse_rules as parse_rules,
        unknown_rule as unknown_rule,
    )
    from lineduel.rules.describe import (
        Phrasing as Phrasing,
        describe as describe,
        goal_sentence as goal_sentence,
        rule_sentences as rule_sentences,
        rules_in_lines as rules_in_lines,
    )
    from lineduel.rules.keys import (
        RULE_KEYS as RULE_KEYS,
        RULE_TABLES as RULE_TABLES,
        RULEBOOK_KEYS as RULEBOOK_KEYS,
        RULEBOOK_TABLES as RULEBOOK_TABLES,
        KeyKind as KeyKind,
        RulebookKey as RulebookKey,
    )
    from lineduel.rules.rulebook import (
        Claim as Claim,
        Erratum as Erratum,
        Property as Property,
        Rulebook as Rulebook,
        Rules as Rules,
        Variant as Variant,
    )
    from lineduel.rules.rulebook_file import (
        WAYS_TO_WIN as WAYS_TO_WIN,
        NewDuel as NewDuel,
        design_link as design_link,
        designed as designed,
        pack_rulebook as pack_rulebook,
        unpack_rulebook as unpack_rulebook,
        write_rulebook as write_rulebook,
    )
    from lineduel.rules.toml import (
        apply_changes as apply_changes,
        apply_variant as apply_variant,
        is_printable as is_printable,
        printable_text as printable_text,
        rulebook_data as rulebook_data,
        rulebook_from_data as rulebook_from_data,
        words_data as words_data,
        words_from_data as words_from_data,
    )
    from lineduel.rules.toml_text import (
        edited_toml as edited_toml,
        key_lines as key_lines,
        toml_text as toml_text,
    )
    from lineduel.rules.validation import (
        main_problem as main_problem,
        not_toml as not_toml,
        problems_of as problems_of,
    )
    from lineduel.rules.vocabulary import (
        LARGEST_LABEL as LARGEST_LABEL,
        MAX_CELLS as MAX_CELLS,
        MAX_NUMBERS as MAX_NUMBERS,
        MAX_PIECES as MAX_PIECES,
        MIN_CELLS as MIN_CELLS,
        MIN_NUMBERS as MIN_NUMBERS,
        OWN_MEETINGS as OWN_MEETINGS,
        Again as Again,
        Battle as Battle,
        BattleRule as BattleRule,
        Displacement as Displacement,
        Edge as Edge,
        Hand as Hand,
        Loser as Loser,
        Meeting as Meeting,
        Meetings as Meetings,
        Movement as Movement,
        Piece as Piece,
        Resting as Resting,
        Side as Side,
        Team as Team,
        Tie as Tie,
        Track as Track,
    )
    from lineduel.rules.words import (
        FIELD_MEANINGS as FIELD_MEANINGS,
        Answer as Answer,
        BoardWords as BoardWords,
        Labels as Labels,
        Words as Words,
        fill as fill,
        listed as listed,
    )

offer(__name__)
