"""The vocabulary: a validated, immutable Rulebook."""

from lineduel.rules.rulebook import Claim, Erratum, Property, Reading, Rulebook
from lineduel.rules.side import Side
from lineduel.rules.toml import apply_changes, apply_reading, rulebook_data, rulebook_from_data
from lineduel.rules.vocabulary import (
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

__all__ = [
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
    "Reading",
    "Resting",
    "Rulebook",
    "Rules",
    "Side",
    "Team",
    "Track",
    "Words",
    "apply_changes",
    "apply_reading",
    "fill",
    "listed",
    "rulebook_data",
    "rulebook_from_data",
]
