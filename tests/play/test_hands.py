"""Battles in which a number that was chosen is spent, as people and programs meet them."""

from fractions import Fraction
from functools import partial
from itertools import combinations, product
from pathlib import Path

import pytest

from lineduel.coach import solution_lines
from lineduel.documents import solve_document
from lineduel.engine import Game, HandFilled, Numbers, Position
from lineduel.errors import CertificateError, IllegalMove, InvalidPosition, NotationError
from lineduel.graph import explore_by_engine
from lineduel.play import LiveGame, Session
from lineduel.record import parse_position, read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, Words, assign, parse_rules, write_rulebook
from lineduel.solve import Value, number_values, solve
from lineduel.solve.certificate import read_certificate, write_certificate
from lineduel.solve.checker import check_certificate
from lineduel.solve.solution import PlainSolution, Plan
from lineduel.solve.solver import solve_plainly
from support.program import Program

RULES = (
    "track.first=1; track.last=4; player1.pieces=A:1; player1.goal=4; player2.pieces=X:4; "
    "player2.goal=1; turn.first=player1; move.steps=1,3; move.edge=illegal; move.jump=true; "
    "meet.own=blocked; meet.enemy=battle; battle.numbers=3; battle.wins=higher; battle.hand=spent"
)
SPENT = Rulebook(id="spent", title="Spent", summary="", rules=parse_rules(RULES), words=Words())
GAME = Game(SPENT)


def plain(text: str, _: object) -> str:
    return text


def test_a_number_leaves_both_hands_and_an_empty_hand_is_filled_at_once() -> None:
    before = read_position(GAME, "3/3/1*;13/2")
    after = GAME.play(before, Numbers(3, 2))
    assert str(after) == "3/4/1;1/123"
    assert GAME.events(before, Numbers(3, 2))[-1] == HandFilled(Side.TWO)
    assert GAME.moves(before) == (Numbers(1, 2), Numbers(3, 2))
    with pytest.raises(IllegalMove, match="1 or 3 of player 1 and 2 of player 2, not 2:2"):
        GAME.play(before, Numbers(2, 2))


def test_a_hand_is_filled_again_after_its_last_number_and_no_sooner() -> None:
    """As is told: for each side by itself, whatever both have left and choose."""
    hands = [hand for size in (1, 2, 3) for hand in combinations((1, 2, 3), size)]
    for held in product(hands, hands):
        before = Position((3,), (3,), Side.ONE, 3, held)
        for move in GAME.moves(before):
            assert isinstance(move, Numbers)
            left = [
                tuple(n for n in hand if n != one) for hand, one in zip(held, move, strict=True)
            ]
            after = GAME.play(before, move).hands
            assert after == tuple(hand or (1, 2, 3) for hand in left)
            told = [one.side for one in GAME.events(before, move) if isinstance(one, HandFilled)]
            assert told == [side for side, hand in zip(Side, left, strict=True) if not hand]


@pytest.mark.parametrize("hands", ["13/2", "3/123", "1/12", "123/1", "2/2"])
@pytest.mark.parametrize("changes", [[], ["battle.wins=cyclic", "battle.tie=nobody"]])
def test_hands_of_unequal_size_are_solved_judged_and_said(hands: str, changes: list[str]) -> None:
    """They do not come up from the start, where both hands are whole, but can be asked about.

    Play can go on for ever here, so both players' best choices in battles are compared.
    """
    chase = find_rulebook("flag-chase")
    game = Game(assign(chase, ["battle.hand=spent", "battle.numbers=3", *changes]))
    position = read_position(game, f"3/3/1*;{hands}")
    solution = solve(game, position)
    battle = solve_document(solution, position).battle
    assert battle
    assert [*battle.player1] == [*hands.partition("/")[0]]
    assert [*battle.player2] == [*hands.partition("/")[2]]
    assert any("Player 2 chooses" in line for line in solution_lines(solution, position, plain))
    assert isinstance(solution, PlainSolution)
    check_certificate(read_certificate(write_certificate(solution)))
    for standing in dict(solution.items()):
        assert bool(solution.best_play.moves(standing)) == bool(game.moves(standing))
        assert set(solution.best_play.moves(standing)) <= set(game.moves(standing))


@pytest.mark.parametrize("hands", ["13/2", "3/123", "1/12", "123/1", "23/12"])
def test_a_number_is_worth_what_it_brings_against_the_other_hand(hands: str) -> None:
    """Worked out pair by pair, whatever both have left."""
    chase = find_rulebook("flag-chase")
    game = Game(assign(chase, ["battle.hand=spent", "battle.numbers=3"]))
    position = read_position(game, f"3/3/1*;{hands}")
    solution = solve(game, position)
    for side in Side:
        brought = dict.fromkeys(game.hand(position, side), Fraction(0))
        others = solution.mixture(position, side.other)
        for own, other in product(brought, others):
            pair = Numbers(own, other) if side is Side.ONE else Numbers(other, own)
            after = solution.value(game.play(position, pair))
            brought[own] += others[other] * after.sure(side)
        sure = partial(Value.sure, side=side)
        assert number_values(solution, position, side, sure) == brought


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1/4/1", "numbers in hand are missing"),
        ("1/4/1;123/124", "player 2's hand has to be one or more of the numbers 1 to 3"),
        ("1/4/1;31/1", "not in order"),
        ("1/4/1;11/1", "not in order"),
        ("1/4/1;/1", "is not a valid position"),
        ("1/4/1;1", "is not a valid position"),
    ],
)
def test_hands_that_nobody_can_have_are_refused(text: str, why: str) -> None:
    with pytest.raises((InvalidPosition, NotationError), match=why):
        read_position(GAME, text)


def test_a_game_takes_the_hands_that_somebody_can_have_and_no_others() -> None:
    """A position that was made in memory is checked like one that was read."""
    possible = [hand for size in (1, 2, 3) for hand in combinations((1, 2, 3), size)]
    for one, two in product([*possible, (), (2, 1), (1, 1), (0,), (1, 4)], repeat=2):
        for battle in (None, 3):
            position = Position((3,), (3 if battle else 4,), Side.ONE, battle, (one, two))
            if one in possible and two in possible:
                assert GAME.moves(position)
            else:
                with pytest.raises(InvalidPosition, match="hand has to be one or more"):
                    GAME.moves(position)


def test_where_nothing_is_spent_a_position_has_no_hands() -> None:
    kept = Game(
        Rulebook(
            id="kept",
            title="",
            summary="",
            rules=parse_rules(RULES[: RULES.rindex(";")]),
            words=Words(),
        )
    )
    assert str(kept.start()) == "1/4/1"
    with pytest.raises(InvalidPosition, match="no number is ever spent"):
        read_position(kept, "1/4/1;123/123")
    assert str(parse_position("1 / 4 / 1 ; 12 / 3")) == "1/4/1;12/3"


def test_a_player_chooses_from_the_own_hand_only() -> None:
    session = Session(GAME, start=read_position(GAME, "3/3/1*;13/2"))
    live = LiveGame(session)
    assert live.view(frozenset({Side.ONE})).numbers == (1, 3)
    assert live.view(frozenset({Side.TWO})).numbers == (2,)
    with pytest.raises(IllegalMove, match="Choose a number from your hand: 1 or 3"):
        session.choose(Side.ONE, 2)
    session.choose(Side.ONE, 3)
    assert live.view(frozenset(Side)).numbers == (2,)


def test_a_plan_with_a_number_that_is_not_in_hand_is_refused() -> None:
    """Even if it is worth the same."""
    solution = solve_plainly(explore_by_engine(GAME, GAME.start()))
    check_certificate(read_certificate(write_certificate(solution)))
    position = next(
        one for one, _ in solution.items() if one.battle is not None and one.hands == ((1, 3),) * 2
    )
    values = dict(solution.items())
    plans = {one: (solution.plan(one, Side.ONE), solution.plan(one, Side.TWO)) for one in values}
    mine, theirs = plans[position]
    assert mine is not None
    plans[position] = Plan((Fraction(0), Fraction(1), Fraction(0)), mine.rank), theirs
    forged = PlainSolution(GAME, solution.start, values, plans)  # type: ignore[arg-type]
    with pytest.raises(CertificateError, match="player 1 chooses a number that is not in hand"):
        check_certificate(read_certificate(write_certificate(forged)))


def test_the_prompt_says_what_is_in_hand(program: Program) -> None:
    path = Path(program.folder) / "spent.toml"
    path.write_text(write_rulebook(SPENT), encoding="utf-8")
    typed = "\n".join(("A+1", "X+1", "A+1", "3", "1", "quit", ""))
    shown = program("play", str(path), "--plain", typed=typed).out
    assert "Player 1 has 1, 2 and 3 in hand.\nPlayer 2 has 1, 2 and 3 in hand." in shown
    assert "Player 1, choose a number from your hand (1, 2 and 3): " in shown
    assert "Player 1 has 1 and 2 in hand.\nPlayer 2 has 2 and 3 in hand." in shown
