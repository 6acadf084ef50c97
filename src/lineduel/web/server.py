"""The server as a whole: what it is made of, how it starts and how it stops."""

import asyncio
import gc
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from litestar import Litestar, Router
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from sqlalchemy.exc import SQLAlchemyError

from lineduel import __version__
from lineduel.documents import as_json
from lineduel.errors import LineduelError, NotInstalled, StorageError, TooManyRequests, shown
from lineduel.jobs import LimitedWorkers
from lineduel.storage import data_folder
from lineduel.web.api import (
    ErrorDocument,
    address_of,
    explain,
    explain_mistake,
    explain_request,
    live_handlers,
)
from lineduel.web.api_page import ApiPage
from lineduel.web.connections import (
    ConnectionConfig,
    ConnectionLimits,
    most_connections,
    raise_descriptor_limit,
)
from lineduel.web.database import Database
from lineduel.web.design_api import design_handlers, show_audit_report
from lineduel.web.gallery_api import gallery_handlers
from lineduel.web.hosted_games import AWAY_SECONDS, HostedGames
from lineduel.web.pages import (
    FILES_PATH,
    SECURITY_HEADERS,
    PageFiles,
    show_file,
    show_game_page,
    show_page,
    show_picture,
)
from lineduel.web.request_limits import (
    EVERYWHERE,
    MOST_FROM_ADDRESS,
    PAGE_FILES,
    REQUESTS,
    AddressLimits,
    AllowedHosts,
    has_own_origin,
    is_json,
)
from lineduel.web.rulebook_shelf import RulebookShelf
from lineduel.web.socket import LONGEST_FRAME, POLICY_VIOLATION, LiveSocket
from lineduel.web.status import RequestLog, StorageCheck, show_health, show_metrics
from lineduel.web.study_api import QUESTIONS, study_handlers
from lineduel.web.thinking import Thinkers, get_ready_to_move
from lineduel.web.tournaments import Tournaments, tournament_handlers
from lineduel.web.work_queue import WorkQueue

if TYPE_CHECKING:
    from lineduel.jobs import ClusterWorkers

API_PATH = "/api"
API_HANDLERS = [
    *live_handlers,
    *study_handlers,
    *design_handlers,
    *gallery_handlers,
    *tournament_handlers,
]
"""What programs can ask."""
LARGEST_BODY = 1 << 16
REQUEST_SECONDS = 20.0
"""How long a request may take to arrive."""
WORKER_MEMORY = 2 << 30
"""Bytes that a worker process may use."""
NICENESS = 10
"""Of the processes that solve games: moves, and the server itself, come first."""
_TIDY_EVERY = 5.0
_PRUNE_EVERY = 3600.0
_SECONDS_TO_PRUNE = 1.0
"""How long the start waits for old games to be removed; a game that is asked for stays."""
_TICKS_BETWEEN_CHECKS = 50
"""How often connections are looked at; uvicorn ticks ten times a second."""
_SECONDS_TO_SAY_GOODBYE = 5.0
_SECONDS_TO_END = 1.0
"""How long connections may take to end when the server stops; then they are cut off."""
_GARBAGE_THRESHOLDS = 20_000, 20, 50
"""How seldom garbage is looked for: moves leave no cycles, and it took a third of their time."""
_SWITCH_SECONDS = 0.0005
"""How long the writing thread may wait for the event loop's thread to step aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What can be chosen when the server is started."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 for any that is free."""
    allowed_hosts: Sequence[str] = ()
    """Names by which the server may be asked for, besides loopback and its own address."""
    database: str | None = None
    """An address for SQLAlchemy; None for SQLite in the user's data folder."""
    keep: float | None = None
    """Days after which a game in which nothing happens is removed; None to keep all."""
    connections: int = MOST_FROM_ADDRESS
    """The most connections of one address, HTTP and WebSockets together."""
    proxies: Sequence[str] = ()
    """Addresses or networks of proxies, which are believed when they say who asks."""
    request_seconds: float = REQUEST_SECONDS
    """How long a request may take to arrive."""
    patience: float = AWAY_SECONDS
    """Seconds that a player may be away before the other can claim the game."""
    ping: float = 20.0
    """Seconds between two checks that a guest is still there."""
    tournament: Path | None = None
    """A tournament's file to show, or a folder of them."""
    cluster: str | None = None
    """A Dask cluster that solves games; None for this machine."""
    log: bool = False
    """Whether every request is noted on standard error."""


def openapi_document() -> dict[str, Any]:
    """The HTTP interface as an OpenAPI document, the same that a running server has."""
    return Litestar(_route_handlers(), openapi_config=_openapi_config()).openapi_schema.to_schema()


def _route_handlers() -> list[Any]:
    api = Router(API_PATH, route_handlers=API_HANDLERS, dependencies=QUESTIONS)
    return [
        api,
        show_page,
        show_game_page,
        show_picture,
        show_file,
        show_audit_report,
        show_health,
        show_metrics,
    ]


def _openapi_config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="lineduel",
        version=__version__,
        path="/api/docs",
        render_plugins=[
            ApiPage(),
            JsonRenderPlugin(),
            YamlRenderPlugin(path=["/openapi.yaml", "/openapi.yml"]),
        ],
        use_handler_docstrings=True,
    )


_HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""


class LineduelServer:
    """An ASGI application: live games over WebSockets, everything else by Litestar."""

    def __init__(
        self, settings: ServerSettings, database: Database, tournaments: Tournaments
    ) -> None:
        """Serve the games of a database, which is closed in the end, and show tournaments."""
        self._settings = settings
        self._database = database
        self._hosted_games: HostedGames | None = None
        self._workers: list[LimitedWorkers | ClusterWorkers] = []
        """Those that answer questions, not those that play."""
        self._tournaments = tournaments
        self._hosts = AllowedHosts(settings.host, settings.allowed_hosts)
        self._limits = AddressLimits(settings.connections, time.monotonic)
        self._log = RequestLog(sys.stderr, time.time) if settings.log else None
        self._http = Litestar(
            _route_handlers(),
            lifespan=[self._run],
            exception_handlers={
                LineduelError: explain,
                HTTPException: explain_request,
                Exception: explain_mistake,
            },
            request_max_body_size=LARGEST_BODY,
            openapi_config=_openapi_config(),
            before_send=[_add_security_headers],
            logging_config=None,
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._http(scope, receive, send)
            return
        if self._log is not None:
            send = self._log.listening(scope, send)
        if (name := self._hosts.refused(scope)) is not None:
            await _refuse_host(scope, receive, send, name)
            return
        if scope["type"] == "websocket" and self._hosted_games is not None:
            await LiveSocket(self._hosted_games, self._limits, send).serve(scope, receive)
            return
        try:
            rate = PAGE_FILES if scope["path"].startswith(FILES_PATH) else REQUESTS
            self._limits.check(rate, address_of(scope))
        except TooManyRequests as error:
            await _answer(send, 429, str(error))
            return
        if scope["method"] not in _HARMLESS:
            if not has_own_origin(scope):
                await _answer(send, 403, "This comes from a page of another server.")
                return
            if not is_json(scope):
                await _answer(send, 415, "Send JSON: Content-Type: application/json.")
                return
        try:
            await self._http(scope, receive, send)
        except asyncio.CancelledError:  # it waited until the server stopped
            with suppress(RuntimeError):  # the answer has begun
                await _answer(send, 503, "The server is stopping.")

    async def say_goodbye(self) -> None:
        """Store what is under way, and tell everybody that the server stops."""
        self._tournaments.close()
        for workers in self._workers:
            workers.close()
        if self._hosted_games is not None:
            await self._hosted_games.close()
            await asyncio.sleep(0.05)  # for what was said to be sent

    @asynccontextmanager
    async def _run(self, app: Litestar) -> AsyncIterator[None]:
        settings = self._settings
        sys.setswitchinterval(_SWITCH_SECONDS)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GARBAGE_THRESHOLDS)
        database = self._database
        number = max(2, (os.cpu_count() or 1) - 1)
        movers = LimitedWorkers(number, WORKER_MEMORY, prepare=get_ready_to_move)
        readers = LimitedWorkers(number, WORKER_MEMORY)
        here = LimitedWorkers(number, WORKER_MEMORY, NICENESS)
        cluster = settings.cluster and _on_cluster(settings.cluster, here)
        solvers = cluster or here
        searchers = LimitedWorkers(1, WORKER_MEMORY, NICENESS)
        self._workers = [solvers, readers, searchers]
        solving, reading = WorkQueue(solvers), WorkQueue(readers)
        thinkers = Thinkers(WorkQueue(movers), solving)
        shelf = RulebookShelf(reading)
        hosted_games = HostedGames(database, thinkers, shelf, self._limits, settings.patience)
        others = None
        if database.is_shared:
            from lineduel.web.other_processes import OtherProcesses

            others = OtherProcesses(database, hosted_games)
        app.state.update(
            {
                "files": PageFiles(),
                "limits": self._limits,
                "hosts": self._hosts,
                "hosted_games": hosted_games,
                "storage_check": StorageCheck(database.can_store, time.monotonic),
                "students": solving,
                "readers": reading,
                "tournaments": self._tournaments,
                "searchers": WorkQueue(searchers),
            }
        )
        self._hosted_games = hosted_games
        chores = [asyncio.create_task(self._tidy(hosted_games))]
        if settings.keep is not None:
            pruned = asyncio.Event()
            chores.append(asyncio.create_task(self._prune(hosted_games, settings.keep, pruned)))
            with suppress(TimeoutError):  # it goes on meanwhile
                await asyncio.wait_for(pruned.wait(), _SECONDS_TO_PRUNE)
        try:
            yield
        finally:
            self._hosted_games = None
            for chore in chores:
                chore.cancel()
            if others is not None:
                others.close()
            for workers in (movers, *self._workers):
                workers.close()
            if cluster:
                await asyncio.to_thread(cluster.join)
            await asyncio.to_thread(database.close)

    async def _tidy(self, hosted_games: HostedGames) -> None:
        """Free memory, again and again."""
        while True:
            await asyncio.sleep(_TIDY_EVERY)
            hosted_games.tidy()

    async def _prune(self, hosted_games: HostedGames, days: float, pruned: asyncio.Event) -> None:
        """Remove old games, now and every hour."""
        while True:
            with suppress(SQLAlchemyError):  # the database does not answer; the next time it may
                await hosted_games.prune(days)
            pruned.set()
            await asyncio.sleep(_PRUNE_EVERY)


def _on_cluster(address: str, here: LimitedWorkers) -> "ClusterWorkers":
    """Workers that say on standard error when the cluster is lost, and when it is back."""
    from lineduel.jobs import ClusterWorkers

    return ClusterWorkers(
        address, here, WORKER_MEMORY, lambda told: print(told, file=sys.stderr, flush=True)
    )


async def _add_security_headers(message: Any, scope: Any) -> None:
    if message["type"] == "http.response.start":
        given = {name for name, _ in message["headers"]}
        added = (header for header in _HEADERS if header[0] not in given)
        message["headers"] = [*message["headers"], *added]


_HEADERS = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


_LATER = (429, 503)
"""What may be answered otherwise in a moment."""


async def _answer(send: Any, status: int, error: str) -> None:
    """An answer from before Litestar."""
    body = as_json(ErrorDocument(error))
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *([(b"retry-after", b"5")] if status in _LATER else []),
        *_HEADERS,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _refuse_host(scope: Any, receive: Any, send: Any, name: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    error = f"This server is not known as {shown(name)}. Its operator can allow that name."
    await _answer(send, 421, error)


def _default_database() -> str:
    """SQLite in the user's data folder."""
    path = data_folder() / "live.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{shown(path, 300)} cannot be written: {error.strerror}.") from None
    return f"sqlite:///{path}"


def serve(settings: ServerSettings, ready: Callable[[str], None]) -> None:
    """Serve until it is stopped; `ready` is called with the address once it can be opened."""
    if settings.cluster is not None and find_spec("distributed") is None:
        raise NotInstalled("Dask", "cluster")
    listening = _listen(settings.host, settings.port)
    port = listening.getsockname()[1]
    host = EVERYWHERE.get(settings.host, settings.host)
    called = f"[{host}]" if ":" in host else host
    try:
        tournaments = Tournaments(settings.tournament)
        database = Database(settings.database or _default_database(), secrets.token_hex(6))
    except LineduelError:
        listening.close()
        raise
    if database.is_exposed:
        print(
            "Other users of this computer can read the database, and its owner is another user.",
            file=sys.stderr,
        )
    connections = ConnectionLimits(
        most_connections(raise_descriptor_limit()),
        settings.connections,
        [ip_network(one, strict=False) for one in settings.proxies],
    )
    app = LineduelServer(settings, database, tournaments)
    config = ConnectionConfig(
        app,
        connections,
        settings.request_seconds,
        ws_ping_interval=settings.ping,
        ws_ping_timeout=settings.ping,
        ws_per_message_deflate=False,
        ws_max_size=LONGEST_FRAME,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        log_config=None,
        log_level="error",  # what is not HTTP is answered, and that is all
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    server = _Server(config, app, lambda: ready(f"http://{called}:{port}/"))
    server.run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError, UnicodeError) as error:
        listening.close()
        why = error.strerror if isinstance(error, OSError) else "there is no such address"
        raise StorageError(
            f"The server cannot listen on {shown(host)}, port {port}: {why}."
        ) from None
    return listening


class _Server(uvicorn.Server):
    """Says when it is ready, ends connections that are stuck, and says goodbye before it stops."""

    def __init__(
        self, config: ConnectionConfig, app: LineduelServer, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._app = app
        self._connections = config.connection_limits
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS_BETWEEN_CHECKS == 0:
            self._connections.end_stuck(time.monotonic())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # new connections are refused
        with suppress(TimeoutError):
            await asyncio.wait_for(self._app.say_goodbye(), _SECONDS_TO_SAY_GOODBYE)
        loop = asyncio.get_running_loop()
        loop.call_later(_SECONDS_TO_END, self._connections.end_all)
        await super().shutdown(sockets)
        if self.force_exit:  # uvicorn would cut the application off, which complains
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let a hangup, too, stop the server in good order before it ends the program."""
        with super().capture_signals(), _handling("SIGHUP", self.handle_exit):
            yield


@contextmanager
def _handling(name: str, handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Meanwhile handle a signal, if the platform has it and it is not ignored."""
    number = getattr(signal, name, None)
    if number is None or signal.getsignal(number) is signal.SIG_IGN:
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)
