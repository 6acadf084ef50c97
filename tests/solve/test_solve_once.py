"""What was explored is handed on: no work explores or solves a game twice."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from lineduel.arena import climb
from lineduel.arena.game_runner import runner_of
from lineduel.arena.settings import Settings
from lineduel.coach import coach_advice, hint_stages
from lineduel.coach.chances import Forecast
from lineduel.discover import (
    DesignSearch,
    DesignSpace,
    Discovery,
    SearchAmounts,
    SearchQuestion,
    design_of,
    write_gallery,
)
from lineduel.discover.found import prove_designs
from lineduel.engine import Game, Likeness, Position
from lineduel.graph import breadth_first, explore, explore_compiled
from lineduel.lab import audit
from lineduel.match import Match, MatchSettings, Saves
from lineduel.narration import NUMBERED
from lineduel.play import Session
from lineduel.players import Perfect
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rules, Side, apply_changes, format_rules
from lineduel.solve import Cache, PlainSolution, Solution, proof_of, solve, solver
from lineduel.solve.solver import Silence
from lineduel.solve.table import TableSolution

ENGINE, COMPILED = "by the engine", "compiled"
GAMES = "ctf-tokens", "ctf-soldiers", "flag-chase"


@pytest.fixture
def explorations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How each exploration that begins is done."""
    begun: list[str] = []
    search = breadth_first.search

    def by_engine(rules: Rules) -> Likeness:
        begun.append(ENGINE)
        return Likeness(rules)

    def compiled(*arguments: object) -> object:
        begun.append(COMPILED)
        return search(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(explore, "Likeness", by_engine)
    monkeypatch.setattr(breadth_first, "search", compiled)
    return begun


def large_game() -> Game:
    """Cross Over with more positions than are solved in Python."""
    changes = {
        "track": {"last": 14},
        "player1": {"pieces": {f"A{cell}": cell for cell in range(4)}, "goal": [*range(11, 15)]},
        "player2": {"pieces": {f"B{cell}": cell for cell in range(11, 15)}, "goal": [*range(4)]},
    }
    return Game(apply_changes(find_rulebook("cross-over"), changes))


@pytest.mark.parametrize("address", GAMES)
def test_an_audit_explores_once(address: str, explorations: list[str]) -> None:
    """With battles too, where the perfect player needs prospects of every position."""
    audit(find_rulebook(address), everything=True)
    assert explorations == [COMPILED]


@pytest.mark.parametrize("address", GAMES)
def test_a_ladder_takes_the_graph_of_its_solution(address: str, explorations: list[str]) -> None:
    climb(solve(Game(find_rulebook(address))))
    assert explorations == [ENGINE]


def test_perfect_and_the_forecast_take_the_graph_of_the_solution(explorations: list[str]) -> None:
    solution = solve(Game(find_rulebook("ctf-soldiers")))
    assert isinstance(solution, PlainSolution)
    Forecast(solution).chances(solution.start, Side.ONE)
    Perfect(solution).hopes(solution.start)
    assert explorations == [ENGINE]


@pytest.mark.parametrize("address", GAMES)
def test_a_first_hint_does_not_explore_a_game_whose_solution_and_chances_are_kept(
    address: str, tmp_path: Path, explorations: list[str]
) -> None:
    """Nor does the coach; and both say what they said when the chances were computed."""

    cache, saves = Cache(tmp_path / "kept"), Saves(tmp_path / "games")

    def said() -> list[object]:
        session = Session(Game(find_rulebook(address)), seats=("human", "level:3"))
        match = Match(session, saves, MatchSettings(cache=cache))
        adviser, position = match.adviser, session.position
        return [
            hint_stages(adviser, position, position.side, NUMBERED),
            *(coach_advice(adviser, position, move, NUMBERED) for move in session.moves),
        ]

    computed = said()
    assert explorations == [ENGINE]
    assert said() == computed
    assert explorations == [ENGINE]


@pytest.mark.parametrize("players", [("level:2", "level:3"), ("level:2", "perfect")])
def test_a_tournament_explores_once(players: tuple[str, str], explorations: list[str]) -> None:
    """From its preparation to its last game, where one process plays it."""
    rulebook = find_rulebook("ctf-soldiers")
    chosen = Settings(
        game=rulebook.id,
        title="",
        rules=format_rules(rulebook.rules),
        start=str(Game(rulebook).start()),
        players=players,
        games=4,
    )
    runner_of(chosen, None, None).prepare(Silence())
    runner_of(chosen, None, None).play(range(4))
    assert explorations == [ENGINE]


def test_a_kept_discovery_is_solved_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, explorations: list[str]
) -> None:
    """Its certificate comes with its proof, and is that of its rulebook."""
    solved = counted(monkeypatch, solver, "solve_plainly")
    design = design_of(find_rulebook("ctf-tokens").rules)
    assert design is not None
    question = SearchQuestion(space=DesignSpace(), goals=(), preferred=("elo_range",), seed=1)
    discovery = Discovery(DesignSearch(question), SearchAmounts())
    discovery.proved = prove_designs([(1, design, ())])
    write_gallery(tmp_path, discovery, lambda lines: None, "", date(2026, 1, 1))
    assert explorations == [COMPILED]
    assert len(solved) == 1
    written = (tmp_path / "01.certificate").read_text(encoding="utf-8")
    assert written == proof_of(solve(Game(discovery.found[0].rulebook)))


def test_a_game_for_a_table_is_not_explored_in_vain(
    monkeypatch: pytest.MonkeyPatch, explorations: list[str]
) -> None:
    """The engine stops early; compiled code, which the table needs anyway, finds it too large."""
    asked = counted(monkeypatch, Game, "moves")
    solution = solve(large_game())
    assert isinstance(solution, TableSolution)
    assert explorations == [ENGINE, COMPILED]
    assert len(asked) <= solver.MOST_AT_ONCE < solver.MOST_PLAIN / 5


def test_a_game_that_fits_is_solved_on_its_graph(
    monkeypatch: pytest.MonkeyPatch, explorations: list[str]
) -> None:
    """A table would have room for more positions than can come up: that alone decides nothing."""
    monkeypatch.setattr(solver, "MOST_AT_ONCE", 1_000)
    monkeypatch.setattr(solver, "MOST_PLAIN", 10_000)
    solution = solve(Game(find_rulebook("cross-over")))
    assert isinstance(solution, PlainSolution)
    assert explorations == [ENGINE, COMPILED]


def test_without_a_compiler_an_exploration_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch, explorations: list[str]
) -> None:
    monkeypatch.setattr(solver, "MOST_PLAIN", 500)
    monkeypatch.setattr(solver, "compiler_installed", lambda: False)
    asked = counted(monkeypatch, Game, "moves")
    solution = solve(Game(find_rulebook("ctf-soldiers")))
    assert isinstance(solution, PlainSolution)
    assert explorations == [ENGINE]
    assert len(asked) == solution.positions > 500


@pytest.mark.parametrize("address", [*GAMES, "cross-over"])
def test_the_solution_does_not_depend_on_who_explored(address: str) -> None:
    game = Game(find_rulebook(address))
    handed = solve(game, graph=explore_compiled(game))
    assert proof_of(handed) == proof_of(solve(game))
    assert all(type(plies) is int for plies in all_plies(handed))


def all_plies(solution: Solution) -> list[int]:
    assert isinstance(solution, PlainSolution)
    return [value.plies for _, value in solution.items() if value.plies is not None]


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[object]:
    """What a function is asked for from now on, call by call."""
    asked: list[object] = []
    function: Callable[..., object] = getattr(owner, name)

    def noted(*arguments: Position) -> object:
        asked.append(arguments)
        return function(*arguments)

    monkeypatch.setattr(owner, name, noted)
    return asked
