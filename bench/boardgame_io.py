"""Live games on boardgame.io, where node and npm are there; the same load as ours gets."""

import json
import shutil
import subprocess
import urllib.request
from pathlib import Path

import psutil

from bench.load import HOST, LiveGame, Load, Measured, free_port, measure, start
from bench.raw_clients import WebSocketClient

INSTALLED = Path(__file__).parent.parent / ".venv" / "boardgame-io"
PACKAGES = {
    "private": True,
    "dependencies": {"boardgame.io": "0.50.2", "node-persist": "3.1.3"},
    "overrides": {"koa-compose": "4.1.0"},  # a fresh install does not start without it
}
CREDENTIALS = "playerCredentials"
_MOVES_PLAYED = b'"_redo":[],"_stateID":'
SERVER = Path(__file__).with_name("boardgame_io_server.cjs")


def install() -> bool:
    """Install it beside our own packages; false where there is no node or no way to npm."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    INSTALLED.mkdir(parents=True, exist_ok=True)
    (INSTALLED / "package.json").write_text(json.dumps(PACKAGES))
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
    return subprocess.run(command, cwd=INSTALLED, check=False).returncode == 0


class BoardgameLoad(Load):
    """Speaks socket.io, as boardgame.io's own clients do."""

    def __init__(self, games: list[LiveGame]) -> None:
        super().__init__(games)
        self._seats: dict[LiveGame, tuple[str, tuple[str, str]]] = {}

    async def connect(self, *ports: int) -> None:
        """Create the games first."""
        (port,) = ports
        for game in self.games:
            match = str(_post(port, "create", {"numPlayers": 2})["matchID"])
            one, two = (
                str(
                    _post(port, f"{match}/join", {"playerID": player, "playerName": "x"})[
                        CREDENTIALS
                    ]
                )
                for player in ("0", "1")
            )
            self._seats[game] = match, (one, two)
            game.messages = [self._move(game, turn, move) for turn, move in enumerate(game.moves)]
        await super().connect(port)

    def _move(self, game: LiveGame, turn: int, move: str) -> bytes:
        """A move such as `P1-A+2` of the state after so many turns."""
        match, credentials = self._seats[game]
        player = game.sides[turn] - 1
        piece, step = "ABC".index(move[3]), int(move[5:])
        payload = {
            "type": "step",
            "args": [piece, step],
            "playerID": str(player),
            "credentials": credentials[player],
        }
        return _event("update", {"type": "MAKE_MOVE", "payload": payload}, turn, match, str(player))

    def address(self, game: LiveGame) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def greet(self, game: LiveGame, side: int) -> None:
        game.ends[side - 1].send(b"40/cross-over,")

    def heard(self, end: WebSocketClient, frame: bytes) -> None:
        if frame == b"2":  # are you there?
            end.send(b"3")
        elif frame.startswith(b"40/"):
            game, side = self.by_end[end]
            match, credentials = self._seats[game]
            end.send(_event("sync", match, str(side - 1), credentials[side - 1], 2))
        elif frame.startswith(b'42/cross-over,["sync"'):
            self.joined += 1
        elif frame.startswith(b'42/cross-over,["update"'):
            at = frame.index(_MOVES_PLAYED) + len(_MOVES_PLAYED)
            self.arrived(end, int(frame[at : at + 6].partition(b"}")[0]))


def _event(*words: object) -> bytes:
    return b"42/cross-over," + json.dumps(words, separators=(",", ":")).encode()


def _post(port: int, path: str, body: object) -> dict[str, object]:
    request = urllib.request.Request(
        f"http://{HOST}:{port}/games/cross-over/{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return dict(json.load(answer))


async def measure_boardgame(
    games: list[list[str]], seconds: float, folder: Path | None = None
) -> Measured:
    """Play the games; in memory without a folder for its files."""
    port = free_port()
    command = ["node", str(SERVER), str(port), *([str(folder)] if folder else [])]
    server = start(0, *command, folder=INSTALLED, settings={"NODE_ENV": "production"})
    try:
        assert server.stdout is not None
        while "ready" not in (line := server.stdout.readline()):
            if not line:
                raise RuntimeError("boardgame.io does not start")
        load = BoardgameLoad([LiveGame(moves) for moves in games])
        return await measure(load, psutil.Process(server.pid), port, seconds)
    finally:
        server.kill()
        server.wait()
