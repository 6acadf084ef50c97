"""Large games with battles: `solve` beside a hand-written pass and OpenSpiel, and commands."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from bench.timing import interleaved, verdict
from lineduel.compiled import Threads, rule_numbers
from lineduel.engine import Game
from lineduel.graph import GameGraph, explore_compiled, levels_of_graph
from lineduel.rules import rulebook_data, rulebook_from_data, toml_text
from lineduel.solve.graph_cycles import bounds_of_components
from lineduel.solve.graph_solution import position_columns
from lineduel.solve.known_battles import exact_value, solved_battle
from lineduel.solve.level_bounds import bounds_of_graph

ROUNDS = 3
ONE_PASS_GOAL, CORES_GOAL, OPENSPIEL_GOAL = 0.5, 1.7, 1000
BOTH_WAYS: dict[str, object] = {"edge": "stay", "steps": [1, 2, -1]}


class Command(NamedTuple):
    """A rulebook to solve from an empty cache, and what that may take."""

    last: int
    seconds: float
    width: float
    """The widest interval that is good enough."""
    movement: Mapping[str, object] = {}
    loser: str = "captured"
    bytes: float | None = None
    """The memory for each position, beside what a small game takes."""
    small: int = 8
    """The length of the track on which the same code is compiled first."""


COMMANDS = {
    "forward": Command(11, 3.0, 0.0),
    "forward, long": Command(15, 6.0, 0.0, small=13),
    "forward, ten million": Command(24, 60.0, 0.0, bytes=48, small=13),
    "a step off the track stays": Command(11, 10.0, 1e-9, {"edge": "stay"}),
    "one step back": Command(11, 10.0, 1e-9, BOTH_WAYS),
    "the loser goes home": Command(11, 180.0, 0.01, BOTH_WAYS, "sent home"),
}
COSTS = (1e-5, 1e-7, 1e-9, 0.0)
"""Costs of a step with which bounds are found: the lower, the later and the narrower."""


def three_a_side(last: int, loser: str = "captured", **movement: object) -> Game:
    """Three pieces a side that battle with five numbers."""
    cells = 1, 2, 3
    return battle_game(last, cells, loser, movement)


def battle_game(
    last: int, cells: Sequence[int], loser: str, movement: Mapping[str, object]
) -> Game:
    """A game with battles on cells 1 to `last`, with player 1's pieces on those cells."""
    pieces1 = {f"A{cell}": cell for cell in cells}
    pieces2 = {f"B{cell}": last + 1 - cell for cell in cells}
    data: dict[str, object] = {
        "title": "Battles",
        "summary": "Battles, and a race.",
        "track": {"first": 1, "last": last},
        "player1": {"pieces": pieces1, "goal": [last]},
        "player2": {"pieces": pieces2, "goal": [1]},
        "turn": {"first": "player1"},
        "move": {"steps": [1, 2], "edge": "illegal", "jump": True, **movement},
        "meet": {"own": "shared", "enemy": "battle"},
        "battle": {"numbers": 5, "loser": loser, "wins": "undercut"},
    }
    return Game(rulebook_from_data(data, "battles"))


def main() -> None:
    print("Large games with battles (compiled beforehand)")
    graph = explore_compiled(three_a_side(15), most=1 << 20)
    runs = {
        "by hand": lambda: len(graph) / _by_hand(graph),
        "one core": lambda: len(graph) / _solved(graph, 1),
        "all cores": lambda: len(graph) / _solved(graph, None),
    }
    interleaved(runs, 1)
    rates = interleaved(runs, ROUNDS)
    print(f"  one pass over {len(graph):,} positions, after exploring, in positions a second")
    for name, rate in rates.items():
        print(f"    {name:<10} {rate / 1e6:5.2f} M")
    ratio, gain = rates["one core"] / rates["by hand"], rates["all cores"] / rates["one core"]
    print(f"    ratio on one core {ratio:.2f}  ({verdict(ratio, ONE_PASS_GOAL)})")
    print(f"    from one core to all {gain:.2f}  ({verdict(gain, CORES_GOAL)})")
    theirs = _openspiel()
    times = rates["one core"] / theirs
    print(f"    OpenSpiel's value iteration, 248 positions: {theirs:.0f} a second")
    print(f"    ratio on one core {times:,.0f}  ({verdict(times, OPENSPIEL_GOAL)})")
    print("    PRISM-games, as published: about a million states in thousands of seconds")
    print("  whole commands from an empty cache: clock, processor time of all cores, memory")
    for name, command in COMMANDS.items():
        _tell_command(name, command)
    _tell_narrowing()


def _tell_command(name: str, command: Command) -> None:
    done = _command(command)
    each = done.bytes / done.positions
    print(f"    {name}: {done.positions:,} positions")
    print(
        f"      {done.clock:.1f} s  ({verdict(done.clock, command.seconds, at_most=True)}), "
        f"{done.processor:.1f} s"
    )
    print(f"      width {done.width:.1e}  ({verdict(done.width, command.width, at_most=True)})")
    told = f"  ({verdict(each, command.bytes, at_most=True)})" if command.bytes else ""
    print(f"      {each:.0f} bytes a position{told}")


def _tell_narrowing() -> None:
    """How an interval narrows with time, where play comes back to most positions."""
    graph = explore_compiled(three_a_side(7, "sent home", **BOTH_WAYS))
    print(f"  the loser goes home, 7 cells, {len(graph):,} positions, after exploring")
    with Threads(lambda _: None) as threads:
        bounds_of_components(graph, threads, 0.01)
        for cost in COSTS:
            began, spent = time.perf_counter(), time.process_time()
            bounds, _ = bounds_of_components(graph, threads, cost)
            clock, processor = time.perf_counter() - began, time.process_time() - spent
            width = bounds.high[0] - bounds.low[0]
            print(f"    {clock:5.1f} s, {processor:5.1f} s of processor time: width {width:.1e}")


def _openspiel() -> float:
    """Positions a second of OpenSpiel's value iteration for simultaneous moves."""
    from open_spiel.python.algorithms import lp_solver, value_iteration

    from bench.openspiel_duel import DuelGame

    # Its own default, ECOS, does not come with CVXPY any more.
    lp_solver.LinearProgram.solve.__defaults__ = ("CLARABEL", {})
    game = DuelGame(battle_game(5, (1, 2), "captured", {}).rulebook)
    began = time.perf_counter()
    values = value_iteration.value_iteration(game, -1, 1e-6, cyclic_game=True)
    return len(values) / (time.perf_counter() - began)


def _solved(graph: GameGraph, cores: int | None) -> float:
    """Seconds for the order and the bounds, fractions included."""
    exact_value.cache_clear()
    solved_battle.cache_clear()
    began = time.perf_counter()
    rows = position_columns(graph).rows
    ruling = rule_numbers(graph.game.rules)
    levels = levels_of_graph(ruling, rows, graph.first, graph.after, graph.mover)
    assert levels
    with Threads(lambda _: None, cores) as threads:
        bounds_of_graph(graph, levels, threads)
    return time.perf_counter() - began


class Done(NamedTuple):
    """What a command took, and what it found."""

    clock: float
    processor: float
    bytes: int
    positions: int
    width: float


def _command(asked: Command) -> Done:
    """`lineduel solve` in a process of its own, after one that compiles what it needs."""
    game = three_a_side(asked.last, asked.loser, **asked.movement)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.toml")
        file.write_text(toml_text(rulebook_data(game.rulebook)))
        command = [sys.executable, "-m", "lineduel", "solve", str(file), "--json"]
        _run([*command, "--no-cache", "--set", f"track.length={asked.small}"], folder)
        *_, little = _run([*command, "--no-cache", "--set", "track.length=8"], folder)
        said, clock, processor, memory = _run(command, folder)
        found = json.loads(said)
        low, high = found["value"]
        width = 0.0 if found.get("exact") else high - low
        return Done(clock, processor, memory - little, found["positions"], width)


def _run(command: Sequence[str], cache: str) -> tuple[str, float, float, int]:
    """What a command prints; its seconds by the clock and of the processor; its memory."""
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        started = subprocess.Popen(command, stdout=out, env={**os.environ, "LINEDUEL_CACHE": cache})
        _, status, used = os.wait4(started.pid, 0)
        clock = time.perf_counter() - began
        if status:
            raise SystemExit(f"{' '.join(command)} failed.")
        out.seek(0)
        said = out.read().decode()
    return said, clock, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def _by_hand(graph: GameGraph) -> float:
    """Seconds of a pass that only bounds values, on one core, by the plainest code."""
    began = time.perf_counter()
    order = _ordered(graph.first, graph.after)
    _backward(order, *graph.arrays, graph.numbers)
    return time.perf_counter() - began


@njit(cache=True)
def _ordered(first, after):  # type: ignore[no-untyped-def]
    waiting = np.zeros(len(first) - 1, np.int64)
    for reached in after:
        waiting[reached] += 1
    order, found, done = np.zeros(len(waiting), np.int64), 1, 0
    while done < found:
        at = order[done]
        done += 1
        for reached in after[first[at] : first[at + 1]]:
            waiting[reached] -= 1
            if waiting[reached] == 0:
                order[found] = reached
                found += 1
    return order


@njit(cache=True)
def _backward(order, first, after, mover, winner, numbers):  # type: ignore[no-untyped-def]
    low, high = np.zeros(len(mover)), np.zeros(len(mover))
    middle = np.empty((numbers, numbers))
    table = np.empty((numbers + 1, 2 * numbers + 1))
    basis, one, two = np.empty(numbers, np.int64), np.empty(numbers), np.empty(numbers)
    for place in range(len(order) - 1, -1, -1):
        at = order[place]
        reached = after[first[at] : first[at + 1]]
        if winner[at] != 0:
            low[at] = high[at] = 1.0 if winner[at] == 1 else -1.0
        elif mover[at] == 1:
            low[at], high[at] = low[reached].max(), high[reached].max()
        elif mover[at] == 2:
            low[at], high[at] = low[reached].min(), high[reached].min()
        else:
            for pair in range(numbers * numbers):
                to = reached[pair]
                middle[pair // numbers, pair % numbers] = (low[to] + high[to]) / 2
            _simplex(middle, table, basis, one, two)
            least, most = 2.0, -2.0
            for other in range(numbers):
                mine, theirs = 0.0, 0.0
                for own in range(numbers):
                    mine += one[own] * low[reached[own * numbers + other]]
                    theirs += two[own] * high[reached[other * numbers + own]]
                least, most = min(least, mine), max(most, theirs)
            low[at], high[at] = least - 1e-15, most + 1e-15
    return low, high


@njit(cache=True)
def _simplex(payoffs, table, basis, one, two):  # type: ignore[no-untyped-def]
    """Mixtures of a matrix game, by the simplex method on the whole tableau."""
    size, shift = len(payoffs), 1.0 - payoffs.min()
    table[:] = 0.0
    for row in range(size):
        table[row, :size] = payoffs[row] + shift
        table[row, size + row] = table[row, 2 * size] = 1.0
        table[size, row] = -1.0
        basis[row] = size + row
    for _ in range(100):
        enters = np.argmin(table[size, : 2 * size])
        if table[size, enters] > -1e-12:
            break
        leaves, least = -1, np.inf
        for row in range(size):
            if table[row, enters] > 1e-12:
                ratio = table[row, 2 * size] / table[row, enters]
                if ratio < least:
                    leaves, least = row, ratio
        table[leaves] /= table[leaves, enters]
        for row in range(size + 1):
            if row != leaves and table[row, enters] != 0.0:
                table[row] -= table[row, enters] * table[leaves]
        basis[leaves] = enters
    one[:], two[:] = table[size, size : 2 * size], 0.0
    for row in range(size):
        if basis[row] < size:
            two[basis[row]] = table[row, 2 * size]
    one /= one.sum()
    two /= two.sum()
