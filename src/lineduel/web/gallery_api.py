"""The gallery and the list of audits: duels with their boards and figures, which nobody waits for.

`gallery.json` holds the rulebooks of `examples` with their figures, and `audits.json` how many
promises each rulebook keeps, so that nothing has to be solved to show them.
"""

import asyncio
from functools import cache
from importlib.resources import files

import msgspec
from litestar import get

from lineduel import documents
from lineduel.documents import AuditedGame, DuelFigures, GalleryDuel
from lineduel.rulebooks import SHIPPED
from lineduel.rules import pack_rulebook
from lineduel.web.api import ERRORS
from lineduel.web.rulebook_shelf import (
    PlayedRulebook,
    RulebookText,
    rulebook_text,
    sample_game,
    stored_rulebook,
)

GALLERY_FILE = "gallery.json"
AUDITS_FILE = "audits.json"


class KeptDuel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A duel as `gallery.json` has it."""

    id: str
    found: bool
    """Whether a search found it."""
    toml: str
    figures: DuelFigures


class KeptAudit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an audit found, as `audits.json` has it."""

    id: str
    kept: int
    """How many promises are proved."""
    promised: int
    figures: DuelFigures


@get("/gallery", responses=ERRORS)
async def show_gallery() -> list[GalleryDuel]:
    """The duels that searches found, and examples, with their boards and figures."""
    return await asyncio.to_thread(gallery)


@get("/audits", responses=ERRORS)
async def list_audits() -> list[AuditedGame]:
    """What an audit finds about each game and each duel of the gallery, in short."""
    return await asyncio.to_thread(audited_games)


@cache
def gallery() -> list[GalleryDuel]:
    """Every duel of the gallery, the found ones first."""
    return [_shown(one) for one in shipped_duels()]


@cache
def audited_games() -> list[AuditedGame]:
    """The games of the first page, and the duels of the gallery."""
    texts = [*(rulebook_text(one, None, None) for one in SHIPPED)]
    texts += [RulebookText(one.id, one.toml, "") for one in shipped_duels()]
    return [_listed(text, one) for text, one in zip(texts, shipped_audits(), strict=True)]


def shipped_duels() -> list[KeptDuel]:
    """The content of `gallery.json`."""
    text = files("lineduel.web").joinpath(GALLERY_FILE).read_bytes()
    return msgspec.json.decode(text, type=list[KeptDuel])


def shipped_audits() -> list[KeptAudit]:
    """The content of `audits.json`: the games, then the duels of the gallery."""
    text = files("lineduel.web").joinpath(AUDITS_FILE).read_bytes()
    return msgspec.json.decode(text, type=list[KeptAudit])


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


def _listed(text: RulebookText, kept: KeptAudit) -> AuditedGame:
    played = PlayedRulebook(text, stored_rulebook(text))
    is_game = kept.id in SHIPPED
    return AuditedGame.of(
        kept,
        title=played.rulebook.title,
        summary=played.rulebook.summary,
        packed=None if is_game else pack_rulebook(text.toml),
        board=documents.board_document(played.game, played.narrator, played.game.start()),
    )


gallery_handlers = [show_gallery, list_audits]
