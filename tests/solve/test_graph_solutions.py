"""Large games with battles: bounds by compiled code, beside the fractions of small games."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from numpy.typing import NDArray

from lineduel.compiled import threads as compiled_threads
from lineduel.engine import Game, Position
from lineduel.errors import CertificateError, MemoryLimit, TooLarge
from lineduel.graph import (
    explore_by_engine,
    explore_compiled,
    explore_one_way,
    strong_components,
)
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import (
    Rulebook,
    Side,
    apply_changes,
    assign,
    rulebook_data,
    rulebook_from_data,
    toml_text,
)
from lineduel.rules.assignments import parse_assignments
from lineduel.solve import (
    Cache,
    Endless,
    PlainSolution,
    Value,
    as_sentence,
    as_verdict,
    check_proof,
    in_words,
    level_bounds,
    proof_of,
    solver,
)
from lineduel.solve.graph_solution import (
    GraphSolution,
    read_bounds,
    solve_graph,
    solve_one_way,
)
from lineduel.solve.known_battles import proofs_of_battles
from lineduel.solve.solver import solve_plainly
from support.program import Program
from support.repetition import tried
from support.strategies import ALL_GAMES, battle_rulebooks

MOST, MOST_OF_EXAMPLES = 400, 12_000
"""Positions up to which random rules, and those of the games that there are, are solved in
fractions here."""
EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES_WITH_BATTLES = [
    address
    for address in (*ALL_GAMES, *map(str, sorted(EXAMPLES.glob("*/*.toml"))))
    if find_rulebook(address).rules.battle is not None
]
CLOSE = Fraction(1, 10**9)

FORWARD = {
    "title": "Forward",
    "summary": "Two a side, and nothing comes back.",
    "track": {"first": 1, "last": 7},
    "player1": {"pieces": {"A": 1, "B": 2}, "goal": [7]},
    "player2": {"pieces": {"C": 7, "D": 6}, "goal": [1]},
    "turn": {"first": "player1"},
    "move": {"steps": [1, 2]},
    "meet": {"own": "shared", "enemy": "battle"},
    "battle": {"numbers": 5, "loser": "captured", "wins": "undercut"},
}


def changed(*assignments: str, last: int = 7) -> Rulebook:
    """The game above with other rules, on a track up to `last`."""
    data = FORWARD | {
        "track": {"first": 1, "last": last},
        "player1": {"pieces": {"A": 1, "B": 2}, "goal": [last]},
        "player2": {"pieces": {"C": last, "D": last - 1}, "goal": [1]},
    }
    return apply_changes(rulebook_from_data(data, "forward"), parse_assignments(assignments))


GAMES = {
    "forward": changed(),
    "three numbers": changed("battle.numbers=3", "battle.wins=higher", "battle.tie=attacker"),
    "stays": changed("move.edge=stay"),
    "both ways": changed("move.steps=1,-1", last=5),
    "sent home": changed("battle.loser=sent home", last=5),
    "spent": changed("battle.numbers=3", "battle.hand=spent", "battle.wins=higher", last=5),
}


def in_arrays(rulebook: Rulebook) -> GraphSolution:
    game = Game(rulebook)
    return solve_graph(explore_compiled(game, game.start()), lambda _: None)


@cache
def solved(name: str) -> GraphSolution:
    return in_arrays(GAMES[name])


@cache
def in_fractions(name: str) -> PlainSolution:
    game = Game(GAMES[name])
    return solve_plainly(explore_by_engine(game, game.start()))


def written(solution: GraphSolution, path: Path) -> Path:
    path.write_bytes(proved(solution))
    return path


def proved(solution: GraphSolution) -> bytes:
    return b"".join(_bytes(proof_of(solution)))


def _bytes(proof: object) -> Iterator[bytes]:
    assert not isinstance(proof, str)
    yield from proof  # type: ignore[misc]


def accepts(path: Path) -> bool:
    try:
        check_proof(path, lambda _: None)
    except CertificateError:
        return False
    return True


def agree(one: Value, two: Value) -> bool:
    """Whether two proved intervals can both be right, and forced wins are the same."""
    return one.low <= two.high and two.low <= one.high and one.plies == two.plies


@given(rulebook=battle_rulebooks())
@settings(max_examples=40, suppress_health_check=[HealthCheck.filter_too_much])
def test_both_ways_of_solving_agree(
    tmp_path_factory: pytest.TempPathFactory, rulebook: Rulebook
) -> None:
    """Any rulebook: the values of fractions lie in the bounds, and the checker accepts them."""
    agree_everywhere(rulebook, tmp_path_factory.getbasetemp() / "any.proof")


@pytest.mark.long
@given(rulebook=battle_rulebooks())
@settings(max_examples=500, suppress_health_check=[HealthCheck.filter_too_much])
def test_both_ways_of_solving_agree_500_times(
    tmp_path_factory: pytest.TempPathFactory, rulebook: Rulebook
) -> None:
    """The same law, as often as it takes to believe it, with every best reply worked out again."""
    rounded = agree_everywhere(rulebook, tmp_path_factory.getbasetemp() / "any.proof")
    assert_plans_hold(rounded, [one for one, _ in rounded.items()])


@pytest.mark.long
@pytest.mark.parametrize("address", GAMES_WITH_BATTLES, ids=lambda one: Path(one).name)
def test_both_ways_of_solving_agree_for_every_game(address: str, tmp_path: Path) -> None:
    """The shipped games, their variants and the examples, with every best reply."""
    rounded = agree_everywhere(find_rulebook(address), tmp_path / "any.proof", MOST_OF_EXAMPLES)
    assert_plans_hold(rounded, [one for one, _ in rounded.items()])


def agree_everywhere(rulebook: Rulebook, path: Path, most: int = MOST) -> GraphSolution:
    """The solution in arrays, after it was compared with the one in fractions."""
    game = Game(rulebook)
    try:
        graph = explore_by_engine(game, game.start(), most)
    except TooLarge:
        reject()
    exact, rounded = solve_plainly(graph), solve_graph(graph.in_compiled_code, lambda _: None)
    for position, value in exact.items():
        found = rounded.value(position)
        assert agree(value, found), position
        if value.exact is not None and not rounded.bounds.returning:
            assert found.high - found.low <= CLOSE, position
        if found.endless is Endless.NEVER:
            assert value.endless is not Endless.ALWAYS
        if found.endless is Endless.ALWAYS:
            assert exact.value(position).endless is Endless.ALWAYS
    assert accepts(written(rounded, path))
    if positions := explore_one_way(game, graph.positions[0], most):
        assert not rounded.bounds.returning
        assert proved(solve_one_way(game, positions, lambda _: None)) == proved(in_arrays(rulebook))
    return rounded


@pytest.mark.parametrize("in_graph", [True, False])
def test_where_a_claim_was_wrong_the_pass_begins_anew(
    in_graph: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What follows from it lies between bounds then, and has no mixture of exact values."""
    tries = list[int]()

    def proofs(*given: Any) -> dict[int, Any]:
        found = proofs_of_battles(*given)
        tries.append(len(found))
        return found if len(tries) > 1 else dict.fromkeys(found)

    monkeypatch.setattr(level_bounds, "proofs_of_battles", proofs)
    game = Game(GAMES["forward"])
    if in_graph:
        rounded = solve_graph(explore_compiled(game), lambda _: None)
    else:
        positions = explore_one_way(game, game.start(), 100_000)
        assert positions
        rounded = solve_one_way(game, positions, lambda _: None)
    between = rounded.bounds.low < rounded.bounds.high
    assert between.any()
    assert not rounded.bounds.form[between].any()
    for position, value in in_fractions("forward").items():
        assert agree(value, rounded.value(position)), position
    assert accepts(written(rounded, tmp_path / "again.proof"))


@pytest.mark.parametrize("name", GAMES)
def test_where_nothing_comes_back_no_graph_is_needed(name: str) -> None:
    """The same certificate, byte for byte, from positions whose choices are not stored."""
    game = Game(GAMES[name])
    positions = explore_one_way(game, game.start(), 1 << 20)
    assert (positions is None) == (solved(name).bounds.returning > 0)
    if positions:
        solution = solve_one_way(game, positions, lambda _: None)
        assert proved(solution) == proved(solved(name))
        assert len(solution.explored()) == solution.positions
        with pytest.raises(TooLarge):
            explore_one_way(game, game.start(), solution.positions - 1)


@pytest.mark.parametrize(("last", "comes_back"), [(6, True), (7, False), (8, True)])
def test_two_sides_that_wait_for_each_other_come_back(last: int, comes_back: bool) -> None:
    """A forced pass leads to a higher level, unless the other side has to pass as well."""
    game = Game(changed("move.steps=2", last=last))
    graph = explore_by_engine(game, game.start())
    assert any("pass" in map(str, game.moves(position)) for position in graph.positions)
    components = strong_components(graph.first, graph.after)
    assert (len(set(components.tolist())) < len(graph)) is comes_back
    assert (explore_one_way(game, game.start(), 1 << 20) is None) is comes_back
    assert (solve_graph(graph.in_compiled_code, lambda _: None).bounds.returning > 0) is comes_back


def test_narrow_bounds_around_0_are_called_about_even() -> None:
    """Nobody reads -0.000000, and who is ahead by something is not called even."""
    tiny = Fraction(1, 10**12)
    even, ahead = Value(-2 * tiny, tiny, endless=Endless.NEVER), Value(tiny, 2 * tiny)
    assert [in_words(even, side) for side in Side] == ["about even"] * 2
    assert (
        as_sentence(even) == "With best play the game is about even, and somebody wins in the end."
    )
    assert as_verdict(even, float).startswith("The game is even to within 3e-12: ")
    assert (even.is_about_even, ahead.is_about_even) == (True, False)
    assert not Value(Fraction(-1, 10), Fraction(1, 10)).is_about_even
    assert not Value(0, 0).is_about_even


def test_where_nothing_is_proved_it_is_said_so() -> None:
    """Not that somebody 'can expect undecided', sure to within 2."""
    unknown = Value(-1, 1, endless=Endless.POSSIBLE)
    assert in_words(unknown, Side.ONE) == "undecided"
    for told in (as_sentence(unknown), as_verdict(unknown, float)):
        assert told.startswith("Who can expect more is undecided: nothing was proved")
        assert "within" not in told


@pytest.mark.parametrize("name", GAMES)
def test_bounds_are_narrow_and_contain_the_value(name: str) -> None:
    """Within 1e-9 wherever fractions give one value, in games that come back, too."""
    solution, exact = solved(name), in_fractions(name)
    assert solution.positions == exact.positions
    assert solution.longest == exact.longest
    for position, value in exact.items():
        found = solution.value(position)
        assert agree(value, found), position
        assert found.high - found.low <= max(CLOSE, value.high - value.low), position


@pytest.mark.parametrize("last", [6, 7, 8])
def test_bounds_are_narrow_where_play_can_last_long(last: int, tmp_path: Path) -> None:
    """The loser goes home and steps go back, so that most positions come up again and again."""
    back = ("battle.loser=sent home", "move.steps=1,2,-1", "move.edge=stay")
    solution = in_arrays(changed(*back, last=last))
    assert not solution.limited
    assert float((solution.bounds.high - solution.bounds.low).max()) <= CLOSE
    assert accepts(written(solution, tmp_path / "long.proof"))


@pytest.mark.parametrize("name", ["forward", "three numbers"])
def test_fractions_are_found_where_nothing_comes_back(name: str) -> None:
    """Every value is the same fraction as by exact arithmetic."""
    solution = solved(name)
    for position, value in in_fractions(name).items():
        assert solution.value(position) == value
        assert solution.value(position).endless is Endless.NEVER


@pytest.mark.parametrize("name", GAMES)
def test_each_plan_is_sure_of_its_bound(name: str) -> None:
    """Best replies worked out again, in fractions: none brings a side below its bound."""
    solution = solved(name)
    positions = [one for one, _ in solution.items()]
    assert_plans_hold(solution, Random(1).sample(positions, 150))


def assert_plans_hold(solution: GraphSolution, positions: Sequence[Position]) -> None:
    """Whatever the other side replies, a side that follows its plan expects its bound."""
    for position in positions:
        after = solution.outlook(position)
        for side in Side if after else ():
            plan, sure = solution.plan(position, side), solution.value(position).sure(side)
            assert plan is not None
            worth = [Fraction(one.sure(side)) for one in after]
            if position.battle is None:
                own = plan.chances or [Fraction(1)]
                replies = [worth] if position.side is side else [[one] for one in worth]
            else:
                hand1, hand2 = (solution.game.hand(position, one) for one in Side)
                hand, size = hand1 if side is Side.ONE else hand2, len(hand2)
                own = [plan.chances[number - 1] for number in hand]
                rows = [worth[at : at + size] for at in range(0, len(worth), size)]
                replies = rows if side is Side.TWO else list(map(list, zip(*rows, strict=True)))
            assert sum(own) == 1
            for reply in replies:
                expected = sum(one * part for one, part in zip(reply, own, strict=True))
                assert expected >= sure, (position, side)


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_comes_back_from_the_cache(name: str, tmp_path: Path) -> None:
    """The same values and plans from the file, which the checker accepts."""
    solution, cache_ = solved(name), Cache(tmp_path)
    cache_.store(solution)
    known = cache_.load(solution.game, solution.start)
    assert isinstance(known, GraphSolution)
    for position in Random(2).sample([one for one, _ in solution.items()], 100):
        assert known.value(position) == solution.value(position)
        assert known.value(position).endless is solution.value(position).endless
        for side in Side:
            assert known.plan(position, side) == solution.plan(position, side)
    (file,) = tmp_path.iterdir()
    assert check_proof(file, lambda _: None) == (solution.positions, solution.start)


def test_a_false_file_in_the_cache_is_not_used(tmp_path: Path) -> None:
    """A sealed file whose start is worth too much is found by the look at a sample."""
    solution, told = solved("forward"), list[str]()
    cache_ = Cache(tmp_path, told.append)
    cache_.store(solution)
    (file,) = tmp_path.iterdir()

    def worth_a_half(columns: Columns) -> None:
        columns["low"][0] = columns["high"][0] = 0.5

    forge(file, worth_a_half)
    assert cache_.load(solution.game, solution.start) is None
    assert "is wrong" in told[0]


@pytest.mark.parametrize("name", GAMES)
def test_results_do_not_depend_on_threads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One core and several give the same bytes, with and without a graph."""
    game, proofs = Game(GAMES[name]), list[bytes]()
    for cores in (1, 2, 3, 8):
        monkeypatch.setattr(compiled_threads, "usable_cores", lambda cores=cores: cores)
        monkeypatch.setattr(compiled_threads, "PIECE", 64)
        proofs.append(proved(in_arrays(GAMES[name])))
        if positions := explore_one_way(game, game.start(), 1 << 20):
            proofs.append(proved(solve_one_way(game, positions, lambda _: None)))
    assert set(proofs) == {proofs[0]}


# Forgeries

Columns = dict[str, NDArray[Any]]
COLUMNS = ("low", "high", "mixtures", "plies", "form", "rank", "rows", "side")


def forge(path: Path, edit: Callable[[Columns], None]) -> bool:
    """Change the columns of a file, and seal it again; whether anything is different."""
    honest = path.read_bytes()
    file = read_bounds(path)
    arrays: list[NDArray[Any]] = [*file.bounds[:2], file.mixtures, *file.bounds[2:5], *file.columns]
    columns = {name: array.copy() for name, array in zip(COLUMNS, arrays, strict=True)}
    edit(columns)
    body = b"".join(array.tobytes() for array in columns.values())
    forged = honest[: -len(body) - 32] + body
    path.write_bytes(forged + sha256(forged).digest())
    return forged != honest[:-32]


def forgery(rng: Random, columns: Columns) -> None:
    """Something else in one to three places."""
    size = len(columns["side"])
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name, at = rng.choice(COLUMNS), rng.randrange(size)
        match name:
            case "low" | "high":
                old = float(columns[name][at])
                near = old + rng.choice((1, -1)) * 10.0 ** -rng.randrange(1, 17)
                other = float(columns["low"][rng.randrange(size)])
                value = rng.choice((other, 1.0, -1.0, 0.0, near, near, near, near))
                for column in (name, *rng.choice(((), ("low", "high")))):
                    columns[column][at] = value
            case "mixtures" if columns[name].size:
                flat = columns[name].reshape(-1)
                flat[rng.randrange(flat.size)] = rng.choice((0.0, 1.0, 0.5, float("nan"), -0.25))
            case "rows":
                flat = columns[name].reshape(-1)
                cell = rng.choice((-128, -2, -1, 0, 1, 2, 3, 5, 63, 64, 65, 127))
                flat[rng.randrange(flat.size)] = cell
            case "side":
                columns[name][at] = rng.choice((0, 1, 2, 3, -1))
            case "plies" | "form" | "rank":
                columns[name][at] = rng.randrange(-30, 40)


def tells_the_truth(path: Path, truth: PlainSolution) -> bool:
    """Whether every interval of a certificate contains the value, and all plies are right."""
    told = read_bounds(path).solution(truth.game)
    positions = [one for one, _ in told.items()]
    return sorted(map(str, positions)) == sorted(str(one) for one, _ in truth.items()) and all(
        agree(truth.value(one), replace(told.value(one), endless=None)) for one in positions
    )


@pytest.mark.parametrize("name", GAMES)
@tried(60, 500)
def test_no_forged_certificate_is_accepted(name: str, times: int, tmp_path: Path) -> None:
    """Whatever is changed under a new seal: what the checker accepts is true all the same."""
    path, rng, refused = written(solved(name), tmp_path / "proof"), Random(name), 0
    honest = path.read_bytes()
    for _ in range(times):
        path.write_bytes(honest)
        if not forge(path, lambda columns: forgery(rng, columns)):
            continue
        if not accepts(path):
            refused += 1
        else:
            assert tells_the_truth(path, in_fractions(name))
    assert refused >= times // 2


def test_a_bound_without_progress_is_refused(tmp_path: Path) -> None:
    """Waiting for ever next to a win is worth nothing: equal bounds need a lower rank."""
    solution = solved("stays")
    path = written(solution, tmp_path / "proof")
    assert accepts(path)
    assert forge(path, lambda columns: columns["rank"].fill(0))
    assert not accepts(path)


def test_where_nothing_comes_back_every_rank_is_lower_than_the_one_before(tmp_path: Path) -> None:
    """One that is as high as that of the position before is refused, whatever the bounds."""
    solution = solved("forward")
    path, graph = written(solution, tmp_path / "proof"), solution.whole_graph()
    honest = path.read_bytes()
    for choice in Random(3).sample(range(len(graph.after)), 20):
        before, after = graph.origin[choice], graph.after[choice]
        path.write_bytes(honest)

        def raise_one(columns: Columns, before: int = before, after: int = after) -> None:
            columns["rank"][after] = columns["rank"][before]

        assert forge(path, raise_one)
        with pytest.raises(CertificateError, match="whose rank is not lower"):
            check_proof(path, lambda _: None)


@pytest.mark.parametrize("cut", [0, 10, 100, 1000, -1, -40])
def test_a_file_that_is_cut_short_is_refused(cut: int, tmp_path: Path) -> None:
    """In one sentence, wherever it ends."""
    path = written(solved("forward"), tmp_path / "proof")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(CertificateError) as refused:
        check_proof(path, lambda _: None)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace(b"wins=undercut", b"wins=higher"),
        lambda text: text.replace(b"steps=1,2", b"steps=1,3"),
        lambda text: text.replace(b"\n1 ", b"\n9999 ", 1),
        lambda text: text.replace(b"1/3", b"1/2", 1),
        lambda text: text.replace(b"1/3", b"1/0", 1),
        lambda text: text.replace(b"start 1,2", b"start 1,1"),
        lambda text: text.replace(b"counts ", b"counts 9"),
    ],
)
def test_a_head_that_was_edited_is_refused(edit: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """Other rules, other mixtures, another start, other counts."""
    path = written(solved("forward"), tmp_path / "proof")
    honest = path.read_bytes()[:-32]
    forged = edit(honest)
    assert forged != honest
    path.write_bytes(forged + sha256(forged).digest())
    assert not accepts(path)


# The door


def test_solve_takes_large_games_with_battles(program: Program, tmp_path: Path) -> None:
    """From the file to the proof: `solve`, `--json`, the cache and `check`."""
    file = tmp_path / "forward.toml"
    file.write_text(toml_text(rulebook_data(changed("battle.numbers=4", last=9))))
    said = program("solve", str(file), "--certificate", str(tmp_path / "proof"))
    assert said.status == 0, said.err
    assert (tmp_path / "proof").read_bytes().startswith(b"lineduel bounds 1\n")
    checked = program("check", str(tmp_path / "proof"))
    assert checked.out.startswith("Accepted"), checked.out
    again = program("solve", str(file), "--json")
    assert '"exact"' in again.out, again.out + again.err


@pytest.mark.parametrize("hands", ["13/2", "3/123"])
def test_a_loop_that_compiled_code_bounds_loosely_is_solved_in_fractions(
    hands: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where both go back and forth with hands of unequal size, bounds were -1 and 1."""
    game = Game(assign(find_rulebook("flag-chase"), ["battle.hand=spent", "battle.numbers=3"]))
    start = read_position(game, f"3/3/1*;{hands}")
    monkeypatch.setattr(solver, "MOST_IN_FRACTIONS", 5)
    assert solver.solve(game, start).value(start).exact == 0
    monkeypatch.setattr(solver, "MOST_AGAIN", 100)
    assert isinstance(solver.solve(game, start), GraphSolution)


@pytest.mark.parametrize("name", ["forward", "sent home", "spent"])
def test_a_game_is_solved_if_it_fits_into_memory(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the last byte, without a graph where nothing comes back; or the refusal says how many
    positions fit."""
    game, size = Game(GAMES[name]), solved(name).positions
    monkeypatch.setattr(solver, "MOST_IN_FRACTIONS", 5)
    monkeypatch.setattr(solver, "MOST_POSITIONS", 100)
    one_way, graph = solver.BYTES_ONE_WAY + 4, solver.BYTES_IN_GRAPH
    each = {"forward": one_way, "sent home": graph, "spent": one_way}[name]
    solution = solver.solve(game, memory=size * each)
    assert isinstance(solution, GraphSolution)
    assert (solution.graph is None) is (name != "sent home")
    assert proved(solution) == proved(solved(name))
    with pytest.raises(MemoryLimit, match=f"more than {size - 1:,} positions with battles, but"):
        solver.solve(game, memory=size * each - 1)
