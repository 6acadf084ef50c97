"""Matches of random players beside OpenSpiel's bots, and exact results beside sampled ones."""

import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import permutations
from math import ceil
from multiprocessing import get_context
from pathlib import Path

from bench.timing import verdict

GOAL = 20
ROUNDS = 3
GAMES = 400_000
THEIR_GAMES = 6_000
ACCURACY, CONFIDENT = 0.01, 1.959964
"""Half the interval, and its standard errors for 95 %."""


def main() -> None:
    cores = os.cpu_count() or 1
    mine, theirs = [], []
    for _ in range(ROUNDS):
        theirs.append(_openspiel(cores))
        mine.append(_lineduel(cores))
    ours, peer = sorted(mine)[ROUNDS // 2], sorted(theirs)[ROUNDS // 2]
    print(f"Cross Over between two level-1 players, on {cores} cores")
    print(f"  lineduel tournament, every game on the disk {ours:>10,.0f} games/s")
    print(f"  OpenSpiel, Python game, evaluate_bots       {peer:>10,.0f} games/s")
    print(
        f"  ratio                                       {ours / peer:>10.1f}  ({_goal(ours, peer)})"
    )
    print()
    _exact(ours)


def _goal(ours: float, peer: float) -> str:
    return verdict(ours / peer, GOAL)


def _lineduel(cores: int) -> float:
    """Games per second of a whole tournament, from the first game on the disk to the last."""
    from lineduel.arena.ledger import Ledger
    from lineduel.arena.pool import Pool
    from lineduel.arena.settings import Settings
    from lineduel.arena.tournament import Tally, play_on

    # Two names for the same way of playing: nobody plays against himself.
    settings = Settings(players=("level:1", "random"), games=GAMES, **_game())
    tally = Tally(settings)
    with tempfile.TemporaryDirectory() as folder, Pool(cores) as pool:
        with Ledger.begin(Path(folder) / "games", settings.header()) as ledger:
            began, before = 0.0, 0
            for _ in play_on(tally, ledger, pool):
                if not began and tally.games > GAMES // 20:  # the processes have started
                    began, before = time.perf_counter(), tally.games
            return (tally.games - before) / (time.perf_counter() - began)
