"""How the server is, for those who run it: health, figures, and a log of requests."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any, TextIO

import msgspec
from litestar import Response, get
from litestar.openapi import ResponseSpec

from lineduel import __version__
from lineduel.web.api import ServerState, address_of

_STARTED = time.time()
_METRICS = "text/plain; version=0.0.4; charset=utf-8"
_TOKEN = re.compile(r"[siw]\.[A-Za-z0-9_-]{16,}")
_HIDDEN = "…"
_SECONDS_BETWEEN = 1.0
"""From one try to store something to the next."""
_SECONDS_TO_STORE = 2.0
"""How long an answer about it waits."""


class StorageCheck:
    """Whether the database stores anything: tried at most once a second, and for two at most."""

    def __init__(self, try_to_store: Callable[[], bool], clock: Callable[[], float]) -> None:
        self._try_to_store, self._clock = try_to_store, clock
        self._trying: asyncio.Future[bool] | None = None
        self._tried = 0.0

    async def is_well(self) -> bool:
        """Whether it does, as of a second ago or later."""
        trying = self._trying
        if trying is None or (trying.done() and self._clock() - self._tried > _SECONDS_BETWEEN):
            self._tried = self._clock()
            trying = self._trying = asyncio.ensure_future(asyncio.to_thread(self._try_to_store))
        try:
            return await asyncio.wait_for(asyncio.shield(trying), _SECONDS_TO_STORE)
        except TimeoutError:
            return False


class Health(msgspec.Struct):
    """Whether the server can do its work."""

    status: str
    version: str


@get("/health", responses={503: ResponseSpec(Health, description="It cannot.")})
async def show_health(state: ServerState) -> Response[Health]:
    """Whether the server answers, and its database stores what it is given."""
    is_well = await state.storage_check.is_well()
    health = Health("ok" if is_well else "The database stores nothing.", __version__)
    return Response(health, status_code=200 if is_well else 503)


@get("/metrics", media_type=_METRICS)
async def show_metrics(state: ServerState) -> str:
    """Figures in the format of Prometheus."""
    games, connections = state.hosted_games.counts
    figures = (
        ("games", "gauge", "Games in memory.", games),
        ("connections", "gauge", "WebSockets that are open.", connections),
        ("moves_total", "counter", "Turns played since the start.", state.hosted_games.moves),
        ("start_time_seconds", "gauge", "When the server was started.", round(_STARTED, 3)),
    )
    return "".join(
        f"# HELP lineduel_{name} {text}\n# TYPE lineduel_{name} {kind}\nlineduel_{name} {value}\n"
        for name, kind, text, value in figures
    )


class RequestLine(msgspec.Struct, omit_defaults=True):
    """A request that was answered."""

    at: float
    event: str
    path: str
    method: str = ""
    status: int = 0
    ms: float = 0.0
    client: str = ""


class RequestLog:
    """Writes a line of JSON for each request, with nothing secret in it.

    It has no queries, headers or bodies, and tokens in paths are hidden.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float]) -> None:
        self._stream, self._clock = stream, clock

    def listening(self, scope: Any, send: Any) -> Any:
        """The same way to answer, which also writes a line."""
        began = time.perf_counter()

        async def sending(message: Any) -> None:
            await send(message)
            kind = message["type"]
            if kind == "http.response.start":
                self._write(scope, "request", message["status"], began)
            elif kind == "websocket.accept":
                self._write(scope, "socket opened", 101, began)
            elif kind == "websocket.close":
                self._write(scope, "socket closed", message.get("code", 0), began)

        return sending

    def _write(self, scope: Any, event: str, status: int, began: float) -> None:
        line = RequestLine(
            at=round(self._clock(), 3),
            event=event,
            path=_TOKEN.sub(_HIDDEN, scope["path"])[:200],
            method=scope.get("method", ""),
            status=status,
            ms=round((time.perf_counter() - began) * 1000, 2),
            client=address_of(scope),
        )
        print(msgspec.json.encode(line).decode(), file=self._stream, flush=True)
