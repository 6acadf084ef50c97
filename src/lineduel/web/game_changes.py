"""What is written to the database together: games, what happens in them, seats and secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from lineduel.play import LiveEvent, row_of_event
from lineduel.rules import Side
from lineduel.web.game_tables import games, happenings, number_rows, rulebooks
from lineduel.web.rulebook_shelf import RulebookText

DAY = 24 * 60 * 60.0
"""Seconds of a day."""


class NewSeat(NamedTuple):
    """Somebody took a seat: its token's hash."""

    game: str
    side: Side
    seat_hash: str


class SecretNumbers(NamedTuple):
    """The numbers of a game that are secret from now on; all earlier ones are removed."""

    game: str
    numbers: Mapping[Side, int]


class Prune(NamedTuple):
    """Remove those of some games in which nothing happened since then.

    In a game that gives a player days for a turn, nothing has to happen within these days.
    """

    before: float
    games: Sequence[str]
    """None of them to remove the rulebooks that no game uses any more."""


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a live game is, from its creation on."""

    id: str
    rulebook: RulebookText
    start: str
    """The position it begins with."""
    seats: tuple[str, str]
    """Who plays each side: `human`, or a program."""
    seat_hashes: tuple[str | None, str | None]
    """The hash of each seat's token; None for a program, and until somebody has joined."""
    invite_hash: str | None
    spectator_hash: str | None
    days: int | None = None
    """How many days a player has for each turn; None where both stay until the end."""


@dataclass(slots=True)
class GameChange:
    """What is written together, or not at all."""

    happenings: list[tuple[str, int, str, int, str, float]] = field(default_factory=list)
    """Rows of the table."""
    games: list[tuple[GameInfo, float]] = field(default_factory=list)
    numbers: list[SecretNumbers] = field(default_factory=list)
    seats: list[NewSeat] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    """Messages to other processes."""
    prune: Prune | None = None

    def add(self, game: str, version: int, events: Sequence[LiveEvent], at: float) -> None:
        """Add what happened, the last of which made this version."""
        rows = enumerate(map(row_of_event, events), start=version - len(events) + 1)
        self.happenings += [
            (game, number, kind, int(side), text, at) for number, (kind, side, text) in rows
        ]


def write_changes(connection: sa.Connection, changes: Sequence[GameChange]) -> None:
    """Write all but what happened and the notices, which each database takes in its own way."""
    for change in changes:
        for info, created in change.games:
            _add_game(connection, info, created)
    for change in changes:
        for one in change.numbers:
            _keep_numbers(connection, one)
        for seat in change.seats:
            _take_seat(connection, seat)
        if change.prune:
            _prune(connection, change.prune)


def _add_game(connection: sa.Connection, info: GameInfo, created: float) -> None:
    text = info.rulebook
    known = sa.select(rulebooks.c.key).where(rulebooks.c.key == text.key)
    if connection.execute(known).one_or_none() is None:
        connection.execute(rulebooks.insert(), {"key": text.key, **text._asdict()})
    connection.execute(
        games.insert(),
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
            "days": info.days,
            "created": created,
        },
    )


def _keep_numbers(connection: sa.Connection, one: SecretNumbers) -> None:
    connection.execute(number_rows.delete().where(number_rows.c.game == one.game))
    if one.numbers:
        connection.execute(
            number_rows.insert(),
            [
                {"game": one.game, "side": int(side), "number": number}
                for side, number in one.numbers.items()
            ],
        )


def _take_seat(connection: sa.Connection, seat: NewSeat) -> None:
    column = games.c.seat1_hash if seat.side is Side.ONE else games.c.seat2_hash
    connection.execute(
        games.update()
        .where(games.c.id == seat.game, column.is_(None))
        .values({column: seat.seat_hash})
    )


def _prune(connection: sa.Connection, prune: Prune) -> None:
    """Remove those that are old, or rulebooks that no game uses any more."""
    if not prune.games:
        used = sa.select(games.c.rulebook)
        connection.execute(rulebooks.delete().where(rulebooks.c.key.not_in(used)))
        return
    latest = (
        sa.select(sa.func.max(happenings.c.at))
        .where(happenings.c.game == games.c.id)
        .scalar_subquery()
    )
    given = sa.func.coalesce(games.c.days, 0) * DAY
    is_old = sa.func.coalesce(latest, games.c.created) + given < prune.before
    old = list(
        connection.execute(
            sa.select(games.c.id).where(games.c.id.in_(prune.games), is_old)
        ).scalars()
    )
    for column in (happenings.c.game, number_rows.c.game, games.c.id):
        connection.execute(column.table.delete().where(column.in_(old)))
