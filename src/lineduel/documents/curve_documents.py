"""Exact strength over training, as JSON."""

from lineduel.documents.document import Document


class CurvePointDocument(Document, frozen=True, kw_only=True):
    """One measurement during training."""

    step: int
    seconds: float
    """Since the training began."""
    exploitability: float
    """What best responses win of it, on average over the seats; 0 exactly for optimal play."""
    regret: float
    """The value that a move gives away, on average over the moves of its games against itself."""
    worst_case: tuple[float, float]
    """What it can expect against the best response, as player 1 and as player 2."""
    against: dict[str, tuple[float, float]]
    """What it can expect against each level, as player 1 and as player 2."""


class CurveDocument(Document, frozen=True, kw_only=True):
    """The measurements of a training, the earliest first."""

    game: str
    points: list[CurvePointDocument]
