"""The JSON of help during a game: a hint in stages, the coach's warnings, pieces in danger."""

from lineduel import coach
from lineduel.documents.document import Document
from lineduel.documents.live_documents import SIDE_IDS, SideId
from lineduel.documents.reason_documents import DeedDocument
from lineduel.engine import Position
from lineduel.narration import Names
from lineduel.rules import Side


class TipDocument(Document, frozen=True, kw_only=True):
    """What is said to a player, and what to look at."""

    text: str
    pieces: list[str]
    cells: list[int]
    deed: DeedDocument | None
    """What a piece does, if the tip is about that."""


class AdviceDocument(Document, frozen=True, kw_only=True):
    """Help for the player whose turn it is."""

    position: str
    side: SideId
    """Who is helped."""
    hint: list[TipDocument]
    """Where to look, the reason and the move; fewer in a battle and in games too large to solve."""
    move: str | None
    """The move that the last part of the hint names; null in a battle."""
    warnings: dict[str, TipDocument]
    """What the coach says before a move; moves of which there is nothing to say are left out."""
    threatened: list[str]
    """The pieces that the other side could strike if it were to move: it takes them, sends them
    home, lands on them, or opens a battle with them."""
    estimate: bool
    """Whether the game is too large to solve: a search looks ahead, and there are no warnings."""


def advice_document(
    adviser: "coach.Adviser", position: Position, side: Side, names: Names
) -> AdviceDocument:
    """Help for a side that is asked for a move or a number."""
    game, solved = adviser.game, adviser.is_solved
    is_battle = position.battle is not None
    hint = adviser.hint(position, side)
    warnings = {
        str(move): coach.coach_advice(adviser, position, move, names)
        for move in (game.moves(position) if solved and not is_battle else ())
    }
    return AdviceDocument(
        position=str(position),
        side=SIDE_IDS[side],
        hint=[_tip(one) for one in coach.hint_stages(adviser, position, side, names)],
        move=str(hint.move) if isinstance(hint, coach.MoveHint) else None,
        warnings={move: _tip(one) for move, one in warnings.items() if one.text},
        threatened=[] if is_battle else list(coach.in_danger(game, position)),
        estimate=not solved,
    )


def _tip(tip: "coach.Tip") -> TipDocument:
    deed = tip.deed
    return TipDocument(
        text=tip.text,
        pieces=list(tip.pieces),
        cells=list(tip.cells),
        deed=None if deed is None else DeedDocument.of(deed, victims=list(deed.victims)),
    )
