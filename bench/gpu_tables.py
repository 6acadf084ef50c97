"""Tables on a GPU beside the CPU: `python -m bench.gpu_tables [PART ...] [--figures FILE]`.

Each part can be run alone; all are run if none is named. What was measured is printed at once, and
written to the file of figures after each part.

    versions    the machine and the packages
    rows        four wide games of Cross Over, solved in one pass on the GPU
    values      the two smaller ones on the CPU, too: every value is compared
    soldiers    long Soldiers, in which positions can repeat, on GPU and CPU
    file        more than 10^10 values: solved, written to a file, checked and looked up there
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from bench.rulebooks import cross_over, soldiers
from lineduel.compiled import Threads, device_name, device_problem, free_device_memory, wait
from lineduel.engine import Game
from lineduel.rules import Side
from lineduel.tablebase import ENDLESS, Tables, make_tables, plies_of

Figures = dict[str, Any]


class Row(NamedTuple):
    """A wide game of Cross Over, and what is known about its table."""

    last: int
    pieces: int
    entries: int
    positions: int
    prototype: float
    """Seconds that the first program for a GPU took, on one H200."""


ROWS = (
    Row(21, 6, 443_602_898, 117_683_202, 0.20),
    Row(23, 7, 3_399_166_152, 700_458_726, 0.32),
    Row(25, 7, 17_741_251_712, 3_600_234_986, 0.63),
    Row(25, 8, 22_796_249_288, 3_739_324_926, 0.68),
)
COMPARED = ROWS[:2]
"""Small enough to be solved on the CPU, too."""
SOLDIERS = ((20, 4), (20, 5))
"""Track and pieces of long Soldiers; the second has more than 10^9 positions."""
FILED = (26, 6)
"""Track and pieces of a game of Cross Over with more than 10^10 values."""
LOOKED_UP = 1000
ROUNDS = 3


class Solved(NamedTuple):
    """Values on the device, and how long each step took."""

    tables: Tables
    values: Any
    figures: Figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--figures", type=Path, default=Path("gpu_tables.json"))
    parser.add_argument("--folder", type=Path, help="where the large file is written")
    parser.add_argument("--small", action="store_true", help="small games only, to try it out")
    options = parser.parse_args()
    problem = device_problem()
    if problem is not None:
        sys.exit(str(problem))
    found: Figures = {"date": datetime.now(UTC).isoformat(timespec="seconds")}
    for name in options.parts or PARTS:
        print(f"{name}:", flush=True)
        began = time.perf_counter()
        for key, figures in PARTS[name](options):
            found.setdefault(name, {})[key] = figures
            print(f"  {key}: {json.dumps(figures)}", flush=True)
            options.figures.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"  ({time.perf_counter() - began:.1f} s in all)", flush=True)


def versions(_: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """The machine and the packages."""
    packages = ("numpy", "numba", "llvmlite", "numba-cuda", "cuda-bindings", "cuda-core")
    known = {}
    for package in packages:
        try:
            known[package] = version(package)
        except PackageNotFoundError:
            known[package] = "missing"
    yield "packages", {"python": platform.python_version(), **known}
    yield (
        "machine",
        {
            "device": device_name(),
            "free_device_bytes": free_device_memory(),
            "cores": len(os.sched_getaffinity(0)),
        },
    )


def rows(options: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """One pass over wide games of Cross Over."""
    yield "compiling", _compile(cross_over(6, 2))
    for row in _rows(options, ROWS):
        solved = _solve_on_gpu(cross_over(row.last, row.pieces))
        expected = {
            "entries_as_expected": solved.figures["entries"] == row.entries,
            "positions_as_expected": solved.figures["positions"] == row.positions,
            "prototype_seconds": row.prototype,
            "rate_to_prototype": row.prototype / solved.figures["seconds"],
        }
        yield _name(row.last, row.pieces), solved.figures | expected


def values(options: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """Every value of the smaller games, from GPU and CPU."""
    _compile(cross_over(6, 2))
    _solve_on_cpu(make_tables(cross_over(6, 2).rules, cross_over(6, 2).start()))
    for row in _rows(options, COMPARED):
        game = cross_over(row.last, row.pieces)
        yield _name(row.last, row.pieces), _compared(game, two_cores=True)


def long_soldiers(options: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """Retrograde analysis of long Soldiers, from GPU and CPU."""
    small = soldiers(6, 2)
    yield "compiling", _compile(small)
    _solve_on_cpu(make_tables(small.rules, small.start()))
    sizes = ((8, 2), (8, 3)) if options.small else SOLDIERS
    for number, size in enumerate(sizes):
        yield _name(*size), _compared(soldiers(*size), two_cores=number == 0)


def in_a_file(options: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """A table that is written, checked and looked up."""
    from lineduel.solve.table import TableSolution, check_table, read_table, write_table
    from lineduel.tablebase import check_on_gpu, solve_on_gpu

    _compile(cross_over(6, 2))
    small = solve_on_gpu(cross_over(6, 2).rules, cross_over(6, 2).start())
    tried = (small.table(Side.ONE), small.table(Side.TWO))
    check_on_gpu(small.tables, cross_over(6, 2).start(), *tried)
    game = cross_over(*((7, 2) if options.small else FILED))
    start = game.start()
    dense, seconds = _timed(lambda: solve_on_gpu(game.rules, start))
    solution = TableSolution(game, start, dense)
    rows, columns = dense.tables.shape
    yield "solve", {"entries": 2 * rows * columns, "seconds_with_lists_and_counts": seconds}
    chance = Random(19)
    asked = []
    while len(asked) < LOOKED_UP:
        pair = chance.randrange(rows - 1), chance.randrange(columns - 1)
        position = dense.tables.position(*pair, chance.choice(tuple(Side)))
        if dense.tables.holds(position):
            asked.append(position)
    right, seconds = _timed(lambda: [solution.value(position) for position in asked])
    yield "look_up_on_device", {"positions": len(asked), "seconds": seconds}
    with TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder, "table")
        written, seconds = _timed(lambda: _write(path, write_table(solution)))
        yield "write", {"bytes": written, "seconds": seconds, "peak_host_bytes": _peak()}
        filed, seconds = _timed(lambda: read_table(path))
        yield "read", {"seconds_with_seal": seconds}
        _, seconds = _timed(lambda: check_table(filed, gpu=True))
        yield "check", {"accepted": True, "seconds": seconds, "positions": filed.positions}
        again, seconds = _timed(lambda: [filed.value(position) for position in asked])
        yield "look_up_in_file", {"equal": again == right, "seconds": seconds}
        yield "start", {"value": str(filed.value(filed.start)), "longest": filed.longest}


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[tuple[str, Figures]]]] = {
    "versions": versions,
    "rows": rows,
    "values": values,
    "soldiers": long_soldiers,
    "file": in_a_file,
}


def _rows(options: argparse.Namespace, wanted: tuple[Row, ...]) -> tuple[Row, ...]:
    return (Row(7, 2, 0, 0, 1.0), Row(8, 2, 0, 0, 1.0)) if options.small else wanted


def _name(last: int, pieces: int) -> str:
    return f"0..{last}, {pieces}"


def _compile(game: Game) -> Figures:
    """Solve a small game, so that everything is compiled."""
    _, seconds = _timed(lambda: _solve_on_gpu(game))
    return {"seconds": seconds}


def _solve_on_gpu(game: Game) -> Solved:
    """Solve several times, and keep the last values; the time is the median."""
    from lineduel.tablebase.gpu.by_plies import retrograde_on_gpu
    from lineduel.tablebase.gpu.count_results import count_on_gpu, count_values
    from lineduel.tablebase.gpu.device_tables import moves_on_device, new_table
    from lineduel.tablebase.gpu.solve import sweep_on_gpu

    tables, listing = _timed(lambda: make_tables(game.rules, game.start()))
    onward = tables.onward
    one, two = (
        moves_on_device(tables.formations1.moves),
        moves_on_device(tables.formations2.moves),
    )
    solve = sweep_on_gpu if onward else retrograde_on_gpu
    times, plies = [], None
    for _ in range(ROUNDS):
        plies = None  # its memory is needed again
        plies = new_table(tables.shape), new_table(tables.shape)
        wait()
        began = time.perf_counter()
        solve(tables, one, two, *plies)
        wait()
        times.append(time.perf_counter() - began)
    assert plies is not None
    summary, counting = _timed(lambda: count_on_gpu(tables, game.start(), one, two, *plies))
    positions = sum(sum(count_values(table)[:3]) for table in plies)
    row, column = tables.numbers(game.start())
    written = (plies[0] if game.start().side is Side.ONE else plies[1]).value(row, column)
    seconds = sorted(times)[ROUNDS // 2]
    entries = 2 * tables.shape[0] * tables.shape[1]
    figures = {
        "method": "one pass" if onward else "retrograde",
        "entries": entries,
        "positions": positions,
        "seconds": seconds,
        "all_seconds": times,
        "entries_per_second": entries / seconds,
        "positions_per_second": positions / seconds,
        "seconds_listing_moves": listing,
        "seconds_counting": counting,
        "plies": None if written == ENDLESS else plies_of(written, game.rules.moves_again),
        "longest": summary.longest,
        "wins1": summary.wins1,
        "wins2": summary.wins2,
        "endless": summary.endless,
    }
    return Solved(tables, plies, figures)


def _solve_on_cpu(tables: Tables) -> tuple[Any, Any, float]:
    """Both tables from the CPU, and the time for their values."""
    from lineduel.tablebase.one_pass import sweep
    from lineduel.tablebase.retrograde_tables import retrograde

    plies1, plies2 = (np.zeros(tables.shape, np.uint16) for _ in Side)
    solve = sweep if tables.onward else retrograde
    with Threads(lambda _: None) as threads:
        _, seconds = _timed(lambda: solve(tables, plies1, plies2, threads))
    return plies1, plies2, seconds


def _compared(game: Game, *, two_cores: bool) -> Figures:
    """A game solved on the GPU and on the CPU, with every value compared."""
    from lineduel.tablebase.ended import count_results

    solved = _solve_on_gpu(game)
    print(f"  on the GPU: {json.dumps(solved.figures)}", flush=True)
    with _cores(2 if two_cores else None) as cores:
        plies1, plies2, seconds = _solve_on_cpu(solved.tables)
    with Threads(lambda _: None) as threads:
        summary = count_results(solved.tables, game.start(), plies1, plies2, threads)
    equal = all(
        _equal(device, table) for device, table in zip(solved.values, (plies1, plies2), strict=True)
    )
    counts = {key: getattr(summary, key) for key in ("wins1", "wins2", "endless", "longest")}
    return solved.figures | {
        "cpu_cores": cores,
        "cpu_seconds": seconds,
        "cpu_positions_per_second": solved.figures["positions"] / seconds,
        "times_as_fast": seconds / solved.figures["seconds"],
        "all_values_equal": equal,
        "counts_equal": all(solved.figures[key] == value for key, value in counts.items()),
    }


def _equal(device: Any, table: Any) -> bool:
    flat, first = table.reshape(-1), 0
    for piece in device.pieces():
        if not np.array_equal(piece, flat[first : first + len(piece)]):
            return False
        first += len(piece)
    return first == len(flat)


@contextmanager
def _cores(number: int | None) -> Iterator[int]:
    """Use only so many cores; all if it is None."""
    before = os.sched_getaffinity(0)
    used = set(sorted(before)[:number])
    os.sched_setaffinity(0, used)
    try:
        yield len(used)
    finally:
        os.sched_setaffinity(0, before)


def _write(path: Path, pieces: Iterator[bytes]) -> int:
    with path.open("wb") as file:
        return sum(file.write(piece) for piece in pieces)


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _timed(action: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    found = action()
    return found, time.perf_counter() - began


if __name__ == "__main__":
    main()
