"""What a position is worth, and what the command says about it."""

import json
import math
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import psutil
import pytest
from hypothesis import given, settings

from lineduel.engine import Game, Position
from lineduel.errors import NotSolved, TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, apply_changes
from lineduel.rules.assignments import parse_assignments
from lineduel.solve import Value, in_words, solve
from lineduel.solve.cache import Cache
from lineduel.solve.solution import PlainSolution
from lineduel.solve.solver import solve_plainly
from lineduel.solve.value import Endless
from oracles import bruteforce
from support.program import PATIENCE, PYTHON_M, Program, wait_until
from support.solved import solution_of
from support.strategies import ALL_GAMES, mirrored, mirrored_position, rulebooks

GOLDEN = Path(__file__).parents[1] / "golden" / "solutions.json"
MOST = 2000


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """With a cache of its own: what is kept there is tested here."""
    return Program(tmp_path)


def plain_solution(rulebook: Rulebook, start: Position | None = None) -> PlainSolution | None:
    game = Game(rulebook)
    try:
        return solve_plainly(explore_by_engine(game, start or game.start(), MOST))
    except TooLarge:
        return None


@pytest.mark.parametrize("address", ALL_GAMES)
def test_the_shipped_games_are_worth_what_they_always_were(address: str) -> None:
    """Positions, value, plies and the longest forced win, changed only on purpose."""
    solution = solution_of(address)
    value = solution.value(solution.start)
    found = {
        "positions": solution.positions,
        "value": str(value.exact),
        "plies": value.plies,
        "longest": solution.longest,
    }
    golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    if os.environ.get("LINEDUEL_UPDATE_GOLDEN"):
        golden[address] = found
        GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")
    assert found == golden[address]


def test_solve_keeps_its_contract(program: Program) -> None:
    """The example of the command's JSON, to the letter."""
    done = program("solve", "cross-over", "--json")
    assert json.loads(done.out) == {
        "game": "cross-over",
        "position": "0,1,2/10,9,8/1",
        "positions": 9397,
        "counted": "reachable",
        "value": [-1, -1],
        "plies": 20,
        "longest": 20,
        "endless": "never",
        "endless_chance": 0,
        "moves": [
            {"move": "P1-B+2", "value": [-1, -1], "plies": 17},
            {"move": "P1-C+1", "value": [-1, -1], "plies": 19},
            {"move": "P1-C+2", "value": [-1, -1], "plies": 17},
        ],
    }


def test_an_open_battle_has_probabilities_in_place_of_moves(program: Program) -> None:
    """One probability for each number and player, adding up to 1."""
    done = program(
        "solve", "flag-chase", "--set", "battle.wins=undercut", "--position", "3/3/1*", "--json"
    )
    told = json.loads(done.out)
    assert "moves" not in told
    assert told["exact"] == "5/141"
    low, high = told["value"]
    assert low <= 5 / 141 <= high
    for player in ("player1", "player2"):
        assert list(told["battle"][player]) == ["1", "2", "3", "4", "5"]
        assert sum(told["battle"][player].values()) == pytest.approx(1)


def test_a_line_of_best_play_shows_that_a_battle_cuts_it_short(program: Program) -> None:
    """Dots at its end where it does not lead to the end of the game; none where it does."""
    captured = ("--set", "battle.loser=captured", "--set", "battle.tie=nobody")
    lines = [
        program("solve", game, *more).out.splitlines()[-1]
        for game, *more in (("flag-chase", *captured), ("ctf-tokens",), ("cross-over",))
    ]
    assert [line.endswith("…") for line in lines] == [True, False, False]


def test_a_small_fraction_is_said_as_one(program: Program) -> None:
    """Flag Chase with undercutting is worth 1/47 to player 1."""
    done = program("solve", "flag-chase", "--set", "battle.wins=undercut")
    assert "Player 1 can expect +1/47 (win 1, loss -1, endless 0)." in done.out


@given(rulebook=rulebooks())
@settings(max_examples=200)
def test_the_solver_agrees_with_brute_force(rulebook: Rulebook) -> None:
    """Value, plies and the number of positions, over the whole vocabulary without battles."""
    if rulebook.rules.battle is not None:
        return
    solution = plain_solution(rulebook)
    if solution is None:
        return
    game = solution.game
    right = bruteforce.solve(game, bruteforce.explore(game, [game.start()]))
    assert solution.positions == len(right)
    for position, (winner, plies) in right.items():
        value = solution.value(position)
        assert (value.winner, value.plies) == (winner, plies)
        assert value.is_even == value.never_ends == (winner is None)


@given(rulebook=rulebooks())
def test_the_mirrored_rulebook_has_mirrored_values(rulebook: Rulebook) -> None:
    """Seen from the other chair everything is worth the opposite, battles included."""
    solution = plain_solution(rulebook)
    if solution is None:
        return
    start = mirrored_position(solution.game.start())
    other = plain_solution(mirrored(rulebook), start)
    assert other is not None
    assert other.positions == solution.positions
    for position, value in solution.items():
        turned = other.value(mirrored_position(position))
        assert turned.plies == value.plies
        if value.exact is not None and turned.exact is not None:
            assert turned.exact == -value.exact
        assert -turned.high <= value.high
        assert value.low <= -turned.low


@given(rulebook=rulebooks())
def test_a_value_is_that_of_the_best_move(rulebook: Rulebook) -> None:
    """Where one side moves, the position is worth what its best move leads to."""
    solution = plain_solution(rulebook)
    if solution is None:
        return
    for position, value in solution.items():
        if position.battle is not None or solution.game.outcome(position) is not None:
            continue
        reached = solution.value(solution.game.play(position, solution.best(position)[0]))
        if value.exact is not None and reached.exact is not None:
            assert reached.exact == value.exact
        if value.plies is not None:
            assert reached.plies == value.plies - 1


@pytest.mark.parametrize("address", ALL_GAMES)
def test_best_play_wins_in_the_plies_that_were_promised(address: str) -> None:
    """The line is legal, as long as the value says, and ends with the winner's move."""
    solution = solution_of(address)
    game, position = solution.game, solution.game.start()
    value = solution.value(position)
    line = solution.line(position)
    for move in line:
        position = game.play(position, move)
    if value.plies is not None:
        assert len(line) == value.plies
        assert game.outcome(position) is value.winner


def test_every_position_can_be_solved_reachable_or_not() -> None:
    """A position that never comes up from the start has its own solution."""
    game = Game(find_rulebook("cross-over"))
    position = read_position(game, "7,x,x/8,9,10/1")
    assert solve(game, position).value(position) == Value(1, 1, 1)
    with pytest.raises(NotSolved, match="cannot come up"):
        solve(game, position).value(game.start())


def test_values_are_looked_up_whatever_the_order_of_like_pieces() -> None:
    """P1-A and P1-B may have changed places."""
    solution = solution_of("cross-over")
    game = solution.game
    one, other = (read_position(game, text) for text in ("0,3,2/10,9,8/2", "3,2,0/8,9,10/2"))
    assert solution.value(one) == solution.value(other)


def test_first_asks_about_the_other_player_to_begin(program: Program) -> None:
    """Tokens: whoever begins wins."""
    for first in ("1", "2"):
        told = json.loads(program("solve", "ctf-tokens", "--first", first, "--json").out)
        assert told["value"] == ([1, 1] if first == "1" else [-1, -1])


# A large rulebook, solved by the compiled rules

MIDDLE = (
    "track.last=12",
    "player1.pieces=A:0,B:1,C:2,D:3",
    "player2.pieces=E:12,F:11,G:10,H:9",
    "player1.goal=9,10,11,12",
    "player2.goal=0,1,2,3",
)


def middle() -> Game:
    return Game(apply_changes(find_rulebook("cross-over"), parse_assignments(MIDDLE)))


def set_options(assignments: tuple[str, ...]) -> list[str]:
    return [word for one in assignments for word in ("--set", one)]


def test_a_large_rulebook_is_solved_in_a_table_and_the_table_is_proved(program: Program) -> None:
    """It says what it takes, counts what it solved, and its file is accepted or refused."""
    done = program("solve", "cross-over", *set_options(MIDDLE), "--certificate", "t", "--json")
    assert done.err.startswith("Solving ")
    assert "of memory" in done.err
    told = json.loads(done.out)
    assert told["counted"] == "solved"
    assert told["positions"] > 60_000
    right = solve_plainly(explore_by_engine(middle(), middle().start(), 1_000_000))
    value = right.value(right.start)
    assert (told["value"], told["plies"]) == ([value.low, value.high], value.plies)
    accepted = program("check", "t")
    assert accepted.status == 0, accepted.out
    table = program.folder / "t"
    whole = table.read_bytes()
    for at in (5, 60, len(whole) // 2, len(whole) - 1):
        table.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert program("check", "t").status == 1
    table.write_bytes(whole[: len(whole) // 2])
    assert program("check", "t").status == 1


def test_other_commands_do_not_speak_of_the_memory_option(program: Program) -> None:
    """Who plays is told what is too large, not an option of another command."""
    code = (
        "import sys, lineduel.solve.solver as solver\n"
        "solver.free_memory = lambda: 1000\n"
        "from lineduel.cli.main import main\n"
        "sys.exit(main(['play', 'cross-over', '--p2', 'perfect']))"
    )
    done = program.python("-c", code)
    assert done.status == 2
    assert "This game does not fit into memory: " in done.err
    assert "--memory" not in done.err


def test_a_rulebook_that_does_not_fit_is_refused_with_the_figure(program: Program) -> None:
    """Nothing is begun that cannot be ended."""
    done = program("solve", "cross-over", *set_options(MIDDLE), "--memory", "1K")
    assert done.status == 2
    assert "1.0 KiB" in done.err
    assert "--memory" in done.err
    largest = ("track.last=63", "move.steps=1,2,3,-1", "player1.goal=63", "player2.goal=0")
    pieces = [
        f"player{side}.pieces=" + ",".join(f"{name}{at}:{at + cell}" for at in range(8))
        for side, name, cell in ((1, "A", 0), (2, "B", 50))
    ]
    done = program("solve", "cross-over", *set_options((*largest, *pieces)))
    assert done.status == 2
    assert "entries need" in done.err


# The cache


def test_a_solution_is_kept_and_found_again(program: Program) -> None:
    """The second time it is the same answer from the file."""
    first = program("solve", "ctf-soldiers", "--json")
    [kept] = program.cached
    assert program("solve", "ctf-soldiers", "--json") == first
    renamed = program("solve", "ctf-soldiers", "--no-cache", "--json")
    assert renamed == first
    assert program.cached == [kept]


def test_solving_touches_no_file_without_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a cache that is handed in is read and written."""
    monkeypatch.setenv("LINEDUEL_CACHE", str(tmp_path / "usual"))
    game = Game(find_rulebook("ctf-tokens"))
    solve(game)
    assert list(tmp_path.iterdir()) == []
    solve(game, cache=Cache(tmp_path / "own"))
    assert [one.name for one in tmp_path.iterdir()] == ["own"]
    solve(game, cache=Cache())
    assert sorted(one.name for one in tmp_path.iterdir()) == ["own", "usual"]


def test_words_and_title_do_not_matter_to_the_cache(tmp_path: Path) -> None:
    """The same rules under another title are the same solution."""
    rulebook = find_rulebook("ctf-tokens")
    cache = Cache(tmp_path)
    game = Game(rulebook)
    cache.store(solve(game))
    other = Game(apply_changes(rulebook, {"title": "Tag", "words": {"turn": "Go, {player}!"}}))
    assert cache.load(other, other.start()) is not None
    changed = Game(apply_changes(rulebook, {"move": {"steps": [1, 2]}}))
    assert cache.load(changed, changed.start()) is None


@pytest.mark.parametrize("damage", ["cut", "empty", "foreign", "binary", "of another game"])
def test_a_damaged_cache_file_is_ignored_and_made_anew(program: Program, damage: str) -> None:
    """The answer is the same, and the file is whole again."""
    right = program("solve", "ctf-tokens", "--json")
    [kept] = program.cached
    whole = kept.read_bytes()
    program("solve", "blockade-duel")
    other = next(path for path in program.cached if path != kept).read_bytes()
    kept.write_bytes(
        {
            "cut": whole[: len(whole) // 2],
            "empty": b"",
            "foreign": b"hello\n",
            "binary": bytes(range(256)),
            "of another game": other,
        }[damage]
    )
    assert program("solve", "ctf-tokens", "--json") == right
    assert kept.read_bytes() == whole


def test_a_cache_that_cannot_be_written_changes_nothing(program: Program) -> None:
    """A file where the folder should be, and a disk that is full."""
    right = program("solve", "ctf-tokens", "--json")
    blocked = program.folder / "blocked"
    blocked.write_text("")
    assert program("solve", "ctf-tokens", "--json", LINEDUEL_CACHE=str(blocked)) == right
    full = subprocess.run(
        ["bash", "-c", f"ulimit -f 1; exec {sys.executable} -B -m lineduel solve ctf-soldiers"],
        env=program.environment(LINEDUEL_CACHE=str(program.folder / "full")),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (full.returncode, full.stderr) == (0, "")
    assert list((program.folder / "full").rglob("*.*")) == []


def test_a_certificate_on_a_full_disk_is_refused_in_plain_words(program: Program) -> None:
    """And no half of it is left behind."""
    full = subprocess.run(
        [
            "bash",
            "-c",
            f"ulimit -f 1; exec {sys.executable} -B -m lineduel "
            "solve ctf-soldiers --no-cache --certificate proof.txt",
        ],
        env=program.environment(),
        cwd=program.folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert full.returncode == 2
    assert "proof.txt cannot be written" in full.stderr
    assert not (program.folder / "proof.txt").exists()


def test_several_may_ask_at_once(program: Program) -> None:
    """All get the same answer, and one whole file is kept."""
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: program("solve", "ctf-soldiers", "--json"), range(4)))
    assert len({answer.out for answer in answers}) == 1
    assert {answer.status for answer in answers} == {0}
    assert len(program.cached) == 1
    assert program("solve", "ctf-soldiers", "--json") == answers[0]


def computed(process: "subprocess.Popen[bytes]") -> float:
    """How many seconds a processor has worked for it; any number when it has ended."""
    try:
        times = psutil.Process(process.pid).cpu_times()
        return float(times.user + times.system) if process.poll() is None else math.inf
    except psutil.NoSuchProcess:
        return math.inf


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_solver_stopped_in_the_middle_leaves_nothing_behind(
    program: Program, how: signal.Signals
) -> None:
    """Neither a broken file nor a wrong answer later; Ctrl-C is 130 without a traceback."""
    for wait in (0.15, 0.3, 0.45):
        child = subprocess.Popen(
            [*PYTHON_M, "solve", "cross-over:own-may-share", "--json"],
            env=program.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        wait_until(lambda: computed(child) >= wait)  # noqa: B023  it is called here only
        child.send_signal(how)
        _, err = child.communicate(timeout=PATIENCE)
        assert child.returncode in ({130, 0, -signal.SIGINT} if how == signal.SIGINT else {-9, 0})
        if child.returncode == 130:
            assert b"Traceback" not in err
    assert [path for path in program.cached if path.name.startswith(".")] == []
    told = json.loads(program("solve", "cross-over:own-may-share", "--json").out)
    assert (told["value"], told["plies"]) == ([1, 1], 17)


def test_sides_are_told_apart_in_words() -> None:
    """A side reads its own fate."""
    assert in_words(Value(1, 1, 7), Side.ONE) == "wins in 7"
    assert in_words(Value(1, 1, 4), Side.TWO) == "loses in 4"
    assert in_words(Value(0, 0), Side.TWO) == "even"
    assert in_words(Value(0, 0, endless=Endless.ALWAYS), Side.TWO) == "never ends"
    assert in_words(Value(1, 1), Side.TWO) == "loses in the end"


def test_an_interval_is_told_as_one_number_only_if_all_its_digits_are_sure() -> None:
    """From either side."""
    rough = Value(Fraction(1, 4), Fraction(1, 4) + Fraction(1, 2000))
    assert in_words(rough, Side.ONE) == "+0.2500 to +0.2505"
    assert in_words(rough, Side.TWO) == "-0.2505 to -0.2500"
    fine = Value(Fraction(1, 4), Fraction(1, 4) + Fraction(1, 10**8))
    assert in_words(fine, Side.ONE) == "+0.250000"
    assert in_words(fine, Side.TWO) == "-0.250000"
