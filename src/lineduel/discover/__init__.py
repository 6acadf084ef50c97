"""Finds good duels that nobody has written yet, and proves what it keeps."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.discover.design import (
        Design as Design,
        design_of as design_of,
        rulebook_of_design as rulebook_of_design,
    )
    from lineduel.discover.design_search import (
        DesignCandidate as DesignCandidate,
        DesignSearch as DesignSearch,
        SearchQuestion as SearchQuestion,
        generation as generation,
        make_question as make_question,
        possible_part as possible_part,
    )
    from lineduel.discover.design_space import (
        DesignSpace as DesignSpace,
        space_around as space_around,
    )
    from lineduel.discover.discovery import (
        DISCOVER as DISCOVER,
        Discovery as Discovery,
        SearchAmounts as SearchAmounts,
        resumed as resumed,
        search_header as search_header,
    )
    from lineduel.discover.found import (
        Proved as Proved,
        found_lines as found_lines,
    )
    from lineduel.discover.gallery import (
        Gallery as Gallery,
        gallery_page as gallery_page,
        write_gallery as write_gallery,
    )
    from lineduel.discover.qualities import (
        QUALITIES as QUALITIES,
        DroppedGoal as DroppedGoal,
        Goal as Goal,
        read_goal as read_goal,
        read_preferences as read_preferences,
    )

offer(__name__)
