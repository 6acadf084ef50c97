"""Audits of many small rulebooks, beside OpenSpiel's Python value iteration merely solving them."""

import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from open_spiel.python.algorithms.value_iteration import value_iteration

from bench.openspiel_duel import DuelGame
from bench.small_rulebooks import candidates
from bench.timing import verdict
from lineduel.lab.analysis import quick_figures
from lineduel.rules import Rulebook

NUMBER, SEED = 1_000, 7
SAMPLE = 20
ROUNDS = 3
GOAL, CORES_GOAL = 100, 1.8
PIECE = 8
"""Rulebooks that a worker takes at a time."""


def audit(rulebook: Rulebook) -> float:
    """What is measured: solved, three players on the ladder, all figures; the value comes back."""
    value = quick_figures(rulebook).value
    return float(value.low)


def main() -> None:
    mix = candidates(NUMBER, SEED)
    sizes = sorted(size for _, size in mix)
    rulebooks = [rulebook for rulebook, _ in mix]
    quarters = ", ".join(f"{sizes[len(sizes) * at // 4]:,}" for at in (1, 2, 3))
    print(f"Audits of {NUMBER:,} small rulebooks: solved, three players on the ladder, all figures")
    print(
        f"  positions: {sizes[0]} to {sizes[-1]:,}, quartiles {quarters}, "
        f"mean {statistics.mean(sizes):,.0f}"
    )
    with Workers(1) as one, Workers(2) as two:
        taken: dict[Workers, list[Taken]] = {one: [], two: []}
        for _ in range(ROUNDS):
            for workers, times in taken.items():
                times.append(workers.audit(rulebooks))
    single, double = min(taken[one]), min(taken[two])
    for name, best in (("one core", single), ("both cores", double)):
        print(
            f"  {name:<11} {best.seconds / NUMBER * 1e3:7.2f} ms each, "
            f"{NUMBER / best.seconds:6.0f} a second; "
            f"{best.processor / NUMBER * 1e3:.2f} ms of processor time each"
        )
    gain = single.seconds / double.seconds
    print(f"  from one core to both {gain:5.2f}  ({verdict(gain, CORES_GOAL)})")
    every = NUMBER // SAMPLE  # one of each size, so that the sample's mean is that of the mix
    sample = sorted(mix, key=lambda one: one[1])[every // 2 :: every]
    peer = [_solved_by_peer(rulebook, size) for rulebook, size in sample]
    each = statistics.mean(one.seconds for one in peer)
    ratio = each / (double.seconds / NUMBER)
    print(
        f"  OpenSpiel   {each * 1e3:7.0f} ms each to solve alone, over {len(sample)} of them "
        f"(mean {statistics.mean(size for _, size in sample):,.0f} positions); "
        f"{statistics.mean(one.processor for one in peer) * 1e3:.0f} ms of processor time each"
    )
    print(f"  ratio       {ratio:7.0f}  ({verdict(ratio, GOAL)})")


class Taken(NamedTuple):
    """How long it took, and how much of that the processors were at work."""

    seconds: float
    processor: float


class Workers:
    """So many processes that have compiled all they need."""

    def __init__(self, number: int) -> None:
        self._pool = ProcessPoolExecutor(number, mp_context=get_context("spawn"))
        self._number = number

    def __enter__(self) -> "Workers":
        warm = [rulebook for rulebook, _ in candidates(40, SEED + 1)]
        self.audit(warm * (4 * self._number))
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def audit(self, rulebooks: Sequence[Rulebook]) -> Taken:
        """Audit them all."""
        began = time.perf_counter()
        processor = sum(self._pool.map(_processor_time, rulebooks, chunksize=PIECE))
        return Taken(time.perf_counter() - began, processor)


def _processor_time(rulebook: Rulebook) -> float:
    began = time.process_time()
    audit(rulebook)
    return time.process_time() - began


def _solved_by_peer(rulebook: Rulebook, size: int) -> Taken:
    """The time of OpenSpiel's value iteration, whose answer has to be ours.

    `cyclic_game` makes it stop at states it has seen; without it, it would walk the whole tree.
    """
    sys.setrecursionlimit(20_000)
    game = DuelGame(rulebook)
    began, processor = time.perf_counter(), time.process_time()
    values = value_iteration(game, depth_limit=-1, threshold=1e-9, cyclic_game=True)
    taken = Taken(time.perf_counter() - began, time.process_time() - processor)
    if len(values) != size or values[str(game.new_initial_state())] != audit(rulebook):
        raise AssertionError(f"OpenSpiel solved another game than {rulebook.id}.")
    return taken
