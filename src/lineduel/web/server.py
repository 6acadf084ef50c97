"""The server as a whole: what it is made of, how it starts and how it stops."""

import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig

from lineduel import __version__
from lineduel.errors import LineduelError, StorageError
from lineduel.jobs import LimitedWorkers
from lineduel.storage import data_folder
from lineduel.web.api import explain, explain_request, routes
from lineduel.web.database import Database
from lineduel.web.pages import SECURITY_HEADERS, PageFiles, show_file, show_page
from lineduel.web.rooms import Rooms
from lineduel.web.socket import LONGEST_FRAME, LiveSocket
from lineduel.web.thinking import Thinkers

LARGEST_BODY = 1 << 20
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What can be chosen when the server is started."""

    host: str = LOOPBACK
    port: int = 8000
    """0 for any that is free."""
    database: str | None = None
    """An address for SQLAlchemy; SQLite in the user's data folder if there is none."""


class LineduelServer:
    """An ASGI application: live games over WebSockets, everything else by Litestar."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rooms: Rooms | None = None
        self._http = Litestar(
            [routes, show_page, show_file],
            lifespan=[self._run],
            exception_handlers={LineduelError: explain, HTTPException: explain_request},
            request_max_body_size=LARGEST_BODY,
            openapi_config=OpenAPIConfig(title="lineduel", version=__version__, path="/api/docs"),
            before_send=[_add_security_headers],
            logging_config=None,
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket" and self._rooms is not None:
            await LiveSocket(self._rooms, send).serve(scope, receive)
        else:
            await self._http(scope, receive, send)

    @asynccontextmanager
    async def _run(self, app: Litestar) -> AsyncIterator[None]:
        database = Database(self._settings.database or default_database())
        workers = LimitedWorkers(max(1, (os.cpu_count() or 1) - 1))
        self._rooms = app.state.rooms = Rooms(database, Thinkers(workers))
        app.state.files = PageFiles()
        try:
            yield
        finally:
            workers.close()
            database.close()


async def _add_security_headers(message: Any, scope: Any) -> None:
    if message["type"] == "http.response.start":
        message["headers"] = [
            *message["headers"],
            *((name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()),
        ]


def default_database() -> str:
    """SQLite in the user's data folder."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be made: {error.strerror}.") from None
    return f"sqlite:///{folder / 'live.sqlite'}"


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until told to stop; `ready` is called with the address once it can be opened."""
    listening = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        raise StorageError(
            f"The server cannot listen on {settings.host}, port {settings.port}: {error.strerror}."
        ) from None
    port = listening.getsockname()[1]
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    config = uvicorn.Config(
        LineduelServer(settings),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=LONGEST_FRAME,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    server = _Server(config, lambda: ready(f"http://{shown}:{port}/"))
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()
