"""Finds good duels that nobody has written yet, and proves what it keeps."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.discover.archive import Archive
    from lineduel.discover.candidate import CandidateSize, DesignCandidate
    from lineduel.discover.design import Design, design_of, rulebook_of_design
    from lineduel.discover.design_search import (
        GENERATION,
        DesignSearch,
        DroppedGoal,
        SearchQuestion,
        generation,
        possible_goals,
        possible_part,
    )
    from lineduel.discover.design_space import DesignSpace, space_around
    from lineduel.discover.found import (
        FoundDuel,
        Proved,
        best_on_front,
        kept_duels,
        proved_designs,
    )
    from lineduel.discover.gallery import figure_text, gallery_page
    from lineduel.discover.qualities import (
        QUALITIES,
        Goal,
        check_goals,
        read_goal,
        read_preferences,
    )
    from lineduel.discover.search_file import (
        DISCOVER,
        question_of,
        resumed,
        search_header,
        write_generation,
    )

_OFFERED = {
    "archive": ("Archive",),
    "candidate": ("DesignCandidate", "CandidateSize"),
    "design": ("Design", "design_of", "rulebook_of_design"),
    "design_space": ("DesignSpace", "space_around"),
    "found": ("FoundDuel", "Proved", "best_on_front", "kept_duels", "proved_designs"),
    "gallery": ("figure_text", "gallery_page"),
    "qualities": ("QUALITIES", "Goal", "check_goals", "read_goal", "read_preferences"),
    "design_search": (
        "GENERATION",
        "DesignSearch",
        "DroppedGoal",
        "SearchQuestion",
        "generation",
        "possible_goals",
        "possible_part",
    ),
    "search_file": ("DISCOVER", "question_of", "resumed", "search_header", "write_generation"),
}
__all__ = [
    "DISCOVER",
    "GENERATION",
    "QUALITIES",
    "Archive",
    "CandidateSize",
    "Design",
    "DesignCandidate",
    "DesignSearch",
    "DesignSpace",
    "DroppedGoal",
    "FoundDuel",
    "Goal",
    "Proved",
    "SearchQuestion",
    "best_on_front",
    "check_goals",
    "design_of",
    "figure_text",
    "gallery_page",
    "generation",
    "kept_duels",
    "possible_goals",
    "possible_part",
    "proved_designs",
    "question_of",
    "read_goal",
    "read_preferences",
    "resumed",
    "rulebook_of_design",
    "search_header",
    "space_around",
    "write_generation",
]

offer(__name__, _OFFERED)
