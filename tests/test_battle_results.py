"""`battle.loser` and `battle.tie`: what becomes of the pieces that have fought."""

from typing import Any

import pytest

from lineduel.engine import (
    BattleSettled,
    Captured,
    Game,
    Position,
    Victory,
    Won,
)
from lineduel.errors import InvalidPosition, RulebookError
from lineduel.lab.changes import alternatives
from lineduel.lab.usage import Word, words_of
from lineduel.record import parse_move, read_position
from lineduel.rules import Rulebook, Side, describe, format_rules, rulebook_from_data
from lineduel.session import Narrator, Session, Turn
from lineduel.solve import solve


def fighting(pieces: int = 1, **battle: Any) -> Rulebook:
    """So many pieces a side on 0 to 6, steps of 1 and back, and the far end to reach."""
    data: dict[str, Any] = {
        "title": "Fight",
        "track": {"first": 0, "last": 6},
        "player1": {"pieces": {"A": 1, "B": 0}, "goal": [6]},
        "player2": {"pieces": {"X": 5, "Y": 4}, "goal": [0]},
        "move": {"steps": [1, -1, 0]},
        "meet": {"own": "shared", "enemy": "battle"},
        "battle": {"numbers": 3, **battle},
    }
    for side, goal in (("player1", [6]), ("player2", [0])):
        listed = list(data[side]["pieces"].items())[:pieces]
        data[side] = {"pieces": dict(listed), "goal": goal}
    return rulebook_from_data(data, "fight")


def settled(rulebook: Rulebook, start: str, numbers: str) -> tuple[Game, Turn]:
    """What a battle leads to."""
    game = Game(rulebook)
    session = Session(game, read_position(game, start))
    return game, session.play(parse_move(numbers))


def sentences(rulebook: Rulebook) -> list[str]:
    """All that describes its rules."""
    return [line for one in describe(rulebook) for line in one.paragraphs]


# The loser


def test_the_loser_is_captured_with_all_its_pieces_there() -> None:
    """Player 2 attacked with X, where A and B stand; the higher number keeps the cell."""
    rulebook = fighting(2, loser="captured")
    game, turn = settled(rulebook, "3,3/3,4/1*", "1:2")
    assert turn.events == (
        BattleSettled(3, 1, 2, Side.TWO),
        Captured(Side.ONE, "A", 3),
        Captured(Side.ONE, "B", 3),
        Won(Side.TWO, Victory.CAPTURED_ALL),
    )
    assert str(turn.after) == "x,x/3,4/1"
    _, turn = settled(rulebook, "3,3/3,4/1*", "2:1")
    assert str(turn.after) == "3,3/x,4/1"
    assert game.outcome(turn.after) is None


@pytest.mark.parametrize(("start", "winner"), [("3/3/1*", Side.ONE), ("3/3/2*", Side.TWO)])
def test_where_both_lose_their_last_piece_the_attacker_loses(start: str, winner: Side) -> None:
    """Whoever moves after the battle did not attack."""
    game, turn = settled(fighting(loser="captured"), start, "2:2")
    assert turn.events[-1] == Won(winner, Victory.BOTH_GONE)
    assert set(turn.after.player1 + turn.after.player2) == {None}
    assert game.outcome(turn.after) is winner
    narrator = Narrator(game)
    names = {Side.ONE: "Player 1", Side.TWO: "Player 2"}
    assert narrator.victory(turn.events) == (
        f"Both have lost their last piece. {names[winner.other]} attacked, so {names[winner]} wins!"
    )
    assert narrator.tell(turn.events) == (
        "Player 1 chose 2.\nPlayer 2 chose 2.\nThe battle is a tie.\n"
        "Player 1's A is captured.\nPlayer 2's X is captured."
    )


def test_a_tie_that_leaves_somebody_is_no_end() -> None:
    game, turn = settled(fighting(2, loser="captured"), "3,2/3,4/1*", "2:2")
    assert str(turn.after) == "x,2/x,4/1"
    assert game.outcome(turn.after) is None


def test_captured_losers_make_captured_pieces_possible_and_shared_cells_not() -> None:
    """What a position may be follows from what a battle can leave behind."""
    home, out = Game(fighting(2)), Game(fighting(2, loser="captured"))
    assert str(read_position(out, "x,2/3,x/1")) == "x,2/3,x/1"
    assert str(read_position(out, "x,x/x,x/1")) == "x,x/x,x/1"
    with pytest.raises(InvalidPosition, match="cannot be captured"):
        read_position(home, "x,2/3,4/1")
    assert str(read_position(home, "5,2/5,4/1")) == "5,2/5,4/1"  # X was sent home to where A is
    with pytest.raises(InvalidPosition, match="cannot both rest on cell 5"):
        read_position(out, "5,2/5,4/1")


def test_where_losers_are_captured_homes_tell_no_pieces_apart() -> None:
    """So there are fewer positions to solve."""
    rules = fighting(2, loser="captured").rules
    assert rules.like_pieces(Side.ONE) == ((0, 1),)
    assert fighting(2).rules.like_pieces(Side.ONE) == ((0,), (1,))


def test_the_loser_is_described() -> None:
    told = sentences(fighting(loser="captured"))
    assert (
        "The loser's pieces on that cell leave the game, on a tie both players' pieces; "
        "then the turn is with the player who did not make the last move." in told
    )
    assert "Taking the last enemy piece wins as well." in told
    assert "If both lose their last piece at once, the player who did not attack wins." in told


def test_a_wrong_word_is_refused_with_those_that_are_right() -> None:
    with pytest.raises(RulebookError) as refusal:
        fighting(loser="eaten")
    assert str(refusal.value) == ('battle.loser: "eaten". Allowed: "sent home" or "captured".')


def test_a_game_in_which_losers_leave_can_be_worth_something_without_repetition() -> None:
    """One battle decides; with three numbers and the higher one winning, both play 3 and tie.

    The attacker then loses, so whoever comes next to the other's piece does not attack.
    """
    solution = solve(Game(fighting(loser="captured")))
    value = solution.value(Position((3,), (3,), Side.ONE, 3))
    assert value.winner is Side.ONE
    assert value.plies == 1


def test_the_lab_knows_what_becomes_of_losers() -> None:
    words = words_of(fighting(loser="captured").rules)
    assert {Word.CAPTURE, Word.LAST_CAPTURED, Word.BOTH_GONE} <= set(words)
    assert not {Word.CAPTURE, Word.LAST_CAPTURED, Word.BOTH_GONE} & set(words_of(fighting().rules))
    assert [str(one) for one in alternatives(fighting().rules)["battle.loser"]] == [
        "battle.loser=captured"
    ]


def test_defaults_of_battles_are_written_nowhere() -> None:
    assert "loser" not in format_rules(fighting(loser="sent home").rules)
    assert format_rules(fighting(loser="captured").rules).endswith("; battle.loser=captured")
