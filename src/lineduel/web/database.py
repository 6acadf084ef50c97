"""Where live games are kept: SQLite, or PostgreSQL; one thread writes, in grouped transactions."""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from lineduel.errors import NotNow, StorageError
from lineduel.rules import Side
from lineduel.web.live_game import GameInfo, Happening
from lineduel.web.rulebook_shelf import RulebookText

_tables = sa.MetaData()
_rulebooks = sa.Table(
    "rulebooks",
    _tables,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("toml", sa.Text, nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
)
_games = sa.Table(
    "games",
    _tables,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("rulebook", sa.Text, sa.ForeignKey("rulebooks.key"), nullable=False),
    sa.Column("start", sa.Text, nullable=False),
    sa.Column("seat1", sa.Text, nullable=False),
    sa.Column("seat2", sa.Text, nullable=False),
    sa.Column("seat1_hash", sa.Text),
    sa.Column("seat2_hash", sa.Text),
    sa.Column("invite_hash", sa.Text),
    sa.Column("spectator_hash", sa.Text),
    sa.Column("created", sa.Float, nullable=False),
)
_happenings = sa.Table(
    "happenings",
    _tables,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("side", sa.SmallInteger, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)
_numbers = sa.Table(
    "secret_numbers",
    _tables,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("side", sa.SmallInteger, primary_key=True),
    sa.Column("number", sa.SmallInteger, nullable=False),
)

_add_happening = _happenings.insert()
_GONE_ON = "The game has gone on."


class NewSeat(NamedTuple):
    """Somebody took a seat: its token's hash."""

    game: str
    side: Side
    seat_hash: str


class Numbers(NamedTuple):
    """The numbers of a game that are secret from now on; all earlier ones are removed."""

    game: str
    numbers: Mapping[Side, int]


@dataclass(slots=True)
class Change:
    """What is written together, or not at all."""

    happenings: list[dict[str, object]] = field(default_factory=list)
    games: list[tuple[GameInfo, float]] = field(default_factory=list)
    numbers: list[Numbers] = field(default_factory=list)
    seats: list[NewSeat] = field(default_factory=list)

    def add(self, game: str, version: int, happened: Iterable[Happening], at: float) -> None:
        """Add what happened, the last of which made this version."""
        listed = list(happened)
        for number, (kind, side, text) in enumerate(listed, start=version - len(listed) + 1):
            self.happenings.append(
                {
                    "game": game,
                    "version": number,
                    "kind": kind,
                    "side": side,
                    "text": text,
                    "at": at,
                }
            )


class Journal:
    """The way of one game's changes into the database; once one is lost, none follows it."""

    __slots__ = ("is_broken",)

    def __init__(self) -> None:
        self.is_broken = False


class Entry(NamedTuple):
    """A change on its way, and what is to be done when it is stored or refused."""

    journal: Journal
    change: Change | None
    """None for something that only waits for its turn."""
    after: Callable[[StorageError | NotNow | None], None]


class Loaded(NamedTuple):
    """A game from the database."""

    info: GameInfo
    happenings: list[Happening]
    numbers: dict[Side, int]


class Database:
    """The live games on disk."""

    def __init__(self, address: str) -> None:
        self._engine = sa.create_engine(address, pool_pre_ping=not address.startswith("sqlite"))
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", _make_durable)
        _tables.create_all(self._engine)
        self._queue: SimpleQueue[Entry | None] = SimpleQueue()
        self._deliver: Callable[[list[tuple[Entry, StorageError | NotNow | None]]], None] = (
            lambda results: None
        )
        self._thread = threading.Thread(target=self._write_all, name="database", daemon=True)

    def start(
        self, deliver: Callable[[list[tuple[Entry, StorageError | NotNow | None]]], None]
    ) -> None:
        """Begin to write; `deliver` is called by the writing thread after each transaction."""
        self._deliver = deliver
        self._thread.start()

    def submit(self, entry: Entry) -> None:
        """Have a change stored, after all that were submitted before."""
        self._queue.put(entry)

    def close(self) -> None:
        """Write what is waiting, and close the database."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        self._engine.dispose()

    def load(self, id: str) -> Loaded | None:
        """A game as it is stored; None if there is none. Call it beside the event loop."""
        with self._engine.connect() as connection:
            row = connection.execute(
                sa.select(
                    _games,
                    _rulebooks.c.id.label("rulebook_id"),
                    _rulebooks.c.toml,
                    _rulebooks.c.variant,
                )
                .join(_rulebooks)
                .where(_games.c.id == id)
            ).one_or_none()
            if row is None:
                return None
            happened = connection.execute(
                sa.select(_happenings.c.kind, _happenings.c.side, _happenings.c.text)
                .where(_happenings.c.game == id)
                .order_by(_happenings.c.version)
            ).all()
            numbers = connection.execute(
                sa.select(_numbers.c.side, _numbers.c.number).where(_numbers.c.game == id)
            ).all()
        info = GameInfo(
            id=id,
            rulebook=RulebookText(row.rulebook_id, row.toml, row.variant),
            start=row.start,
            seats=(row.seat1, row.seat2),
            seat_hashes=(row.seat1_hash, row.seat2_hash),
            invite_hash=row.invite_hash,
            spectator_hash=row.spectator_hash,
        )
        return Loaded(
            info,
            [Happening(*one) for one in happened],
            {Side(side): number for side, number in numbers},
        )

    # The writing thread

    def _write_all(self) -> None:
        with self._engine.connect() as connection:
            while batch := self._next_batch():
                self._deliver(self._write(connection, batch))
                if self._is_closing:
                    return

    _is_closing = False

    def _next_batch(self) -> list[Entry]:
        """Everything that waits, at least one."""
        first = self._queue.get()
        if first is None:
            self._is_closing = True
            return []
        batch = [first]
        while True:
            try:
                entry = self._queue.get_nowait()
            except Empty:
                return batch
            if entry is None:
                self._is_closing = True
                return batch
            batch.append(entry)

    def _write(
        self, connection: sa.Connection, batch: list[Entry]
    ) -> list[tuple[Entry, StorageError | NotNow | None]]:
        """One transaction for all; if it fails, one for each."""
        if not any(entry.journal.is_broken for entry in batch):
            try:
                self._commit(connection, [entry.change for entry in batch if entry.change])
            except DBAPIError:
                connection.rollback()
            else:
                return [(entry, None) for entry in batch]
        return [(entry, self._write_alone(connection, entry)) for entry in batch]

    def _write_alone(self, connection: sa.Connection, entry: Entry) -> StorageError | NotNow | None:
        if entry.journal.is_broken:
            return NotNow(_GONE_ON)
        if entry.change is None:
            return None
        try:
            self._commit(connection, [entry.change])
        except IntegrityError:
            connection.rollback()
            entry.journal.is_broken = True
            return NotNow(_GONE_ON)
        except DBAPIError as error:
            connection.rollback()
            entry.journal.is_broken = True
            return StorageError(f"It could not be stored: {type(error.orig).__name__}.")
        return None

    def _commit(self, connection: sa.Connection, changes: list[Change]) -> None:
        for change in changes:
            for info, created in change.games:
                self._add_game(connection, info, created)
        rows = [row for change in changes for row in change.happenings]
        if rows:
            connection.execute(_add_happening, rows)
        for change in changes:
            for one in change.numbers:
                connection.execute(_numbers.delete().where(_numbers.c.game == one.game))
                if one.numbers:
                    connection.execute(
                        _numbers.insert(),
                        [
                            {"game": one.game, "side": int(side), "number": number}
                            for side, number in one.numbers.items()
                        ],
                    )
            for seat in change.seats:
                self._take_seat(connection, seat)
        connection.commit()

    def _add_game(self, connection: sa.Connection, info: GameInfo, created: float) -> None:
        text = info.rulebook
        known = sa.select(_rulebooks.c.key).where(_rulebooks.c.key == text.key)
        if connection.execute(known).one_or_none() is None:
            connection.execute(_rulebooks.insert(), {"key": text.key, **text._asdict()})
        connection.execute(
            _games.insert(),
            {
                "id": info.id,
                "rulebook": text.key,
                "start": info.start,
                "seat1": info.seats[0],
                "seat2": info.seats[1],
                "seat1_hash": info.seat_hashes[0],
                "seat2_hash": info.seat_hashes[1],
                "invite_hash": info.invite_hash,
                "spectator_hash": info.spectator_hash,
                "created": created,
            },
        )

    def _take_seat(self, connection: sa.Connection, seat: NewSeat) -> None:
        column = _games.c.seat1_hash if seat.side is Side.ONE else _games.c.seat2_hash
        connection.execute(
            _games.update()
            .where(_games.c.id == seat.game, column.is_(None))
            .values({column: seat.seat_hash})
        )


def _make_durable(connection: Any, record: object) -> None:
    """Set up a new connection to SQLite so that what is committed survives a crash."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()
