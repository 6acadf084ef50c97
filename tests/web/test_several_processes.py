"""Several server processes on one PostgreSQL: all boards are the same, whatever breaks."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from support.postgresql import PostgreSQL, started
from support.program import wait_until
from support.web_server import Client, Server
from web.test_games import new_key


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    with started() as server:
        yield server


def a_friends_game(first: Server, second: Server) -> tuple[Client, Client, str, str]:
    """Player 1 at one process, player 2 at the other; the id, and the token of player 2."""
    created = first.create(game="cross-over", opponent="friend")
    key = new_key()
    one = first.join(created["id"], created["seats"]["P1"])
    two = second.join(created["id"], created["invite"], key)
    one.until(two.view["version"])
    return one, two, created["id"], key


def until_present(client: Client, side: str, present: bool = True) -> None:
    """Wait until somebody is seen to be there, or to be gone."""
    while client.view["presence"][side] is not present:
        client.view["presence"] = client.next("presence")


def play(one: Client, two: Client, turns: int) -> None:
    """Moves in turn, each seen by the other player."""
    for _ in range(turns):
        mover, other = (one, two) if one.view["moves"] else (two, one)
        played = mover.move()
        assert played["type"] == "turn", played
        other.until(played["version"])
    assert one.view["board"] == two.view["board"]


def test_two_processes_serve_the_same_games(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """A move made through one appears to whoever watches through the other, in order."""
    options = ("--database", postgresql.address, "--patience", "1")
    with Server(tmp_path / "a", *options) as first, Server(tmp_path / "b", *options) as second:
        created = first.create(game="flag-chase", opponent="friend", watch=True)
        key = new_key()
        with (
            first.join(created["id"], created["seats"]["P1"]) as one,
            second.join(created["id"], created["invite"], key) as two,
            second.join(created["id"], created["spectator"]) as watcher,
        ):
            one.until(two.view["version"])
            assert one.view["joined"]
            until_present(one, "P2")
            until_present(two, "P1")
            while not one.view["numbers"]:
                mover, other = (one, two) if one.view["moves"] else (two, one)
                other.until(mover.move()["version"])
            one.do("number", number=2, turn=one.view["turn"])
            two.until(one.view["version"])
            revealed = two.do("number", number=1, turn=two.view["turn"])
            assert revealed["last"]["events"][0]["numbers"] == {"P1": 2, "P2": 1}
            watcher.until(revealed["version"])
            one.until(revealed["version"])
            assert one.view["board"] == two.view["board"] == watcher.view["board"]
            secret = [frame for frame in two.frames + watcher.frames if '"chosen":["P1"]' in frame]
            assert secret
            assert not [frame for frame in secret if '"numbers":{' in frame]
            first.kill()
            until_present(two, "P1", present=False)
            first.start()
        with first.join(created["id"], key) as two:
            assert two.view["board"] == revealed["board"]


def test_two_moves_at_once_through_two_processes(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """The database decides: exactly one counts, and both see the same board then."""
    options = ("--database", postgresql.address)
    with Server(tmp_path / "a", *options) as first, Server(tmp_path / "b", *options) as second:
        created = first.create(game="cross-over", opponent="here")
        token = created["seats"]["P1"]
        with first.join(created["id"], token) as one, second.join(created["id"], token) as two:
            for _ in range(5):
                turn = one.view["turn"]
                moves = [move["move"] for move in one.view["moves"]]
                one.send(do="move", id=turn, move=moves[0], turn=turn)
                two.send(do="move", id=turn, move=moves[-1], turn=turn)
                while one.view["turn"] <= turn or two.view["turn"] <= turn:
                    for client in (one, two):
                        if client.view["turn"] <= turn:
                            client.next("turn", "view")
                assert one.view["board"] == two.view["board"]
                assert one.view["turn"] == turn + 1


def test_a_restart_of_the_database_strands_nobody(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """What is asked meanwhile is refused; after it the same connections go on."""
    options = ("--database", postgresql.address)
    with (
        Server(tmp_path / "a", *options) as first,
        Server(tmp_path / "b", *options) as second,
        ExitStack() as stack,
    ):
        games = [a_friends_game(first, second) for _ in range(3)]
        for one, two, _, _ in games:
            stack.enter_context(one)
            stack.enter_context(two)
            play(one, two, 2)
        assert first.ask("/health")[0] == 200
        postgresql.stop()
        wait_until(lambda: first.ask("/health")[0] == 503)
        for one, *_ in games:
            refused = one.move()
            assert refused["type"] == "refused"
            assert "stored" in refused["error"] or "answer" in refused["error"]
        status, answer = first.ask(f"/api/live/{games[0][2]}", token=games[0][3])
        assert (status, "error" in answer) == (503, True)
        postgresql.start()
        for one, two, _, _ in games:
            version = one.view["version"]

            def moves(player: Client = one) -> bool:  # polled: too many messages are refused
                return bool(player.move()["type"] == "turn")

            wait_until(moves)
            assert one.view["version"] == version + 1
            two.until(version + 1)
            play(one, two, 2)
        wait_until(lambda: first.ask("/health")[0] == 200)


def test_the_server_says_that_postgresql_stores_nothing(
    tmp_path: Path, postgresql: PostgreSQL
) -> None:
    """It answers, but only reads, as where a disk is full, or somebody holds what is written."""
    with Server(tmp_path, "--database", postgresql.address) as server:
        created = server.create(game="cross-over", opponent="here")
        with server.join(created["id"], created["seats"]["P1"]) as client:
            wait_until(lambda: server.ask("/health")[0] == 200)
            with postgresql.reading_only():
                wait_until(lambda: server.ask("/health")[0] == 503)
                assert client.move()["type"] == "refused"
            wait_until(lambda: server.ask("/health")[0] == 200)
            with postgresql.holding("alembic_version"):
                wait_until(lambda: server.ask("/health")[0] == 503)
            wait_until(lambda: server.ask("/health")[0] == 200)
            wait_until(lambda: bool(client.move()["type"] == "turn"))
            assert client.view["turn"] == 1


def test_a_move_is_not_lost_with_the_notice_of_it(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """Whenever processes hear each other again, they compare all games."""
    options = ("--database", postgresql.address)
    with Server(tmp_path / "a", *options) as first, Server(tmp_path / "b", *options) as second:
        one, two, _, _ = a_friends_game(first, second)
        with one, two:
            for _ in range(3):
                wait_until(lambda: postgresql.listeners() >= 2)
                postgresql.cut_listeners()
                play(one, two, 1)


def test_nobody_is_claimed_against_who_is_there(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """After a time without the database everybody says again who is connected."""
    options = ("--database", postgresql.address, "--patience", "1")
    with Server(tmp_path / "a", *options) as first, Server(tmp_path / "b", *options) as second:
        one, two, _, _ = a_friends_game(first, second)
        with one, two:
            until_present(one, "P2")
            until_present(two, "P1")
            postgresql.stop()
            assert one.do("claim", claim="win")["type"] == "refused"
            threading.Event().wait(9)
            postgresql.start()
            for _ in range(20):
                assert one.do("claim", claim="win")["type"] == "refused"
                threading.Event().wait(0.2)
            play(one, two, 1)


def test_a_watcher_is_never_left_behind(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """However fast moves and names follow each other at one process, another shows the last."""
    options = ("--database", postgresql.address)
    rng = Random(29)
    with Server(tmp_path / "a", *options) as first, Server(tmp_path / "b", *options) as second:
        created = first.create(game="flag-chase", opponent="here", watch=True)
        with (
            first.join(created["id"], created["seats"]["P1"]) as one,
            second.join(created["id"], created["spectator"]) as watcher,
        ):
            for burst in range(40):
                for number in range(rng.randint(1, 4)):
                    one.send(do="name", name=f"Ann {burst} {number}", side="P1", id=burst)
                version = one.do("name", name=f"Bob {burst}", side="P2")["version"]
                assert watcher.until(version)["names"] == one.view["names"]
