"""The gallery: duels that searches found, and examples to start from, with their figures.

`gallery.json` holds their rulebooks and figures, so that nothing has to be solved to show them.
"""

import asyncio
from functools import cache
from importlib.resources import files

import msgspec
from litestar import get

from lineduel import documents
from lineduel.documents import DuelFigures, GalleryDuel
from lineduel.rules import pack_rulebook
from lineduel.web.api import ERRORS
from lineduel.web.rulebook_shelf import (
    PlayedRulebook,
    RulebookText,
    sample_game,
    stored_rulebook,
)

GALLERY_FILE = "gallery.json"


class KeptDuel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A duel as `gallery.json` has it."""

    id: str
    found: bool
    """Whether a search found it."""
    toml: str
    figures: DuelFigures


@get("/gallery", responses=ERRORS)
async def show_gallery() -> list[GalleryDuel]:
    """The duels that searches found, and examples, with their boards and figures."""
    return await asyncio.to_thread(gallery)


@cache
def gallery() -> list[GalleryDuel]:
    """Every duel of the gallery, the found ones first."""
    return [_shown(one) for one in shipped_duels()]


def shipped_duels() -> list[KeptDuel]:
    """The content of `gallery.json`."""
    text = files("lineduel.web").joinpath(GALLERY_FILE).read_bytes()
    return msgspec.json.decode(text, type=list[KeptDuel])


def _shown(kept: KeptDuel) -> GalleryDuel:
    text = RulebookText(kept.id, kept.toml, "")
    played = PlayedRulebook(text, stored_rulebook(text))
    rulebook, game = played.rulebook, played.game
    return GalleryDuel.of(
        kept,
        title=rulebook.title,
        summary=rulebook.summary,
        packed=pack_rulebook(kept.toml),
        board=documents.board_document(game, played.narrator, game.start()),
        sample=sample_game(played),
    )


gallery_handlers = [show_gallery]
