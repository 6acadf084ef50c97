"""What a search for duels found, as JSON."""

from typing import TYPE_CHECKING, Any

from lineduel.documents.document import Document
from lineduel.lab import Verdict
from lineduel.rules import Property, rulebook_data

if TYPE_CHECKING:
    from lineduel.discover import DesignSearch, FoundDuel


class FoundDocument(Document, frozen=True, kw_only=True):
    """A duel that was found."""

    id: str
    """Its number, which is also the name of its files."""
    title: str
    front: bool
    """Whether no other duel that was kept is at least as good by every preferred figure."""
    figures: dict[str, float]
    """Exact, by name; games that never end last 1e9 turns."""
    verdicts: dict[Property, Verdict]
    rulebook: dict[str, Any]
    """As in its file."""


class DroppedGoalDocument(Document, frozen=True, kw_only=True):
    """A default goal that no duel within the bounds can meet."""

    goal: str
    why: str


class DiscoverDocument(Document, frozen=True, kw_only=True):
    """A search for duels."""

    tried: int
    """Candidates."""
    measured: int
    """Those that are rulebooks of a size that can be proved."""
    too_large: int
    """Those that are rulebooks with too many positions, which were left out."""
    with_battles: int
    """Those that have battles, whatever became of them."""
    complete: bool
    """Whether every duel within the bounds was tried."""
    seed: int
    goals: list[str]
    """All of them are proved for every duel that was found."""
    dropped: list[DroppedGoalDocument]
    """Default goals that were not searched for, because nothing within the bounds can meet them."""
    preferred: list[str]
    found: list[FoundDocument]


def discover_document(search: "DesignSearch", found: "list[FoundDuel]") -> DiscoverDocument:
    """A search with the duels that it kept."""
    question = search.question
    return DiscoverDocument.of(
        search,
        complete=question.complete,
        seed=question.seed,
        goals=[goal.text for goal in question.goals],
        dropped=[DroppedGoalDocument.of(one) for one in question.dropped],
        preferred=list(question.preferred),
        found=[
            FoundDocument(
                id=one.rulebook.id,
                title=one.rulebook.title,
                front=one.on_front,
                figures=one.proved.figures,
                verdicts={about: ruling.verdict for about, ruling in one.proved.rulings.items()},
                rulebook=rulebook_data(one.rulebook),
            )
            for one in found
        ],
    )
