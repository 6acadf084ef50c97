"""How the server is: for whoever watches over it."""

import asyncio
import time

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.openapi import ResponseSpec

from lineduel import __version__
from lineduel.web.database import Database
from lineduel.web.hosted_games import HostedGames

_STARTED = time.time()
_METRICS = "text/plain; version=0.0.4; charset=utf-8"


class Health(msgspec.Struct):
    """Whether the server can do its work."""

    status: str
    version: str


@get("/health", responses={503: ResponseSpec(Health, description="It cannot.")})
async def show_health(state: State) -> Response[Health]:
    """Whether the server and its database answer."""
    database: Database = state.database
    is_well = await asyncio.to_thread(database.is_reachable)
    health = Health("ok" if is_well else "The database does not answer.", __version__)
    return Response(health, status_code=200 if is_well else 503)


@get("/metrics", media_type=_METRICS)
async def show_metrics(state: State) -> str:
    """Figures in the format of Prometheus."""
    hosted_games: HostedGames = state.hosted_games
    games, connections = hosted_games.counts
    figures = (
        ("games", "gauge", "Games in memory.", games),
        ("connections", "gauge", "WebSockets that are open.", connections),
        ("moves_total", "counter", "Turns played since the start.", hosted_games.moves),
        ("start_time_seconds", "gauge", "When the server was started.", round(_STARTED, 3)),
    )
    return "".join(
        f"# HELP lineduel_{name} {told}\n# TYPE lineduel_{name} {kind}\nlineduel_{name} {value}\n"
        for name, kind, told, value in figures
    )
