"""The tables that live games are kept in: upgraded in place, and refused if they are too new."""

from pathlib import Path

import sqlalchemy as sa

from lineduel.errors import StorageError

NEWEST = "0002"
"""The version that this program writes."""
_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x6C696E65
"""Held in PostgreSQL while the tables are upgraded, so that only one process does it."""
tables = sa.MetaData()
rulebooks = sa.Table(
    "rulebooks",
    tables,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("toml", sa.Text, nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
)
games = sa.Table(
    "games",
    tables,
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
    sa.Column("days", sa.SmallInteger),
)
happenings = sa.Table(
    "happenings",
    tables,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("side", sa.SmallInteger, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)
number_rows = sa.Table(
    "secret_numbers",
    tables,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("side", sa.SmallInteger, primary_key=True),
    sa.Column("number", sa.SmallInteger, nullable=False),
)
"""Numbers chosen in open battles; each is removed when it is revealed."""


def upgrade_tables(engine: sa.Engine) -> None:
    """Bring the tables to the newest version, wholly or not at all.

    A database of a newer program is refused.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        elif engine.dialect.name == "sqlite":
            # Python's driver begins no transaction for tables by itself.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        version = _version(connection)
        if version == NEWEST:
            return
        if version is not None and version > NEWEST:
            raise StorageError(
                "The database was written by a newer lineduel.\n"
                "Install that version, or use another database."
            )
        _run_upgrades(connection)
        connection.commit()


def _version(connection: sa.Connection) -> str | None:
    """The version of the tables; None for a new database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _run_upgrades(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["connection"] = connection
    command.upgrade(config, NEWEST)
