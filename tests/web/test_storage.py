"""What is acknowledged is stored: kills, restarts, backups, old and new databases, PostgreSQL."""

import asyncio
import json
import resource
import secrets
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from lineduel.cli.main import main
from lineduel.record import read_record
from support.program import Program, wait_until
from support.web_server import Client, Server


def new_key() -> str:
    return f"s.{secrets.token_urlsafe(24)}"


def by_link(server: Server, game: str, **new: object) -> tuple[dict[str, Any], str]:
    """A game by link, and the token of whoever joined it."""
    created, key = server.create(game=game, opponent="friend", **new), new_key()
    server.join(created["id"], created["invite"], key).close()
    return created, key


def test_a_kill_loses_neither_moves_nor_secret_numbers(tmp_path: Path) -> None:
    """After a restart both clients see where they stood, and wrong tokens are still refused."""
    with Server(tmp_path) as server:
        created, key = by_link(server, "flag-chase")
        token = created["seats"]["P1"]
        with server.join(created["id"], token) as one, server.join(created["id"], key) as two:
            while not one.view["numbers"]:
                mover, other = (one, two) if one.view["moves"] else (two, one)
                other.until(mover.move()["version"])
            before = one.do("number", number=2, turn=one.view["turn"])
            server.kill()
        server.start()
        assert server.ask(f"/api/live/{created['id']}", token=new_key())[0] == 403
        with server.join(created["id"], token) as one, server.join(created["id"], key) as two:
            assert one.view["board"] == before["board"]
            assert (one.view["version"], one.view["chosen"]) == (before["version"], ["P1"])
            refused = one.do("number", number=1, turn=one.view["turn"])
            assert refused["error"] == "Player 1 has chosen already."
            revealed = two.do("number", number=1, turn=two.view["turn"])
            assert revealed["last"]["events"][0]["numbers"] == {"P1": 2, "P2": 1}
        with closing(sqlite3.connect(tmp_path / "live.sqlite")) as database, database:
            assert database.execute("SELECT * FROM secret_numbers").fetchall() == []


def test_no_token_is_stored(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        created, key = by_link(server, "cross-over", watch=True)
        server.stop()
    tokens = [created["seats"]["P1"], created["invite"], created["spectator"], key]
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("live.sqlite*"))
    assert not [token for token in tokens if token.encode() in kept]
    assert (tmp_path / "live.sqlite").stat().st_mode & 0o077 == 0


def test_a_stop_says_goodbye_and_the_computer_goes_on_after_it(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        created = server.create(game="cross-over", opponent="level:1")
        with server.join(created["id"], created["seats"]["P1"]) as ann:
            ann.send(do="move", id=1, move=ann.view["moves"][0]["move"], turn=0)
            ann.next("turn")
            assert server.stop() == 143
            bye = ann.next("bye")
            assert (bye["again"], bye["error"]) == (
                True,
                "The server is stopping. Your game is stored.",
            )
            with pytest.raises(ConnectionClosed):
                ann.receive()
        server.start()
        with server.join(created["id"], created["seats"]["P1"]) as ann:
            ann.until(2)
            assert ann.view["asked"] == ["P1"]


def test_a_game_that_fell_asleep_goes_on(tmp_path: Path) -> None:
    """What is rebuilt in memory is what was there, and what the database has."""
    from lineduel.play import AskUndo, ChooseNumber, GiveName, PlayMove
    from lineduel.record import parse_move
    from lineduel.rules import Side
    from lineduel.web.game_changes import GameInfo
    from lineduel.web.hosted_game import HostedGame
    from lineduel.web.rulebook_shelf import PlayedRulebook, shipped_text, stored_rulebook

    text = shipped_text("flag-chase", None)
    info = GameInfo(
        id="x",
        rulebook=text,
        start="2/4/1",
        seats=("human", "human"),
        seat_hashes=("a", "b"),
        invite_hash=None,
        spectator_hash=None,
    )
    hosted = HostedGame(
        PlayedRulebook(text, stored_rulebook(text)), info, [], {}, 0.0, lambda entry: None
    )
    for side, intent in (
        (Side.ONE, PlayMove(parse_move("P1+1"), 0)),
        (Side.TWO, PlayMove(parse_move("P2+1"), 1)),
        (Side.TWO, ChooseNumber(3, 2)),
        (Side.ONE, AskUndo()),
        (Side.TWO, GiveName("Bob")),
    ):
        hosted.note(hosted.live.perform(intent, frozenset({side})))
    hosted.numbers = dict(hosted.live.session.secret_numbers)
    before = hosted.view(frozenset({Side.ONE}), 60, 1.0)
    hosted.sleep()
    assert hosted.events is None
    assert hosted.view(frozenset({Side.ONE}), 60, 1.0) == before
    assert hosted.live.session.secret_numbers == {Side.TWO: 3}


def test_two_servers_do_not_share_a_file(program: Program) -> None:
    with Server(program.data):
        second = program("serve", "--port", "0")
    assert second.status == 2
    assert second.err.startswith("lineduel: Another server uses this database.")


def test_a_backup_is_made_while_the_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEDUEL_DATA", str(tmp_path))
    copy = tmp_path / "copy" / "live.sqlite"
    copy.parent.mkdir()
    with Server(tmp_path) as server:
        created = server.create(game="cross-over", opponent="here")
        token = created["seats"]["P1"]
        with server.join(created["id"], token) as both:
            position = both.move()["board"]["position"]
            assert main(["backup", str(copy)]) == 0
            assert main(["backup", str(copy)]) == 2
            assert "already" in capsys.readouterr().err
            both.move()
    with Server(copy.parent) as server:
        assert server.ask(f"/api/live/{created['id']}", token=token)[1]["board"]["position"] == (
            position
        )


def test_a_newer_database_is_refused_and_an_empty_one_is_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from lineduel.web.database import Database

    monkeypatch.setenv("LINEDUEL_DATA", str(tmp_path))
    Database(f"sqlite:///{tmp_path / 'live.sqlite'}").close()
    with closing(sqlite3.connect(tmp_path / "live.sqlite")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    assert main(["serve", "--port", "0"]) == 2
    assert "written by a newer lineduel" in capsys.readouterr().err


def test_the_upgrades_make_the_tables_that_the_program_uses(tmp_path: Path) -> None:
    import sqlalchemy as sa

    from lineduel.web.game_tables import tables, upgrade_tables

    upgraded = sa.create_engine(f"sqlite:///{tmp_path / 'upgraded'}")
    upgrade_tables(upgraded)
    direct = sa.create_engine("sqlite://")
    tables.create_all(direct)
    for name, table in tables.tables.items():
        assert table.name == name
        assert [
            dict(one, type=str(one["type"])) for one in sa.inspect(upgraded).get_columns(name)
        ] == [dict(one, type=str(one["type"])) for one in sa.inspect(direct).get_columns(name)]
    upgraded.dispose()
    direct.dispose()


def test_a_kill_at_any_statement_of_the_upgrade_does_no_harm(tmp_path: Path) -> None:
    """What is on disk before each statement is what a kill leaves; the next start goes on."""
    import sqlalchemy as sa

    from lineduel.web.database import Database

    folder = tmp_path / "now"
    folder.mkdir()
    left: list[Path] = []

    def keep_what_a_kill_leaves(*_: object) -> None:
        left.append(shutil.copytree(folder, tmp_path / str(len(left))))

    sa.event.listen(sa.Engine, "before_cursor_execute", keep_what_a_kill_leaves)
    try:
        Database(f"sqlite:///{folder / 'live.sqlite'}").close()
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", keep_what_a_kill_leaves)
    assert len(left) > 6
    for one in left:
        file = one / "live.sqlite"
        with closing(sqlite3.connect(file)) as database:
            assert database.execute("SELECT * FROM sqlite_master").fetchall() == []
        Database(f"sqlite:///{file}").close()
        assert _tables_of(file) == _tables_of(folder / "live.sqlite")


def _tables_of(file: Path) -> set[tuple[str, str]]:
    from lineduel.web.game_tables import NEWEST

    with closing(sqlite3.connect(file)) as database:
        found = database.execute("SELECT name, sql FROM sqlite_master").fetchall()
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [(NEWEST,)]
    return {(name, (sql or "").replace("IF NOT EXISTS ", "")) for name, sql in found}


@pytest.mark.parametrize("number", range(6))
def test_a_database_that_an_earlier_version_left_half_made_is_mended(
    tmp_path: Path, number: int
) -> None:
    """It made one table after the other, and wrote the version at the end."""
    from lineduel.web.database import Database

    whole, half = tmp_path / "whole.sqlite", tmp_path / "live.sqlite"
    Database(f"sqlite:///{whole}").close()
    names = ["alembic_version", "rulebooks", "games", "happenings", "secret_numbers"]
    tables = dict(_tables_of(whole))
    with closing(sqlite3.connect(half)) as database, database:
        for name in names[:number]:
            database.execute(tables[name])
        if number > 1:
            database.execute("INSERT INTO rulebooks VALUES ('key', 'id', 'toml', '')")
    with Server(tmp_path) as server:
        server.create(game="cross-over", opponent="here")
    assert _tables_of(half) == _tables_of(whole)
    with closing(sqlite3.connect(half)) as database:
        kept = database.execute("SELECT * FROM rulebooks WHERE key = 'key'").fetchall()
    assert bool(kept) == (number > 1)


@pytest.mark.parametrize("mode", [None, 0o644])
def test_only_the_owner_can_read_a_database(tmp_path: Path, mode: int | None) -> None:
    """Wherever it is, and also one that an earlier version made."""
    path = tmp_path / "own.sqlite"
    if mode is not None:
        path.touch()
        path.chmod(mode)
    with Server(tmp_path, "--database", f"sqlite:///{path}") as server:
        server.create(game="cross-over", opponent="here")
        modes = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.glob("own.sqlite*")}
    assert modes == dict.fromkeys(
        ("own.sqlite", "own.sqlite-wal", "own.sqlite-shm", "own.sqlite.lock"), 0o600
    )


def test_two_servers_do_not_share_a_file_by_two_names(program: Program, tmp_path: Path) -> None:
    path, link = tmp_path / "own.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(path)
    with Server(tmp_path, "--database", f"sqlite:///{path}"):
        second = program("serve", "--port", "0", "--database", f"sqlite:///{link}")
    assert second.status == 2
    assert second.err.startswith("lineduel: Another server uses this database.")


def test_the_server_says_that_it_cannot_store_anything(tmp_path: Path) -> None:
    """Somebody else holds the database, or its disk is full; later it is well again."""
    with Server(tmp_path) as server:
        assert server.ask("/health")[0] == 200
        with closing(sqlite3.connect(tmp_path / "live.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            wait_until(lambda: server.ask("/health")[0] == 503)
            began = time.monotonic()
            status, health = server.ask("/health")
            assert (status, health["status"]) == (503, "The database stores nothing.")
            assert time.monotonic() - began < 10
            other.execute("ROLLBACK")
        wait_until(lambda: server.ask("/health")[0] == 200)
        size = (tmp_path / "live.sqlite-wal").stat().st_size
        unlimited = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, unlimited[1]))
        wait_until(lambda: server.ask("/health")[0] == 503)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)
        wait_until(lambda: server.ask("/health")[0] == 200)
        assert "Traceback" not in "".join(server.complained)


def test_asking_often_for_the_health_writes_seldom(tmp_path: Path) -> None:
    """Whether something can be stored is tried once a second."""
    from lineduel.web.status import StorageCheck

    now, tries = 0.0, 0

    def store() -> bool:
        nonlocal tries
        tries += 1
        return True

    async def ask() -> None:
        nonlocal now
        check = StorageCheck(store, lambda: now)
        assert all(await asyncio.gather(*(check.is_well() for _ in range(20))))
        assert tries == 1
        now = 1.5
        assert await check.is_well()
        assert tries == 2
        now = 2.4  # the second one counts from its own time
        assert await check.is_well()
        assert tries == 2
        now = 2.6
        assert await check.is_well()
        assert tries == 3

    asyncio.run(ask())


def test_many_old_games_are_removed_while_the_server_serves(tmp_path: Path) -> None:
    """The start does not wait for them, and neither do moves."""
    with Server(tmp_path) as server:
        template = server.create(game="cross-over", opponent="here")
        server.stop()
    add_old_games(tmp_path / "live.sqlite", template["id"], 6000)
    with Server(tmp_path, "--keep", "3") as server:
        new = server.create(game="cross-over", opponent="here")
        with server.join(new["id"], new["seats"]["P1"]) as client:
            assert client.move()["type"] == "turn"

            def count() -> int:
                with closing(sqlite3.connect(tmp_path / "live.sqlite")) as database:
                    return int(database.execute("SELECT count(*) FROM games").fetchone()[0])

            wait_until(lambda: count() == 2)
            assert client.move()["type"] == "turn"
    with closing(sqlite3.connect(tmp_path / "live.sqlite")) as database:
        left = database.execute("SELECT DISTINCT game FROM happenings").fetchall()
    assert left == [(new["id"],)]


def add_old_games(file: Path, template: str, number: int) -> None:
    """Games of five days ago, with ten turns each."""
    with closing(sqlite3.connect(file)) as database, database:
        old = time.time() - 5 * 86400
        ids = [f"old{one:07}" for one in range(number)]
        copied = "rulebook, start, seat1, seat2, seat1_hash, seat2_hash"
        database.executemany(
            f"INSERT INTO games (id, created, {copied})"
            f" SELECT ?, ?, {copied} FROM games WHERE id = ?",
            ((one, old, template) for one in ids),
        )
        database.executemany(
            "INSERT INTO happenings VALUES (?, ?, 'move', 1, 'P1-C+1', ?)",
            ((one, version, old) for one in ids for version in range(1, 11)),
        )


def test_old_games_are_removed(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        old = server.create(game="cross-over", opponent="here")
        new = server.create(game="flag-chase", opponent="here")
        server.stop()
        with closing(sqlite3.connect(tmp_path / "live.sqlite")) as database, database:
            database.execute(
                "UPDATE games SET created = ? WHERE id = ?", (time.time() - 5 * 86400, old["id"])
            )
    with Server(tmp_path, "--keep", "3") as server:
        wait_until(lambda: server.ask(f"/api/live/{old['id']}", token=old["seats"]["P1"])[0] == 404)
        assert server.ask(f"/api/live/{new['id']}", token=new["seats"]["P1"])[0] == 200


def test_a_game_that_gives_days_for_a_turn_outlives_them(tmp_path: Path) -> None:
    """It is kept for its days, and then for as long as any game in which nothing happens."""
    with Server(tmp_path) as server:
        waiting, over = (
            server.create(game="cross-over", opponent="friend", days=days) for days in (7, 1)
        )
        server.stop()
        with closing(sqlite3.connect(tmp_path / "live.sqlite")) as database, database:
            database.execute("UPDATE games SET created = created - 5 * 86400")
    with Server(tmp_path, "--keep", "3") as server:
        lost = f"/api/live/{over['id']}"
        wait_until(lambda: server.ask(lost, token=over["seats"]["P1"])[0] == 404)
        kept = server.ask(f"/api/live/{waiting['id']}", token=waiting["seats"]["P1"])
        assert kept[0] == 200


@pytest.mark.long
def test_ten_kills_under_load_lose_nothing(tmp_path: Path) -> None:
    """Every move that was acknowledged is there after each kill."""
    with Server(tmp_path, "--connections", "1000") as server:
        games = [by_link(server, "cross-over") for _ in range(20)]
        seats = [(one["id"], one["seats"]["P1"], key) for one, key in games]
        acknowledged = dict.fromkeys((seat[0] for seat in seats), 0)
        for _ in range(10):
            workers = [
                threading.Thread(target=_play_until_killed, args=(server, *seat, acknowledged))
                for seat in seats
            ]
            for worker in workers:
                worker.start()
            time.sleep(1.5)
            server.kill()
            for worker in workers:
                worker.join()
            server.start()
            for game, token, _ in seats:
                status, view = server.ask(f"/api/live/{game}", token=token)
                assert status == 200
                assert view["version"] >= acknowledged[game]
        assert sum(acknowledged.values()) > 1000


@pytest.mark.long
def test_nothing_is_lost_or_mixed_up_under_load(tmp_path: Path) -> None:
    """Two hundred connections at a hundred games: everybody sees the same, and it is stored."""
    with Server(tmp_path, "--connections", "1000", "--log") as server:
        games = [by_link(server, "cross-over") for _ in range(100)]
        acknowledged = {one["id"]: 0 for one, _ in games}
        stop = threading.Event()
        workers = [
            threading.Thread(
                target=_play_until_killed,
                args=(server, one["id"], one["seats"]["P1"], key, acknowledged, stop),
            )
            for one, key in games
        ]
        for worker in workers:
            worker.start()
        stop.wait(20)
        stop.set()
        for worker in workers:
            worker.join()
        for one, key in games:
            views = [
                server.ask(f"/api/live/{one['id']}", token=token)[1]
                for token in (one["seats"]["P1"], key)
            ]
            assert views[0]["board"] == views[1]["board"]
            assert views[0]["version"] == acknowledged[one["id"]] > 1
            record = server.fetch(f"/api/live/{one['id']}/record", token=key)[1]
            assert str(read_record(record).positions()[-1]) == views[0]["board"]["position"]
        figures = server.fetch("/metrics")[1]
        assert "lineduel_connections 0\n" in figures
        assert "Traceback" not in "".join(server.complained)


def _play_until_killed(
    server: Server,
    game: str,
    token: str,
    key: str,
    acknowledged: dict[str, int],
    stop: threading.Event | None = None,
) -> None:
    """Both sides of a game, from here to the kill, or until told to stop."""
    try:
        with server.join(game, token) as one, server.join(game, key) as two:
            while stop is None or not stop.is_set():
                _play_one(one, two)
                acknowledged[game] = max(one.view["version"], two.view["version"])
    except (ConnectionClosed, OSError):
        pass


def _play_one(one: Client, two: Client) -> None:
    if one.view["result"]:
        for client, other in ((one, two), (two, one)):
            if client.view["undo"]["can"]:
                client.do("undo")
                other.until(client.view["version"])
                other.do("undo-answer", yes=True)
                client.until(other.view["version"])
                return
    mover, other = (one, two) if one.view["moves"] else (two, one)
    played = mover.move()
    assert json.dumps(played)
    other.until(played["version"])
    time.sleep(0.05)
