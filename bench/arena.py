"""Matches of random players beside OpenSpiel's bots, and exact results beside sampled ones."""

import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import permutations
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from bench.timing import verdict
from lineduel.arena.game_runner import play_numbers
from lineduel.arena.ladder import climb
from lineduel.arena.settings import Settings
from lineduel.arena.tournament import Standings, Tournament
from lineduel.engine import Game
from lineduel.jobs.ledger import Ledger
from lineduel.jobs.long_work import LongRun
from lineduel.jobs.pool import Pool
from lineduel.rulebooks import find_rulebook
from lineduel.rules.assignments import format_rules
from lineduel.solve import Cache, solve

GOAL = 20
ROUNDS = 3
GAMES = 600_000
WARM_UP = 5_000
THEIR_GAMES = 6_000
ACCURACY, CONFIDENT = 0.01, 1.959964
"""Half the interval, and its standard errors for 95 %."""


def main() -> None:
    cores = os.cpu_count() or 1
    mine: list[float] = []
    theirs: dict[str, list[float]] = {"python": [], "pyspiel": []}
    for _ in range(ROUNDS):
        for kind, rates in theirs.items():
            rates.append(_openspiel(kind, cores))
        mine.append(_lineduel(cores))
    ours = median(mine)
    python, compiled = median(theirs["python"]), median(theirs["pyspiel"])
    ratio = ours / python
    print(f"Cross Over between two level-1 players, on {cores} cores")
    print(f"  lineduel tournament, every game on the disk   {ours:>9,.0f} games/s")
    print(f"  OpenSpiel, Python game, Python evaluate_bots  {python:>9,.0f} games/s")
    print(f"  OpenSpiel, Python game, pyspiel.evaluate_bots {compiled:>9,.0f} games/s")
    print(
        f"  ratio to Python evaluate_bots                 {ratio:>9.1f}  ({verdict(ratio, GOAL)})"
    )
    print(f"  ratio to pyspiel.evaluate_bots                {ours / compiled:>9.1f}")
    print()
    _exact(cores)


def _settings(*players: str, games: int) -> Settings:
    game = Game(find_rulebook("cross-over"))
    return Settings(
        game=game.rulebook.id,
        title=game.rulebook.title,
        rules=format_rules(game.rules),
        start=str(game.start()),
        players=players,
        games=games,
    )


def _lineduel(cores: int, players: tuple[str, ...] = ("level:1", "level:1")) -> float:
    """Games per second of a whole tournament, by processes that have played before."""
    settings = _settings(*players, games=GAMES)
    with (
        tempfile.TemporaryDirectory() as folder,
        Pool(cores) as pool,
        Ledger.begin(Path(folder) / "games.jsonl", settings.header()) as ledger,
    ):
        for _ in pool.run(partial(play_numbers, settings), range(WARM_UP), seconds=0.1):
            pass
        began = time.perf_counter()
        LongRun(Tournament(Standings(settings)), ledger).run(pool)
        return GAMES / (time.perf_counter() - began)


def _openspiel(kind: str, cores: int) -> float:
    """The same match by OpenSpiel's bots, a process for each core."""
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        list(pool.map(_their_games, [kind] * cores, [10] * cores))  # they have started
        began = time.perf_counter()
        list(pool.map(_their_games, [kind] * cores, [THEIR_GAMES // cores] * cores))
        return THEIR_GAMES / (time.perf_counter() - began)


def _their_games(kind: str, games: int) -> None:
    import numpy
    import pyspiel
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
    from open_spiel.python.bots.uniform_random import UniformRandomBot

    from bench import openspiel_cross_over  # noqa: F401  it registers the game

    game = pyspiel.load_game("python_cross_over")
    rng = numpy.random.RandomState(7)
    if kind == "python":
        bots = [UniformRandomBot(player, rng) for player in range(2)]
        for _ in range(games):
            evaluate_bots(game.new_initial_state(), bots, rng)
    else:
        bots = [pyspiel.make_uniform_random_bot(player, 7) for player in range(2)]
        for seed in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


def _exact(cores: int) -> None:
    """All pairings of the ladder computed, beside playing them to the same accuracy."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        solution = solve(Game(find_rulebook("cross-over")), cache=Cache())
        ladder = climb(solution)
        times.append(time.perf_counter() - began)
    size = len(ladder.players)
    # A score from 0 to 1 has a variance of at most 1/4: so many games for any pairing.
    each = ceil(CONFIDENT**2 / 4 / ACCURACY**2)
    pairings = list(permutations(range(size), 2))
    needed = each * len(pairings)
    rate = _lineduel(cores, ("level:1", "level:4"))
    print(f"The ladder of Cross Over: {size} players, {len(pairings)} pairings")
    print(f"  computed exactly                              {median(times):>9.1f} s")
    print(f"  played for ±1 % (95 %): {each:,} games each, {needed:,} in all")
    print(f"    at {rate:,.0f} games/s (level:1, level:4)       {needed / rate:>9.1f} s")
    theirs = needed / _openspiel("python", cores)
    print(f"    by OpenSpiel's Python evaluate_bots           {theirs:>9.1f} s")
    fine = needed * (ACCURACY / 1e-4) ** 2
    print(f"  played for ±0.01 %                            {fine / rate:>9,.0f} s")
