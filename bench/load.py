"""A load of live games: both ends of each are played by a list of moves that was made before."""

import asyncio
import os
import statistics
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import psutil

from bench.raw_clients import WebSocketClient
from lineduel.engine import Game

HOST = "127.0.0.1"
RATE = 200
"""Moves a second at which it is measured how long one takes."""
GAMES_OF_ADDRESS = 100
"""Games whose players have the same address, and so share its limits."""
SLEEP = 25
"""Seconds after which idle games are asleep."""


class LiveGame:
    """Both ends of a game."""

    def __init__(self, moves: Iterable[str]) -> None:
        self.moves = list(moves)
        self.sides = [1 if move.startswith("P1") else 2 for move in self.moves]
        self.messages: list[bytes] = []
        self.turn = 0
        self.sent = 0.0
        self.is_waiting = False
        self.ends: list[WebSocketClient] = []

    @property
    def can_play(self) -> bool:
        return self.turn < len(self.moves) and not self.is_waiting

    def play(self) -> None:
        """Send the next move."""
        self.is_waiting = True
        self.sent = time.perf_counter()
        self.ends[self.sides[self.turn] - 1].send(self.messages[self.turn])


def random_game(game: Game, rng: Random) -> list[str]:
    """A game from the start to its end, without passes, which servers play by themselves."""
    position, moves = game.start(), []
    while game.outcome(position) is None:
        move = rng.choice(game.moves(position))
        moves.append(str(move))
        position = game.play(position, move)
    return moves if "pass" not in moves else random_game(game, rng)


class Load:
    """What happens in one measurement; a subclass speaks the language of a server."""

    def __init__(self, games: list[LiveGame]) -> None:
        self.games = games
        self.by_end: dict[WebSocketClient, tuple[LiveGame, int]] = {}
        self.latencies: list[float] = []
        self.moves = 0
        self.goes_on = False
        self.joined = 0
        self.refusals: list[str] = []

    def address(self, game: LiveGame) -> str:
        """The path of a game's WebSocket."""
        raise NotImplementedError

    def greet(self, game: LiveGame, side: int) -> None:
        """Say who is there, as soon as the connection is open."""
        raise NotImplementedError

    def heard(self, end: WebSocketClient, frame: bytes) -> None:
        """Something came; call `arrived` for a move."""
        raise NotImplementedError

    async def connect(self, *ports: int) -> None:
        """Connect both ends of all games, player 2 to the last port; few from one address."""
        loop = asyncio.get_running_loop()
        for number, game in enumerate(self.games):
            own = f"127.0.0.{2 + number // GAMES_OF_ADDRESS}", 0
            for side, port in ((1, ports[0]), (2, ports[-1])):
                make = partial(WebSocketClient, f"{HOST}:{port}", self.address(game), self.heard)
                _, end = await loop.create_connection(make, HOST, port, local_addr=own)
                self.by_end[end] = game, side
                game.ends.append(end)
                await end.opened
                self.greet(game, side)
        while self.joined < 2 * len(self.games):
            await asyncio.sleep(0.1)

    def arrived(self, end: WebSocketClient, turn: int) -> None:
        """A position after so many moves is here; a move counts when the opponent has it."""
        game, side = self.by_end[end]
        if not turn or side == game.sides[turn - 1]:
            return
        self.latencies.append(time.perf_counter() - game.sent)
        self.moves += 1
        game.turn += 1
        game.is_waiting = False
        if self.goes_on and game.can_play:
            game.play()

    async def saturate(self, seconds: float) -> float:
        """Moves a second, when every game goes on as soon as it can."""
        self.goes_on = True
        for game in self.games:
            if game.can_play:
                game.play()
        await asyncio.sleep(0.5)
        before, began = self.moves, time.perf_counter()
        total = sum(len(game.moves) for game in self.games)
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
            game = self.games[number % len(self.games)]
            if game.can_play:
                game.play()
        await asyncio.sleep(1)
        return sorted(self.latencies)


@dataclass(frozen=True)
class Measured:
    """What came out for a server."""

    rate: float
    """Moves a second, saturated."""
    per_move: float
    """Seconds of the server's processor for each of them."""
    p50: float
    p99: float
    """Seconds for a move at `RATE` moves a second."""
    idle: float
    """KiB for an idle game with two connections."""


async def measure(load: Load, server: psutil.Process, port: int, seconds: float) -> Measured:
    """Connect, play at leisure, wait, and play as fast as the server can."""
    await asyncio.sleep(1)
    memory = server.memory_info().rss
    await load.connect(port)
    calm = await load.at_rate(RATE, seconds)
    await asyncio.sleep(SLEEP)
    idle = (server.memory_info().rss - memory) / len(load.games) / 1024
    used, moved = cpu(server), load.moves
    rate = await load.saturate(seconds * 2)
    per_move = (cpu(server) - used) / (load.moves - moved)
    return Measured(rate, per_move, statistics.median(calm), calm[int(len(calm) * 0.99)], idle)


def cpu(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


def start(
    core: int | None, *command: str, folder: Path, settings: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """A program on a core of its own, or on all."""
    cores = set(range(os.cpu_count() or 1)) if core is None else {core}
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, **(settings or {})},
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )


def free_port() -> int:
    return 20_000 + (os.getpid() + time.monotonic_ns() // 1000) % 20_000
