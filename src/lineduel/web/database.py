"""Where live games are kept: SQLite, or PostgreSQL; one thread writes, in grouped transactions."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from lineduel.errors import NotInstalled, NotNow, StorageError, shown
from lineduel.play import TURNING_KINDS, LiveEvent, Row, event_of_row
from lineduel.rules import Side
from lineduel.web.game_changes import GameChange, GameInfo, write_changes
from lineduel.web.game_tables import games, happenings, number_rows, rulebooks, upgrade_tables
from lineduel.web.rulebook_shelf import RulebookText
from lineduel.web.sqlite_file import (
    BUSY_MILLISECONDS,
    OnlyServer,
    hide_from_others,
    make_durable,
    sqlite_file,
)

CHANNEL = "lineduel"
"""The channel on which processes on one PostgreSQL say what they stored."""
_GONE_ON = "The game has gone on."
_BUSY = 4
"""Entries of a transaction from which on the next one waits for more, as the server is busy."""
_BETWEEN_WRITES = 0.006
"""Seconds from one transaction to the next on a busy server, so that one stores many moves."""
_LONGEST_NOTICE = 7900
"""Bytes that PostgreSQL takes in one notice, less some."""
_ADD = "INSERT INTO happenings (game, version, kind, side, text, at) VALUES (?, ?, ?, ?, ?, ?)"
_ADD_ALL = (
    "INSERT INTO happenings (game, version, kind, side, text, at) SELECT * FROM unnest("
    "%s::text[], %s::int[], %s::text[], %s::smallint[], %s::text[], %s::float8[])"
)
"""The same for PostgreSQL, which takes columns faster than rows."""
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', %s)"
_IDS_AT_ONCE = 500
_PROBE_MILLISECONDS = 1000
"""The same while it is only tried whether something can be stored."""


class Journal:
    """The way of one game's changes into the database; once one is lost, none follows it."""

    __slots__ = ("is_broken",)

    def __init__(self) -> None:
        self.is_broken = False


class Entry(NamedTuple):
    """A change on its way, and what is to be done when it is stored or refused."""

    journal: Journal
    change: GameChange | None
    """None for something that only waits for its turn."""
    after: Callable[[StorageError | NotNow | None], None]


StoredEntries = list[tuple[Entry, StorageError | NotNow | None]]


class Loaded(NamedTuple):
    """A game from the database."""

    info: GameInfo
    events: list[LiveEvent]
    numbers: dict[Side, int]
    turned: float | None = None
    """When those who are asked now were first asked, in seconds since 1970."""


class Database:
    """The live games on disk."""

    def __init__(self, address: str, process: str = "") -> None:
        """Open the database, and bring its tables up to date.

        `process` is how other processes on the same database know this one.
        """
        self.process = process
        self.is_exposed = False
        """Whether other users of this computer can read it, and that could not be changed."""
        self._only_server: OnlyServer | None = None
        self._waiting: deque[Entry] = deque()
        self._has_work = threading.Event()
        """Set while something waits, or the database is to be closed."""
        self._deliver: Callable[[StoredEntries], object] = lambda results: None
        self._thread = threading.Thread(target=self._write_all, name="database", daemon=True)
        self._is_closing = False
        self._is_busy = False
        """Whether the last transaction had many entries."""
        self._written = 0.0
        """When it was over."""
        with ExitStack() as unless_opened:
            try:
                self._engine = sa.create_engine(address, hide_parameters=True, pool_pre_ping=True)
                unless_opened.callback(self.close)
                self.is_shared = self._engine.dialect.name == "postgresql"
                if self._engine.dialect.name == "sqlite":
                    sa.event.listen(self._engine, "connect", make_durable)
                    if path := sqlite_file(self._engine.url):
                        self._only_server = OnlyServer(path)
                        self.is_exposed = not hide_from_others(path)
                upgrade_tables(self._engine)
            except (SQLAlchemyError, ModuleNotFoundError) as error:
                if isinstance(error, ModuleNotFoundError) and error.name == "psycopg":
                    raise NotInstalled("psycopg", "postgres") from None
                raise StorageError(f"The database cannot be opened: {_reason(error)}") from None
            unless_opened.pop_all()

    @property
    def address(self) -> sa.URL:
        return self._engine.url

    def start(self, deliver: Callable[[StoredEntries], object]) -> None:
        """Begin to write; the writing thread calls `deliver` after each transaction."""
        self._deliver = deliver
        self._thread.start()

    def submit(self, entry: Entry) -> None:
        """Have a change stored, after all that were submitted before."""
        self._waiting.append(entry)
        if not self._has_work.is_set():
            self._has_work.set()

    def close(self) -> None:
        """Write what is waiting, and close the database."""
        if self._thread.is_alive():
            self._is_closing = True
            self._has_work.set()
            self._thread.join()
        self._engine.dispose()
        if self._only_server:
            self._only_server.release()

    # Reading; call these beside the event loop

    def load(self, id: str) -> Loaded | None:
        """A game as it is stored; None if it does not exist."""
        with self._reading() as connection:
            row = connection.execute(
                sa.select(
                    games,
                    rulebooks.c.id.label("rulebook_id"),
                    rulebooks.c.toml,
                    rulebooks.c.variant,
                )
                .join(rulebooks)
                .where(games.c.id == id)
            ).one_or_none()
            if row is None:
                return None
            happened, numbers = self._happened(connection, id, 0)
            turned = connection.execute(
                sa.select(sa.func.max(happenings.c.at)).where(
                    happenings.c.game == id, happenings.c.kind.in_(TURNING_KINDS)
                )
            ).scalar()
        info = GameInfo(
            id=id,
            rulebook=RulebookText(row.rulebook_id, row.toml, row.variant),
            start=row.start,
            seats=(row.seat1, row.seat2),
            seat_hashes=(row.seat1_hash, row.seat2_hash),
            invite_hash=row.invite_hash,
            spectator_hash=row.spectator_hash,
            days=row.days,
        )
        return Loaded(info, happened, numbers, turned or row.created)

    def load_after(self, id: str, version: int) -> tuple[list[LiveEvent], dict[Side, int]]:
        """What happened in a game after a version, and the numbers that are secret now."""
        with self._reading() as connection:
            return self._happened(connection, id, version)

    def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """How far each of these games has gone on; games without any event are left out."""
        found: dict[str, int] = {}
        with self._reading() as connection:
            for at in range(0, len(ids), _IDS_AT_ONCE):
                some = ids[at : at + _IDS_AT_ONCE]
                rows = connection.execute(
                    sa.select(happenings.c.game, sa.func.max(happenings.c.version))
                    .where(happenings.c.game.in_(some))
                    .group_by(happenings.c.game)
                )
                found.update((game, version) for game, version in rows)
        return found

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        """A connection to read from; raises `StorageError` if the database does not answer."""
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise StorageError(f"The database does not answer: {_reason(error)}") from None

    def _happened(
        self, connection: sa.Connection, id: str, version: int
    ) -> tuple[list[LiveEvent], dict[Side, int]]:
        happened = connection.execute(
            sa.select(happenings.c.kind, happenings.c.side, happenings.c.text)
            .where(happenings.c.game == id, happenings.c.version > version)
            .order_by(happenings.c.version)
        ).all()
        numbers = connection.execute(
            sa.select(number_rows.c.side, number_rows.c.number).where(number_rows.c.game == id)
        ).all()
        return [event_of_row(Row(*one)) for one in happened], {
            Side(side): one for side, one in numbers
        }

    def ids_after(self, id: str, most: int) -> list[str]:
        """The ids of the next games in order after that one, at most `most` of them."""
        after = sa.select(games.c.id).where(games.c.id > id).order_by(games.c.id).limit(most)
        with self._engine.connect() as connection:
            return list(connection.execute(after).scalars())

    def can_store(self) -> bool:
        """Whether something can be stored: a few bytes are, with a commit, in little time."""
        try:
            with self._engine.connect() as connection:
                if self.is_shared:
                    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_PROBE_MILLISECONDS}")
                    connection.exec_driver_sql(
                        f"SET LOCAL statement_timeout = {_PROBE_MILLISECONDS}"
                    )
                    connection.exec_driver_sql(
                        "UPDATE alembic_version SET version_num = version_num"
                    )
                else:
                    connection.exec_driver_sql(f"PRAGMA busy_timeout={_PROBE_MILLISECONDS}")
                    try:
                        connection.exec_driver_sql("BEGIN IMMEDIATE")
                        # A number that SQLite keeps for programs, and this one has no use for.
                        number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
                        connection.exec_driver_sql(f"PRAGMA user_version={1 - number % 2}")
                        connection.commit()
                    finally:
                        connection.rollback()
                        connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
                connection.commit()
        except SQLAlchemyError:
            return False
        return True

    # The writing thread

    def _write_all(self) -> None:
        connection: sa.Connection | None = None
        while batch := self._next_batch():
            if connection is None:
                connection = self._connected()
            self._deliver(self._write(connection, batch))
            self._is_busy, self._written = len(batch) >= _BUSY, time.monotonic()
        if connection is not None:
            connection.close()

    def _connected(self) -> sa.Connection | None:
        with suppress(SQLAlchemyError):
            return self._engine.connect()
        return None

    def _next_batch(self) -> list[Entry]:
        """Everything that waits, at least one; nothing when the database is closed."""
        batch: list[Entry] = []
        while not batch and (self._waiting or not self._is_closing):
            self._has_work.wait()
            if self._is_busy:
                time.sleep(max(0.0, self._written + _BETWEEN_WRITES - time.monotonic()))
            self._has_work.clear()  # before looking, so that nothing is overlooked
            with suppress(IndexError):
                while True:
                    batch.append(self._waiting.popleft())
        return batch

    def _write(self, connection: sa.Connection | None, batch: list[Entry]) -> StoredEntries:
        """One transaction for all; if it fails, one for each."""
        if connection is not None and not any(entry.journal.is_broken for entry in batch):
            try:
                self._commit(connection, [entry.change for entry in batch if entry.change])
            except DBAPIError:
                _roll_back(connection)
            else:
                return [(entry, None) for entry in batch]
        return [(entry, self._write_alone(connection, entry)) for entry in batch]

    def _write_alone(
        self, connection: sa.Connection | None, entry: Entry
    ) -> StorageError | NotNow | None:
        if entry.change is None:
            return None
        if entry.journal.is_broken:
            return NotNow(_GONE_ON)
        lost: StorageError | NotNow
        try:
            if connection is not None:
                self._commit(connection, [entry.change])
                return None
            lost = StorageError("The database does not answer, so nothing can be stored.")
        except IntegrityError:
            lost = NotNow(_GONE_ON)
        except DBAPIError as error:
            lost = StorageError(f"It could not be stored: {_reason(error)}")
        _roll_back(connection)
        entry.journal.is_broken = True
        return lost

    def _commit(self, connection: sa.Connection, changes: list[GameChange]) -> None:
        write_changes(connection, changes)
        rows = [row for change in changes for row in change.happenings]
        if not self.is_shared:
            if rows:
                connection.exec_driver_sql(_ADD, rows)
            connection.commit()
            return
        notices = [
            *(notice for change in changes for notice in change.notices),
            *_news(rows),
        ]
        with _in_one_message(connection) as postgresql:
            if rows:
                columns = [list(column) for column in zip(*rows, strict=True)]
                postgresql.execute(_ADD_ALL, columns)
            for payload in _payloads(self.process, notices):
                postgresql.execute(_NOTIFY, (payload,))
            postgresql.commit()
        connection.commit()


@contextmanager
def _in_one_message(connection: sa.Connection) -> Iterator[Any]:
    """PostgreSQL's own connection, which sends all statements before it waits for an answer."""
    import psycopg

    logging.getLogger("psycopg").setLevel(logging.ERROR)  # what fails is answered below
    postgresql: Any = connection.connection.driver_connection
    try:
        with postgresql.pipeline():
            yield postgresql
    except psycopg.Error as error:
        with suppress(psycopg.Error):
            postgresql.rollback()
        if postgresql.closed:
            connection.invalidate()
        kind = IntegrityError if isinstance(error, psycopg.IntegrityError) else DBAPIError
        raise kind(None, None, error) from None


def _news(rows: list[tuple[Any, ...]]) -> Iterator[str]:
    """The notices about stored rows: moves as they are, and of anything else only that it exists.

    A move is public once it is stored; a number that is still secret is in no row.
    """
    by_game: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        by_game.setdefault(row[0], []).append(row)
    for game, added in by_game.items():
        moves = [f"{side}{text}" for _, _, kind, side, text, _ in added if kind == "move"]
        news = "\t".join(("moves", game, str(added[-1][1]), *moves))
        are_all = len(moves) == len(added) and len(news) < _LONGEST_NOTICE // 4
        is_readable = news.count("\t") == len(moves) + 2 and "\n" not in news
        yield news if are_all and is_readable else f"more\t{game}"


def _payloads(process: str, notices: list[str]) -> Iterator[str]:
    """All notices of a process in as few messages as they fit in: mostly one."""
    lines = [process]
    for notice in notices:
        if sum(map(len, lines)) + len(lines) + len(notice) > _LONGEST_NOTICE:
            yield "\n".join(lines)
            lines = [process]
        lines.append(notice)
    if len(lines) > 1:
        yield "\n".join(lines)


def _roll_back(connection: sa.Connection | None) -> None:
    if connection is not None:
        with suppress(SQLAlchemyError):
            connection.rollback()


def _reason(error: Exception) -> str:
    """The first line of what a driver says, which names no values."""
    original = error.orig if isinstance(error, DBAPIError) and error.orig else error
    lines = str(original).splitlines() or [type(original).__name__]
    return f"{shown(lines[0], 200)}."
