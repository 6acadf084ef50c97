"""Ten thousand live games at one process, nearly all of them idle: memory, and time for a move."""

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import psutil
import uvloop

from bench.live_games import LineduelLoad, serve, sqlite
from bench.load import RATE, SLEEP, LiveGame, random_game
from bench.timing import verdict
from lineduel import find_rulebook
from lineduel.engine import Game

GAMES = 10_000
SECONDS = 10.0
SPARE = 1000
"""Descriptors for everything else, and for others: no address gets all that are left."""
GOAL = 46.0
"""KiB for an idle game with two connections."""


async def measure(number: int, folder: Path) -> None:
    rng, game = Random(1), Game(find_rulebook("cross-over"))
    few = [random_game(game, rng) for _ in range(100)]
    load = LineduelLoad([LiveGame(few[at % len(few)]) for at in range(number)], sqlite(folder))
    server, port = serve(folder, core=0)
    process = psutil.Process(server.pid)
    try:
        memory, began = process.memory_info().rss, time.perf_counter()
        await load.connect(port)
        connected = time.perf_counter() - began
        await asyncio.sleep(SLEEP)
        idle = (process.memory_info().rss - memory) / number / 1024
        calm = await load.at_rate(RATE, SECONDS)
    finally:
        server.kill()
        server.wait()
    p50, p99 = statistics.median(calm) * 1000, calm[int(len(calm) * 0.99)] * 1000
    print(f"{number:,} games with {2 * number:,} connections, connected in {connected:.0f} s")
    print(f"  an idle game           {idle:.1f} KiB; {verdict(idle, GOAL, at_most=True)}")
    print(f"  at {RATE} moves/s among them: p50 {p50:.1f} ms, p99 {p99:.1f} ms")


def main(games: int = GAMES) -> None:
    """Measure with as many games as the system has descriptors for."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    number = min(games, (most - SPARE) // 2)
    if number < games:
        print(f"ulimit allows {most:,} descriptors, so {number:,} games in place of {games:,}")
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(measure(number, Path(folder)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
