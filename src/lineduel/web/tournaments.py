"""The tournaments that the server shows, each followed while somebody watches it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

from litestar import Response, get
from litestar.response import Stream

from lineduel import documents
from lineduel.arena import FollowedTournament
from lineduel.errors import LineduelError, NoSuchGame, StorageError, TooManyRequests, shown
from lineduel.players import player_in_words
from lineduel.web.api import ERRORS, AnyRequest, ServerState, address_of
from lineduel.web.request_limits import AddressLimits

LEDGER_SUFFIX = ".jsonl"
LOOK_EVERY = 0.4
"""Seconds between two looks at a file."""
SIGN_OF_LIFE = 15.0
"""Seconds after which something is sent although nothing happened, to notice who is gone."""
SECONDS_TO_READ = 5.0
"""How long somebody who asks once may wait."""
_MOST_FOLLOWED = 16
"""Tournaments in memory; those that nobody watches make room for others."""
_MOST_LISTED = 200
_JSON = "application/json"
_EVENTS = "text/event-stream"
_LIVE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of what is neither kept nor held back on the way."""


class Tournaments:
    """One file, or all files of a folder."""

    def __init__(self, place: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Show the tournament of that file, those of that folder, or none."""
        self._place, self._clock = place, clock
        self._followed: dict[str, _Followed] = {}
        self._is_closed = False
        if place is not None and not place.is_dir():
            FollowedTournament(place).close()  # says what is wrong with it

    def shown(self) -> list[documents.ShownTournament]:
        """The tournaments there are; other files are left out."""
        found = []
        for path in self._files():
            with suppress(LineduelError):
                tournament = FollowedTournament(path)
                tournament.close()
                settings = tournament.settings
                found.append(
                    documents.ShownTournament(
                        name=path.name,
                        game=settings.game,
                        title=settings.title,
                        players=[player_in_words(player) for player in settings.players],
                    )
                )
        return found

    async def watch(self, name: str) -> AsyncIterator[bytes | None]:
        """A tournament as it stands, and again whenever games were finished.

        None is a sign of life. It ends when the server stops; a file that was replaced or cannot
        be read any more raises.
        """
        followed = await self._find(name)
        followed.watchers += 1
        seen, quiet_since = -1, self._clock()
        try:
            while not self._is_closed:
                await self._look(name, followed)
                now = self._clock()
                if followed.version != seen:
                    seen, quiet_since = followed.version, now
                    yield followed.document
                elif now - quiet_since > SIGN_OF_LIFE:
                    quiet_since = now
                    yield None
                await asyncio.sleep(followed.pause)
        finally:
            followed.watchers -= 1

    async def document(self, name: str) -> bytes:
        """A tournament as it stands; of a very large one, as far as it could be read in time."""
        followed = await self._find(name)
        deadline = self._clock() + SECONDS_TO_READ
        await self._look(name, followed)
        while followed.has_more and self._clock() < deadline:
            await self._look(name, followed)
        return followed.document

    async def game(self, name: str, line: int) -> documents.ReplayedGame:
        """One of the newest games."""
        followed = await self._find(name)
        return await asyncio.to_thread(documents.replayed_game, followed.tournament, line)

    def close(self) -> None:
        """End what is sent to everybody who watches."""
        self._is_closed = True

    async def _look(self, name: str, followed: "_Followed") -> None:
        try:
            await followed.look()
        except LineduelError:
            if self._followed.get(name) is followed:
                del self._followed[name]  # the next request finds what is there then
                followed.tournament.close()
            raise

    def _files(self) -> list[Path]:
        if self._place is None:
            return []
        if not self._place.is_dir():
            return [self._place]
        try:
            found = sorted(self._place.glob(f"*{LEDGER_SUFFIX}"))
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise StorageError(f"{shown(self._place, 200)} cannot be read: {why}.") from None
        return found[:_MOST_LISTED]

    async def _find(self, name: str) -> "_Followed":
        followed = self._followed.get(name)
        if followed is not None:
            return followed
        path = next((one for one in self._files() if one.name == name), None)
        if path is None:
            raise NoSuchGame("There is no such tournament.")
        tournament = await asyncio.to_thread(FollowedTournament, path)
        if name in self._followed:  # another request was faster
            tournament.close()
            return self._followed[name]
        for other, unwatched in list(self._followed.items()):
            if len(self._followed) >= _MOST_FOLLOWED and not unwatched.watchers:
                del self._followed[other]
                unwatched.tournament.close()
        followed = self._followed[name] = _Followed(name, tournament)
        return followed


class _Followed:
    """A tournament, and what everybody who watches it is sent."""

    def __init__(self, name: str, tournament: FollowedTournament) -> None:
        self.tournament = tournament
        self.watchers = 0
        self.version = 0
        self.document = b""
        self.has_more = True
        """Whether the last look found something, so that there may be more."""
        self._name = name
        self._looking = asyncio.Lock()

    @property
    def pause(self) -> float:
        """Seconds until the next look."""
        return LOOK_EVERY / 8 if self.has_more else LOOK_EVERY

    async def look(self) -> None:
        """Read what was written since the last look."""
        async with self._looking:
            self.has_more = await asyncio.to_thread(self.tournament.read_on)
            if self.has_more or not self.document:
                self.document = documents.as_json(
                    await asyncio.to_thread(
                        documents.watched_tournament, self._name, self.tournament
                    )
                )
                self.version += 1


# The HTTP interface: a list, one as it stands, one live, and its newest games


@get("/tournaments", responses=ERRORS)
async def list_tournaments(state: ServerState) -> list[documents.ShownTournament]:
    """The tournaments that this server shows."""
    return await asyncio.to_thread(state.tournaments.shown)


@get("/tournaments/{name:str}", media_type=_JSON, responses=ERRORS)
async def show_tournament(state: ServerState, name: str) -> Response[documents.WatchedTournament]:
    """A tournament as it stands: table, pairings and the newest games."""
    document = await state.tournaments.document(name)
    return Response(document, media_type=_JSON)  # type: ignore[arg-type]  # it is JSON already


@get("/tournaments/{name:str}/events", media_type=_EVENTS, responses=ERRORS)
async def watch_tournament(state: ServerState, name: str, request: AnyRequest) -> Stream:
    """The same again and again, as server-sent events, whenever games were finished."""
    events = _events(state.tournaments, name, state.limits, address_of(request.scope))
    first = await anext(events)  # an error comes with its status, before anything is sent
    return Stream(_continued(first, events), media_type=_EVENTS, headers=_LIVE)


@get("/tournaments/{name:str}/games/{line:int}", responses=ERRORS)
async def replay_tournament_game(
    state: ServerState, name: str, line: int
) -> documents.ReplayedGame:
    """One of the newest games, turn by turn."""
    return await state.tournaments.game(name, line)


async def _events(
    tournaments: Tournaments, name: str, limits: AddressLimits, address: str
) -> AsyncIterator[bytes]:
    if not limits.connect(address):
        raise TooManyRequests("Too many connections from your address.")
    try:
        async for document in tournaments.watch(name):
            yield b":\n\n" if document is None else b"data: " + document + b"\n\n"
    finally:
        limits.disconnect(address)


async def _continued(first: bytes, events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for event in events:
        yield event


tournament_handlers = [
    list_tournaments,
    show_tournament,
    watch_tournament,
    replay_tournament_game,
]
