"""Levels search for themselves: any rulebook, the same chances, and never less deep in silence."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings, strategies as st

from lineduel.arena import game_runner
from lineduel.arena.settings import Settings
from lineduel.engine import Game, Position
from lineduel.errors import TooDeep, TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.match import Match, Saves
from lineduel.play import Session
from lineduel.players import LEVELS, Level, lookahead, seat_player
from lineduel.players.levels import fitting_level
from lineduel.players.lookahead import DEEPEST, UNSEEN, Lookahead
from lineduel.players.skills import SKILLS
from lineduel.record import parse_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import BattleRule, Rulebook, Side, rulebook_from_data
from lineduel.rules.assignments import format_rules
from lineduel.solve import PlainSolution, Solution, Value, solve
from lineduel.solve.solver import Silence
from support.program import Finished, Program
from support.repetition import for_games
from support.screens import SMALL, match_of, viewer
from support.solved import solution_of
from support.strategies import Played, games_under_way, rulebook_data, rulebooks
from tui.test_duel import long_way, played

SAMPLE = 40
CROWDED = "58,1,2,3,4,5/59,62,61,60,56,55/1"
"""In the long game: player 1 can win at once; if not, there is too much to look at."""
LIMIT = 2000
"""A smaller one than usual, so that a busy machine does not take long to reach it."""
TOO_DEEP = f"Level 8 would have to look at more than {LIMIT:,} positions for this move."


def limited(program: Program, *arguments: str, typed: str = "") -> Finished:
    """The program, with that limit."""
    run = f"""
from lineduel.players import lookahead
from lineduel.solve import solver
lookahead.MOST_SEARCHED = solver.MOST_PLAIN = {LIMIT}
from lineduel.cli.main import main
raise SystemExit(main({list(arguments)!r}))
"""
    return program.python("-c", run, typed=typed)


def running(solution: PlainSolution, seed: int) -> list[Position]:
    """The start and some other positions where the game goes on."""
    found = [one for one, _ in solution.items() if solution.game.outcome(one) is None]
    return [found[0], *Random(seed).sample(found, min(len(found), SAMPLE))]


def choosers(position: Position) -> tuple[Side, ...]:
    return tuple(Side) if position.battle is not None else (position.side,)


def check_chances(solution: Solution, positions: list[Position]) -> None:
    """Every level plays the same from the solution and by its own search."""
    search = Lookahead(solution.game)
    for number in LEVELS:
        known, searching = Level(number, solution), Level(number, search)
        for position in positions:
            for side in choosers(position):
                assert searching.chances(position, side) == known.chances(position, side), (
                    f"level {number}, player {side} in {position}"
                )


# The same as from a solution


@for_games("address")
def test_a_level_plays_the_same_with_and_without_a_solution(address: str) -> None:
    """Not nearly the same: the very same chances, at the start and anywhere else."""
    solution = solution_of(address)
    check_chances(solution, running(solution, seed=7))


@given(games_under_way())
def test_in_any_rulebook_a_level_plays_the_same_without_a_solution(game: Played) -> None:
    """Whatever the rulebook says: battles, sharing, captures, stays and passes."""
    solution = solve(game.game, game.start)
    goes_on = [one for one in dict.fromkeys(game.positions) if game.game.outcome(one) is None]
    check_chances(solution, goes_on[-6:])


@for_games("address")
def test_a_search_sees_all_that_is_forced_so_far_ahead_and_nothing_else(address: str) -> None:
    """The winner and the plies of each move as the solution has them; the rest is not seen."""
    solution = solution_of(address)
    search = Lookahead(solution.game)
    for position in running(solution, seed=3):
        for sight in (0, 1, 2, 5, 8):
            seen = search.look(position, sight)
            assert not seen.ran_out
            for (move, value), (legal, exact) in zip(
                seen.moves, solution.moves(position), strict=True
            ):
                assert move == legal
                within = exact.plies is not None and exact.plies < sight
                assert value == (exact if within else UNSEEN)
            assert seen.sight == sight or UNSEEN not in seen.values


@st.composite
def battles(draw: st.DrawFn) -> Rulebook:
    """A random rulebook in which enemies fight."""
    data = draw(rulebook_data())
    assume(data["meet"]["enemy"] not in ("blocked", "shared"))
    data["meet"]["enemy"] = "battle"
    data["move"].pop("again", None)
    wins = draw(st.sampled_from([str(rule) for rule in BattleRule]))
    data["battle"] = {"numbers": draw(st.sampled_from([3, 5])), "wins": wins}
    return rulebook_from_data(data, "random")


def repeated_turns() -> st.SearchStrategy[Rulebook]:
    """A random rulebook in which a side can move again."""
    return rulebooks().filter(lambda rulebook: rulebook.rules.moves_again)


@given(
    st.one_of(battles(), repeated_turns()),
    st.sampled_from([2, 3, 4, 5, 7, 10, 16]),
    st.integers(0, 99),
)
def test_where_turns_do_not_alternate_a_search_sees_all_that_is_forced(
    rulebook: Rulebook, sight: int, seed: int
) -> None:
    """In battles and by moves that earn another, for either side, and before and after."""
    game = Game(rulebook)
    try:
        graph = explore_by_engine(game, game.start(), 3000)
    except TooLarge:
        assume(False)
    forced = graph.forced_wins
    search = Lookahead(game)
    telling = [
        at for at, after in enumerate(graph.successors) if any(forced.plies[to] > 0 for to in after)
    ]
    for at in Random(seed).sample(telling, min(len(telling), SAMPLE)):
        expected = []
        for reached in graph.successors[at]:
            winner, plies = forced.winner[reached], forced.plies[reached]
            if winner == 0 or plies >= sight:
                expected.append(UNSEEN)
            else:
                expected.append(Value.won(Side(winner), plies))
        assert search.look(graph.positions[at], sight).values == tuple(expected)


# The limit


@settings(max_examples=60)
@given(st.sampled_from(["ctf-soldiers", "cross-over", "flag-chase"]), st.integers(3, 2000))
def test_a_level_that_does_not_fit_names_the_highest_that_does(address: str, most: int) -> None:
    """It plays as it should or says so; the level it names fits, and the next does not."""
    game = Game(find_rulebook(address))
    position = game.start()
    fits, refused = [], set()
    for number in LEVELS:
        try:
            Level(number, Lookahead(game, most)).chances(position, position.side)
            fits.append(number)
        except TooDeep as error:
            refused.add(str(error))
    assert fits == list(LEVELS[: len(fits)])
    assert SKILLS[fits[-1]].sight <= Lookahead(game, most).look(position).sight
    assert refused == {
        f"Level {number} would have to look at more than {most:,} positions for this move.\n"
        f"The highest level that fits here is level {fits[-1]}."
        for number in LEVELS[len(fits) :]
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookahead, "MOST_SEARCHED", most)
        assert fitting_level(game, position) == fits[-1]


def test_what_is_seen_does_not_depend_on_what_was_asked_before() -> None:
    """The count of positions starts anew for each question."""
    solution = solution_of("cross-over")
    used = Lookahead(solution.game, most=700)
    for position in running(solution, seed=5):
        assert used.look(position) == Lookahead(solution.game, most=700).look(position)


def test_as_far_as_the_limit_allows_is_known_and_said() -> None:
    """What a hint says: how many turns ahead every move was looked at."""
    game = Game(find_rulebook("cross-over"))
    depths = [Lookahead(game, most).look(game.start()).sight for most in (2, 50, 500, 3000)]
    assert depths == sorted(set(depths))
    assert depths[0] == 0
    assert Lookahead(game, 500).look(game.start()).ran_out


def test_a_search_that_meets_few_positions_ends_all_the_same() -> None:
    """In a small game that never ends it would find nothing new for ever."""
    game = Game(find_rulebook("flag-chase"))
    seen = Lookahead(game).look(game.start())
    assert (seen.sight, seen.ran_out) == (DEEPEST, False)


# Rulebooks that nobody can solve


def not_to_be_solved() -> Solution:
    raise AssertionError("a level needs no solution")


def too_large() -> Solution:
    raise TooLarge(10, 10, "This does not fit: it is large.\nSet another limit.")


def test_a_level_takes_its_seat_without_a_solution(tmp_path: Path) -> None:
    """In a small game and in one that cannot be solved, and it plays there."""
    for address in ("cross-over", "flag-chase", str(long_way(tmp_path))):
        game = Game(find_rulebook(address))
        start = game.start()
        player = seat_player("level:4", game, start, solved=not_to_be_solved, rng=Random(1))
        assert player.choose_move(start) in game.moves(start)


def test_what_to_choose_instead_of_perfect_is_said() -> None:
    """Perfect needs the solution; levels and search do not."""
    game = Game(find_rulebook("cross-over"))
    with pytest.raises(TooLarge) as refusal:
        seat_player("perfect", game, game.start(), solved=too_large, rng=Random(1))
    assert str(refusal.value) == (
        "This does not fit: it is large.\n"
        "Perfect needs the solution; choose level 8, the highest level that fits here, "
        "or search instead."
    )


def test_at_the_prompt_a_level_that_does_not_fit_loses_nothing(
    program: Program, tmp_path: Path
) -> None:
    """At the start it is refused; later the person may take back, and the game goes on."""
    address = str(long_way(tmp_path))
    refused = limited(program, "play", address, "--p2", "level:8")
    assert refused.status == 2
    assert refused.err == f"lineduel: {TOO_DEEP}\nThe highest level that fits here is level 5.\n"
    done = limited(
        *(program, "play", address, "--p2", "level:8", "--position", CROWDED),
        typed="A0-1\nmaybe\nundo\nA0-1\nquit\n",
    )
    said = f"{TOO_DEEP}\nThe highest level that fits here is level 4.\n"
    assert (done.status, done.err) == (0, f"{said}Type undo, resign or quit.\n{said}")
    assert "undo, resign or quit: undo\nTaken back.\n" in done.out
    assert done.out.endswith("Game saved. Resume with: lineduel play --resume\n")
    resumed = program("play", "--resume", typed="undo\nA0+5\n")
    assert resumed.out.endswith("Player 1 has reached the goal. Player 1 wins!\n")


async def test_on_the_screen_a_level_that_does_not_fit_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so in place of a move; the last move can be taken back."""
    monkeypatch.setattr(lookahead, "MOST_SEARCHED", LIMIT)
    match = match_of(str(long_way(tmp_path)), "human", "level:8", position=CROWDED)
    async with viewer(match, size=SMALL) as game:
        await game.see(" move.")
        await game.press("4")
        await game.see("Level 8 would have to look", "The highest level that fits here is level 4.")
        assert played(game) == ["A0-1"]
        await game.press("u")
        await game.see(" move.")
        await game.press("3")
        await game.see("A0 reached 63 after 1 turn.")


def test_a_program_that_was_refused_its_seat_is_refused_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever moves in a game that could not begin is told the same again."""
    monkeypatch.setattr(lookahead, "MOST_SEARCHED", LIMIT)
    rulebook = find_rulebook(str(long_way(tmp_path)))
    start = parse_position(CROWDED.replace("/1", "/2")).unchecked()
    match = Match(Session(Game(rulebook), start, ("human", "level:8")), Saves())
    for _ in range(2):
        with pytest.raises(TooDeep):
            match.think(Side.TWO)


def test_our_engine_plays_levels_in_a_rulebook_that_nobody_can_solve(
    program: Program, tmp_path: Path
) -> None:
    """Or says why not, when it is asked whether it is ready."""
    game = Game(find_rulebook(str(long_way(tmp_path))))
    asked = f"rules set {format_rules(game.rules)}\nposition {game.start()}\nisready\n"
    ready, move = program("engine", "--level", "4", typed=f"{asked}go\n").out.splitlines()
    assert ready == "readyok"
    assert move.removeprefix("bestmove ") in map(str, game.moves(game.start()))
    (told,) = limited(program, "engine", "--level", "8", typed=asked).out.splitlines()
    assert told.startswith(f"error {TOO_DEEP} The highest level that fits")


def tournament(*players: str) -> Settings:
    rulebook = find_rulebook("ctf-tokens")
    rules, start = format_rules(rulebook.rules), str(Game(rulebook).start())
    return Settings(
        game="ctf-tokens", title="", rules=rules, start=start, players=players, games=20
    )


def test_a_tournament_of_levels_is_the_same_without_a_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where there are too many positions to solve, levels search, and play the same games."""
    settings = tournament("level:2", "level:5", "level:8")
    expected = game_runner.GameRunner(settings).play(range(60))
    monkeypatch.setattr(game_runner, "MOST_PLAIN", 10)
    monkeypatch.setattr(game_runner, "solve", lambda *_, **__: not_to_be_solved())
    large = game_runner.GameRunner(settings)
    large.prepare(Silence())
    assert large.play(range(60)).lines == expected.lines


def test_a_tournament_says_before_the_first_game_who_cannot_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A level that does not fit, and perfect where there is no solution."""
    monkeypatch.setattr(game_runner, "MOST_PLAIN", 10)
    monkeypatch.setattr(game_runner, "solve", lambda *_, **__: too_large())
    crowded = game_runner.GameRunner(tournament("level:1", "level:8"))
    crowded._lookahead.most = 20
    with pytest.raises(TooDeep):
        crowded.prepare(Silence())
    with pytest.raises(TooLarge, match="Perfect needs the solution; choose level 8"):
        game_runner.GameRunner(tournament("level:1", "perfect")).prepare(Silence())


def test_a_game_too_large_to_solve_is_looked_into_as_far_as_can_be_seen(program: Program) -> None:
    """The hint says how far, and `values` claim nothing beyond it."""
    pieces = [
        f"player{side}.pieces=" + ",".join(f"{name}{at}:{at + cell}" for at in range(8))
        for side, name, cell in ((1, "A", 0), (2, "B", 50))
    ]
    rules = ["track.last=63", "player1.goal=63", "player2.goal=0", *pieces]
    options = [word for one in rules for word in ("--set", one)]
    typed = "hint\nhint\nhint\nvalues\nquit\n"
    done = limited(program, "play", "cross-over", *options, typed=typed)
    told = " ".join(done.out.split())
    assert re.search(r"A\d \d→\d+: no forced win and no forced loss, seen \d+ turns ahead\.", told)
    assert "undecided" in done.out
    assert "Traceback" not in done.err
