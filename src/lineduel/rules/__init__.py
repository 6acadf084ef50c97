"""The vocabulary: a validated, immutable Rulebook."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer
from lineduel.rules.rulebook import Claim, Erratum, Property, Rulebook, Variant
from lineduel.rules.side import Side
from lineduel.rules.toml import (
    RULE_TABLES,
    apply_changes,
    apply_variant,
    is_printable,
    rulebook_data,
    rulebook_from_data,
    words_data,
    words_from_data,
)
from lineduel.rules.vocabulary import (
    MAX_NUMBERS,
    MAX_PIECES,
    MIN_NUMBERS,
    OWN_MEETINGS,
    Battle,
    BattleRule,
    Consequences,
    Displacement,
    Edge,
    Meeting,
    Meetings,
    Movement,
    Piece,
    Resting,
    Rules,
    Team,
    Track,
)
from lineduel.rules.words import Answer, BoardWords, Labels, Words, fill, listed

if TYPE_CHECKING:
    from lineduel.rules.assignments import (
        COMMAND_KEYS,
        apply_assigned,
        assign,
        assignments_between,
        check_length_alone,
        format_rules,
        format_value,
        parse_assignments,
        parse_rules,
    )
    from lineduel.rules.describe import describe
    from lineduel.rules.resize import LENGTH

__all__ = [
    "COMMAND_KEYS",
    "LENGTH",
    "MAX_NUMBERS",
    "MAX_PIECES",
    "MIN_NUMBERS",
    "OWN_MEETINGS",
    "RULE_TABLES",
    "Answer",
    "Battle",
    "BattleRule",
    "BoardWords",
    "Claim",
    "Consequences",
    "Displacement",
    "Edge",
    "Erratum",
    "Labels",
    "Meeting",
    "Meetings",
    "Movement",
    "Piece",
    "Property",
    "Resting",
    "Rulebook",
    "Rules",
    "Side",
    "Team",
    "Track",
    "Variant",
    "Words",
    "apply_assigned",
    "apply_changes",
    "apply_variant",
    "assign",
    "assignments_between",
    "check_length_alone",
    "describe",
    "fill",
    "format_rules",
    "format_value",
    "is_printable",
    "listed",
    "parse_assignments",
    "parse_rules",
    "rulebook_data",
    "rulebook_from_data",
    "words_data",
    "words_from_data",
]

offer(
    __name__,
    {
        "assignments": (
            "COMMAND_KEYS",
            "apply_assigned",
            "assign",
            "assignments_between",
            "check_length_alone",
            "format_rules",
            "format_value",
            "parse_assignments",
            "parse_rules",
        ),
        "describe": ("describe",),
        "resize": ("LENGTH",),
    },
)
