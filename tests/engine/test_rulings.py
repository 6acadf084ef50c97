"""What could be doubted about steps, being stuck, goals that need several pieces, and hands.

Each is shown by the smallest game that has the case. Random rulebooks are compared with the naive
rules in `test_laws.py`; what is warned of and refused is in `tests/rules`.
"""

import pytest

from lineduel.engine import BattleOpened, BattleSettled, Game, HandFilled, Victory, Won, perft
from lineduel.errors import RulebookError
from lineduel.play import Session
from lineduel.record import parse_move, read_position
from lineduel.rules import Rulebook, Side, Words, assign, parse_rules
from lineduel.solve import solve

RULES = (
    "track.first=1; track.last=8; player1.pieces=A:3,B:3; player1.goal=7,8; "
    "player2.pieces=X:6,Y:6; player2.goal=1,2; turn.first=player1; move.steps=1,2; "
    "move.edge=illegal; move.jump=true; meet.own=shared; meet.enemy=captured"
)
BLOCKED = ("meet.enemy=blocked", "turn.stuck=loses", "move.jump=false")
BATTLE = ("meet.enemy=battle", "battle.numbers=3")
FIGHT = (*BATTLE, "battle.wins=higher")
SPENT = (*FIGHT, "battle.hand=spent")
ONE, TWO = Side


def game(*settings: str) -> Game:
    plain = Rulebook(id="small", title="Small", summary="", rules=parse_rules(RULES), words=Words())
    return Game(assign(plain, settings))


def moves(played: Game, position: str) -> list[str]:
    return [str(move) for move in played.moves(read_position(played, position))]


def after(played: Game, position: str, move: str) -> str:
    return str(played.play(read_position(played, position), parse_move(move)))


def won(played: Game, position: str, move: str) -> tuple[Side, Victory] | None:
    """Who wins by a move, and how."""
    last = played.events(read_position(played, position), parse_move(move))[-1]
    return (last.side, last.victory) if isinstance(last, Won) else None


# Steps


def test_steps_of_a_piece_replace_its_sides_which_replace_those_of_all() -> None:
    """All of them count in the player's own direction."""
    own = game("player1.steps=3", "player1.piece_steps=B:1/-1", "player2.piece_steps=Y:2/-1")
    assert moves(own, "4,4/7,7/1") == ["A+3", "B+1", "B-1"]
    assert moves(own, "4,4/6,6/2") == ["X+1", "X+2", "Y+2", "Y-1"]
    assert after(own, "4,4/6,5/2", "Y+2") == "4,4/6,3/1"
    assert after(own, "4,4/6,5/2", "Y-1") == "4,4/6,6/1"


def test_the_steps_of_all_are_required_even_where_nobody_has_them() -> None:
    own = RULES.replace("turn.first", "player1.steps=1; player2.steps=1; turn.first")
    assert parse_rules(own).player1.steps == (1,)
    with pytest.raises(RulebookError, match=r"move\.steps"):
        parse_rules(own.replace("move.steps=1,2; ", ""))


# What wins


@pytest.mark.parametrize(
    ("settings", "position", "move", "winner", "how"),
    [
        ([], "6,3/7,x/1", "A+1", ONE, Victory.GOAL),  # and no enemy is left
        (["meet.enemy=wins"], "6,3/7,5/1", "A+1", ONE, Victory.GOAL),  # and lands on an enemy
        (BLOCKED, "6,3/4,4/1", "A+1", ONE, Victory.GOAL),  # and the enemy is stuck
        (["turn.stuck=loses"], "4,3/5,x/1", "A+1", ONE, Victory.CAPTURED_ALL),
        (
            ["turn.stuck=loses", "meet.enemy=wins", "player2.steps=5"],
            *("3,3/4,5/1", "A+1", ONE, Victory.LANDED),
        ),
        ([*FIGHT, "battle.loser=captured"], "7,x/7,x/2*", "2:2", TWO, Victory.BOTH_GONE),
        ([*FIGHT, "battle.loser=captured"], "7,x/7,x/2*", "3:2", ONE, Victory.GOAL),
        ([*FIGHT, "battle.loser=captured"], "7,x/7,x/2*", "1:2", TWO, Victory.CAPTURED_ALL),
        ([*FIGHT, "battle.tie=nobody"], "7,4/7,5/2*", "2:2", ONE, Victory.GOAL),
    ],
)
def test_what_wins_is_asked_in_order(
    settings: list[str], position: str, move: str, winner: Side, how: Victory
) -> None:
    """Both sides empty, goals, no piece left, landing on an enemy; only then being stuck."""
    assert won(game(*settings), position, move) == (winner, how)


# Being stuck


def test_only_the_player_whose_turn_it_is_can_be_stuck() -> None:
    """Player 2 cannot move in either position, and has lost only where the turn is his."""
    blocked = game(*BLOCKED, "move.steps=1")
    assert moves(blocked, "4,3/5,5/1") == ["B+1"]
    assert won(blocked, "4,3/5,5/1", "B+1") == (ONE, Victory.STUCK)
    assert moves(game(*BLOCKED[:1], "move.steps=1"), "4,4/5,5/2") == ["pass"]


def test_nobody_is_stuck_during_a_battle() -> None:
    """Player 2 could not move while it is open; once it is settled, that may count."""
    fight = game(*FIGHT, "turn.stuck=loses", "battle.tie=nobody", "player2.steps=5")
    entered = read_position(fight, "4,3/5,5/1"), parse_move("A+1")
    assert fight.events(*entered)[-1] == BattleOpened(5)
    opened = str(fight.play(*entered))
    assert opened == "5,3/5,5/2*"
    assert won(fight, opened, "2:2") == (ONE, Victory.STUCK)
    assert won(fight, opened, "3:2") is None  # at home there is room for the step


@pytest.mark.parametrize(
    ("settings", "legal"),
    [
        (["move.steps=1,0"], ["A+0", "B+0"]),
        (["move.steps=1,-1", "move.edge=stay"], ["A-1", "B-1"]),
        (["move.steps=1,-1"], []),
    ],
)
def test_who_can_stay_is_not_stuck(settings: list[str], legal: list[str]) -> None:
    blocked = game(*BLOCKED, "player2.goal=1", *settings)
    assert moves(blocked, "1,1/2,2/1") == legal
    assert blocked.outcome(read_position(blocked, "1,1/2,2/1")) is (None if legal else TWO)


def test_who_has_no_second_move_is_not_stuck() -> None:
    """After a capture the turn goes over, and the game goes on."""
    again = game("move.again=capture", "turn.stuck=loses", "player1.goal=8", "player1.steps=3")
    assert after(again, "3,7/6,5/1", "A+3") == "6,7/x,5/2"
    assert won(again, "3,7/6,5/1", "A+3") is None
    assert moves(again, "6,7/x,5/2") == ["Y+1", "Y+2"]
    assert moves(again, "6,7/x,5/1") == []


@pytest.mark.parametrize("first", Side)
def test_a_game_can_be_over_at_its_start(first: Side) -> None:
    """Such a rulebook is valid, and who begins has lost before anybody moves."""
    both = ("player2.pieces=X:4,Y:4", "move.steps=1", f"turn.first=player{first}")
    over = game(*BLOCKED, *both)
    assert over.outcome(over.start()) is first.other
    assert list(perft(over, over.start(), 3)) == [0, 0, 0]
    value = solve(over).value(over.start())
    assert (value.winner, value.plies) == (first.other, 0)
    session = Session(over)
    assert (session.winner, session.plies) == (first.other, 0)


# Goals that need several pieces


@pytest.mark.parametrize("enemy", ["shared", "blocked", "captured", "sent home", "wins"])
def test_pieces_on_goals_are_counted_and_not_cells(enemy: str) -> None:
    """Two on one cell are two, and so are two on two cells."""
    both = game("player1.goal_needs=2", f"meet.enemy={enemy}")
    assert won(both, "7,6/5,5/1", "B+1") == (ONE, Victory.GOAL)
    assert won(both, "7,6/5,5/1", "B+2") == (ONE, Victory.GOAL)
    assert won(both, "6,5/4,4/1", "A+1") is None


def test_an_enemy_on_a_goal_changes_nothing() -> None:
    both = game("player1.goal_needs=2", "meet.enemy=shared")
    assert won(both, "7,6/7,7/1", "B+1") == (ONE, Victory.GOAL)
    assert won(both, "7,6/8,8/1", "B+1") == (ONE, Victory.GOAL)


def test_a_piece_on_a_goal_is_in_play() -> None:
    """It can move on, go back, and be sent home."""
    both = game("player1.goal_needs=2", "move.steps=1,-1", "meet.enemy=sent home")
    assert moves(both, "7,3/8,5/1") == ["A+1", "A-1", "B+1", "B-1"]
    assert after(both, "7,3/8,5/2", "X+1") == "3,3/7,5/1"


def test_with_fewer_pieces_than_its_goal_needs_a_side_wins_in_other_ways() -> None:
    both = game("player1.goal_needs=2")
    assert won(both, "6,x/5,5/1", "A+1") is None
    assert moves(both, "7,x/5,5/1") == ["A+1"]
    assert won(both, "6,x/7,x/1", "A+1") == (ONE, Victory.CAPTURED_ALL)


def test_pieces_on_goals_are_counted_once_a_battle_is_settled() -> None:
    both = game(*FIGHT, "player1.goal_needs=2")
    assert after(both, "7,6/8,5/1", "B+2") == "7,8/8,5/2*"
    assert won(both, "7,6/8,5/1", "B+2") is None
    assert won(both, "7,8/8,5/2*", "3:2") == (ONE, Victory.GOAL)
    assert after(both, "7,8/8,5/2*", "2:3") == "7,3/8,5/2"


@pytest.mark.parametrize("needs", [1, 2])
def test_no_piece_starts_on_its_own_goal(needs: int) -> None:
    """However many are needed there."""
    with pytest.raises(RulebookError, match="A starts on 3, which is its own goal"):
        game(f"player1.goal_needs={needs}", "player1.goal=3,8")


# Hands


def test_a_tie_spends_both_numbers() -> None:
    assert after(game(*SPENT), "5,3/5,6/2*;12/13", "1:1") == "3,3/6,6/2;2/3"


def test_the_last_number_in_hand_has_to_be_chosen_and_fills_the_hand_at_once() -> None:
    """Also where the game ends by it; ended positions have hands, too."""
    spent = game(*SPENT)
    session = Session(spent, start=read_position(spent, "7,4/7,5/2*;3/2"))
    assert moves(spent, "7,4/7,5/2*;3/2") == ["3:2"]
    session.choose(ONE, 3)
    assert (session.plies, session.winner) == (0, None)
    session.choose(TWO, 2)
    assert (session.plies, session.winner) == (1, ONE)
    assert str(session.position) == "7,4/6,5/2;123/123"
    told = spent.events(read_position(spent, "7,4/7,5/2*;3/2"), parse_move("3:2"))
    assert [type(one) for one in told[-3:]] == [HandFilled, HandFilled, Won]


def test_numbers_win_in_a_circle_whatever_is_in_hand() -> None:
    """Of 1 to 3 each beats one other: 1 beats 3, also where only 1 and 3 are left."""
    circle = game(*BATTLE, "battle.wins=cyclic", "battle.hand=spent")
    for hands in ("123/123", "13/13", "3/1"):
        position = read_position(circle, f"5,3/5,6/2*;{hands}")
        told = circle.events(position, parse_move("3:1"))[0]
        assert told == BattleSettled(5, 3, 1, TWO)
