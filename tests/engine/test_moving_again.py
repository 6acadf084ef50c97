"""`move.again`: who captures an enemy or sends one home moves once more."""

from typing import Any

import pytest

from lineduel.coach.puzzles import judge
from lineduel.coach.review import review
from lineduel.engine import Captured, Game, Moved, MovesAgain, SentHome, Victory, Won
from lineduel.errors import RulebookError
from lineduel.lab.changes import alternatives
from lineduel.lab.usage import Word, words_of
from lineduel.match import Match, Saves
from lineduel.narration import Narrator
from lineduel.play import AskUndo, LiveGame, Session
from lineduel.record import Record, parse_move, read_position, read_record, write_record
from lineduel.rules import (
    Again,
    Meeting,
    Rulebook,
    Side,
    apply_changes,
    assign,
    assignments_between,
    describe,
    format_rules,
    rulebook_from_data,
)
from lineduel.solve import PlainSolution, solve
from lineduel.tui.game_text import whose_turn


def taking(enemy: str = "captured", again: str = "capture", **changes: Any) -> Rulebook:
    """Two pieces a side on 0 to 9, steps of 1 or 2, and the far end to reach."""
    data: dict[str, Any] = {
        "title": "Again",
        "track": {"first": 0, "last": 9},
        "player1": {"pieces": {"A": 0, "B": 1}, "goal": [9]},
        "player2": {"pieces": {"X": 8, "Y": 7}, "goal": [0]},
        "move": {"steps": [1, 2], "again": again},
        "meet": {"own": "blocked", "enemy": enemy},
    }
    for table, keys in changes.items():
        data[table] = {**data[table], **keys}
    return rulebook_from_data(data, "again")


def sentences(rulebook: Rulebook) -> list[str]:
    """All that describes its rules."""
    return [line for one in describe(rulebook) for line in one.paragraphs]


def played(rulebook: Rulebook, start: str, *moves: str) -> Session:
    game = Game(rulebook)
    session = Session(game, read_position(game, start))
    for move in moves:
        session.play(parse_move(move))
    return session


def test_a_capture_earns_another_move_with_any_own_piece() -> None:
    """The turn stays, the events say so, and a move that captures nobody ends it."""
    session = played(taking(), "3,1/4,8/1", "A+1")
    assert session.turns[-1].events == (
        Moved(Side.ONE, "A", 1, 3, 4),
        Captured(Side.TWO, "X", 4),
        MovesAgain(Side.ONE),
    )
    assert str(session.position) == "4,1/x,8/1"
    session.play(parse_move("B+1"))
    assert str(session.position) == "4,2/x,8/2"


def test_each_further_capture_earns_another_move() -> None:
    session = played(taking(), "3,1/4,6/1", "A+1")
    session.play(parse_move("A+2"))
    assert session.turns[-1].events == (
        Moved(Side.ONE, "A", 2, 4, 6),
        Captured(Side.TWO, "Y", 6),
        Won(Side.ONE, Victory.CAPTURED_ALL),
    )
    assert str(session.position) == "6,1/x,x/2"


def test_a_capture_that_wins_is_the_last_move() -> None:
    """Nothing is legal any more, so nobody is told to move again."""
    session = played(taking(), "8,1/9,7/1", "A+1")
    assert not any(isinstance(event, MovesAgain) for event in session.turns[-1].events)
    assert session.winner is Side.ONE
    assert session.asked == ()


def test_without_a_legal_move_the_turn_passes() -> None:
    """A captures on the last cell and cannot go on; no pass is played for it."""
    rulebook = taking(
        player1={"pieces": {"A": 0}, "goal": [4]},
        move={"steps": [3], "again": "capture"},
        player2={"pieces": {"X": 9, "Y": 8}, "goal": [0]},
    )
    session = played(rulebook, "6/9,8/1", "A+3")
    assert str(session.position) == "9/x,8/2"
    assert session.turns[-1].events == (Moved(Side.ONE, "A", 3, 6, 9), Captured(Side.TWO, "X", 9))


def test_being_sent_home_earns_a_move_and_being_there_already_does_not() -> None:
    """X is at home on 8 and Y is not; landing on X alone changes nothing."""
    rulebook = taking("sent home")
    assert str(played(rulebook, "3,1/4,7/1", "A+1").position) == "4,1/8,7/1"
    alone = played(rulebook, "6,1/8,7/1", "A+2")
    assert alone.turns[-1].events == (Moved(Side.ONE, "A", 2, 6, 8),)
    assert str(alone.position) == "8,1/8,7/2"
    both = played(taking("sent home", meet={"own": "shared"}), "6,1/8,8/1", "A+2")
    assert both.turns[-1].events == (
        Moved(Side.ONE, "A", 2, 6, 8),
        SentHome(Side.TWO, "Y", 8, 7),
        MovesAgain(Side.ONE),
    )


@pytest.mark.parametrize("enemy", ["blocked", "shared", "wins", "battle"])
def test_it_is_refused_where_nobody_is_captured_or_sent_home_by_a_step(enemy: str) -> None:
    with pytest.raises(RulebookError) as refusal:
        taking(enemy)
    assert str(refusal.value) == (
        f'move.again: "capture", though meet.enemy is "{enemy}". '
        'Allowed: "never", unless meet.enemy is "captured" or "sent home".'
    )


def test_it_goes_where_its_meeting_goes_unless_it_is_asked_for() -> None:
    """As with battles: another meeting drops what has no meaning any more."""
    rulebook = taking()
    calm = apply_changes(rulebook, {"meet": {"enemy": "blocked"}})
    assert calm.rules.movement.again is Again.NEVER
    with pytest.raises(RulebookError, match=r"move\.again"):
        assign(rulebook, ["meet.enemy=blocked", "move.again=capture"])
    never = assign(rulebook, ["move.again=never"])
    assert assignments_between(rulebook.rules, never.rules) == ("move.again=never",)
    assert assignments_between(never.rules, rulebook.rules) == ("move.again=capture",)


def test_the_default_is_written_nowhere() -> None:
    assert "again" not in format_rules(taking(again="never").rules)
    assert "move.again=capture" in format_rules(taking().rules)


def test_a_record_numbers_turns_and_not_moves() -> None:
    """A second move of one side belongs to its turn, whoever begins."""
    moves = ("A+1", "B+1", "Y+1", "A+1")
    session = played(taking(), "3,1/4,8/1", *moves)
    text = write_record(session.record())
    assert text.endswith("\n\n1. A+1 B+1 Y+1 2. A+1 *\n")
    assert read_record(text).moves == tuple(map(parse_move, moves))
    second = played(taking(), "4,1/5,8/2", "X+1", "Y+1", "B+1", "X+1")
    assert write_record(second.record()).endswith("\n\n1... X+1 Y+1 2. B+1 X+1 *\n")


def test_it_is_described_and_told() -> None:
    text = sentences(taking())
    assert (
        "A player who takes an enemy moves once more, with any piece, if a move is legal, "
        "and again after each move that does the same." in text
    )
    home = sentences(taking("sent home"))
    assert "Landing on enemies that are already at home does not earn another move." in home
    assert not any("once more" in line for line in sentences(taking(again="never")))
    session = played(taking(), "3,1/4,8/1", "A+1")
    told = Narrator(session.game).tell(session.turns[-1].events)
    assert told == ("Player 1 moves A forward 1, to 4, and takes X.\nPlayer 1 moves again.")
    assert str(whose_turn(Match(session, Saves()))) == "Player 1 to move again."


def test_undo_takes_back_one_move_of_a_turn() -> None:
    session = played(taking(), "3,1/4,8/1", "A+1", "B+1")
    LiveGame(session).perform(AskUndo(), session.people)
    assert str(session.position) == "4,1/x,8/1"


def test_a_review_names_no_answer_where_the_same_side_moves_on() -> None:
    """A mistake that captures is followed by the same player's move: nobody has punished it."""
    rulebook = taking(
        player1={"pieces": {"A": 0, "B": 1}, "goal": [9]},
        player2={"pieces": {"X": 8, "Y": 7}, "goal": [0]},
    )
    game = Game(rulebook)
    solution = solve(game)
    seen = 0
    assert isinstance(solution, PlainSolution)
    for position, value in solution.items():
        for move in game.moves(position):
            after = game.play(position, move)
            if after.side is not position.side or value.winner is not position.side:
                continue
            if solution.value(after).winner is position.side:
                continue
            found = review(Record(rulebook=rulebook, start=position, moves=(move,)), solution)
            assert found.judgements[0].mistake
            assert found.judgements[0].punished_by is None
            told = str(judge(solution, position, move))
            assert "The reply" not in told
            assert "Then:" in told
            seen += 1
    assert seen


def test_the_lab_knows_it() -> None:
    """As a word that can matter, and as a change that can be tried."""
    assert Word.AGAIN in words_of(taking().rules)
    assert Word.AGAIN not in words_of(taking(again="never").rules)
    assert [str(one) for one in alternatives(taking().rules)["move.again"]] == ["move.again=never"]
    assert "move.again" in alternatives(taking(again="never").rules)
    calm = apply_changes(taking(), {"meet": {"enemy": str(Meeting.BLOCKED)}})
    assert "move.again" not in alternatives(calm.rules)
