"""Comparing two things whose machine drifts: take turns, then compare the medians."""

import statistics
import time
from collections.abc import Callable, Mapping


def interleaved(runs: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of what each run measures, the runs taking turns."""
    measured: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            measured[name].append(run())
    return {name: statistics.median(values) for name, values in measured.items()}


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def verdict(ratio: float, goal: float, at_most: bool = False) -> str:
    """A goal and whether it was met in this run."""
    met = ratio <= goal if at_most else ratio >= goal
    return f"goal: {'at most' if at_most else 'at least'} {goal:g}, {'met' if met else 'MISSED'}"
