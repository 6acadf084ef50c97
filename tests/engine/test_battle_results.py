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
from lineduel.errors import InvalidPosition, NotationError, RulebookError
from lineduel.lab.changes import alternatives
from lineduel.lab.usage import Word, words_of
from lineduel.narration import Narrator
from lineduel.play import Session, Turn
from lineduel.players import Level, Lookahead
from lineduel.record import parse_move, read_position
from lineduel.rules import (
    Rulebook,
    Side,
    Tie,
    assign,
    describe,
    format_rules,
    rulebook_from_data,
)
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
        "The loser's pieces on that cell leave the game; on a tie, both players' pieces do. "
        "Then it is the turn of the player who did not make the last move." in told
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


# A tie


@pytest.mark.parametrize(
    ("tie", "after"),
    [("both", "1/5/1"), ("attacker", "3/5/1"), ("defender", "1/3/1"), ("nobody", "3/3/1")],
)
def test_a_tie_takes_those_that_the_rulebook_names(tie: str, after: str) -> None:
    """Player 2 attacked on 3, so that player 1 is to move after the battle."""
    game, turn = settled(fighting(tie=tie), "3/3/1*", "2:2")
    assert str(turn.after) == after
    assert game.outcome(turn.after) is None
    _, turn = settled(fighting(tie=tie), "3/3/1*", "2:1")
    assert str(turn.after) == "3/5/1"  # no tie, and so none of its business


def test_who_attacked_is_told_by_who_moves_next() -> None:
    _, turn = settled(fighting(tie="attacker", loser="captured"), "3/3/2*", "1:1")
    assert str(turn.after) == "x/3/2"
    assert turn.events[-1] == Won(Side.TWO, Victory.CAPTURED_ALL)
    _, turn = settled(fighting(tie="defender", loser="captured"), "3/3/2*", "1:1")
    assert str(turn.after) == "3/x/2"


def test_enemies_that_share_a_cell_fight_again_only_when_it_is_entered() -> None:
    """Staying meets nobody, leaving is free, and whoever comes in opens a battle."""
    game = Game(fighting(2, tie="nobody"))
    session = Session(game, read_position(game, "3,2/3,4/1*"))
    for move, leads_to in (
        ("3:3", "3,2/3,4/1"),
        ("A+0", "3,2/3,4/2"),  # stays, and meets nobody
        ("X-1", "3,2/4,4/1"),
        ("A+0", "3,2/4,4/2"),
        ("X+1", "3,2/3,4/1*"),  # comes back
        ("1:1", "3,2/3,4/1"),
        ("B+1", "3,3/3,4/2*"),  # a second piece comes in
        ("3:3", "3,3/3,4/2"),
        ("Y+0", "3,3/3,4/1"),
    ):
        assert str(session.play(parse_move(move)).after) == leads_to


def test_a_step_off_the_track_that_stays_meets_nobody_either() -> None:
    data = fighting(tie="nobody", loser="captured")
    game = Game(
        assign(
            data,
            ["move.edge=stay", "move.steps=1,-1", "player1.goal=5", "player2.pieces=X:4"],
        )
    )
    position = read_position(game, "6/6/1")
    assert str(game.play(position, parse_move("A+1"))) == "6/6/2"


def test_a_tie_on_a_goal_wins_for_an_attacker_who_stays() -> None:
    """With "nobody" and with "defender" the attacker stands there; else the game goes on."""
    for tie, over in (("both", False), ("attacker", False), ("defender", True), ("nobody", True)):
        game, turn = settled(fighting(2, tie=tie), "6,0/6,4/2*", "2:2")
        assert (game.outcome(turn.after) is Side.ONE) == over
        if over:
            assert turn.events[-1] == Won(Side.ONE, Victory.GOAL, "A", 6)


def test_an_open_battle_is_told_from_a_cell_that_is_merely_shared() -> None:
    """`*` marks the battle, and names its cell where several are shared."""
    game = Game(fighting(2, tie="nobody"))
    for text in ("3,2/3,4/1", "3,2/3,4/1*", "3,4/3,4/1", "3,4/3,4/1*3", "3,4/3,4/1*4"):
        position = read_position(game, text)
        assert str(position) == text
        assert (position.battle is not None) == ("*" in text)
    with pytest.raises(NotationError, match="does not say where the battle is"):
        read_position(game, "3,4/3,4/1*")
    with pytest.raises(InvalidPosition, match="cannot both rest on cell 3"):
        read_position(Game(fighting(2)), "3,2/3,4/1")


def test_ties_are_described() -> None:
    turn = "Then it is the turn of the player who did not make the last move."
    for tie, told in (
        (
            "both",
            f"The loser's pieces on that cell go home; on a tie, both players' pieces do. {turn}",
        ),
        (
            "attacker",
            f"The loser's pieces on that cell go home; on a tie, the attacker's pieces do. {turn}",
        ),
        (
            "defender",
            "The loser's pieces on that cell go home; "
            f"on a tie, the attacked player's pieces do. {turn}",
        ),
        ("nobody", f"The loser's pieces on that cell go home; on a tie, both stay. {turn}"),
    ):
        assert told in sentences(fighting(tie=tie))
    assert "Enemies that share a cell fight again when another piece enters it." in sentences(
        fighting(tie="nobody")
    )
    enough = "On an occupied goal cell the battle comes first; a tie is enough to win."
    assert [enough in sentences(fighting(tie=str(tie))) for tie in Tie] == [
        not tie.consequences.attacker_goes for tie in Tie
    ]


def test_a_tie_that_takes_nobody_is_told_as_such() -> None:
    game, turn = settled(fighting(tie="nobody"), "3/3/1*", "2:2")
    assert Narrator(game).tell(turn.events) == (
        "Player 1 chose 2.\nPlayer 2 chose 2.\nThe battle is a tie, and both stay on 3."
    )


def test_levels_know_whom_a_tie_helps() -> None:
    """Where nothing else is seen, the defender goes for ties that only the attacker loses."""

    def ties(tie: str) -> float:
        game = Game(fighting(2, numbers=5, wins="undercut", tie=tie))
        position = read_position(game, "3,1/3,5/1*")
        level = Level(2, Lookahead(game))
        ones, twos = (level.chances(position, side) for side in Side)
        return sum(one * two for one, two in zip(ones, twos, strict=True))

    assert ties("attacker") != pytest.approx(ties("both"))
    assert ties("nobody") == pytest.approx(ties("both"))


def test_a_tie_rule_is_a_word_that_a_repair_may_change() -> None:
    assert Word.TIE in words_of(fighting(tie="nobody").rules)
    assert Word.TIE not in words_of(fighting().rules)
    assert [str(one) for one in alternatives(fighting().rules)["battle.tie"]] == [
        "battle.tie=attacker",
        "battle.tie=defender",
        "battle.tie=nobody",
    ]


def test_defaults_of_battles_are_written_nowhere() -> None:
    assert "loser" not in format_rules(fighting(loser="sent home").rules)
    assert format_rules(fighting(loser="captured").rules).endswith("; battle.loser=captured")
    assert "tie" not in format_rules(fighting(tie="both").rules)
    assert format_rules(fighting(tie="nobody").rules).endswith("; battle.tie=nobody")
