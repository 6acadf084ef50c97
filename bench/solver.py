"""Large rulebooks solved by compiled code, beside the plain dictionary solver of the tests."""

import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from bench.rulebooks import cross_over, soldiers
from bench.timing import verdict
from lineduel.engine import Game

ROUNDS = 3


class Case(NamedTuple):
    """A large rulebook, a sister that the dictionary solver can take on, and the goal."""

    name: str
    large: Callable[[], Game]
    small: Callable[[], Game]
    goal: float | None


CASES = {
    "wide": Case("wide Cross Over", lambda: cross_over(19, 6), lambda: cross_over(12, 4), 100),
    "long": Case("long Soldiers", lambda: soldiers(20, 4), lambda: soldiers(11, 3), 50),
    "huge": Case("huge Cross Over", lambda: cross_over(21, 6), lambda: cross_over(12, 4), None),
}


class Measured(NamedTuple):
    """One solution: how many positions in what time and memory."""

    entries: int
    positions: int
    seconds: float
    bytes: int
    whole_process: int


def main() -> None:
    print("Solving large rulebooks (each in a process of its own, compiled beforehand)")
    print(
        f"  {'':<16} {'table':>11} {'positions':>11} {'time':>7} {'table/s':>9} "
        f"{'positions/s':>11} {'bytes':>6} {'ratio':>6}"
    )
    for key, case in CASES.items():
        slow, fast = [], []
        for _ in range(ROUNDS):
            slow.append(_apart(_dictionary, key))
            fast.append(_apart(_compiled, key))
        best = min(fast, key=lambda one: one.seconds)
        typical = sorted(fast, key=lambda one: one.seconds)[ROUNDS // 2]
        plain = sorted(slow)[ROUNDS // 2]
        speed = typical.positions / typical.seconds
        ratio = speed / plain
        print(
            f"  {case.name:<16} {typical.entries:>11,} {typical.positions:>11,} "
            f"{typical.seconds:>6.1f}s {typical.entries / typical.seconds / 1e6:>7.1f} M "
            f"{speed / 1e6:>9.1f} M {typical.bytes / typical.entries:>6.1f} {ratio:>6.0f}"
        )
        print(
            f"    dictionary solver {plain:,.0f} positions/s; best run {best.seconds:.1f} s; "
            f"whole process {typical.whole_process / 2**30:.2f} GiB"
        )
        if case.goal:
            print(f"    {verdict(ratio, case.goal)}")


def _apart(measure: Callable[[str], object], key: str) -> object:
    """Measure in a fresh process, so that its memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, key).result()


def _dictionary(key: str) -> float:
    """Positions per second of the plain solver, on the small sister."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from oracles import bruteforce

    game = CASES[key].small()
    began = time.perf_counter()
    values = bruteforce.solve(game, bruteforce.explore(game, [game.start()]))
    return len(values) / (time.perf_counter() - began)


def _compiled(key: str) -> Measured:
    from lineduel.tablebase import solve_dense

    warm = CASES[key].small()
    solve_dense(warm.rules, warm.start())
    game = CASES[key].large()
    before = _peak()
    began = time.perf_counter()
    solved = solve_dense(game.rules, game.start())
    seconds = time.perf_counter() - began
    return Measured(
        entries=2 * solved.plies1.size,
        positions=solved.summary.positions,
        seconds=seconds,
        bytes=_peak() - before,
        whole_process=_peak(),
    )


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
