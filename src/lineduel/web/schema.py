"""The version of a database's tables: upgraded in place, and refused if it is too new."""

from pathlib import Path

import sqlalchemy as sa

from lineduel.errors import StorageError

NEWEST = "0001"
"""The version that this program writes."""
_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x6C696E65
"""Held in PostgreSQL while the tables are upgraded, so that only one process does it."""


def upgrade_tables(engine: sa.Engine) -> None:
    """Bring the tables to the newest version; a database of a newer program is refused."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
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
