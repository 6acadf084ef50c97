"""Best play: what the perfect player guarantees, what can go on for ever, what is a mistake."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
import tomli_w
from hypothesis import given, settings

from lineduel.cli.main import main
from lineduel.coach import Adviser, MoveHint
from lineduel.coach.puzzles import find_puzzles
from lineduel.engine import Game, Numbers
from lineduel.errors import TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.narration import move_text
from lineduel.players import Perfect
from lineduel.players.perfect import LEAST_CHANCE, endless_chance, without_underflow
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, apply_changes, rulebook_data
from lineduel.rules.assignments import parse_assignments
from lineduel.solve import PlainSolution, Value, solve
from lineduel.solve.mistakes import is_mistake, keeping_moves, kept, only_move
from lineduel.solve.solver import solve_plainly
from lineduel.solve.value import Endless
from oracles.best_reply import best_reply, expected
from support.program import Program
from support.solved import solution_of
from support.strategies import ALL_GAMES, battle_rulebooks, mirrored

MOST = 100
"""Positions up to which a random game is worked out in exact numbers."""

WAIT = """
title = "Wait"
summary = "Waiting is not winning."
[track]
first = 0
last = 4
[player1]
pieces = { A = 1 }
goal = [3, 4]
[player2]
pieces = { B = 3 }
goal = [0]
[turn]
first = "player2"
[move]
steps = [1, 3, 0, 2]
jump = false
[meet]
own = "shared"
enemy = "battle"
[battle]
numbers = 4
wins = "undercut"
"""
TO_AND_FRO = """
title = "To and fro"
summary = "Even, and yet somebody wins."
[track]
first = -3
last = 0
[player1]
pieces = { A = -3 }
goal = [0]
[player2]
pieces = { B = 0 }
goal = [-3]
[move]
steps = [1, -1]
[meet]
own = "shared"
enemy = "battle"
[battle]
numbers = 4
wins = "undercut"
"""


def solved(address: str, *changes: str) -> PlainSolution:
    rulebook = find_rulebook(address)
    if changes:
        rulebook = apply_changes(rulebook, parse_assignments(changes))
    solution = solve(Game(rulebook))
    assert isinstance(solution, PlainSolution)
    return solution


def written(folder: Path, text: str) -> str:
    path = folder / "game.toml"
    path.write_text(text)
    return str(path)


MENDED = ("battle.wins=undercut", "track.last=4", "player1.goal=4", "player2.pieces=P2:4")
"""Flag Chase on four cells: even, and both may step back for ever."""


def guarantees(solution: PlainSolution) -> None:
    """Perfect is sure of its bound against every opponent, and scores the value against itself."""
    perfect = Perfect(solution)
    for side in Side:
        worst = best_reply(solution, side, perfect.exact_chances)
        for position, value in solution.items():
            assert worst[position] >= value.sure(side), f"player {side} in {position}"
    scored = expected(solution, perfect.exact_chances, perfect.exact_chances)
    for position, value in solution.items():
        assert value.low <= scored[position] <= value.high, str(position)


@given(rulebook=battle_rulebooks())
def test_perfect_guarantees_its_bound_against_every_opponent(rulebook: Rulebook) -> None:
    """The best reply is found exactly; staying for ever pays it 0."""
    game = Game(rulebook)
    try:
        graph = explore_by_engine(game, game.start(), MOST)
    except TooLarge:
        return
    guarantees(solve_plainly(graph))


@pytest.mark.parametrize(
    ("address", "changes"),
    [
        ("flag-chase", ()),
        ("flag-chase:may-stay", ("battle.wins=undercut",)),
        ("flag-chase", ("battle.wins=cyclic",)),
        ("flag-chase", MENDED),
        ("flag-chase", ("battle.wins=undercut", "move.steps=1,2,-1")),
    ],
)
def test_perfect_guarantees_its_bound_in_flag_chase(address: str, changes: tuple[str, ...]) -> None:
    guarantees(solved(address, *changes))


def test_waiting_does_not_win(tmp_path: Path) -> None:
    """Where staying keeps the value for ever, perfect makes progress, and wins."""
    solution = solved(written(tmp_path, WAIT))
    assert solution.value(solution.start) == Value(1, 1)
    guarantees(solution)
    perfect = Perfect(solution)
    scored = expected(solution, perfect.exact_chances, perfect.exact_chances)
    assert scored[solution.start] == 1


def test_who_wins_in_the_end_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever seat it is."""
    rulebook = find_rulebook(written(tmp_path, WAIT))
    for side, one in ((Side.ONE, rulebook), (Side.TWO, mirrored(rulebook))):
        path = tmp_path / f"player{side}.toml"
        path.write_text(tomli_w.dumps(rulebook_data(one)))
        assert main(["solve", str(path)]) == 0
        assert f"Player {side} wins in the end, but not" in capsys.readouterr().out


def test_a_forced_win_is_better_than_one_that_is_only_sure_in_the_end(tmp_path: Path) -> None:
    """Of moves that all win, those that win by force come first, the soonest before all."""
    for position, value in (solution := solved(written(tmp_path, WAIT))).items():
        if value.winner is position.side and value.plies:
            for move in solution.best(position):
                after = solution.value(solution.game.play(position, move))
                assert after.plies == value.plies - 1


def test_a_chance_is_nothing_only_if_it_is_0() -> None:
    """Two chances too small for a float are still a chance when both must happen."""
    tiny = without_underflow(Fraction(1, 10**400))
    assert tiny == LEAST_CHANCE
    assert tiny * tiny > 0
    assert without_underflow(Fraction(0)) == 0


def test_solve_says_how_close_perfect_play_comes(program: Program) -> None:
    """A value that is known as an interval only is told with the width of it."""
    wide = [
        *("track.first=11", "track.last=19", "player1.pieces=x:11", "player1.goal=18"),
        *("player2.pieces=p3:16", "player2.goal=12,11", "move.steps=1,6,-2,-9"),
        *("move.edge=illegal", "move.jump=false", "battle.wins=undercut"),
    ]
    options = [word for one in wide for word in ("--set", one)]
    done = program("solve", "flag-chase", *options)
    assert "Each perfect player is sure of this to within " in done.out
    low, high = json.loads(program("solve", "flag-chase", *options, "--json").out)["value"]
    assert 0 < high - low < 1e-9


# Even, and endless


def test_even_is_not_endless(program: Program) -> None:
    """Both can expect the same, and somebody wins: no sentence speaks of endless play."""
    path = written(program.folder, TO_AND_FRO)
    told = json.loads(program("solve", path, "--json").out)
    assert (told["value"], told["endless"], told["endless_chance"]) == ([0, 0], "never", 0)
    done = program("solve", path)
    assert "The game is even" in done.out
    assert "somebody wins in the end" in done.out
    assert "never ends" not in done.out
    values = program("play", path, typed="hint\nhint\nhint\nvalues\nquit\n").out
    assert "even" in values
    for said in (values, program("audit", path).out.partition("\n\n")[0]):
        assert "never ends" not in said
        assert "endless" not in said


@pytest.mark.parametrize("address", ALL_GAMES)
def test_without_battles_a_value_of_0_never_ends_and_any_other_does(address: str) -> None:
    solution = solution_of(address)
    if solution.game.rules.battle is not None:
        return
    for position in solution.explored().positions:
        value = solution.value(position)
        assert value.endless is (Endless.NEVER if value.winner else Endless.ALWAYS)
    start = solution.value(solution.start)
    assert endless_chance(solution, solution.start) == (0 if start.winner else 1)


def test_best_play_that_may_go_on_for_ever_is_shown() -> None:
    """On four cells both may step back for ever; no end is sure, and none is excluded."""
    solution = solved("flag-chase", *MENDED)
    assert solution.value(solution.start).endless is Endless.POSSIBLE
    assert solution.best_play.can_end(solution.start)
    assert endless_chance(solution, solution.start) == 0
    position = solution.start
    for move, target in solution.best_play.loop(solution.start):
        position = solution.game.play(position, move)
        assert solution.likeness.standing_for(position) == target
        assert solution.value(position).is_even
    assert position == solution.start


@given(rulebook=battle_rulebooks())
def test_what_is_said_of_endless_best_play_holds_between_perfect_players(
    rulebook: Rulebook,
) -> None:
    """Never means never, always means always, and a way round is best play all along."""
    game = Game(rulebook)
    try:
        solution = solve_plainly(explore_by_engine(game, game.start(), MOST))
    except TooLarge:
        return
    perfect = Perfect(solution)
    ends = expected(solution, perfect.exact_chances, perfect.exact_chances, either=True)
    for position in solution.explored().positions:
        value = solution.value(position)
        if value.endless is Endless.NEVER:
            assert ends[position] == 1
        if value.endless is Endless.ALWAYS:
            assert ends[position] == 0
        if not solution.best_play.can_end(position):
            assert ends[position] < 1
        assert float(1 - ends[position]) == pytest.approx(endless_chance(solution, position))


# Mistakes


@pytest.mark.parametrize("side", Side)
def test_a_choice_is_a_mistake_where_another_is_sure_of_more(side: Side) -> None:
    """Also where less than that is proved of the position itself."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)

    def seen(low: Fraction | int, high: Fraction | int) -> Value:
        return Value(low, high) if side is Side.ONE else Value(-high, -low)

    after = [seen(half, 1), seen(0, quarter), seen(-1, half)]
    assert kept(seen(0, 1), after, side) == (True, False, True)
    assert kept(seen(0, 1), after[1:], side) == (True, True)
    assert kept(seen(half, 1), after[1:], side) == (False, True)


def test_nothing_is_a_mistake_unless_intervals_prove_it() -> None:
    """Intervals that overlap prove nothing; neither coach nor puzzle speaks of them."""
    solution = solution_of("ctf-tokens")
    game, start = solution.game, solution.start
    moves = game.moves(start)
    reached = [solution.likeness.standing_for(game.play(start, move)) for move in moves]
    close = [Fraction(n, 10**9) for n in (5, 6, 7)]
    values = dict(solution.items())
    for position, low in zip(reached, close, strict=True):
        values[position] = Value(low, low + Fraction(1, 10**6))
    values[start] = Value(close[-1], close[-1] + Fraction(1, 10**6))
    wide = PlainSolution(game, start, values)
    assert keeping_moves(wide, start) == moves
    assert only_move(wide, start) is None
    adviser = Adviser(wide.game, lambda: wide)
    for move in moves:
        assert not is_mistake(wide, start, move)
        assert adviser.warning(start, move) is None
    values[reached[0]] = Value(-1, Fraction(1, 10**9))
    apart = PlainSolution(game, start, values)
    assert is_mistake(apart, start, moves[0])
    assert Adviser(apart.game, lambda: apart).warning(start, moves[0]) is not None


def test_a_mistake_too_small_to_show_is_told_by_its_size() -> None:
    """No sentence says that a number becomes the same number."""
    solution = solution_of("ctf-tokens")
    game, start = solution.game, solution.start
    values = dict(solution.items())
    third, less = Fraction(1, 3), Fraction(1, 3) - Fraction(1, 10**8)
    values[start] = Value(third, third)
    for number, move in enumerate(game.moves(start)):
        worth = less if number == 0 else third
        values[solution.likeness.standing_for(game.play(start, move))] = Value(worth, worth)
    adviser = Adviser(game, lambda: PlainSolution(game, start, values))
    warned = adviser.warning(start, game.moves(start)[0])
    assert warned is not None
    assert str(warned).endswith("is a mistake: it gives away 1e-08.")


@pytest.mark.parametrize("side", Side)
def test_where_no_loss_is_forced_a_safe_move_forces_none(side: Side) -> None:
    """Though no move is proved to keep more than the loss of everything."""
    solution = solution_of("ctf-tokens")
    game, values, start = solution.game, dict(solution.items()), solution.game.start(side)
    standing = solution.likeness.standing_for
    moves, unknown = game.moves(start), Value(-1, 1)
    values[standing(start)] = unknown
    for number, move in enumerate(moves):
        lost = Value.won(side.other, 2)
        values[standing(game.play(start, move))] = lost if number == 0 else unknown
    reached = {move: standing(game.play(start, move)) for move in moves}
    safe = tuple(move for move in moves if values[reached[move]] is unknown)
    assert 0 < len(safe) < len(moves)
    assert PlainSolution(game, start, values).safe_moves(start) == safe


@given(rulebook=battle_rulebooks())
@settings(max_examples=60)
def test_every_puzzle_has_one_answer_that_is_proved(rulebook: Rulebook) -> None:
    """Every other move is proved to leave less than the answer is sure of."""
    game = Game(rulebook)
    try:
        solution = solve_plainly(explore_by_engine(game, game.start(), MOST))
    except TooLarge:
        return
    alike = solution.likeness.standing_for
    for puzzle in find_puzzles(solution, Random(1)):
        side = puzzle.position.side
        right = alike(game.play(puzzle.position, puzzle.answer))
        others = [alike(game.play(puzzle.position, move)) for move in game.moves(puzzle.position)]
        sure = max(solution.value(puzzle.position).sure(side), solution.value(right).sure(side))
        assert all(solution.value(one).hoped(side) < sure for one in others if one != right)


# Hints


@pytest.mark.parametrize("address", ALL_GAMES)
def test_a_hint_is_a_best_move_with_the_best_chances(address: str) -> None:
    """By value first; what `values` marks and what the hint says are the same."""
    solution = solution_of(address)
    adviser, game = Adviser(solution.game, lambda: solution), solution.game
    open_ = [one for one, _ in solution.items() if game.outcome(one) is None]
    for position in Random(2).sample(open_, min(len(open_), 60)):
        if position.battle is not None:
            continue
        marked = [one.move for one in adviser.moves(position) if one.best]
        hint = adviser.hint(position, position.side)
        assert isinstance(hint, MoveHint)
        assert hint.move in marked
        assert str(hint).startswith(f"{move_text(game, position, hint.move)}: ")
        assert set(marked) <= set(solution.best(position))
        assert adviser.line(position, 12)[0] == hint.move


@pytest.mark.parametrize(("address", "level"), [("ctf-soldiers", 4), ("flag-chase", 1)])
def test_chances_tell_equal_moves_apart(address: str, level: int) -> None:
    """Where nobody can force a win, each move comes with the chances it leaves."""
    solution = solution_of(address)
    adviser = Adviser(solution.game, lambda: solution, dict.fromkeys(Side, level))
    open_ = [one for one, value in solution.items() if one.battle is None and value.winner is None]
    told = 0
    for position in open_[:60]:
        advice = adviser.moves(position)
        chances = {one.move: one.chances for one in advice if one.chances}
        best = [chances[one.move] for one in advice if one.best]
        others = [chances[move] for move in solution.best(position)]
        assert not any(other.is_better_than(one) for one in best for other in others)
        told += len(best) < len(others)
        hint = str(adviser.hint(position, position.side))
        assert f"within 30 turns against level {level}" in " ".join(hint.split())
    assert told


@pytest.mark.parametrize("address", ALL_GAMES)
def test_every_count_is_from_the_position_in_front_of_the_reader(address: str) -> None:
    """A forced win in n plies has a best move that is told as winning in n."""
    solution = solution_of(address)
    adviser = Adviser(solution.game, lambda: solution)
    for position, value in list(solution.items())[:400]:
        if value.plies and position.battle is None:
            best = [one for one in adviser.moves(position) if one.best]
            assert {one.value.plies for one in best} == {value.plies}


def test_a_battle_that_decides_nothing_is_told_as_numbers() -> None:
    """Whatever numbers best play may choose lead only to what the value allows."""
    solution = solved("flag-chase", "battle.wins=undercut")
    for position, value in solution.items():
        if position.battle is None:
            continue
        moves = solution.best_play.moves(position)
        assert moves
        assert all(isinstance(move, Numbers) for move in moves)
        used = [solution.mixture(position, side) for side in Side]
        for side in Side:
            mixed = {number for number, chance in used[side - 1].items() if chance}
            assert mixed <= {move[side - 1] for move in moves if isinstance(move, Numbers)}
        assert value.endless is not None or solution.value(position).endless is not None
