"""The HTTP interface to tournaments: a list, one as it stands, one live, and its newest games."""

import asyncio
from collections.abc import AsyncIterator

from litestar import Response, get
from litestar.datastructures import State
from litestar.response import Stream

from lineduel.documents import ReplayedGame, ShownTournament, WatchedTournament
from lineduel.errors import TooManyRequests
from lineduel.web.api import ERRORS, AnyRequest, address_of
from lineduel.web.request_limits import AddressLimits
from lineduel.web.tournaments import Tournaments

_JSON = "application/json"
_EVENTS = "text/event-stream"
_LIVE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Neither kept nor held back on the way."""


@get("/tournaments", responses=ERRORS)
async def list_tournaments(state: State) -> list[ShownTournament]:
    """The tournaments that this server shows."""
    tournaments: Tournaments = state.tournaments
    return await asyncio.to_thread(tournaments.shown)


@get("/tournaments/{name:str}", media_type=_JSON, responses=ERRORS)
async def show_tournament(state: State, name: str) -> Response[WatchedTournament]:
    """A tournament as it stands: table, pairings and the newest games."""
    tournaments: Tournaments = state.tournaments
    document = await tournaments.document(name)
    return Response(document, media_type=_JSON)  # type: ignore[arg-type]  # it is JSON already


@get("/tournaments/{name:str}/events", media_type=_EVENTS, responses=ERRORS)
async def watch_tournament(state: State, name: str, request: AnyRequest) -> Stream:
    """The same again and again, as server-sent events, whenever games were finished."""
    events = _events(state.tournaments, name, state.limits, address_of(request.scope))
    first = await anext(events)  # what is wrong is told with a status, before anything is sent
    return Stream(_continued(first, events), media_type=_EVENTS, headers=_LIVE)


@get("/tournaments/{name:str}/games/{line:int}", responses=ERRORS)
async def replay_tournament_game(state: State, name: str, line: int) -> ReplayedGame:
    """One of the newest games, turn by turn."""
    tournaments: Tournaments = state.tournaments
    return await tournaments.game(name, line)


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
