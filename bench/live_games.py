"""Live games under load: moves a second, how long one takes, memory, beside its peers.

The server has one core, the load generator another. A move counts when the opponent's client has
it; ours is stored on disk by then. The peers are an empty POST of Litestar and, where node and npm
are there, boardgame.io in memory and with files.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import psutil
import uvloop

from bench.boardgame_io import install, measure_boardgame
from bench.load import (
    HOST,
    RATE,
    LiveGame,
    Load,
    Measured,
    cpu,
    free_port,
    measure,
    random_game,
    start,
)
from bench.raw_clients import PostClient, WebSocketClient
from lineduel import find_rulebook
from lineduel.engine import Game
from lineduel.web.database import Database, Entry, Journal
from lineduel.web.game_changes import GameChange, GameInfo
from lineduel.web.rulebook_shelf import shipped_text
from lineduel.web.tokens import SEAT, hashed, new_game_id, new_token

GAMES = 1000
CLIENTS_OF_POST = 64
SECONDS = 5.0


class LineduelLoad(Load):
    """Speaks to our server; the games are put into its database before it starts."""

    def __init__(self, games: list[LiveGame], address: str) -> None:
        super().__init__(games)
        self._seats: dict[LiveGame, tuple[str, tuple[str, str]]] = {}
        game = Game(find_rulebook("cross-over"))
        text, beginning = shipped_text("cross-over", None), str(game.start())
        change = GameChange()
        for one in games:
            tokens = new_token(SEAT), new_token(SEAT)
            info = GameInfo(
                id=new_game_id(),
                rulebook=text,
                start=beginning,
                seats=("human", "human"),
                seat_hashes=(hashed(tokens[0]), hashed(tokens[1])),
                invite_hash=None,
                spectator_hash=None,
            )
            change.games.append((info, time.time()))
            self._seats[one] = info.id, tokens
            one.messages = [
                json.dumps({"do": "move", "id": turn, "move": move, "turn": turn}).encode()
                for turn, move in enumerate(one.moves)
            ]
        database = Database(address)
        database.start(lambda results: None)
        database.submit(Entry(Journal(), change, lambda error: None))
        database.close()

    def address(self, game: LiveGame) -> str:
        return f"/api/live/{self._seats[game][0]}/socket"

    def greet(self, game: LiveGame, side: int) -> None:
        game.ends[side - 1].send(json.dumps({"token": self._seats[game][1][side - 1]}).encode())

    def heard(self, end: WebSocketClient, frame: bytes) -> None:
        if frame.startswith(b'{"type":"view"'):
            self.joined += 1
        elif frame.startswith(b'{"type":"refused"'):
            self.refusals.append(frame.decode())
        elif frame.startswith(b'{"type":"turn"'):
            at = frame.index(b'"turn":', 15) + 7
            self.arrived(end, int(frame[at:60].partition(b",")[0]))


async def posts(port: int, seconds: float, server: psutil.Process) -> tuple[float, float]:
    """Empty POSTs a second of the clock, and a second of the server's processor time."""
    loop = asyncio.get_running_loop()
    clients: list[PostClient] = []
    while len(clients) < CLIENTS_OF_POST:
        try:
            _, client = await loop.create_connection(
                lambda: PostClient(f"{HOST}:{port}", "/"), HOST, port
            )
            clients.append(client)
        except OSError:
            await asyncio.sleep(0.2)
    await asyncio.sleep(0.5)
    before, began, used = sum(one.answers for one in clients), time.perf_counter(), cpu(server)
    await asyncio.sleep(seconds)
    number = sum(one.answers for one in clients) - before
    return number / (time.perf_counter() - began), number / (cpu(server) - used)


async def measure_posts(seconds: float) -> tuple[float, float]:
    port = free_port()
    empty = start(0, sys.executable, "-m", "bench.empty_post", str(port), folder=Path.cwd())
    try:
        return await posts(port, seconds, psutil.Process(empty.pid))
    finally:
        empty.kill()
        empty.wait()


def sqlite(folder: Path) -> str:
    """The database of a server in this folder."""
    return f"sqlite:///{folder / 'live.sqlite'}"


def serve(
    folder: Path, *options: str, core: int | None = None
) -> tuple["subprocess.Popen[str]", int]:
    """A server with its port, on a core of its own or on any."""
    command = ("-m", "lineduel", "serve", "--port", "0", "--connections", "5000", *options)
    settings = {"LINEDUEL_DATA": str(folder), "LINEDUEL_CACHE": str(folder)}
    server = start(core, sys.executable, *command, folder=Path.cwd(), settings=settings)
    assert server.stdout is not None
    return server, int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])


async def measure_lineduel(games: list[list[str]], seconds: float, folder: Path) -> Measured:
    load = LineduelLoad([LiveGame(moves) for moves in games], sqlite(folder))
    server, port = serve(folder, core=0)
    try:
        measured = await measure(load, psutil.Process(server.pid), port, seconds)
    finally:
        server.kill()
        server.wait()
    if load.refusals:
        print(f"{len(load.refusals)} moves were refused, such as {load.refusals[0]}")
    return measured


def report(name: str, found: Measured, post_rate: float, post_by_cpu: float) -> None:
    share, by_cpu = found.rate / post_rate, 1 / found.per_move / post_by_cpu
    print(
        f"{name:<24} {found.rate:,.0f} moves/s, {found.per_move * 1e6:.0f} µs of the server each\n"
        f"  share of an empty POST {share:.3f} by the clock, {by_cpu:.3f} by processor time\n"
        f"  at {RATE} moves/s       p50 {found.p50 * 1000:.1f} ms, p99 {found.p99 * 1000:.1f} ms\n"
        f"  an idle game           {found.idle:.1f} KiB, with two connections"
    )


async def compare(folder: Path, number: int, seconds: float) -> None:
    """Measure one after the other, with the same games."""
    rng, game = Random(1), Game(find_rulebook("cross-over"))
    games = [random_game(game, rng) for _ in range(number)]
    post = await measure_posts(seconds)
    print(f"empty POST of Litestar   {post[0]:,.0f}/s, {1e6 / post[1]:.0f} µs each")
    report("lineduel, stored", await measure_lineduel(games, seconds, folder), *post)
    if not install():
        print("boardgame.io             not measured: node and npm are needed")
        return
    report("boardgame.io in memory", await measure_boardgame(games, seconds), *post)
    stored = await measure_boardgame(games, seconds, folder / "files")
    report("boardgame.io with files", stored, *post)


def main(games: int = GAMES, seconds: float = SECONDS) -> None:
    """Measure, and print what came out."""
    os.sched_setaffinity(0, {1})
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(compare(Path(folder), games, seconds))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
