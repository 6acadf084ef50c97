"""What is said about a game is true of every game: the log, and the words before the first move."""

import pytest
from hypothesis import given

from lineduel.engine import Captured, Game, Numbers, Step
from lineduel.errors import IllegalMove
from lineduel.narration import YOU, MoveLog, Narrator, read_answer, status_sentence
from lineduel.play import LiveGame, Session
from lineduel.record import parse_position, read_position
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


@pytest.mark.parametrize("tie", ["both", "attacker", "defender", "nobody"])
def test_a_loser_who_is_at_home_is_told_of_and_nobody_else(tie: str) -> None:
    """Whoever attacked, and whichever number is higher; others are told of as they go home."""
    game = Game(assign(find_rulebook("flag-chase"), [f"battle.tie={tie}"]))
    battle, narrator = game.rules.battle, Narrator(game)
    assert battle is not None
    for text in ("1/1/1*", "1/1/2*", "5/5/1*", "5/5/2*", "3/3/2*"):
        before = read_position(game, text)
        home = {1: Side.ONE, 5: Side.TWO}.get(before.battle or 0)
        for move in game.moves(before):
            assert isinstance(move, Numbers)
            losers = battle.losers(*move, before.side.other)
            told = narrator.tell(game.events(before, move), before)
            for side in Side:
                sent = f"{narrator.name(side)} is sent back to their base."
                assert told.count(sent) == (side in losers), (text, move, told)
            assert home is None or game.rules.team(home).homes == (before.battle,)


def test_a_loser_who_is_at_home_elsewhere_has_not_fought() -> None:
    """Only pieces on the cell of the battle are told to be sent back."""
    pieces = ["player1.pieces=A:1,B:2", "player2.pieces=X:5,Y:4"]
    game = Game(assign(find_rulebook("flag-chase"), pieces))
    narrator, before = Narrator(game), read_position(game, "3,2/3,4/1*")
    for move in game.moves(before):
        told = narrator.tell(game.events(before, move), before)
        displaced = game.play(before, move).player1 != before.player1
        assert told.count("Player 1 is sent back to their base.") == displaced, told
        displaced = game.play(before, move).player2 != before.player2
        assert told.count("Player 2 is sent back to their base.") == displaced, told


def test_who_is_to_move_is_you_only_to_one_person_alone() -> None:
    """Two at one keyboard are told which of them."""
    session = Session(Game(find_rulebook("cross-over")), names=("Ann", "Bob"))
    live, narrator = LiveGame(session), Narrator(session.game, session.names)
    for side in (Side.ONE, Side.TWO):
        names = {one: YOU if one is side else "Bob" for one in Side}
        told = status_sentence(session, live.view(frozenset({side})), names, narrator)
        assert told == ("Your move." if side is Side.ONE else "Bob to move.")
    both = dict(zip(Side, ("Ann", "Bob"), strict=True))
    for sides in (frozenset(Side), frozenset[Side]()):
        assert status_sentence(session, live.view(sides), both, narrator) == "Ann to move."


@pytest.mark.parametrize("names", ["S1:0,S12:1,S:2", "S12:0,S:1,S1:2"])
def test_a_piece_is_known_though_another_name_begins_its_own(names: str) -> None:
    """What is refused is what was meant."""
    game = Game(assign(find_rulebook("cross-over"), [f"player1.pieces={names}"]))
    for piece in ("S", "S1", "S12"):
        for step in (1, 2):
            move = Step(piece, step)
            if move in game.moves(game.start()):
                assert read_answer(game, game.start(), f"{piece} {step}") == move
        with pytest.raises(IllegalMove) as refused:
            read_answer(game, game.start(), f"{piece} 9")
        assert refused.value.move == Step(piece, 9)
