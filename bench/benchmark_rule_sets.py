"""Draws the rule sets of a version of the benchmark; version 1 was drawn once, and stays.

python bench/benchmark_rule_sets.py > src/lineduel/agents/benchmark-1.json
"""

import json
from collections.abc import Callable, Iterator
from itertools import islice

from lineduel.engine import Game
from lineduel.envs import random_rulebooks
from lineduel.lab import identity
from lineduel.rules import Rulebook, format_rules
from lineduel.solve import Solution, solve

SEED = 20_261_118


def decided(solution: Solution) -> bool:
    return solution.value(solution.start).winner is not None


def deep(solution: Solution) -> bool:
    return (solution.value(solution.start).plies or 0) >= 10


def undecided(solution: Solution) -> bool:
    return not decided(solution)


def anything(solution: Solution) -> bool:
    return True


STRATA: tuple[tuple[str, int, bool, tuple[int, int], Callable[[Solution], bool]], ...] = (
    ("small", 8, False, (20, 150), decided),
    ("medium", 8, False, (151, 800), decided),
    ("large", 8, False, (801, 4000), decided),
    ("deep", 8, False, (20, 4000), deep),
    ("undecided", 16, False, (20, 2000), undecided),
    ("battles, small", 8, True, (20, 100), anything),
    ("battles, larger", 8, True, (101, 300), anything),
)
"""Name, rule sets, battles, positions, and what the solution has to be like."""


def drawn(
    known: set[object], battles: bool, size: tuple[int, int], fits: Callable[[Solution], bool]
) -> Iterator[Rulebook]:
    for rulebook in random_rulebooks(SEED, split="test", battles=battles, positions=size, depth=4):
        game = Game(rulebook)
        if identity(rulebook.rules).key not in known and fits(solve(game, game.start())):
            known.add(identity(rulebook.rules).key)
            yield rulebook


def main() -> None:
    known: set[object] = set()
    strata = [
        {
            "name": name,
            "rule_sets": [
                {"id": one.id, "rules": format_rules(one.rules)}
                for one in islice(drawn(known, battles, size, fits), count)
            ],
        }
        for name, count, battles, size, fits in STRATA
    ]
    settings = {"levels": [1, 4, 8], "pairs": 1, "positions": 8, "variations": 1, "repeats": 8}
    version = {"version": 1, "settings": settings | {"plies": 100}, "strata": strata}
    print(json.dumps(version, indent=1))


if __name__ == "__main__":
    main()
