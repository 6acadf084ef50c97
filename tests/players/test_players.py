"""Opponents: levels that form a ladder, a perfect player, and advice at the prompt."""

import json
import os
from pathlib import Path
from random import Random

import pytest

from lineduel.arena.ladder import climb, everyone
from lineduel.engine import Game, Position
from lineduel.errors import UnknownPlayer
from lineduel.match import Match, Saves
from lineduel.play import MOST_PLIES, Session
from lineduel.players import (
    LEVELS,
    Fallible,
    Level,
    Limits,
    Lookahead,
    Perfect,
    SamplingPlayer,
    chances_seen,
    check_player_name,
    describe_level,
    describe_players,
    player_in_words,
    seat_player,
)
from lineduel.players.search import Search
from lineduel.record import parse_move, read_position
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Side
from lineduel.solve import solve
from support.program import Program
from support.repetition import for_games
from support.solved import result_between, solution_of

GOLDEN = Path(__file__).parents[1] / "golden" / "ladder.json"


@for_games("address")
def test_every_player_is_a_policy(address: str) -> None:
    """In any position the chances add up to one, over exactly the legal moves or numbers."""
    solution = solution_of(address)
    game = solution.game
    positions = [one for one, _ in solution.items() if game.outcome(one) is None]
    players = everyone(solution)
    for position in Random(1).sample(positions, min(len(positions), 150)):
        for player in players:
            for side in Side if position.battle is not None else (position.side,):
                chances = player.chances(position, side)
                battle = game.rules.battle
                open_battle = position.battle is not None and battle is not None
                size = battle.numbers if open_battle and battle else len(game.moves(position))
                assert len(chances) == size
                assert min(chances) >= 0
                assert sum(chances) == pytest.approx(1, abs=1e-12)


@for_games("address")
def test_perfect_never_gives_away_value(address: str) -> None:
    """From any position, against every reply: all it may play keeps the value and the plies."""
    solution = solution_of(address)
    game, perfect = solution.game, Perfect(solution)
    for position, value in solution.items():
        if game.outcome(position) is not None or position.battle is not None:
            continue
        side = position.side
        for move, chance in zip(game.moves(position), perfect.chances(position, side), strict=True):
            if chance:
                reached = solution.value(game.play(position, move))
                assert reached.for_side(side)[:2] == value.for_side(side)[:2]
                if value.plies is not None:
                    assert reached.plies == value.plies - 1


@pytest.mark.parametrize("address", ["ctf-soldiers", "flag-chase"])
def test_perfect_plays_to_win_where_nobody_can_force_it(address: str) -> None:
    """Against a fallible opponent it always wins in the end, from either seat."""
    solution = solution_of(address)
    perfect, fallible = Perfect(solution), Fallible(solution)
    assert result_between(solution, perfect, fallible).win1 == pytest.approx(1, abs=1e-6)
    assert result_between(solution, fallible, perfect).win2 == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("address", SHIPPED)
def test_the_levels_are_a_ladder(address: str) -> None:
    """No level scores less than half against the one below, over both seats, computed exactly."""
    solution = solution_of(address)
    ladder = climb(solution, [Level(number, solution) for number in LEVELS])
    found = {
        f"{number} against {number - 1}": round(ladder.score(at, at - 1), 3)
        for at, number in enumerate(LEVELS)
        if at
    }
    assert min(found.values()) >= 0.5
    golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    if os.environ.get("LINEDUEL_UPDATE_GOLDEN"):
        golden[address] = found
        GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")
    assert found == golden[address]


def test_a_level_sees_as_far_as_it_says() -> None:
    """Level 2 takes a win in one; level 3 prevents one; level 1 does neither."""
    solution = solution_of("ctf-tokens")
    game = solution.game
    for position, value in solution.items():
        if value.plies != 1:
            continue
        moves = game.moves(position)
        winning = {move for move in moves if game.outcome(game.play(position, move))}
        seen = chances_seen(game, position, position.side, 1, solution.outlook(position))
        chances = dict(zip(moves, seen, strict=True))
        assert {move for move, chance in chances.items() if chance} <= winning
        assert set(Level(1, solution).chances(position, position.side)) == {1 / len(moves)}


def test_every_level_says_how_it_thinks() -> None:
    """One plain sentence each, no two alike."""
    told = [description for _, description in describe_players()]
    assert len(set(told)) == len(told) == len(LEVELS) + 3
    assert describe_level(1) == "Plays at random."
    assert describe_level(3) == (
        "Sees forced wins and losses up to 2 turns ahead, "
        "but looks only half as far one time in four."
    )
    assert not any("ply" in one or "plies" in one for one in told)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("3", "level:3"),
        ("level 3", "level:3"),
        ("Easy", "level:3"),
        ("random", "level:1"),
        ("MASTER", "level:8"),
        ("fallible", "fallible"),
    ],
)
def test_a_level_is_known_by_its_number_and_by_its_name(given: str, meant: str) -> None:
    """`3`, `easy` and `level:3` are the same player."""
    assert check_player_name(given) == meant


def test_players_are_named_in_running_text_as_people_call_them() -> None:
    """`level 3 (easy)`, not `level:3`."""
    names = ("level:3", "perfect", "engine:python mine.py")
    assert [player_in_words(name) for name in names] == [
        "level 3 (easy)",
        "perfect",
        "the engine 'python mine.py'",
    ]


def test_a_fallible_opponent_can_be_played(program: Program) -> None:
    """It plays without a solution, as at the ladder: the chances are the same either way."""
    game = Game(find_rulebook("flag-chase"))
    solved, searching = Fallible(solve(game)), Fallible(Lookahead(game))
    for position in (game.start(), read_position(game, "2/4/1"), read_position(game, "3/3/1*")):
        assert solved.chances(position, Side.ONE) == searching.chances(position, Side.ONE)
    done = program("play", "ctf-tokens", "--p1", "fallible", "--p2", "Easy", "--seed", "1")
    assert (done.status, done.err) == (0, "")
    assert "wins" in done.out


def test_a_fallible_player_scores_in_a_tournament_what_the_ladder_says(program: Program) -> None:
    """It plays there like any other of the ladder."""
    players = ("--players", "fallible", "easy", "--games", "4000", "--cores", "1")
    done = program("tournament", "cross-over", *players, "--file", "played.jsonl", "--json")
    assert (done.status, done.err) == (0, "")
    (pairing,) = json.loads(done.out)["pairings"]
    solution = solution_of("cross-over")
    fallible, easy = Fallible(solution), Level(3, solution)
    first = result_between(solution, fallible, easy).score
    second = 1 - result_between(solution, easy, fallible).score
    assert abs(pairing["points"] / 4000 - (first + second) / 2) < 0.03


@pytest.mark.parametrize("name", ["level:0", "level:9", "level:", "level:x", "perfekt", "", "²"])
def test_a_player_there_is_not_is_refused(name: str) -> None:
    """With the names there are."""
    with pytest.raises(UnknownPlayer, match=r"levels 1 to 8 \(1 random, 2 beginner, 3 easy,"):
        check_player_name(name)


def test_a_seed_makes_a_game_repeatable(program: Program) -> None:
    """The same seed, the same game; another seed, another game sooner or later."""
    games = [
        program("play", "cross-over", "--p1", "level:2", "--p2", "level:3", "--seed", seed).out
        for seed in ("5", "5", "6", "7")
    ]
    assert games[0] == games[1]
    assert len(set(games)) > 1


def test_the_program_answers_each_move_and_undo_takes_back_both(program: Program) -> None:
    """After one's own move comes the program's; undo leads back to one's own turn."""
    done = program(
        "play", "ctf-tokens", "--p2", "level:3", "--seed", "1", typed="1\nundo\n3\nquit\n"
    )
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[5:8] == [
        "The computer plays Player 2: level 3 (easy). It sees forced",
        "wins and losses up to 2 turns ahead, but looks only half as",
        "far one time in four.",
    ]
    assert "Player 1 moves to position -4." in lines
    assert sum(line.startswith("The computer moved P2 +5→") for line in lines) == 2
    assert "Player 2's turn." not in lines
    after_undo = lines[lines.index("Taken back.") :]
    assert after_undo[2] == "-5 [P1]  ...  +5 [P2]"
    assert after_undo[4] == "Player 1's turn."


def test_a_program_keeps_its_number_secret_too(program: Program) -> None:
    """In a battle the person is asked, and both numbers are shown together."""
    done = program(
        "play", "flag-chase", "--p2", "perfect", "--position", "3/4/1", typed="1\n2\nquit\n"
    )
    shown = done.out.partition("Battle Initiated at Cell 4!")[2].splitlines()
    assert shown[1].startswith("Player 1, choose a number")
    assert shown[2] == "Player 1 chose 2."
    assert shown[3] == "Player 2 chose 5."


def test_undo_in_a_battle_against_a_program_leads_back_before_it(program: Program) -> None:
    """The number that the program has chosen already is not what is taken back."""
    done = program(
        "play", "flag-chase", "--p2", "perfect", "--position", "3/4/1", typed="1\nundo\nquit\n"
    )
    after = done.out.partition("Taken back.")[2].splitlines()
    assert after[2] == "Grid: [ ] [ ] [P1] [P2] [ ]"
    assert "Player 1, choose action:" in after


def test_the_seats_are_kept_with_the_game(program: Program) -> None:
    """After quit the same opponent sits there again."""
    program("play", "ctf-soldiers", "--p2", "level:4", "--seed", "2", typed="S1 2\nquit\n")
    done = program("play", "--resume", typed="S1 1\nquit\n")
    assert done.err == ""
    assert "The computer moved" in done.out


def test_two_programs_play_to_an_end_or_are_stopped(program: Program) -> None:
    """Endless play between programs stops after some time, undecided."""
    done = program("play", "ctf-soldiers", "--p1", "perfect", "--p2", "perfect")
    assert done.status == 0
    assert done.out.endswith("Nobody has won in 300 turns; the game stops here.\n")


def test_hint_and_values_tell_the_exact_truth(program: Program) -> None:
    """In words, every count from the position in front of the player; in a battle the chances."""
    done = program("play", "cross-over:no-jump", typed="hint\nhint\nhint\nvalues\nquit\n")
    assert "P1-C 2→4: it wins in 17 turns.\n" in done.out
    assert "* P1-C 2→4   wins in 17; later P1-C takes P2-C on 6\n" in done.out
    assert "  P1-C 2→3   loses in 20; loses time\n" in done.out
    endless = program("play", "ctf-soldiers", typed="hint\nhint\nhint\nvalues\nquit\n")
    assert "nobody can force a win, and no move is proved to be worse." in " ".join(
        endless.out.split()
    )
    assert "S1 0→1   never ends, " in endless.out
    battle = program(
        *("play", "flag-chase", "--set", "battle.wins=undercut", "--position", "3/3/1*"),
        typed="hint\nvalues\nquit\n",
    )
    assert "Choose at random: 3 with 33.3% (1/3), 4 with 33.3% (1/3)" in " ".join(
        battle.out.split()
    )
    assert "3   33.3% (1/3)\n" in battle.out


def test_the_coach_warns_before_value_is_given_away_and_only_then(program: Program) -> None:
    """A move that keeps the value is played without a word; another can be taken back."""
    done = program("play", "cross-over:no-jump", "--coach", typed="1\nno\n2\nquit\n")
    assert done.out.count("is a mistake") == 1
    assert "P1-C 2→3 is a mistake: it turns a win in 17 into a loss in\n20.\n" in done.out
    assert "- You moved P1-C to position 4." in done.out
    stubborn = program("play", "cross-over:no-jump", "--coach", typed="1\nyes\nquit\n")
    assert "- You moved P1-C to position 3." in stubborn.out
    silent = program("play", "cross-over:no-jump", typed="1\nquit\n")
    assert "is a mistake" not in silent.out


def test_moves_are_drawn_by_their_chances() -> None:
    """A policy of one move always plays it."""
    solution = solution_of("cross-over")
    perfect, rng = Perfect(solution), Random(3)
    start = solution.game.start()
    player = SamplingPlayer(perfect, solution.game, rng)
    drawn = {player.choose_move(start) for _ in range(20)}
    assert drawn == set(solution.best(start))


def test_against_a_person_the_computer_never_stops_playing() -> None:
    """Only a game between programs is left undecided."""
    session = Session(Game(find_rulebook("flag-chase")), seats=("human", "level:1"))
    match = Match(session, Saves())
    there_and_back = [parse_move(text) for text in ("P1+1", "P2+1", "P1-1", "P2-1")]
    for number in range(MOST_PLIES + 4):
        session.play(there_and_back[number % 4])
        assert not match.session.undecided
        assert match.session.program_asked is (
            Side.TWO if session.position.side is Side.TWO else None
        )


@pytest.mark.parametrize("address", ["cross-over", "flag-chase"])
def test_search_takes_no_more_than_its_time(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousandth of a second is over long before all games in the head are played."""
    games, play_out = [0], Search._play_out

    def counted(search: Search, position: Position) -> Side | None:
        games[0] += 1
        return play_out(search, position)

    monkeypatch.setattr(Search, "_play_out", counted)
    game = Game(find_rulebook(address))
    start = game.start()
    player = seat_player(
        "search",
        game,
        start,
        solved=lambda: solution_of(address),
        rng=Random(1),
        limits=Limits(movetime=1),
    )
    assert player.choose_move(start) in game.moves(start)
    assert 0 < games[0] < 1000
