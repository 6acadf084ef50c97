"""Large games with battles: one pass of `solve` beside a hand-written one, and whole commands."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numba import njit

from bench.timing import interleaved, verdict
from lineduel.compiled import Threads
from lineduel.engine import Game
from lineduel.graph import GameGraph, explore_compiled
from lineduel.rules import rulebook_data, rulebook_from_data, toml_text
from lineduel.solve.graph_bounds import bounds_of_levels, levels

ROUNDS = 3
ONE_PASS_GOAL = 0.5
COMMANDS: dict[str, tuple[int, dict[str, object], float]] = {
    "forward": (11, {}, 3.0),
    "forward, long": (15, {}, 6.0),
    "a step off the track stays": (11, {"edge": "stay"}, 10.0),
    "one step back": (11, {"edge": "stay", "steps": [1, 2, -1]}, 10.0),
}
"""The last cell, other rules of movement, and the seconds that the whole command may take."""


def three_a_side(last: int, **movement: object) -> Game:
    """Three pieces a side that battle with five numbers."""
    data: dict[str, object] = {
        "title": "Three a side",
        "summary": "Battles, and a race.",
        "track": {"first": 1, "last": last},
        "player1": {"pieces": {"A": 1, "B": 2, "E": 3}, "goal": [last]},
        "player2": {"pieces": {"C": last, "D": last - 1, "F": last - 2}, "goal": [1]},
        "turn": {"first": "player1"},
        "move": {"steps": [1, 2], "edge": "illegal", "jump": True} | movement,
        "meet": {"own": "shared", "enemy": "battle"},
        "battle": {"numbers": 5, "loser": "captured", "wins": "undercut"},
    }
    return Game(rulebook_from_data(data, "three-a-side"))


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
    ratio = rates["one core"] / rates["by hand"]
    print(f"    ratio on one core {ratio:.2f}  ({verdict(ratio, ONE_PASS_GOAL)})")
    print("  whole commands from an empty cache")
    for name, (last, movement, goal) in COMMANDS.items():
        taken, told = _command(three_a_side(last, **movement))
        print(f"    {name:<28} {taken:5.1f} s  ({verdict(taken, goal, at_most=True)})  {told}")


def _solved(graph: GameGraph, cores: int | None) -> float:
    """Seconds for the order and the bounds, fractions included."""
    began = time.perf_counter()
    order, cuts = levels(graph.first, graph.after)
    with Threads(lambda _: None, cores) as threads:
        bounds_of_levels(graph, order, cuts, threads)
    return time.perf_counter() - began


def _command(game: Game) -> tuple[float, str]:
    """The seconds of `lineduel solve`, and what it says of the value."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.toml")
        file.write_text(toml_text(rulebook_data(game.rulebook)))
        command = [sys.executable, "-m", "lineduel", "solve", str(file)]
        kept = {**os.environ, "LINEDUEL_CACHE": folder}
        subprocess.run([*command, "--no-cache"], check=True, capture_output=True)  # compiles
        began = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=kept)
        return time.perf_counter() - began, done.stdout.splitlines()[1]


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
