"""Solve a rulebook from a position: in Python if it is small, with compiled code if it is large."""

from typing import Protocol

from lineduel.compiled import compiler_installed
from lineduel.engine import Game, Likeness, Position
from lineduel.errors import MemoryLimit, TooLarge
from lineduel.graph import MOST_POSITIONS, Exploration, GameGraph, explore_compiled
from lineduel.rules import Side
from lineduel.solve.cache import Cache
from lineduel.solve.certificate import MOST_CERTIFIED
from lineduel.solve.memory import GpuUse, free_memory, in_bytes, require_device, uses_gpu
from lineduel.solve.solution import PlainSolution, Solution
from lineduel.solve.value import NEVER_ENDS, Value

MOST_PLAIN = 60_000
"""Up to this many positions, solving in Python takes less time than starting the compiler."""
MOST_AT_ONCE = 10_000
"""Up to this many positions, the engine is done before compiled code is loaded."""
MOST_WITHOUT_TABLES = MOST_CERTIFIED
"""Most positions to solve in Python if no table is possible; more would take too long."""
MOST_IN_FRACTIONS = 2000
"""Up to this many positions with battles, solving in fractions is fast enough."""
MOST_AGAIN = 10_000
"""Up to this many positions, a game is solved again in fractions if compiled bounds are wide."""
WIDE = 0.01
"""Bounds that differ by more are wide."""
BYTES_IN_GRAPH = 640
"""Memory for each position of a game with battles that compiled code solves, in bytes."""
BYTES_ONE_WAY = 46
"""The same where nothing can repeat and no graph is made; there is one more byte for each piece."""
BYTES_EACH = 3000
"""Memory for each position of a `PlainSolution`, in bytes."""


class Report(Protocol):
    """Callback that receives the progress of a long solve: the share done, and notes."""

    def __call__(self, done: float) -> None: ...

    def note(self, text: str) -> None: ...


class Silence:
    """A report that discards everything."""

    def __call__(self, done: float) -> None: ...

    def note(self, text: str) -> None: ...


def solve(
    game: Game,
    start: Position | None = None,
    *,
    memory: int | None = None,
    cache: Cache | None = None,
    report: Report | None = None,
    gpu: GpuUse = "never",
    graph: GameGraph | None = None,
) -> Solution:
    """The solution of all positions reachable from `start`, using at most `memory` bytes.

    If you have explored the game from there, pass the `graph`, and it is not explored again. The
    solution keeps what was explored (`Solution.explored`).

    If you pass a `cache`, the solution is looked up there first and stored there afterwards;
    otherwise no file is read or written. A solution that reached the work limit is not stored,
    because a later solver may find tighter bounds. Only tables are solved on a GPU.
    """
    if gpu == "always":
        require_device()
    first = Likeness(game.rules).standing_for(start or game.start())
    if cache and (known := cache.load(game, first)):
        known.graph = graph
        return known
    solution = _solve(game, first, memory or free_memory(), report or Silence(), gpu, graph)
    if cache and not solution.limited:
        cache.store(solution)
    return solution


def solve_plainly(graph: GameGraph) -> PlainSolution:
    """Solve every position of a graph in Python."""
    if graph.game.rules.battle is not None:
        from lineduel.solve.battles import solve_battles

        return solve_battles(graph)
    forced = zip(*graph.forced_lists, strict=True)
    values = {
        position: Value.won(Side(winner), plies) if winner else NEVER_ENDS
        for position, (winner, plies) in zip(graph.positions, forced, strict=True)
    }
    return PlainSolution(graph.game, graph.positions[0], values, graph=graph)


def _solve(
    game: Game,
    start: Position,
    memory: int,
    report: Report,
    gpu: GpuUse,
    graph: GameGraph | None,
) -> Solution:
    has_tables = game.rules.battle is None and compiler_installed()
    if game.rules.battle is not None and compiler_installed():
        return _solve_battles(game, start, memory, report, graph)
    graph = graph or _explored(game, start, memory, report, has_tables)
    if graph is None or (has_tables and len(graph) > MOST_PLAIN):
        solution = _solve_table(game, start, memory, report, gpu)
        solution.graph = graph
        return solution
    if game.rules.battle is not None and len(graph) > MOST_IN_FRACTIONS:
        report.note(f"{len(graph):,} positions with battles: this can take a minute or two.")
    return solve_plainly(graph)


def _solve_battles(
    game: Game, start: Position, memory: int, report: Report, graph: GameGraph | None
) -> Solution:
    """A small game in fractions, one position at a time; a large one by compiled code.

    In some loops compiled code finds only wide bounds, because what a step costs there adds up.
    """
    if graph is None:
        fits = memory // BYTES_EACH
        try:
            graph = Exploration(game, start).graph(min(MOST_IN_FRACTIONS, fits))
        except TooLarge:
            if fits < MOST_IN_FRACTIONS:
                why = _too_much(f"more than {fits:,} positions", memory)
                raise MemoryLimit(fits, fits, why) from None
            most = memory // BYTES_IN_GRAPH
            try:
                graph = explore_compiled(game, start, min(MOST_POSITIONS, most))
            except TooLarge:
                return _solve_many_battles(game, start, memory, report)
    if len(graph) <= MOST_IN_FRACTIONS:
        return solve_plainly(graph)
    from lineduel.solve.graph_solution import solve_graph

    solution = solve_graph(graph.in_compiled_code, report)
    bounds = solution.bounds
    if (
        len(graph) > min(MOST_AGAIN, memory // BYTES_EACH)
        or (bounds.high - bounds.low).max() < WIDE
    ):
        return solution
    report.note(f"{len(graph):,} positions with long loops: this can take a minute or two.")
    return solve_plainly(graph)


def _solve_many_battles(game: Game, start: Position, memory: int, report: Report) -> Solution:
    """A game with battles that is too large to be used as a graph; if nothing can repeat in it,
    it is not made into one."""
    from lineduel.graph import explore_one_way
    from lineduel.solve.graph_solution import solve_graph, solve_one_way

    pieces = len(game.rules.player1.pieces) + len(game.rules.player2.pieces)
    most = memory // (BYTES_ONE_WAY + pieces)
    try:
        if positions := explore_one_way(game, start, most):
            return solve_one_way(game, positions, report)
        most = memory // BYTES_IN_GRAPH
        return solve_graph(explore_compiled(game, start, most), report)
    except TooLarge:
        why = _too_much(f"more than {most:,} positions with battles", memory)
        raise MemoryLimit(most, most, why) from None


def _explored(
    game: Game, start: Position, memory: int, report: Report, has_tables: bool
) -> GameGraph | None:
    """The graph of a game; None if it is so large that it takes a table."""
    fits = memory // BYTES_EACH
    search = Exploration(game, start)
    try:
        return _small_graph(game, start, min(MOST_PLAIN, fits), has_tables, search)
    except TooLarge:
        if fits < MOST_PLAIN:
            why = _too_much(f"more than {fits:,} positions", memory)
            raise MemoryLimit(fits, fits, why) from None
    if has_tables:
        return None
    most = min(MOST_WITHOUT_TABLES, fits)
    report.note(f"More than {MOST_PLAIN:,} positions, to be solved one by one.")
    try:
        return search.graph(most, lambda found: report(found / most))
    except TooLarge:
        why = "larger ones need Numba, which comes with the extra 'full'"
        told = f"This rulebook has more than {most:,} positions, too many to solve here: {why}."
        raise TooLarge(most, most, told) from None


def _small_graph(
    game: Game, start: Position, most: int, has_tables: bool, search: Exploration
) -> GameGraph:
    """The graph of up to `most` positions, from whichever explorer finds it sooner.

    A game that is probably larger is left to compiled code, which its table needs anyway.
    """
    try:
        return search.graph(min(MOST_AT_ONCE, most))
    except TooLarge:
        if most <= MOST_AT_ONCE:
            raise
    if has_tables:
        from lineduel.tablebase import estimate

        if estimate(game.rules, start).positions > MOST_PLAIN:
            return explore_compiled(game, start, most)
    return search.graph(most)


def _solve_table(game: Game, start: Position, memory: int, report: Report, gpu: GpuUse) -> Solution:
    from lineduel.solve.table import solve_table
    from lineduel.tablebase import bytes_to_solve, estimate

    expected = estimate(game.rules, start)
    on_gpu = uses_gpu(gpu, expected.positions, bytes_to_solve(expected))
    needed = expected.lists if on_gpu else expected.bytes
    size = f"{'' if expected.exact else 'up to '}{expected.positions:,} entries"
    if needed > memory:
        raise MemoryLimit(
            expected.positions, memory, _too_much(f"{size} need {in_bytes(needed)}", memory)
        )
    where = (
        f"{in_bytes(bytes_to_solve(expected))} of the GPU's memory"
        if on_gpu
        else f"{in_bytes(needed)} of memory"
    )
    report.note(f"Solving a table of {size} in {where}.")
    return solve_table(game, start, report, gpu=on_gpu)


def _too_much(what: str, memory: int) -> str:
    return f"This game does not fit into memory: {what}, but only {in_bytes(memory)} may be used."
