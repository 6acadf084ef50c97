"""The file of a search: its question, then one line for each generation.

Only what came into the archive is kept. Candidates are drawn again when a search is resumed, which
takes no time beside measuring them.
"""

from typing import Annotated, Any

import msgspec

from lineduel.discover.candidate import CandidateSize, DesignCandidate
from lineduel.discover.design import Design
from lineduel.discover.design_search import GENERATION, DesignSearch, DroppedGoal, SearchQuestion
from lineduel.discover.design_space import DesignSpace
from lineduel.discover.qualities import read_goal, read_preferences
from lineduel.errors import DiscoverError
from lineduel.jobs import Header, Ledger
from lineduel.rules import Meeting

DISCOVER = "discover"
_VERSION = 1
_Range = tuple[int, int]


class _Head(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    lineduel: str
    version: int
    pieces: _Range
    cells: _Range
    steps: _Range
    numbers: _Range
    meetings: list[Meeting]
    words: int | None
    goals: list[str]
    dropped: list[DroppedGoal] = []  # absent in older files
    preferred: list[str]
    seed: int
    positions: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    battle_positions: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    near: Design | None
    complete: bool


class _Line(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A generation."""

    tried: Annotated[int, msgspec.Meta(ge=1, le=10**12)]
    """Candidates up to its end."""
    measured: Annotated[int, msgspec.Meta(ge=0, le=10**12)]
    too_large: Annotated[int, msgspec.Meta(ge=0, le=10**12)]
    kept: list[DesignCandidate]


def search_header(question: SearchQuestion) -> Header:
    """What the first line says."""
    space = question.space
    head = _Head(
        lineduel=DISCOVER,
        version=_VERSION,
        pieces=_ends(space.pieces),
        cells=_ends(space.cells),
        steps=_ends(space.steps),
        numbers=_ends(space.numbers),
        meetings=list(space.meetings),
        words=space.words,
        goals=[goal.text for goal in question.goals],
        dropped=list(question.dropped),
        preferred=list(question.preferred),
        seed=question.seed,
        positions=question.size.positions,
        battle_positions=question.size.battle_positions,
        near=question.near,
        complete=question.complete,
    )
    data: dict[str, Any] = msgspec.to_builtins(head)
    return data


def question_of(ledger: Ledger) -> SearchQuestion:
    """The question that a file says it is about."""
    try:
        head = msgspec.convert(dict(ledger.header), _Head)
        if head.version != _VERSION:
            raise DiscoverError(f"it is of version {head.version}; this program reads {_VERSION}")
        return SearchQuestion(
            space=DesignSpace(
                pieces=_range(head.pieces),
                cells=_range(head.cells),
                steps=_range(head.steps),
                numbers=_range(head.numbers),
                meetings=tuple(head.meetings),
                words=head.words,
            ),
            goals=tuple(map(read_goal, head.goals)),
            dropped=tuple(head.dropped),
            preferred=read_preferences(",".join(head.preferred)),
            seed=head.seed,
            size=CandidateSize(head.positions, head.battle_positions),
            near=head.near,
            complete=head.complete,
        )
    except (msgspec.ValidationError, DiscoverError) as error:
        raise ledger.refusal(1, str(error)) from None


def resumed(ledger: Ledger) -> DesignSearch:
    """The search that a file holds, as it was after its last whole generation."""
    search = DesignSearch(question_of(ledger))
    for number, content in ledger.contents():
        try:
            line = msgspec.json.decode(content, type=_Line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ledger.refusal(number, str(error)) from None
        designs = search.next_generation(min(line.tried - search.tried, GENERATION))
        numbered = dict(enumerate(designs, start=search.tried))
        if search.tried + len(designs) != line.tried or any(
            numbered.get(one.number) != one.design for one in line.kept
        ):
            raise ledger.refusal(number, "it is not a generation of this search")
        search.take(designs, line.kept)
        search.measured, search.too_large = line.measured, line.too_large
    return search


def generation_line(search: DesignSearch, kept: list[DesignCandidate]) -> bytes:
    """The line of the generation that a search has just taken."""
    line = _Line(
        tried=search.tried, measured=search.measured, too_large=search.too_large, kept=kept
    )
    return msgspec.json.encode(line) + b"\n"


def _ends(given: range) -> _Range:
    return given[0], given[-1]


def _range(ends: _Range) -> range:
    return range(ends[0], ends[1] + 1)
