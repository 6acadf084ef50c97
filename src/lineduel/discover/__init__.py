"""Finds good duels that nobody has written yet, and proves what it keeps."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.discover.archive import Archive as Archive
    from lineduel.discover.candidate import (
        CandidateSize as CandidateSize,
        DesignCandidate as DesignCandidate,
    )
    from lineduel.discover.design import (
        Design as Design,
        design_of as design_of,
        rulebook_of_design as rulebook_of_design,
    )
    from lineduel.discover.design_search import (
        GENERATION as GENERATION,
        DesignSearch as DesignSearch,
        DroppedGoal as DroppedGoal,
        SearchQuestion as SearchQuestion,
        generation as generation,
        possible_goals as possible_goals,
        possible_part as possible_part,
    )
    from lineduel.discover.design_space import (
        DesignSpace as DesignSpace,
        space_around as space_around,
    )
    from lineduel.discover.found import (
        FoundDuel as FoundDuel,
        Proved as Proved,
        best_on_front as best_on_front,
        kept_duels as kept_duels,
        proved_designs as proved_designs,
    )
    from lineduel.discover.gallery import figure_text as figure_text, gallery_page as gallery_page
    from lineduel.discover.qualities import (
        QUALITIES as QUALITIES,
        Goal as Goal,
        check_goals as check_goals,
        read_goal as read_goal,
        read_preferences as read_preferences,
    )
    from lineduel.discover.search_file import (
        DISCOVER as DISCOVER,
        question_of as question_of,
        resumed as resumed,
        search_header as search_header,
        write_generation as write_generation,
    )

offer(__name__)
