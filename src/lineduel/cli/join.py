"""`lineduel join`: a live game from a terminal, by the same link as in the browser."""

import argparse
import json
import re
import secrets
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from lineduel.cli.options import Parser, examples
from lineduel.cli.terminal import Terminal
from lineduel.errors import LineduelError, NotationError, NotInstalled, StorageError
from lineduel.storage import data_folder, read_bytes, write_atomically

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_PATH = re.compile(r"/game/([0-9a-z]{1,40})")
_INVITATION = "i."
_RETRY = (1, 2, 4, 8, 15)
"""Seconds between attempts to reconnect."""
_HELP = (
    "Type a move as the game names it, or a number in a battle; 'moves' lists the moves.\n"
    "Also: undo, yes, no, resign, rematch, name NAME, claim win, claim computer, quit."
)
_OWNER_ONLY = 0o600
_LARGEST = 1 << 20


def configure(parser: Parser) -> None:
    parser.add_argument("url", metavar="URL", help="the link of a live game, with what is behind #")
    parser.add_argument("--name", metavar="NAME", help="what the other player calls you")
    examples(parser, "lineduel join 'https://duels.example.org/game/abc#i.xyz' --name Ann")


def run(options: argparse.Namespace) -> int:
    try:
        import websockets  # noqa: F401, to be told before anything else
    except ModuleNotFoundError:
        raise NotInstalled("websockets", "web") from None
    link = urlsplit(options.url)
    found = _PATH.fullmatch(link.path)
    if link.scheme not in ("http", "https") or not found or not link.fragment:
        raise NotationError(
            "That is not the link of a live game. It looks like https://HOST/game/ID#TOKEN"
        )
    scheme = "wss" if link.scheme == "https" else "ws"
    address = f"{scheme}://{link.netloc}/api/live/{found[1]}/socket"
    greeting = _greeting(link.netloc, found[1], link.fragment)
    return _LiveGame(Terminal(options.colour), address, greeting, options.name).play()


def _greeting(host: str, game: str, token: str) -> dict[str, str]:
    """The first message; an invitation comes with a token of our own, which is kept."""
    if not token.startswith(_INVITATION):
        return {"token": token}
    path = data_folder() / "joined.json"
    kept = _kept_tokens(path)
    place = f"{host} {game}"
    if place not in kept:
        kept[place] = f"s.{secrets.token_urlsafe(24)}"
        write_atomically(path, json.dumps(kept) + "\n", mode=_OWNER_ONLY)
    return {"token": token, "key": kept[place]}


def _kept_tokens(path: Path) -> dict[str, str]:
    try:
        kept = json.loads(read_bytes(path, _LARGEST))
    except (StorageError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


class _LiveGame:
    """A live game, line by line: what comes is printed, what is typed is sent."""

    def __init__(
        self, terminal: Terminal, address: str, greeting: dict[str, str], name: str | None
    ) -> None:
        self._terminal, self._address, self._greeting = terminal, address, greeting
        self._name = name
        self._view: dict[str, Any] = {}
        self._socket: ClientConnection | None = None
        self._refusal = ""
        self._is_over = threading.Event()

    def play(self) -> int:
        """Play until somebody leaves."""
        listening = threading.Thread(target=self._listen, daemon=True)
        listening.start()
        while not self._is_over.is_set() and not self._view and listening.is_alive():
            time.sleep(0.05)
        if self._refusal:
            raise LineduelError(self._refusal)
        while not self._is_over.is_set():
            typed = self._terminal.ask("> ")
            if typed is None or typed.strip().lower() in ("quit", "q"):
                break
            self._say(typed.strip())
        self._is_over.set()
        if self._refusal:
            raise LineduelError(self._refusal)
        return 0

    # What comes

    def _listen(self) -> None:
        """Stay connected; whatever happens meanwhile is in the view that comes first."""
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect

        attempt = 0
        while not self._is_over.is_set():
            try:
                with connect(self._address, compression=None) as socket:
                    self._socket = socket
                    socket.send(json.dumps(self._greeting))
                    for frame in socket:
                        attempt = 0
                        self._hear(json.loads(frame))
            except (OSError, WebSocketException) as error:
                if not self._view and not self._refusal:
                    self._refusal = f"The game cannot be reached: {error}."
                    self._is_over.set()
            self._socket = None
            if not self._is_over.is_set():
                if attempt == 0:
                    self._terminal.say("The connection is lost; connecting again …")
                time.sleep(_RETRY[min(attempt, len(_RETRY) - 1)])
                attempt += 1

    def _hear(self, told: dict[str, Any]) -> None:
        match told:
            case {"type": "view" | "turn"}:
                is_first = not self._view
                self._view |= told
                for line in self._told(told):
                    self._terminal.say(line)
                if is_first:
                    self._terminal.say(_HELP)
                    if self._name:
                        self._send({"do": "name", "name": self._name})
            case {"type": "refused", "error": error}:
                self._terminal.complain(str(error))
            case {"type": "presence", "claim": {"sentence": sentence}}:
                self._terminal.say(str(sentence))
            case {"type": "bye", "error": error, "again": False}:
                self._refusal = str(error)
                self._is_over.set()
            case _:
                pass

    def _told(self, told: dict[str, Any]) -> Iterator[str]:
        """What is new, the board, and whose turn it is."""
        if told["type"] == "view":
            names = told["names"]
            yield f"{told['title']}: {names['P1']} against {names['P2']}"
        elif told["last"]:
            yield told["last"]["sentence"]
        yield board_line(self._view["board"])
        if told["undo"]["sentence"]:
            yield f"{told['undo']['sentence']} Type yes or no."
        yield self._view["sentence"]
        if again := (self._view.get("rematch") or {}).get("id"):
            yield f"The rematch is at /game/{again} with the same token."

    # What is typed

    def _say(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        turn = self._view["turn"]
        match word.lower():
            case "":
                pass
            case "help" | "?":
                self._terminal.say(_HELP)
            case "moves":
                self._terminal.say(
                    "\n".join(_listed(self._view["moves"])) or "You cannot move now."
                )
            case "undo" | "resign" | "rematch":
                self._send({"do": word.lower()})
            case "yes" | "y":
                self._send({"do": "undo-answer", "yes": True})
            case "no" | "n":
                self._send({"do": "undo-answer", "yes": False})
            case "name":
                self._send({"do": "name", "name": rest})
            case "claim":
                self._send({"do": "claim", "claim": rest.strip() or None})
            case _ if self._view["numbers"] and typed.isascii() and typed.isdigit():
                self._send({"do": "number", "number": int(typed[:4]), "turn": turn})
            case _:
                self._send({"do": "move", "move": typed, "turn": turn})

    def _send(self, request: dict[str, Any]) -> None:
        from websockets.exceptions import ConnectionClosed

        socket = self._socket
        if socket is None:
            self._terminal.complain("There is no connection right now. Try again in a moment.")
            return
        try:
            socket.send(json.dumps(request))
        except ConnectionClosed:
            self._terminal.complain("The connection was lost, so nothing was sent.")


def board_line(board: dict[str, Any]) -> str:
    """The track in a line: `0:P1-A 1: 2:P2-B`, and the captured pieces."""
    first = board["cells"][0]
    here: dict[int | None, list[str]] = {}
    for piece in board["pieces"]:
        here.setdefault(piece["at"], []).append(piece["name"])
    cells = [
        f"{label}:{'+'.join(here.get(cell, ['·']))}"
        for cell, label in enumerate(board["labels"], start=first)
    ]
    gone = f"   captured: {', '.join(here[None])}" if None in here else ""
    return f"{'  '.join(cells)}{gone}"


def _listed(moves: list[dict[str, Any]]) -> Iterator[str]:
    for one in moves:
        yield f"  {one['move']}   {one['text']}".rstrip()
