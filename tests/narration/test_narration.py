"""What is said about a game is true of every game: the log, and the words before the first move."""

import pytest
from hypothesis import given

from lineduel.engine import Captured, Game
from lineduel.narration import MoveLog, Narrator
from lineduel.play import Session
from lineduel.record import parse_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, assign
from support.strategies import ALL_GAMES, Played, games_under_way


@given(games_under_way())
def test_the_log_names_each_captured_piece_once(played: Played) -> None:
    """However many stood on the cell."""
    session = Session(played.game, played.start)
    for move in played.moves:
        turn = session.play(move)
        entry = MoveLog(Narrator(played.game)).entry(1, turn)
        taken = [event.piece for event in turn.events if isinstance(event, Captured)]
        told = [part for part in entry.told.split("  ") if "takes" in part or "captured" in part]
        assert len(told) == bool(taken)
        if taken:
            names = told[0].removeprefix("takes ").removesuffix(" captured")
            assert names.replace(" and ", ", ").split(", ") == taken


def test_the_log_names_pieces_that_were_taken_together() -> None:
    changes = ["meet.own=shared", "meet.enemy=captured", "player2.pieces=C:3,D:3,E:5"]
    game = Game(assign(find_rulebook("ctf-tokens"), changes))
    session = Session(game, parse_position("2/3,3,5/1").unchecked())
    entry = MoveLog(Narrator(game)).entry(1, session.play(game.moves(session.position)[0]))
    assert entry.told == "P1 +2→+3  takes C and D"


@pytest.mark.parametrize("first", Side)
def test_the_welcome_is_the_rulebooks_whoever_begins(first: Side) -> None:
    """Where play begins with all pieces at home, nothing is added to it."""
    for address in ALL_GAMES:
        narrator = Narrator(Game(find_rulebook(address)))
        start = narrator.game.start(first)
        assert narrator.opening(start) == narrator.welcome(start)
