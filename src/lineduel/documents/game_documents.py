"""The JSON of `games`, `rules` and `perft`."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from lineduel.documents.document import Document
from lineduel.rulebooks import CatalogueEntry
from lineduel.rules import (
    Again,
    BattleRule,
    Edge,
    Loser,
    Meeting,
    Property,
    Rulebook,
    Tie,
    rulebook_data,
)


class ListedVariant(Document, frozen=True, kw_only=True):
    """A variant in the list of games."""

    game: str
    """Its address, which commands take as GAME."""
    summary: str


class ListedGame(Document, frozen=True, kw_only=True):
    """A game that comes with the program, or a rulebook of the user's own."""

    game: str
    """Its id, or the path of the user's file: what a command takes as GAME."""
    title: str
    summary: str
    own: bool
    """Whether it is a file of the user's own, and does not come with the program."""
    variants: tuple[ListedVariant, ...]


GamesDocument = list[ListedGame]
"""The games that come with the program, in the order of the menu, then the user's own."""


class TrackTable(Document, frozen=True, kw_only=True):
    """The labels of the first and the last cell."""

    first: int
    last: int


class TeamTable(Document, frozen=True, kw_only=True):
    """A player's pieces and goal."""

    pieces: dict[str, int]
    """The home of each piece."""
    goal: list[int]


class TurnTable(Document, frozen=True, kw_only=True):
    """Who begins."""

    first: Literal["player1", "player2", "either"]


class MoveTable(Document, frozen=True, kw_only=True):
    """How pieces move."""

    steps: list[int]
    edge: Edge
    jump: bool
    again: Again | UnsetType = UNSET
    """When a side moves again; if missing, never."""


class MeetTable(Document, frozen=True, kw_only=True):
    """What landing on an occupied cell does."""

    own: Meeting
    enemy: Meeting


class BattleTable(Document, frozen=True, kw_only=True):
    """How a battle is fought."""

    numbers: int
    wins: BattleRule
    loser: Loser | UnsetType = UNSET
    """What happens to the loser's pieces; if missing, they are sent home."""
    tie: Tie | UnsetType = UNSET
    """Whose pieces go on a tie; if missing, those of both sides."""


class ClaimTable(Document, frozen=True, kw_only=True):
    """A promise of the author, and the property that is tested for it."""

    says: str
    property: Property
    not_tested: str | UnsetType = UNSET
    """What the sentence says beyond the property."""


class ErratumTable(Document, frozen=True, kw_only=True):
    """A place where the written rulebook contradicts itself, and the ruling."""

    where: str
    says: str
    ruling: str


VariantTable = Annotated[
    dict[str, Any],
    Meta(
        description="A variant: a summary, why it exists, and the tables that it changes.",
        extra_json_schema={
            "required": ["summary", "why"],
            "properties": {"summary": {"type": "string"}, "why": {"type": "string"}},
        },
    ),
]


class RulesDocument(Document, frozen=True, kw_only=True):
    """A rulebook, with the same keys as in its TOML file."""

    game: str
    """Its address, which commands take as GAME."""
    title: str
    summary: str
    track: TrackTable
    player1: TeamTable
    player2: TeamTable
    turn: TurnTable
    move: MoveTable
    meet: MeetTable
    battle: BattleTable | UnsetType = UNSET
    """Only if enemies who meet fight a battle."""
    words: dict[str, str | dict[str, str]]
    """The game's texts that differ from the defaults."""
    claims: list[ClaimTable]
    errata: list[ErratumTable]
    variants: dict[str, VariantTable]


class PerftDocument(Document, frozen=True, kw_only=True):
    """The number of move sequences of each length, starting with 1."""

    game: str
    perft: list[int]


def games_document(
    entries: Iterable[CatalogueEntry], own: Iterable[CatalogueEntry] = ()
) -> GamesDocument:
    """The list of games: those that come with the program, then the user's own."""
    return [
        *(_listed(entry, own=False) for entry in entries),
        *(_listed(one, own=True) for one in own),
    ]


def _listed(entry: CatalogueEntry, *, own: bool) -> ListedGame:
    return ListedGame.of(
        entry,
        game=entry.address,
        own=own,
        variants=tuple(
            ListedVariant(game=f"{entry.address}:{name}", summary=summary)
            for name, summary in entry.variants
        ),
    )


def rules_document(rulebook: Rulebook) -> RulesDocument:
    """A rulebook with its texts, claims, errata and variants."""
    return msgspec.convert({"game": rulebook.id, **rulebook_data(rulebook)}, RulesDocument)
