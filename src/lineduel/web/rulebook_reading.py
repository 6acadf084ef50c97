"""The rulebook that a request is about, and what worker processes find when they read it."""

from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from lineduel.documents import (
    DesignDocument,
    RulebookPage,
    TriedPosition,
    ValidateDocument,
    changed_text,
    design_document,
    rulebook_page,
    tried_position,
    validate_document,
)
from lineduel.engine import Game
from lineduel.errors import NotationError
from lineduel.record import read_position
from lineduel.rules import apply_variant, assign, edited_toml, problems_of, unpack_rulebook
from lineduel.safe_toml import parse_toml
from lineduel.web.rulebook_shelf import (
    LARGEST_OWN_RULEBOOK,
    RulebookText,
    rulebook_of,
    rulebook_text,
)

_LONGEST_PACKED = 4 * LARGEST_OWN_RULEBOOK // 3
_KEPT = 8
"""Games that a worker keeps."""
OwnText = Annotated[str, Meta(max_length=LARGEST_OWN_RULEBOOK)]
"""A text of whoever asks, no longer than a rulebook may be."""
_Assignment = Annotated[str, Meta(max_length=400)]


class RulebookChoice(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One of the games, or a rulebook as TOML."""

    game: str | None = None
    toml: OwnText | None = None
    variant: str | None = None

    def text(self) -> RulebookText:
        return rulebook_text(self.game, self.toml, self.variant)


class PositionChoice(RulebookChoice, kw_only=True):
    """A position of a rulebook; the start, if none is given."""

    position: str | None = None


class DesignChoice(RulebookChoice, kw_only=True):
    """A rulebook: a game, a text, its data, or what a link holds; and changes to it."""

    rulebook: dict[str, Any] | None = None
    """The data of a rulebook, as the form has it, right or wrong; `toml` is then its text before
    the last change, whose comments stay."""
    packed: Annotated[str, Meta(max_length=_LONGEST_PACKED)] | None = None
    """What stands behind `/design#`."""
    set: Annotated[list[_Assignment], Meta(max_length=20)] = msgspec.field(default_factory=list)
    """Changes as assignments: `move.steps=1,2`."""

    def checked(self) -> Self:
        """The same; a game that does not exist is refused."""
        if self.rulebook is None and self.packed is None:
            self.text()
        return self

    def toml_on_trial(self) -> str:
        """The text that is meant, with the variant and the changes applied."""
        if self.rulebook is not None:
            return edited_toml(self.toml or "", self.rulebook)
        if self.packed is not None:
            return unpack_rulebook(self.packed, LARGEST_OWN_RULEBOOK)
        text = rulebook_text(self.game, self.toml, None)
        if not self.variant and not self.set:
            return text.toml
        rulebook = rulebook_of(text)
        if self.variant:
            rulebook = replace(apply_variant(rulebook, self.variant), variants=(), variant=None)
        return changed_text(assign(rulebook, self.set), text.toml)


def validated(toml: str) -> ValidateDocument:
    """Everything that is wrong with a rulebook; to look for warnings would take seconds."""
    return validate_document("rulebook.toml", problems_of(toml), None)


def told_in_words(text: RulebookText) -> RulebookPage:
    """A rulebook in words, with its board and its text."""
    return rulebook_page(_game(text), text.toml)


def tried(text: RulebookText, position: str | None) -> TriedPosition:
    """The legal moves of a position, and what each leads to."""
    game = _game(text)
    start = game.start() if position is None else read_position(game, position)
    return tried_position(game, start)


def on_trial(choice: DesignChoice) -> DesignDocument:
    """A rulebook as text and as data, with all that is wrong with it; else a board to try it on."""
    toml = choice.toml_on_trial()
    if len(toml.encode()) > LARGEST_OWN_RULEBOOK:
        raise NotationError(f"A rulebook may have at most {LARGEST_OWN_RULEBOOK:,} bytes.")
    problems = problems_of(toml)
    try:
        data = parse_toml(toml)
    except ValueError:
        data = None
    game = None if problems else _game(RulebookText("own", toml, ""))
    return design_document(toml, data, problems, game)


@lru_cache(_KEPT)
def _game(text: RulebookText) -> Game:
    return Game(rulebook_of(text))
