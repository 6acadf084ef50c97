"""The JSON of the gallery and of an audit's page: what a duel is worth, for people to look at."""

from itertools import islice

from msgspec import UNSET, UnsetType

from lineduel import lab
from lineduel.arena import row_label
from lineduel.documents.design_result_documents import (
    FoundRulebooks,
    FoundValue,
    FoundVerdicts,
    WorkError,
    WorkProgress,
    found_value,
)
from lineduel.documents.document import Document
from lineduel.documents.lab_documents import UsageDocument
from lineduel.documents.live_documents import (
    BoardDocument,
    DuelFigures,
    SampleTurn,
    board_document,
)
from lineduel.documents.solution_documents import interval
from lineduel.documents.watched_documents import ReplayedTurn, replayed_turns
from lineduel.engine import Game
from lineduel.narration import Narrator, move_text
from lineduel.play import Session
from lineduel.rules import Property, pack_rulebook, rule_sentences, write_rulebook
from lineduel.solve import move_in_words

_TYPICAL = "level:4"
"""The player whose games against itself say how long a game is."""
_RARE = 0.0005
"""Lengths of games that are less likely are not listed."""


class GalleryDuel(Document, frozen=True, kw_only=True):
    """A duel of the gallery, ready to be played."""

    id: str
    found: bool
    """Whether a search found it; else it is an example to start from."""
    title: str
    summary: str
    toml: str
    packed: str
    """The text for an address: `/design#PACKED`."""
    board: BoardDocument
    sample: list[SampleTurn]
    """A short game by chance, to show how pieces move."""
    figures: DuelFigures


class AuditedGame(Document, frozen=True, kw_only=True):
    """A game in the list of audits."""

    id: str
    title: str
    summary: str
    packed: str | None
    """The text for an address, `/audit?rulebook=PACKED`; null for a game of the first page."""
    board: BoardDocument
    kept: int
    """How many of its promises are proved."""
    promised: int
    figures: DuelFigures


class EvidenceReplay(Document, frozen=True, kw_only=True):
    """A line of play, turn by turn."""

    start: BoardDocument
    turns: list[ReplayedTurn]


class ShownClaim(Document, frozen=True, kw_only=True):
    """A claim, the verdict on it, and what shows it."""

    property: Property
    says: str
    claimed: bool
    """Whether the author promises it; else any rulebook might."""
    not_tested: str | None
    """What the author's sentence says beyond the property."""
    verdict: lab.Verdict
    why: str
    evidence: str
    replay: EvidenceReplay | UnsetType = UNSET
    """A line of play that shows it."""
    board: BoardDocument | UnsetType = UNSET
    """A position that shows it."""


class ShownFigure(Document, frozen=True, kw_only=True):
    """A figure with its meaning."""

    title: str
    shown: str
    meaning: str
    source: str


class ShownOpening(Document, frozen=True, kw_only=True):
    """A first move and its value, in words."""

    move: str
    text: str
    worth: float
    """What the player who makes it can expect, in the middle of the bounds."""


class ShownEquals(Document, frozen=True, kw_only=True):
    """A player's games against itself, in shares from 0 to 1."""

    player: str
    """In words."""
    win1: float
    win2: float
    endless: float
    plies: float | None


class FoundAudit(Document, frozen=True, kw_only=True, tag_field="type", tag="audit"):
    """Whether a rulebook keeps its promises, with all that shows it."""

    title: str
    summary: str
    toml: str
    packed: str
    """The text for an address: `/design#PACKED`."""
    board: BoardDocument
    rules: list[str]
    worth: FoundValue
    figures: DuelFigures
    notes: list[str]
    """What the verdicts take for granted."""
    claims: list[ShownClaim]
    openings: list[ShownOpening]
    lengths: list[float]
    """How likely a game between two players of level 4 is to take 0, 1, 2 and more turns."""
    equals: list[ShownEquals]
    """From the weakest player to the best."""
    words: list[UsageDocument]
    all_figures: list[ShownFigure]


DesignMessage = WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks | FoundAudit
"""What comes while a worker judges a rulebook, or looks for others close by."""


def duel_figures(figures: lab.Figures) -> DuelFigures:
    """The three figures of a rulebook that was measured."""
    typical = next(one for one in figures.equals if one.player == _TYPICAL)
    return DuelFigures(
        value=interval(figures.value), turns=typical.plies, skill=figures.skill.worse
    )


def found_audit(audit: "lab.Audit") -> FoundAudit:
    """An audit as its page in the browser shows it."""
    rulebook, analysis, figures = audit.rulebook, audit.analysis, audit.figures
    game = analysis.game
    start, narrator = game.start(), Narrator(game)
    toml = write_rulebook(rulebook)
    lengths = [float(one) for one in analysis.lengths]
    last = max((at for at, one in enumerate(lengths) if one > _RARE), default=0)
    return FoundAudit(
        title=rulebook.title,
        summary=rulebook.summary,
        toml=toml,
        packed=pack_rulebook(toml),
        board=board_document(game, narrator, start),
        rules=list(rule_sentences(rulebook.rules)),
        worth=found_value(figures.value, figures.positions),
        figures=duel_figures(figures),
        notes=list(lab.audit_notes(audit)),
        claims=[_claim(game, one, one.claim in rulebook.claims) for one in audit.findings],
        openings=[
            ShownOpening(
                move=move_text(game, start, move),
                text=move_in_words(value, start.side),
                worth=float(value.sure(start.side) + value.hoped(start.side)) / 2,
            )
            for move, value in audit.openings
        ],
        lengths=list(islice(lengths, last + 1)),
        equals=[
            ShownEquals.of(
                one,
                player=row_label(one.player),
                win1=(1 - one.endless + one.seat) / 2,
                win2=(1 - one.endless - one.seat) / 2,
            )
            for one in figures.equals
        ],
        words=[
            UsageDocument.of(one, example=None if one.example is None else str(one.example))
            for one in analysis.words
        ],
        all_figures=[
            ShownFigure.of(lab.DEFINITIONS[name], shown=shown)
            for name, shown in lab.shown_figures(figures)
        ],
    )


def _claim(game: Game, finding: "lab.AuditedClaim", is_claimed: bool) -> ShownClaim:
    shown, narrator = finding.evidence, Narrator(game)
    replay: EvidenceReplay | UnsetType = UNSET
    board: BoardDocument | UnsetType = UNSET
    if shown.record is not None:
        session = Session.from_record(shown.record)
        replay = EvidenceReplay(
            start=board_document(game, narrator, session.start), turns=replayed_turns(session)
        )
    elif shown.position is not None:
        board = board_document(game, narrator, shown.position)
    return ShownClaim.of(
        finding.ruling,
        property=finding.claim.property,
        says=finding.claim.says,
        claimed=is_claimed,
        not_tested=finding.claim.not_tested or None,
        evidence=shown.text,
        replay=replay,
        board=board,
    )
