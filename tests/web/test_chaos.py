"""Everything breaks at random, by a seed: then all boards are the same, and nothing is lost."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from support.postgresql import PostgreSQL, started
from support.web_server import Client, Server
from web.test_games import new_key
from web.test_hostile_guests import SilentGuest

GAMES = 4
SEED = 29
Gone = (WebSocketException, ConnectionError, EOFError)
"""What a client meets whose server is killed; that nothing comes for long is not among it."""


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    with started() as server:
        yield server


class Guest:
    """A player or a spectator who comes back, now through one process and now through the other."""

    def __init__(self, chaos: "Chaos", game: str, token: str) -> None:
        self.chaos, self.game, self.token = chaos, game, token
        self.client: Client | None = None

    def come(self) -> Client:
        """The connection, made again through any process if it is gone."""
        while self.client is None:
            server = self.chaos.rng.choice(self.chaos.servers)
            client = Client(server.socket(self.game))
            try:
                client.send(token=self.token)
                while client.receive()["type"] != "view":
                    pass
            except Gone:
                client.close()
            else:
                self.client = client
        return self.client

    def leave(self) -> None:
        if self.client is not None:
            self.client.close()
            self.client = None

    def see(self, version: int) -> dict[str, Any]:
        """The game as this guest sees it, once that has gone on to a version."""
        while True:
            client = self.come()
            try:
                return client.until(version)
            except Gone:
                self.leave()


class Chaos:
    """Games on two processes, and what can happen to them."""

    def __init__(self, folder: Path, postgresql: PostgreSQL, seed: int) -> None:
        self.rng = Random(seed)
        self.postgresql = postgresql
        options = ("--database", postgresql.address, "--ping", "1", "--patience", "3600")
        self.servers = [Server(folder / name, *options) for name in "ab"]
        self.silent: list[SilentGuest] = []
        self.acknowledged: dict[str, int] = {}
        self.players: dict[str, tuple[Guest, Guest]] = {}
        self.watchers: list[Guest] = []
        for _ in range(GAMES):
            self.begin()

    def begin(self) -> None:
        created = self.servers[0].create(game="flag-chase", opponent="friend", watch=True)
        game, key = created["id"], new_key()
        with self.servers[1].join(game, created["invite"], key):
            pass
        self.players[game] = Guest(self, game, created["seats"]["P1"]), Guest(self, game, key)
        self.watchers += [Guest(self, game, created["spectator"]) for _ in range(2)]
        self.acknowledged[game] = 0

    def play(self) -> None:
        """Somebody acts: a move, a number, a question, an answer, or a new name."""
        game = self.rng.choice(list(self.players))
        guest = self.rng.choice(self.players[game])
        try:
            client = guest.come()
            view = client.view
            if view["result"] is not None:
                self.acknowledge(game, client.do("undo"))
            elif view["moves"] and self.rng.random() < 0.9:
                move = self.rng.choice(view["moves"])["move"]
                self.acknowledge(game, client.do("move", move=move, turn=view["turn"]))
            elif view["numbers"]:
                number = self.rng.choice(view["numbers"])
                self.acknowledge(game, client.do("number", number=number, turn=view["turn"]))
            elif view["undo"]["asked_by"]:
                self.acknowledge(game, client.do("undo-answer", yes=self.rng.random() < 0.5))
            elif self.rng.random() < 0.3:
                self.acknowledge(game, client.do("undo"))
            else:
                self.acknowledge(game, client.do("name", name=f"Ann {self.rng.random():.3f}"))
        except Gone:
            guest.leave()

    def acknowledge(self, game: str, answer: dict[str, Any]) -> None:
        if answer["type"] != "refused":
            self.acknowledged[game] = max(self.acknowledged[game], answer["version"])

    def stop_reading(self) -> None:
        watcher = self.rng.choice(self.watchers)
        server = self.rng.choice(self.servers)
        self.silent.append(SilentGuest(server, watcher.game, watcher.token))

    def leave(self) -> None:
        guests = [*self.watchers, *(one for pair in self.players.values() for one in pair)]
        self.rng.choice(guests).leave()

    def kill(self) -> None:
        server = self.rng.choice(self.servers)
        server.kill()
        server.start()

    def restart_database(self) -> None:
        self.postgresql.stop()
        for _ in range(self.rng.randint(0, 3)):
            self.play()
        self.postgresql.start()

    def breaks(self) -> list[Callable[[], object]]:
        return [
            self.kill,
            self.postgresql.cut_listeners,
            self.postgresql.cut_listeners,
            self.postgresql.cut_all,
            self.restart_database,
            self.stop_reading,
            self.leave,
        ]

    def round(self) -> None:
        """Some play with something that breaks in it; then everybody looks."""
        for _ in range(self.rng.randint(3, 12)):
            self.play()
        self.rng.choice(self.breaks())()
        for _ in range(self.rng.randint(3, 12)):
            self.play()
        self.compare()

    def compare(self) -> None:
        """All guests, and both processes, show the same, and all that was acknowledged."""
        for game, players in self.players.items():
            tokens = [guest.token for guest in players]
            views = []
            for server in self.servers:
                status, view = server.ask(f"/api/live/{game}", token=tokens[0])
                while status in (429, 503):  # asked too often, or the database has just come back
                    time.sleep(0.2)
                    status, view = server.ask(f"/api/live/{game}", token=tokens[0])
                assert status == 200, view
                views.append(view)
            newest = max(view["version"] for view in views)
            assert newest >= self.acknowledged[game]
            for guest in (*players, *(one for one in self.watchers if one.game == game)):
                seen = guest.see(newest)
                stored = next(view for view in views if view["version"] == newest)
                assert seen["version"] == newest
                for what in ("board", "turn", "names", "chosen", "result", "log"):
                    assert seen[what] == stored[what], (what, game)

    def close(self) -> None:
        for guest in (*self.watchers, *(one for pair in self.players.values() for one in pair)):
            guest.leave()
        for silent in self.silent:
            silent.close()
        for server in self.servers:
            assert server.stop() == 143
            assert "Traceback" not in "".join(server.complained), server.complained


@pytest.mark.parametrize(
    "rounds",
    [5, pytest.param(200, marks=(pytest.mark.long, pytest.mark.timeout(7200)))],
    ids="{} rounds".format,
)
def test_whatever_breaks_all_see_the_same_and_nothing_is_lost(
    tmp_path: Path, postgresql: PostgreSQL, rounds: int
) -> None:
    chaos = Chaos(tmp_path, postgresql, SEED)
    try:
        for _ in range(rounds):
            chaos.round()
        chaos.close()
    finally:
        for server in chaos.servers:
            server.close()
