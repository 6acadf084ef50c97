"""The texts above and below the board: who plays, whose turn it is, who has won."""

from typing import TYPE_CHECKING

from textual.content import Content

from lineduel.engine import MovesAgain
from lineduel.match import Match
from lineduel.narration import (
    YOU,
    Names,
    Narrator,
    battle_stakes,
    capitalized,
    headline,
    how_it_ended,
    names_for,
    result_sentence,
    status_sentence,
    turn_sentence,
)
from lineduel.play import GameView, Seats, Session
from lineduel.players import HUMAN, player_in_brackets
from lineduel.rules import Side
from lineduel.tui.track import PLAYER, piece_shape

if TYPE_CHECKING:
    from lineduel.solve import Value

HOW = " Arrows and Enter, or its number."


def side_names(seats: Seats, narrator: Narrator) -> Names:
    """What each side is called in a sentence; a single person is `you`."""
    people = frozenset(side for side, seat in zip(Side, seats, strict=True) if seat == HUMAN)
    return names_for(narrator, people, people)


def title_of(game: str, seats: Seats, narrator: Narrator, flipped: bool, note: str = "") -> Content:
    """A game's name and its players, such as `You against the computer (level 3, easy)`."""
    names = side_names(seats, narrator)
    shown: list[tuple[str, str]] = []
    for side, seat in zip(Side, seats, strict=True):
        name = names[side]
        if seat != HUMAN:
            name = f"{name} {player_in_brackets(seat)}"
        name = name if shown else capitalized(name)
        shown.append((f"{piece_shape(side, flipped)} {name}", PLAYER[side]))
    who = (shown[0], " against ", shown[1])
    more = (f"   {note}", "$muted") if note else ""
    return Content.assemble((f" {game} ", "bold reverse"), "  ", *who, more)


def about_player(match: Match, side: Side, text: str) -> Content:
    """A sentence about a player."""
    name = side_names(match.session.seats, match.narrator)[side]
    return Content.assemble((capitalized(name), f"bold {PLAYER[side]}"), text)


def whose_turn(match: Match) -> Content:
    """Whose turn it is, and how to move."""
    session, side = match.session, match.session.position.side
    names, last = side_names(session.seats, match.narrator), session.last_turn
    moved = last.events if last else ()
    again = " again" if any(isinstance(event, MovesAgain) for event in moved) else ""
    parts = []
    if last and not again and names[last.before.side] != YOU:
        told = turn_sentence(last, names, match.narrator.label)
        parts.append(Content.styled(f"{told} ", PLAYER[last.before.side]))
    if names[side] == YOU:
        parts.append(Content.styled(f"Your move{again}.", f"bold {PLAYER[side]}"))
    else:
        parts.append(about_player(match, side, f" to move{again}."))
    if session.stuck:
        parts.append(Content(" Neither side can move any more, so play would never end."))
    if repetition := match.repetition:
        parts.append(Content.styled(f" {repetition}", "$endless"))
    elif not session.turns:
        parts.append(Content.styled(HOW, "$muted"))
    return Content("").join(parts)


def status_of(sentence: str, view: GameView, narrator: Narrator, flipped: bool) -> Content:
    """The status of a game elsewhere, and which side is played here."""
    parts = [Content.styled(sentence, "bold")]
    if len(view.sides) == 1:
        (side,) = view.sides
        you = f"{piece_shape(side, flipped)} {narrator.name(side)}"
        parts += [Content.styled("   You play ", "$muted"), Content.styled(you, PLAYER[side])]
    elif not view.sides:
        parts.append(Content.styled("   You are watching.", "$muted"))
    return Content("").join(parts)


def battle_call(match: Match, view: GameView, names: Names) -> Content:
    """What a battle is about, and the question; for two people in the rulebook's words."""
    session, narrator = match.session, match.narrator
    if YOU in names.values():
        stakes = battle_stakes(session.game, session.position, names)
        return Content(f"{status_sentence(session, view, names, narrator)}\n{stakes}")
    prompt = narrator.prompt(session.position, session.people_asked[0])
    return Content(f"{narrator.turn(session.position).strip()}\n{prompt}".strip())


def last_words(match: Match) -> Content:
    """What ended a game: its last turn, where somebody has won by it; the result is in a frame."""
    session, names = match.session, side_names(match.session.seats, match.narrator)
    if session.winner is None:
        return Content.styled(result_sentence(session, names, match.narrator), "bold")
    if session.resigned or session.forfeited or not session.last_turn:
        return Content.styled("The game is over.", "bold")
    side = session.last_turn.before.side
    told = turn_sentence(session.last_turn, names, match.narrator.label)
    return Content.styled(told, f"bold {PLAYER[side]}")


def _starred(text: str, session: Session, names: Names) -> str:
    """A result between stars, unless you lost."""
    is_lost = session.winner is not None and names[session.winner.other] == YOU
    return text if is_lost else f"★ {text} ★"


def finale(session: Session, names: Names, narrator: Narrator, then: str) -> Content:
    """The end of a game in a frame: who has won, in large letters, how, and what comes next."""
    head = _starred(" ".join(headline(session, names).rstrip(".").upper()), session, names)
    how = how_it_ended(session, names, narrator)
    wide = max(len(head), len(how), len(then)) + 4
    lines = (
        f"╔{'═' * wide}╗",
        f"║{head:^{wide}}║",
        f"║{how:^{wide}}║",
        *((f"║{then:^{wide}}║",) if then else ()),
        f"╚{'═' * wide}╝",
    )
    return Content.styled("\n".join(lines), f"bold {PLAYER[session.winner or Side.ONE]}")


def losing_seat(match: Match, start: "Value") -> str:
    """A sentence for a person who lost in a seat that always loses; otherwise empty."""
    session = match.session
    names = side_names(session.seats, match.narrator)
    you = next((side for side in Side if names[side] == YOU), None)
    if you is None or session.winner is not you.other or start.winner is not you.other:
        return ""
    seat = "first" if session.start.side is you else "second"
    return f"The {seat} player always loses here against best play. Swap seats?"
