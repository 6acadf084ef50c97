"""A game refuses what is not its own in words, and shares positions with games and threads."""

import sys
import threading
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lineduel.engine import (
    PASS,
    Game,
    Numbers,
    ParsedPosition,
    Position,
    Step,
    game as engine_game,
    valid_position,
)
from lineduel.errors import IllegalMove, InvalidPosition, LineduelError, NotationError
from lineduel.record import parse_position, read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, assign
from support.strategies import ALL_GAMES, reachable

NO_MOVES: tuple[Any, ...] = ("P1-A+1", None, 3, [], {}, (), ("P1-A", [1]), Step("nobody", 1))


@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.parametrize("move", NO_MOVES, ids=repr)
def test_what_is_no_move_is_refused_as_an_illegal_one(name: str, move: Any) -> None:
    game = Game(find_rulebook(name))
    with pytest.raises(IllegalMove):
        game.play(game.start(), move)


@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.parametrize("side", Side)
def test_an_enemys_piece_is_refused_with_whose_it_is_and_whose_turn(name: str, side: Side) -> None:
    game = Game(find_rulebook(name))
    for piece in game.rules.team(side.other).pieces:
        with pytest.raises(IllegalMove) as refused:
            game.play(game.start(side), Step(piece.name, 1))
        whose = f"{piece.name} belongs to player {side.other}, and it is player {side}'s turn."
        assert str(refused.value).startswith(whose)


def test_a_piece_that_is_not_there_is_told() -> None:
    game = Game(find_rulebook("cross-over"))
    for ask in (
        lambda: game.owner("nobody"),
        lambda: game.cell_of(game.start(), "nobody"),
        lambda: game.landing(game.start(), Step("nobody", 1)),
        lambda: game.obstacle(game.start(), Step("nobody", 1)),
    ):
        with pytest.raises(NotationError, match="There is no piece called 'nobody'"):
            ask()


cells = st.lists(st.none() | st.integers(-3, 12), max_size=4).map(tuple)


@given(
    st.builds(Position, cells, cells, st.sampled_from(list(Side)), st.none() | st.integers(-1, 11)),
    st.sampled_from(ALL_GAMES),
    st.sampled_from([Step("P1-A", 1), Step("P1", 1), PASS, Numbers(1, 1)]),
)
def test_no_position_makes_a_game_raise_anything_else(
    position: Position, name: str, move: Any
) -> None:
    """Also one of another game: it is refused, or played as it stands."""
    game = Game(find_rulebook(name))
    for ask in (lambda: game.moves(position), lambda: game.events(position, move)):
        with suppress(LineduelError):
            ask()
    game.outcome(position)


def test_a_position_of_another_game_is_refused() -> None:
    game = Game(find_rulebook("cross-over"))
    with pytest.raises(InvalidPosition, match="has 3 pieces"):
        game.moves(Position((0,), (10,), Side.ONE))
    with pytest.raises(InvalidPosition, match="off the track"):
        game.moves(Position((0, 1, 99), (10, 9, 8), Side.ONE))
    with pytest.raises(InvalidPosition, match="no battles in this game"):
        game.moves(Position((5, 1, 2), (5, 9, 8), Side.ONE, 5))


def test_a_parsed_position_becomes_a_position_when_it_is_valid() -> None:
    rules = find_rulebook("cross-over").rules
    parsed = ParsedPosition((0, 1, 2), (10, 9, 8), Side.ONE)
    position = valid_position(rules, parsed)
    assert type(position) is Position
    assert str(position) == str(parsed)
    assert position != parsed
    with pytest.raises(InvalidPosition):
        valid_position(rules, ParsedPosition((0, 1), (10, 9, 8), Side.ONE))


@pytest.mark.parametrize("needs", [1, 2, 3])
def test_a_side_has_won_with_as_many_pieces_on_goals_as_it_needs_or_more(needs: int) -> None:
    """Also where more got there than a game could bring there, as a position may be given."""
    game = Game(assign(find_rulebook("cross-over"), [f"player1.goal_needs={needs}"]))
    goal = game.rules.player1.goal
    for cells in product((0, 5, None, *goal), repeat=3):
        if len(set(cells) - {None}) + cells.count(None) == 3:
            text = ",".join("x" if cell is None else str(cell) for cell in cells)
            position = read_position(game, f"{text}/4,6,7/2")
            there = sum(cell in goal for cell in cells)
            won = Side.ONE if there >= needs else Side.TWO if cells.count(None) == 3 else None
            assert game.outcome(position) is won, text
            assert bool(game.moves(position)) == (won is None)


# Positions that are shared


def test_games_that_share_positions_do_not_disturb_each_other() -> None:
    """Asked in turns, each of two games with other rules sees its own moves only."""
    jumping, blocked = (Game(find_rulebook(name)) for name in ("cross-over", "cross-over:no-jump"))
    alone = Game(find_rulebook("cross-over:no-jump"))
    for position in reachable(jumping, 500):
        copy = Position(position.player1, position.player2, position.side)
        moves = jumping.moves(position)
        expected = alone.moves(copy)
        assert blocked.moves(position) == expected
        assert jumping.moves(position) == moves
        for move in moves:
            after = jumping.play(position, move)
            if move in expected:
                assert blocked.play(position, move) == alone.play(copy, move)
            else:
                with pytest.raises(IllegalMove):
                    blocked.play(position, move)
            assert jumping.play(position, move) == after


def test_a_game_that_is_interrupted_while_it_learns_is_not_disturbed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another game works out the same position right after this one has put down what it knows."""
    jumping, blocked = (Game(find_rulebook(name)) for name in ("cross-over", "cross-over:no-jump"))
    alone = Game(find_rulebook("cross-over"))
    remember = Position.remember
    asked: set[Position] = set()

    def interrupted(position: Position, *known: Any) -> None:
        remember(position, *known)
        if position not in asked:
            asked.add(position)
            blocked.moves(position)

    positions = reachable(Game(find_rulebook("cross-over")), 300)
    expected = [answer(alone, position) for position in positions]
    monkeypatch.setattr(Position, "remember", interrupted)
    assert [answer(jumping, position) for position in positions] == expected
    assert len(asked) > 200


@pytest.mark.parametrize("remembered", [engine_game.MOST_REMEMBERED, 50])
def test_threads_that_share_positions_do_not_disturb_each_other(
    remembered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games and two threads for each, over the same objects, which are forgotten in between."""
    monkeypatch.setattr(engine_game, "MOST_REMEMBERED", remembered)
    names = ("cross-over", "cross-over:no-jump")
    games = {name: Game(find_rulebook(name)) for name in names}
    positions = reachable(Game(find_rulebook(names[1])), 400)
    apart = {name: Game(find_rulebook(name)) for name in names}
    expected = {name: [answer(apart[name], one) for one in positions] for name in names}
    wrong: list[object] = []
    together = threading.Barrier(4)

    def ask(name: str) -> None:
        together.wait()
        for _ in range(5):
            for position, right in zip(positions, expected[name], strict=True):
                try:
                    found = answer(games[name], position)
                except Exception as error:  # whatever it is, it is told below
                    wrong.append(error)
                    return
                if found != right:
                    wrong.append((name, position, found))
                    return

    threads = [threading.Thread(target=ask, args=(name,)) for name in names * 2]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert not wrong


def answer(game: Game, position: Position) -> list[object]:
    """All that a game says of a position."""
    moves = game.moves(position)
    return [game.outcome(position), moves, [game.play(position, move) for move in moves]]


def test_no_battle_is_open_where_somebody_has_won() -> None:
    """A piece on its goal beside the battle has ended the game."""
    pieces = ["player1.pieces=A:1,B:2", "player2.pieces=C:5,D:4", "meet.own=shared"]
    rules = assign(find_rulebook("flag-chase"), pieces).rules
    for text in ("3,5/3,4/1*", "3,2/3,1/2*"):
        with pytest.raises(InvalidPosition, match="the game is over, so no battle can be open"):
            valid_position(rules, parse_position(text))
    assert valid_position(rules, parse_position("3,2/3,4/1*"))
