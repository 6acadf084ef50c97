"""Several server processes on one PostgreSQL: each says what it stored, and who is connected."""

import asyncio
import threading
import time
from contextlib import suppress

import psycopg

from lineduel.web.database import CHANNEL, Database, Entry, GameChange, Journal
from lineduel.web.hosted_game import Elsewhere, HostedGame
from lineduel.web.hosted_games import HostedGames

ALIVE_EVERY = 2.0
"""Seconds between two signs of life of a process."""
GONE_AFTER = 3 * ALIVE_EVERY
"""Seconds of silence after which a process is gone, and its guests with it."""
_RETRY = 1.0


class OtherProcesses:
    """Listens to other processes, and tells them about this one."""

    def __init__(self, database: Database, hosted_games: HostedGames) -> None:
        self._database, self._hosted_games = database, hosted_games
        self._loop = asyncio.get_running_loop()
        self._alive: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        hosted_games.tell_others = self._tell_guests
        hosted_games.ask_others = lambda hosted: self._tell(f"who {hosted.info.id}")
        self._ready = threading.Event()
        self._thread.start()
        self._ready.wait(GONE_AFTER)
        self._beat()

    def close(self) -> None:
        """Say goodbye, and hear nothing more."""
        self._tell("gone")
        self._is_closed = True

    def _tell(self, notice: str) -> None:
        entry = Entry(Journal(), GameChange(notices=[notice]), lambda error: None)
        self._database.submit(entry)

    def _tell_guests(self, hosted: HostedGame) -> None:
        here = hosted.here()
        one, two = here.sides
        self._tell(f"guests {hosted.info.id} {one} {two} {here.watching}")

    def _beat(self) -> None:
        """Show that this process is alive, and see who is not."""
        if self._is_closed:
            return
        self._tell("alive")
        now = time.monotonic()
        for process, heard in list(self._alive.items()):
            if now - heard > GONE_AFTER:
                self._forget(process)
        self._loop.call_later(ALIVE_EVERY, self._beat)

    def _forget(self, process: str) -> None:
        self._alive.pop(process, None)
        self._hosted_games.forget_process(process)

    def _hear(self, payload: str) -> None:
        """A notice of some process, on the event loop."""
        process, _, notice = payload.partition(" ")
        if process == self._database.process or self._is_closed:
            return
        self._alive[process] = time.monotonic()
        match notice.split():
            case ["moved", game]:
                task = self._loop.create_task(self._hosted_games.hear_news(game))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case ["guests", game, one, two, watching]:
                here = Elsewhere((int(one), int(two)), int(watching))
                self._hosted_games.note_elsewhere(game, process, here)
            case ["who", game]:
                hosted = self._hosted_games.hosted(game)
                if hosted is not None and hosted.guests:
                    self._tell_guests(hosted)
            case ["gone"]:
                self._forget(process)
            case _:
                pass  # a sign of life, or from a newer version

    def _listen(self) -> None:
        """Hand on what PostgreSQL sends; connect again when the connection is lost."""
        address = self._database.address.set(drivername="postgresql").render_as_string(
            hide_password=False
        )
        while not self._is_closed:
            try:
                with psycopg.connect(address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._ready.set()
                    self._hand_on(connection)
            except (psycopg.Error, OSError):
                time.sleep(_RETRY)

    def _hand_on(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        while not self._is_closed:
            for notice in connection.notifies(timeout=_RETRY):
                with suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(self._hear, notice.payload)
