"""Live games under load: moves a second, how long one takes, memory, beside an empty POST.

The server has one core, the load generator another. A move counts when the opponent's client has
it; it is stored on disk by then.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import psutil
import uvloop

from bench.raw_clients import PostClient, WebSocketClient
from lineduel import find_rulebook
from lineduel.engine import Game
from lineduel.web.database import Database, Entry, GameChange, Journal
from lineduel.web.live_game import GameInfo
from lineduel.web.rulebook_shelf import shipped_text
from lineduel.web.tokens import SEAT, hashed, new_game_id, new_token

GAMES = 1000
CLIENTS_OF_POST = 64
SECONDS = 5.0
RATE = 200
SLEEP = 25
"""Seconds after which idle games are asleep."""
HOST = "127.0.0.1"


class Player:
    """Both ends of a game, played by a list of moves that was made before."""

    def __init__(self, id: str, tokens: tuple[str, str], moves: list[str]) -> None:
        self.id, self.tokens = id, tokens
        self.moves = [
            json.dumps({"do": "move", "id": turn, "move": move, "turn": turn}).encode()
            for turn, move in enumerate(moves)
        ]
        self.sides = [1 if move.startswith("P1") else 2 for move in moves]
        self.turn = 0
        self.sent = 0.0
        self.is_waiting = False
        self.ends: list[WebSocketClient] = []

    def play(self) -> None:
        """Send the next move."""
        self.is_waiting = True
        self.sent = time.perf_counter()
        self.ends[self.sides[self.turn] - 1].send(self.moves[self.turn])


def random_game(game: Game, rng: Random) -> list[str]:
    """A game from the start to its end, without passes, which the server plays by itself."""
    position, moves = game.start(), []
    while game.outcome(position) is None:
        move = rng.choice(game.moves(position))
        moves.append(str(move))
        position = game.play(position, move)
    return moves if "pass" not in moves else random_game(game, rng)


def prepare(folder: Path, number: int, rng: Random) -> list[Player]:
    """Games between two people, put into the database."""
    game = Game(find_rulebook("cross-over"))
    text, start = shipped_text("cross-over", None), str(game.start())
    change, players = GameChange(), []
    for _ in range(number):
        tokens = new_token(SEAT), new_token(SEAT)
        info = GameInfo(
            id=new_game_id(),
            rulebook=text,
            start=start,
            seats=("human", "human"),
            seat_hashes=(hashed(tokens[0]), hashed(tokens[1])),
            invite_hash=None,
            spectator_hash=None,
        )
        change.games.append((info, time.time()))
        players.append(Player(info.id, tokens, random_game(game, rng)))
    database = Database(f"sqlite:///{folder / 'live.sqlite'}")
    database.start(lambda results: None)
    database.submit(Entry(Journal(), change, lambda error: None))
    database.close()
    return players


class Run:
    """What happens in one measurement."""

    def __init__(self, players: list[Player]) -> None:
        self.players = players
        self.by_end: dict[WebSocketClient, tuple[Player, int]] = {}
        self.latencies: list[float] = []
        self.moves = 0
        self.goes_on = False
        self.joined = 0
        self.refusals: list[str] = []

    async def connect(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        for player in self.players:
            for side in (1, 2):
                path = f"/api/live/{player.id}/socket"
                _, end = await loop.create_connection(
                    lambda path=path: WebSocketClient(f"{HOST}:{port}", path, self.heard),
                    HOST,
                    port,
                )
                self.by_end[end] = player, side
                player.ends.append(end)
                await end.opened
                end.send(json.dumps({"token": player.tokens[side - 1]}).encode())
        while self.joined < 2 * len(self.players):
            await asyncio.sleep(0.1)

    def heard(self, end: WebSocketClient, frame: bytes) -> None:
        if frame.startswith(b'{"type":"view"'):
            self.joined += 1
            return
        if frame.startswith(b'{"type":"refused"'):
            self.refusals.append(frame.decode())
            return
        if not frame.startswith(b'{"type":"turn"'):
            return
        player, side = self.by_end[end]
        turn = int(frame[frame.index(b'"turn":', 15) + 7 : 60].partition(b",")[0])
        if side == player.sides[turn - 1]:
            return  # the mover's own; the opponent's counts
        self.latencies.append(time.perf_counter() - player.sent)
        self.moves += 1
        player.turn += 1
        player.is_waiting = False
        if self.goes_on and player.turn < len(player.moves):
            player.play()

    async def saturate(self, seconds: float) -> float:
        """Moves a second, when every game goes on as soon as it can."""
        self.goes_on = True
        for player in self.players:
            if player.turn < len(player.moves) and not player.is_waiting:
                player.play()
        await asyncio.sleep(0.5)
        before, began = self.moves, time.perf_counter()
        total = sum(len(player.moves) for player in self.players)
        while time.perf_counter() - began < seconds and self.moves < 0.8 * total:
            await asyncio.sleep(0.02)
        rate = (self.moves - before) / (time.perf_counter() - began)
        self.goes_on = False
        await asyncio.sleep(1)
        return rate

    async def at_rate(self, rate: int, seconds: float) -> list[float]:
        """How long moves take at so many a second."""
        self.latencies.clear()
        began = time.perf_counter()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            player = self.players[number % len(self.players)]
            if player.turn < len(player.moves) and not player.is_waiting:
                player.play()
        await asyncio.sleep(1)
        return sorted(self.latencies)


def start(core: int, *command: str, folder: Path) -> subprocess.Popen[str]:
    """A program on a core of its own."""
    environment = {**os.environ, "LINEDUEL_DATA": str(folder), "LINEDUEL_CACHE": str(folder)}
    return subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )


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


def cpu(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


async def measure(folder: Path, games: int, seconds: float) -> None:
    rng = Random(1)
    port = 20_000 + os.getpid() % 20_000
    empty = start(0, "-m", "bench.empty_post", str(port), folder=folder)
    try:
        post_rate, post_by_cpu = await posts(port, seconds, psutil.Process(empty.pid))
    finally:
        empty.kill()
        empty.wait()
    print(f"empty POST of Litestar   {post_rate:,.0f}/s, {1e6 / post_by_cpu:.0f} µs each")

    run = Run(prepare(folder, games, rng))
    server = start(
        0, "-m", "lineduel", "serve", "--port", "0", "--connections", "5000", folder=folder
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline()
        port = int(address.rstrip("/\n").rpartition(":")[2])
        watched = psutil.Process(server.pid)
        await asyncio.sleep(1)
        memory = watched.memory_info().rss
        await run.connect(port)
        calm = await run.at_rate(RATE, seconds)
        await asyncio.sleep(SLEEP)  # until idle games are asleep
        each = (watched.memory_info().rss - memory) / games / 1024
        used, moved = cpu(watched), run.moves
        rate = await run.saturate(seconds * 2)
        took = cpu(watched) - used
        per_move = took / (run.moves - moved)
        share = rate / post_rate
        by_cpu = 1 / per_move / post_by_cpu
        print(f"moves, saturated         {rate:,.0f}/s, {per_move * 1e6:.0f} µs of the server each")
        print(f"share of the empty POST  {share:.3f} by the clock, {by_cpu:.3f} by processor time")
        p50, p99 = statistics.median(calm) * 1000, calm[int(len(calm) * 0.99)] * 1000
        print(f"at {RATE} moves/s         p50 {p50:.1f} ms, p99 {p99:.1f} ms")
        if run.refusals:
            print(f"{len(run.refusals)} moves were refused, such as {run.refusals[0]}")
        print(f"idle game, 2 connections {each:.1f} KiB")
    finally:
        server.kill()
        server.wait()


def main(games: int = GAMES, seconds: float = SECONDS) -> None:
    """Measure, and print what came out."""
    os.sched_setaffinity(0, {1})
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(measure(Path(folder), games, seconds))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
