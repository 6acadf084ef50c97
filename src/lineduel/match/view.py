"""What one side, or a spectator, may see of a live game: plain data without any secret."""

from dataclasses import dataclass

from lineduel.engine import Move, Position
from lineduel.narration import LoggedMove
from lineduel.play import Seats, Session
from lineduel.rules import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """A live game as one side sees it; a number that is still secret is nowhere in it."""

    game: str
    """The rulebook's id."""
    title: str
    side: Side | None
    """Who looks; None for a spectator."""
    seats: Seats
    start: Position
    position: Position
    times: int
    """How often the position has stood in this game."""
    asked: tuple[Side, ...]
    """Who is to act: the side to move, or all who have yet to choose a number."""
    chosen: tuple[Side, ...]
    """Who has chosen a number in the open battle; not which."""
    moves: tuple[Move, ...]
    """The moves that this side may play now."""
    numbers: tuple[int, ...]
    """The numbers that this side may choose now."""
    log: tuple[LoggedMove, ...]
    """What happened so far."""
    winner: Side | None
    resigned: Side | None
    forfeited: Side | None
    undecided: bool
    """Whether two programs have played so long that the game was stopped."""


def view_of(
    session: Session, side: Side | None, log: tuple[LoggedMove, ...], undecided: bool = False
) -> GameView:
    """The game as that side sees it."""
    position, battle = session.position, session.rulebook.rules.battle
    is_asked = side in session.asked and not undecided
    fights = position.battle is not None and battle is not None
    return GameView(
        game=session.rulebook.id,
        title=session.rulebook.title,
        side=side,
        seats=session.seats,
        start=session.start,
        position=position,
        times=session.times,
        asked=() if undecided else session.asked,
        chosen=session.chosen,
        moves=session.game.moves(position) if is_asked and not fights else (),
        numbers=tuple(range(1, battle.numbers + 1)) if is_asked and fights and battle else (),
        log=log,
        winner=session.winner,
        resigned=session.resigned,
        forfeited=session.forfeited,
        undecided=undecided,
    )
