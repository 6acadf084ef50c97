"""The JSON of `games`, `rules` and `perft`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from lineduel.documents.document import Document
from lineduel.rulebooks import CatalogueEntry
from lineduel.rules import (
    RULEBOOK_TABLES,
    KeyKind,
    Property,
    Rulebook,
    RulebookKey,
    format_value,
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


_KINDS: dict[KeyKind, Any] = {
    KeyKind.INTEGER: int,
    KeyKind.INTEGERS: list[int],
    KeyKind.PIECES: dict[str, int],
    KeyKind.PIECE_STEPS: dict[str, list[int]],
    KeyKind.FLAG: bool,
}


def _table_document(title: str, name: str) -> Any:
    """The document of a table of the rules; a key that a file may leave out may be missing."""
    table = RULEBOOK_TABLES[name]

    def field(key: RulebookKey) -> Any:
        words = tuple(key.words)
        kind = Literal[tuple(map(str, words))] if words else _KINDS[key.kind]
        return (key.name, kind | UnsetType, UNSET) if key.is_recent else (key.name, kind)

    said = {
        key.name: f"{key.meaning} If missing: {format_value(key.default)}."
        for key in table.keys
        if key.is_recent
    }
    return msgspec.defstruct(
        title,
        list(map(field, table.keys)),
        bases=(Document,),
        namespace={"__doc__": table.meaning, "said_of_fields": said},
        module=__name__,
        frozen=True,
        kw_only=True,
    )


if TYPE_CHECKING:
    from typing import (
        Any as BattleTable,
        Any as MeetTable,
        Any as MoveTable,
        Any as TeamTable,
        Any as TrackTable,
        Any as TurnTable,
    )
else:
    TrackTable = _table_document("TrackTable", "track")
    TeamTable = _table_document("TeamTable", "player1")
    TurnTable = _table_document("TurnTable", "turn")
    MoveTable = _table_document("MoveTable", "move")
    MeetTable = _table_document("MeetTable", "meet")
    BattleTable = _table_document("BattleTable", "battle")


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
