"""What stands above and below the board in a game: who plays, whose turn it is, who has won."""

from textual.content import Content

from lineduel.engine import MovesAgain
from lineduel.match import Match
from lineduel.players import HUMAN
from lineduel.rules import Side
from lineduel.tui.drawing import PLAYER, piece_shape

HOW = " Arrows and Enter, or its number."


def title(match: Match, flipped: bool) -> Content:
    """The game's name, and who plays it."""
    seats = []
    for side, name in zip(Side, match.session.seats, strict=True):
        shown = "you" if name == HUMAN and len(match.people) == 1 else name
        seats.append((f"{piece_shape(side, flipped)} {shown}", PLAYER[side]))
    game = (f" {match.session.rulebook.title} ", "bold reverse")
    return Content.assemble(game, "  ", seats[0], " against ", seats[1])


def about_player(match: Match, side: Side, text: str) -> Content:
    """A sentence about a player."""
    return Content.assemble((match.narrator.name(side), f"bold {PLAYER[side]}"), text)


def whose_turn(match: Match) -> Content:
    """Who is to move, and what is worth knowing then."""
    session = match.session
    moved = session.turns[-1].events if session.turns else ()
    again = any(isinstance(event, MovesAgain) for event in moved)
    parts = [about_player(match, session.position.side, f" to move{' again' if again else ''}.")]
    if session.stuck:
        parts.append(Content(" Neither side can move any more, so play would never end."))
    if session.times > 1:
        parts.append(Content.styled(f" {match.narrator.repeated(session.times)}", "$endless"))
    elif not session.turns:
        parts.append(Content.styled(HOW, "$muted"))
    return Content("").join(parts)


def battle_call(match: Match, prompt: str) -> Content:
    """That a battle is open, and what is asked."""
    return Content(f"{match.narrator.turn(match.session.position).strip()}\n{prompt}".strip())


def result(match: Match) -> Content:
    """Who has won, and how."""
    session, narrator = match.session, match.narrator
    winner = session.winner or Side.ONE
    if session.resigned is not None:
        told = narrator.resigned(session.resigned)
    elif session.forfeited is not None:
        told = narrator.forfeited(session.forfeited)
    else:
        told = narrator.victory(session.turns[-1].events)
    return Content.styled(f"★ {' '.join(told.split())} ★", f"bold {PLAYER[winner]}")
