"""How many candidates `lineduel discover` tries in a second, beside exact analysis of each."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bench.timing import interleaved, seconds, verdict
from lineduel.discover import (
    DesignCandidate,
    DesignSearch,
    DesignSpace,
    SearchQuestion,
    generation,
    read_goal,
    rulebook_of_design,
)
from lineduel.discover.design_search import Task, measure_designs
from lineduel.jobs import Pool
from lineduel.lab.analysis import quick_figures
from lineduel.rules import Meeting

GENERATIONS = 6
"""Generations of 500 candidates in a round; those after the fourth come from the archive."""
ROUNDS = 3
SEED = 1
SAMPLE = 40
"""Candidates with battles that are analysed exactly, too."""
PLAIN_GOAL, BATTLE_GOAL, CORES_GOAL = 500, 5, 1.8
LARGE, LARGE_GOAL, LARGE_GENERATIONS = 20_000, 300, (2, 4)
"""Positions of large candidates with battles, how many to try in a second, and generations: the
first, when nothing is dropped yet, and those after them."""
BATTLES = DesignSpace(meetings=(Meeting.BATTLE,))
NO_BATTLES = DesignSpace(meetings=tuple(one for one in Meeting if one is not Meeting.BATTLE))
GOALS = ("no draw", "skill wins", "choices matter", "turns<=40")


class Searched(NamedTuple):
    """A search and how long it took."""

    search: DesignSearch
    seconds: float

    @property
    def tried_a_second(self) -> float:
        return self.search.tried / self.seconds

    @property
    def measured_a_second(self) -> float:
        """Those of a size that is searched for: the others are soon found to be too large."""
        return self.search.measured / self.seconds


def main() -> None:
    print("Candidates of a search: hard goals, three levels, all figures")
    with Pool(1) as one, Pool(2) as two:
        for pool in (one, two):
            _searched(_question(BATTLES), pool, 2)
            _searched(_question(NO_BATTLES), pool, 2)
        plain = _both(NO_BATTLES, one, two)
        battles = _both(BATTLES, one, two)
        asked = replace(_question(BATTLES), battle_positions=LARGE)
        large = DesignSearch(asked)
        rates = [_tried_a_second(large, two, generations) for generations in LARGE_GENERATIONS]
    _tell("without battles, up to 3,000 positions", plain)
    rate = plain[1].tried_a_second
    print(f"    both cores, tried: {rate:,.0f} a second  ({verdict(rate, PLAIN_GOAL)})")
    _tell("with battles, up to 200 positions", battles)
    print(f"  with battles, up to {LARGE:,} positions")
    for name, rate in zip(("at first", "later"), rates, strict=True):
        print(f"    both cores, {name}: {rate:,.0f} a second  ({verdict(rate, LARGE_GOAL)})")
    print(f"    too large: {large.too_large / large.tried:.0%}")
    _tell_ratio(_sample())


def _both(space: DesignSpace, one: Pool, two: Pool) -> tuple[Searched, Searched]:
    """The fastest of some rounds with one worker and with two, taking turns."""
    asked = _question(space)
    rounds = [[_searched(asked, pool, GENERATIONS) for pool in (one, two)] for _ in range(ROUNDS)]
    single, double = (
        min(column, key=lambda each: each.seconds) for column in zip(*rounds, strict=True)
    )
    return single, double


def _question(space: DesignSpace) -> SearchQuestion:
    goals = tuple(map(read_goal, GOALS))
    return SearchQuestion(space=space, goals=goals, preferred=("elo_range",), seed=SEED)


def _searched(question: SearchQuestion, pool: Pool, generations: int) -> Searched:
    search, began = DesignSearch(question), time.perf_counter()
    for _ in range(generations):
        generation(search, pool)
    return Searched(search, time.perf_counter() - began)


def _tried_a_second(search: DesignSearch, pool: Pool, generations: int) -> float:
    """How many candidates are tried in a second while a search goes on."""
    before, began = search.tried, time.perf_counter()
    for _ in range(generations):
        generation(search, pool)
    return (search.tried - before) / (time.perf_counter() - began)


def _tell(title: str, found: Sequence[Searched]) -> None:
    print(f"  {title}")
    for name, each in zip(("one core", "both cores"), found, strict=True):
        print(
            f"    {name:<11}{each.tried_a_second:7,.0f} tried a second, "
            f"{each.measured_a_second:7,.0f} of them not too large"
        )
    gain = found[0].seconds / found[1].seconds
    print(f"    from one core to both: {gain:.2f}  ({verdict(gain, CORES_GOAL)})")


def _sample() -> list[Task]:
    """Candidates with battles that are not too large."""
    search = DesignSearch(_question(BATTLES))
    tasks = list(search.tasks(search.next_generation()))
    return [
        task
        for task, found in zip(tasks, measure_designs(tasks), strict=True)
        if isinstance(found, DesignCandidate)
    ][:SAMPLE]


def _tell_ratio(sample: Sequence[Task]) -> None:
    """How much faster a sample is measured than analysed exactly, on one core."""
    rulebooks = [rulebook_of_design(task.design) for task in sample]
    quick_figures(rulebooks[0])
    runs = {
        "floats": lambda: len(sample) / seconds(lambda: measure_designs(sample)),
        "exact": lambda: len(sample) / seconds(lambda: list(map(quick_figures, rulebooks))),
    }
    rates = interleaved(runs, ROUNDS)
    ratio = rates["floats"] / rates["exact"]
    print(f"    {len(sample)} of them one after another, on one core:")
    print(f"      measured in floats {rates['floats']:7,.1f} a second")
    print(f"      analysed exactly   {rates['exact']:7,.1f} a second")
    print(f"      ratio {ratio:.1f}  ({verdict(ratio, BATTLE_GOAL)})")


if __name__ == "__main__":  # processes that it starts import it too
    main()
