"""A real `lineduel serve` on a free port, and clients that talk to it."""

import json
import os
import signal
import threading
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from support.prefork import Forked, Request
from support.program import prefork

SECONDS = 240.0
"""How long anything may take on a busy machine."""


class Server:
    """The program in a process of its own; it can be stopped, killed and started again."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        port: int = 0,
        cache: Path | None = None,
        descriptors: int | None = None,
    ) -> None:
        """With `cache` for the solutions it keeps, or a folder of its own for them.

        `descriptors` is the most files and connections that it may have open.
        """
        self.folder = folder
        self._options = options
        self._cache = cache or folder / "cache"
        self._descriptors = descriptors
        self.port = port
        self.start()

    def start(self) -> None:
        """Start the program, and wait until it can be reached."""
        request: Request = {
            "module": "lineduel",
            "arguments": ["serve", "--port", str(self.port), *self._options],
            "folder": str(Path.cwd()),
            "environment": {
                **os.environ,
                "LINEDUEL_DATA": str(self.folder),
                "LINEDUEL_CACHE": str(self._cache),
                "PYTHONIOENCODING": "utf-8:strict",
            },
            "surroundings": "group",
        }
        if self._descriptors is not None:
            request["descriptors"] = self._descriptors
        said, say = os.pipe()
        complained, complain = os.pipe()
        with Path(os.devnull).open() as nothing:
            self._process: Forked = prefork().start(request, nothing.fileno(), say, complain)
        os.close(say)
        os.close(complain)
        self.said: list[str] = []
        self.complained: list[str] = []
        self._listener = threading.Thread(target=self._listen, args=(complained,), daemon=True)
        self._listener.start()
        self._output = os.fdopen(said)
        for line in self._output:
            self.said.append(line)
            if line.startswith("lineduel is on "):
                self.port = int(line.rstrip("/\n").rpartition(":")[2])
            if line.startswith("Stop it"):
                break
        else:
            self._listener.join(SECONDS)
            raise AssertionError(f"It did not start: {self.said} {self.complained}")

    def _listen(self, complained: int) -> None:
        with os.fdopen(complained) as lines:
            for line in lines:
                self.complained.append(line)

    def kill(self) -> None:
        """End it without any warning."""
        self._end(signal.SIGKILL)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to end, and wait for that."""
        return self._end(number)

    def interrupt(self) -> None:
        """Ctrl-C."""
        os.kill(self._process.pid, signal.SIGINT)

    def close(self) -> None:
        if not self._process.has_ended():
            self.kill()

    def _end(self, number: signal.Signals) -> int:
        os.kill(self._process.pid, number)
        assert self._process.has_ended(SECONDS)
        self._listener.join(SECONDS)
        self._output.close()
        assert self._process.status is not None
        return self._process.status

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def memory(self) -> int:
        """Bytes of memory that only this process uses, not those it shares with its parent."""
        lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # HTTP

    def ask(
        self,
        path: str,
        data: object = None,
        token: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        """The status and the JSON of an answer; with data it is a POST."""
        status, text, _ = self.fetch(path, data, token, headers)
        return status, json.loads(text)

    def fetch(
        self,
        path: str,
        data: object = None,
        token: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str, dict[str, str]]:
        """The status, the text and the headers of an answer."""
        body = data if isinstance(data, bytes) or data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body, headers or {})
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return answer.status, answer.read().decode(errors="replace"), dict(answer.headers)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), dict(error.headers)

    def create(self, **new: object) -> dict[str, Any]:
        """A new live game."""
        status, created = self.ask("/api/live", new)
        assert status == 201, created
        return dict(created)

    def join(self, game: str, token: str, key: str | None = None) -> "Client":
        """A client that has been sent the game."""
        greeting = {"token": token} | ({} if key is None else {"key": key})
        client = Client(self.socket(game))
        client.send(**greeting)
        client.view = client.next("view")
        return client

    def socket(self, game: str, **options: Any) -> ClientConnection:
        """An open connection, which whoever asked for it closes."""
        socket: ClientConnection = ExitStack().enter_context(
            connect(
                f"ws://127.0.0.1:{self.port}/api/live/{game}/socket",
                compression=None,
                close_timeout=2,
                **options,
            )
        )
        return socket


class Client:
    """One end of a live game; every frame that comes in is kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.view: dict[str, Any] = {}
        self._id = 0

    def send(self, **request: object) -> None:
        self.socket.send(json.dumps(request))

    def receive(self) -> dict[str, Any]:
        frame = self.socket.recv(SECONDS)
        assert isinstance(frame, str)
        self.frames.append(frame)
        told: dict[str, Any] = json.loads(frame)
        if told["type"] == "turn":  # its lines of the log are added to those before
            self.view |= told | {"log": [*self.view.get("log", ()), *told["log"]]}
        elif told["type"] == "view":
            self.view |= told
        return told

    def next(self, *kinds: str) -> dict[str, Any]:
        """The next frame of one of these types; others are passed over."""
        while True:
            told = self.receive()
            if told["type"] in kinds:
                return told

    def do(self, do: str, **request: object) -> dict[str, Any]:
        """Ask for something, and wait for the answer to it."""
        self._id += 1
        self.send(do=do, id=self._id, **request)
        while True:
            told = self.receive()
            if told.get("done") == self._id or (
                told["type"] == "refused" and told["id"] == self._id
            ):
                return told

    def move(self, move: str | None = None) -> dict[str, Any]:
        """Play a move, the first legal one if none is given."""
        chosen = move or self.view["moves"][0]["move"]
        return self.do("move", move=chosen, turn=self.view["turn"])

    def until(self, version: int) -> dict[str, Any]:
        """Wait for what happened up to a version."""
        while self.view["version"] < version:
            self.next("view", "turn")
        return self.view

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
