"""The player that needs no solution."""

from random import Random

import pytest

from lineduel.engine import Game, Move, Position
from lineduel.players import SamplingPlayer
from lineduel.players.search import LONGEST_PLAYOUT, Search, ValueEstimate
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, apply_changes, assign
from support.repetition import for_games
from support.strategies import reachable


@for_games("address")
def test_search_is_a_policy(address: str) -> None:
    """Chances of exactly the legal choices, adding up to one."""
    game = Game(find_rulebook(address))
    search = Search(game, Random(1), games=30)
    for position in reachable(game, 60):
        if game.outcome(position) is not None:
            continue
        for side in Side if position.battle is not None else (position.side,):
            chances = search.chances(position, side)
            battle = game.rules.battle
            fights = position.battle is not None and battle is not None
            assert len(chances) == (
                battle.numbers if fights and battle else len(game.moves(position))
            )
            assert sum(chances) == pytest.approx(1)


def test_search_sees_a_win_and_a_threat() -> None:
    """A win at once is taken; a piece about to win is captured."""
    game = Game(find_rulebook("cross-over"))
    search = Search(game, Random(2), games=400)
    wins = read_position(game, "6,0,x/10,9,x/1")
    assert str(SamplingPlayer(search, game, Random(0)).choose_move(wins)) == "P1-A+2"
    threatened = read_position(game, "1,2,x/3,9,x/1")
    assert str(SamplingPlayer(search, game, Random(0)).choose_move(threatened)) in (
        "P1-A+2",
        "P1-B+1",
    )


def test_the_same_seed_is_the_same_search() -> None:
    """What it plays depends on nothing but its seed and its limit."""
    game = Game(find_rulebook("ctf-soldiers"))
    one, same = (Search(game, Random(7), games=200).chances(game.start(), Side.ONE) for _ in "ab")
    assert one == same


@pytest.mark.parametrize("address", ["flag-chase", "cross-over"])
def test_a_search_does_not_depend_on_what_it_was_asked_before(address: str) -> None:
    """The same seed, the same position: the same chances, whatever was looked at before."""
    game = Game(find_rulebook(address))
    start = game.start()
    later = next(one for one in reachable(game, 40) if one != start and game.moves(one))
    experienced = Search(game, Random(1), games=50)
    for asked in (start, later, start):
        experienced.chances(asked, asked.side)
        experienced.rng = Random(7)
        fresh = Search(game, Random(7), games=50)
        assert experienced.chances(asked, asked.side) == fresh.chances(asked, asked.side)
        experienced.rng = Random(7)
        assert experienced.worth(asked) == Search(game, Random(7), games=50).worth(asked)


@pytest.mark.parametrize(("seconds", "looks"), [(0, 3), (1, 3), (3, 5), (10, 12)])
def test_time_is_a_limit_too(seconds: int, looks: int) -> None:
    """With a clock that runs a second a look: one to begin, one a game, and one too late."""
    game = Game(find_rulebook("cross-over"))
    ticks = iter(range(1000))
    clock = lambda: float(next(ticks))  # noqa: E731
    search = Search(game, Random(1), games=100_000, seconds=seconds, clock=clock)
    assert sum(search.chances(game.start(), Side.ONE)) == pytest.approx(1)
    assert next(ticks) == looks


def test_search_beats_random_play_in_a_large_rulebook() -> None:
    """It asks for no solution: two of two on a long track with four pieces a side."""
    changes = {
        "track": {"last": 20},
        "player1": {"pieces": {f"A{cell}": 3 + cell for cell in range(4)}, "goal": [18, 19, 20]},
        "player2": {"pieces": {f"B{cell}": 17 - cell for cell in range(4)}, "goal": [0, 1, 2]},
    }
    game = Game(apply_changes(find_rulebook("cross-over"), changes))
    rng = Random(4)
    for seat in Side:
        position = game.start()
        search = Search(game, Random(seat), games=60)
        while game.outcome(position) is None:
            if position.side is seat:
                move = SamplingPlayer(search, game, rng).choose_move(position)
            else:
                move = rng.choice(game.moves(position))
            position = game.play(position, move)
        assert game.outcome(position) is seat


def test_a_simulated_game_has_no_more_plies_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those in the tree and those at random together."""
    game = Game(assign(find_rulebook("ctf-tokens"), ["move.steps=0"]))  # it never ends
    played: list[int] = []
    play, play_out = Game.play, Search._play_out

    # What a screen of an earlier test has begun may still be thinking about its own game.
    def count(one: Game, position: Position, move: Move) -> Position:
        if one is game:
            played[-1] += 1
        return play(one, position, move)

    def begin(search: Search, position: Position) -> Side | None:
        if search.game is game:
            played.append(0)
        return play_out(search, position)

    monkeypatch.setattr(Game, "play", count)
    monkeypatch.setattr(Search, "_play_out", begin)
    Search(game, Random(1), games=80).chances(game.start(), Side.ONE)
    assert set(played) == {LONGEST_PLAYOUT}


def test_an_estimate_can_be_ended_before_each_position() -> None:
    """What is known already is answered all the same."""
    game = Game(find_rulebook("cross-over"))
    asked: list[int] = []

    def keep_going() -> None:
        asked.append(1)
        if len(asked) > 2:
            raise KeyboardInterrupt

    estimate = ValueEstimate(game, game.start(), Random(1), 5, keep_going)
    one, two, three = reachable(game, 3)[:3]
    known = estimate.value(one), estimate.value(two)
    with pytest.raises(KeyboardInterrupt):
        estimate.value(three)
    assert (estimate.value(one), estimate.value(two)) == known
    assert len(asked) == 3
