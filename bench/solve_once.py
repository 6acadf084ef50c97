"""What was explored is handed on, beside the same work that explores and solves a second time."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from bench.rulebooks import cross_over, soldiers
from bench.timing import interleaved, seconds, verdict
from lineduel.discover import design_of
from lineduel.discover.found import prove_designs
from lineduel.engine import Game
from lineduel.errors import TooLarge
from lineduel.graph import explore_by_engine
from lineduel.lab import audit
from lineduel.rulebooks import find_rulebook
from lineduel.solve import MOST_PLAIN, proof_of, solve

ROUNDS = 5
GOALS = {
    "audit of Cross Over": 1.1,
    "audit of wide Cross Over": 1.4,
    "table of wide Cross Over": 2.0,
    "table of Soldiers": 2.0,
    "a kept discovery": 1.05,
}


def main() -> None:
    print("What was explored is handed on (ratio: the time with a second exploration)")
    for name, once, again in _cases():
        once()  # compiles what it needs
        found = interleaved(
            {"once": partial(seconds, once), "again": partial(seconds, again)}, ROUNDS
        )
        ratio = (found["once"] + found["again"]) / found["once"]
        print(
            f"  {name:<25} {found['once']:6.2f}s, in vain {found['again']:5.2f}s   ratio "
            f"{ratio:5.2f}  ({verdict(ratio, GOALS[name])})"
        )


def _cases() -> list[tuple[str, Callable[[], object], Callable[[], object]]]:
    """What is measured, and what was done a second time before the first was handed on."""
    shipped, wide = Game(find_rulebook("cross-over")), cross_over(12, 4)
    wider, long = cross_over(14, 4), soldiers(13, 3)
    design = design_of(find_rulebook("ctf-soldiers").rules)
    assert design is not None
    kept = Game(find_rulebook("ctf-soldiers"))
    return [
        (
            "audit of Cross Over",
            lambda: audit(shipped.rulebook),
            lambda: _explored(shipped),
        ),
        ("audit of wide Cross Over", lambda: audit(wide.rulebook), lambda: _explored(wide)),
        ("table of wide Cross Over", lambda: solve(wider), lambda: _explored(wider)),
        ("table of Soldiers", lambda: solve(long), lambda: _explored(long)),
        (
            "a kept discovery",
            lambda: prove_designs([(1, design, ())]),
            lambda: proof_of(solve(kept)),
        ),
    ]


def _explored(game: Game) -> None:
    with suppress(TooLarge):
        explore_by_engine(game, game.start(), MOST_PLAIN)
