"""Several server processes on one PostgreSQL: each says what it stored, and who is connected.

Notices can be lost with the connection that brings them. So every game has a sequence of versions,
and whenever notices come again after a pause, all games are compared with what is stored, and
everybody says again who is connected. A process hears its own signs of life, too: while it does
not, it is deaf, and judges nobody to be away.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import psycopg

from lineduel.errors import StorageError
from lineduel.play import Row
from lineduel.web.database import CHANNEL, Database, Entry, Journal
from lineduel.web.game_changes import GameChange
from lineduel.web.hosted_game import Elsewhere, HostedGame
from lineduel.web.hosted_games import HostedGames

ALIVE_EVERY = 2.0
"""Seconds between two signs of life of a process."""
GONE_AFTER = 3 * ALIVE_EVERY
"""Seconds of silence after which a process is gone, and its guests with it."""
_RETRY = 1.0


class OtherProcesses:
    """Listens to other processes, and tells them about this one."""

    def __init__(
        self,
        database: Database,
        hosted_games: HostedGames,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database, self._hosted_games, self._clock = database, hosted_games, clock
        self._loop = asyncio.get_running_loop()
        self._alive: dict[str, float] = {}
        """When each process was heard last, this one included."""
        self._is_closed = False
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        hosted_games.tell_others = lambda hosted: self._tell([_guests(hosted)])
        hosted_games.ask_others = lambda hosted: self._tell([f"who\t{hosted.info.id}"])
        self._ready = threading.Event()
        self._thread.start()
        self._ready.wait(GONE_AFTER)
        self._beat()

    def close(self) -> None:
        """Say goodbye, and hear nothing more."""
        self._tell(["gone"])
        self._is_closed = True

    def _tell(self, notices: list[str]) -> None:
        entry = Entry(Journal(), GameChange(notices=notices), lambda error: None)
        self._database.submit(entry)

    def _beat(self) -> None:
        """Show that this process is alive, and see who is not."""
        if self._is_closed:
            return
        self._tell(["alive"])
        now = self._clock()
        own = self._alive.get(self._database.process, now)
        if now - own > GONE_AFTER:
            self._hosted_games.knows_absences = False
        elif self._hosted_games.knows_absences:
            # Silent while this process was heard; after that, it may be deaf itself.
            for process in [one for one, heard in self._alive.items() if own - heard > GONE_AFTER]:
                self._forget(process)
        self._loop.call_later(ALIVE_EVERY, self._beat)

    def _forget(self, process: str) -> None:
        self._alive.pop(process, None)
        self._hosted_games.forget_process(process)

    async def _listen_again(self) -> None:
        """Notices may have been lost: say who is here, ask who is there, compare all games."""
        here = [_guests(hosted) for hosted in self._hosted_games.all() if hosted.guests]
        self._tell([*here, "who"])
        while not self._is_closed:
            try:
                await self._hosted_games.compare_all()
            except StorageError:
                await asyncio.sleep(_RETRY)
            else:
                break

    def _hear(self, payload: str) -> None:
        """The notices of some process, on the event loop."""
        process, *notices = payload.split("\n")
        now = self._clock()
        is_own = process == self._database.process
        if is_own and not self._hosted_games.knows_absences:
            # Before the next claim is read; the others may need as long to connect again.
            self._hosted_games.doubt_absences(GONE_AFTER)
            self._hosted_games.knows_absences = True
            self._alive = dict.fromkeys(self._alive, now)
            self._hosted_games.begin(self._listen_again())
        if not is_own and process not in self._alive:  # new, or its guests were counted as gone
            self._tell(["who"])
        self._alive[process] = now
        if not is_own and not self._is_closed:
            for notice in notices:
                self._heed(process, notice.split("\t"))

    def _heed(self, process: str, notice: list[str]) -> None:
        match notice:
            case ["moves", game, version, *moves]:
                if (hosted := self._hosted_games.hosted(game)) is not None:
                    rows = [Row("move", int(move[0]), move[1:]) for move in moves]
                    self._hosted_games.take_moves(hosted, int(version), rows)
            case ["more", game]:
                if (hosted := self._hosted_games.hosted(game)) is not None:
                    self._hosted_games.compare(hosted)
            case ["guests", game, one, two, watching]:
                here = Elsewhere((int(one), int(two)), int(watching))
                self._hosted_games.note_elsewhere(game, process, here)
            case ["who", *games]:
                asked = [self._hosted_games.hosted(game) for game in games]
                known = asked if games else self._hosted_games.all()
                self._tell([_guests(one) for one in known if one is not None and one.guests])
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
                    self._call(self._deaf_until_now)
                    self._ready.set()
                    self._hand_on(connection)
            except (psycopg.Error, OSError):
                self._call(self._grow_deaf)
                time.sleep(_RETRY)

    def _grow_deaf(self) -> None:
        """Who comes is not heard of, so nobody is away for certain."""
        self._hosted_games.knows_absences = False

    def _deaf_until_now(self) -> None:
        """Whatever was sent before this moment may be lost; the next own notice ends that."""
        self._grow_deaf()
        self._tell(["alive"])

    def _hand_on(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        while not self._is_closed:
            for notice in connection.notifies(timeout=_RETRY):
                self._call(self._hear, notice.payload)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *arguments)


def _guests(hosted: HostedGame) -> str:
    """How many people are connected here to a game, as a notice."""
    here = hosted.here()
    one, two = here.sides
    return f"guests\t{hosted.info.id}\t{one}\t{two}\t{here.watching}"
