"""A server of the Model Context Protocol: an assistant plays, teaches and helps to design."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import partial, wraps
from typing import Any

from lineduel import __version__
from lineduel.agents.duel_tools import DuelTools, ToolAnswer
from lineduel.errors import LineduelError, NotInstalled, TooManyRequests, UnknownPlayer, shown
from lineduel.jobs import LimitedWorkers
from lineduel.web import (
    HARD_WORK,
    MOST_FROM_ADDRESS,
    NEW_GAMES,
    REQUESTS,
    AddressLimits,
    AllowedHosts,
    Rate,
    has_own_origin,
)

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    raise NotInstalled("mcp", "mcp") from None

LARGEST_REQUEST = 1 << 20
SECONDS_TO_WORK = 60.0
"""How long one rulebook is solved or audited for a request over HTTP."""
SECONDS_TO_ANSWER = 180.0
"""How long a request over HTTP may take in all, its body included: two audits, and the wait."""
_WORKER_MEMORY = 2 << 30
"""Bytes of data of the process that solves and audits for requests over HTTP."""
_NICENESS = 10
_SECONDS_TO_END = 2
MCP_PATH = "/mcp"
_INSTRUCTIONS = (
    "Duels on a line of cells for two players. Start a game and play it with its seat's key, or "
    "ask for rules, exact values, hints with reasons, reviews, and audits of rulebooks. A move is "
    "written as the piece and a signed number of cells, such as P1-B+2. In a battle both sides "
    "choose a number in secret; nobody sees a number before both have chosen."
)
_RATES = {
    "start_game": NEW_GAMES,
    **dict.fromkeys(("values", "hint", "review", "audit", "compare"), HARD_WORK),
}
"""How often one address may call a tool, besides the limit of its requests."""
RateCheck = Callable[[Rate], None]
"""Counts a call of a client, and raises where that is one too many."""


def make_server(
    tools: DuelTools | None = None, check: RateCheck = lambda rate: None
) -> "MCPServer[Any]":
    """The server with all tools, ready for any transport."""
    tools = tools or DuelTools()
    server: MCPServer[Any] = MCPServer(
        "lineduel", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tool in (
        tools.list_games,
        tools.rules,
        tools.start_game,
        tools.game_state,
        tools.legal_moves,
        tools.play_move,
        tools.choose_number,
        tools.resign,
        tools.values,
        tools.hint,
        tools.review,
        tools.audit,
        tools.compare,
    ):
        server.add_tool(_told(tool, check), name=tool.__name__, description=tool.__doc__)
    return server


def _told(tool: Callable[..., ToolAnswer], check: RateCheck) -> Callable[..., ToolAnswer]:
    """A tool whose refusals reach the client as sentences."""

    @wraps(tool)
    def told(*args: Any, **kwargs: Any) -> ToolAnswer:
        try:
            if (rate := _RATES.get(tool.__name__)) is not None:
                check(rate)
            return tool(*args, **kwargs)
        except (LineduelError, UnknownPlayer) as error:
            raise ToolError(str(error)) from None

    return told


# Over HTTP

_address: ContextVar[str] = ContextVar("_address")
"""Who asks."""


def http_app(
    host: str = "127.0.0.1",
    allowed: tuple[str, ...] = (),
    clock: Callable[[], float] = time.monotonic,
) -> Any:
    """The server as an ASGI application, with the limits of the game server."""
    from mcp.server.transport_security import TransportSecuritySettings

    hosts, limits = AllowedHosts(host, allowed), AddressLimits(MOST_FROM_ADDRESS, clock)
    workers = LimitedWorkers(1, _WORKER_MEMORY, _NICENESS)
    tools = DuelTools(work=partial(workers.run, seconds=SECONDS_TO_WORK), asker=_address.get)
    app = make_server(tools, lambda rate: limits.check(rate, _address.get())).streamable_http_app(
        streamable_http_path=MCP_PATH,
        max_request_body_size=LARGEST_REQUEST,
        # The limits below know which names this server has.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        host=host,
    )

    async def limited(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            if scope["type"] == "lifespan":  # the server has stopped
                workers.close()
            return
        address = scope["client"][0] if scope["client"] else ""
        if (name := hosts.refused(scope)) is not None:
            await _refuse(send, 403, f"This server is not known as {shown(name)}.")
        elif not has_own_origin(scope):
            await _refuse(send, 403, "This comes from a page of another server.")
        elif not limits.connect(address):
            await _refuse(send, 429, "Too many connections from your address.")
        else:
            _address.set(address)
            try:
                limits.check(REQUESTS, address)
                # What the server itself has to say is the answer to a GET, and has no end.
                async with asyncio.timeout(None if scope["method"] == "GET" else SECONDS_TO_ANSWER):
                    await app(scope, receive, send)
            except TooManyRequests as error:
                await _refuse(send, 429, str(error))
            except TimeoutError:
                with suppress(RuntimeError):  # the answer has begun
                    told = f"The request took longer than {SECONDS_TO_ANSWER:g} seconds."
                    await _refuse(send, 408, told)
            except asyncio.CancelledError:  # it has no end, or did not end in time
                with suppress(RuntimeError):  # the answer has begun
                    await _refuse(send, 503, "The server is stopping.")
            finally:
                limits.disconnect(address)

    return limited


async def _refuse(send: Any, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json")]
    if status == 429:
        headers.append((b"retry-after", b"5"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def serve_stdio() -> None:
    """Serve over standard input and output, until the input ends."""
    make_server().run("stdio")


def serve_http(host: str, port: int, allowed: tuple[str, ...] = ()) -> None:
    """Serve over HTTP, until it is stopped."""
    import uvicorn

    uvicorn.run(
        http_app(host, allowed),
        host=host,
        port=port,
        log_level="warning",
        timeout_graceful_shutdown=_SECONDS_TO_END,  # some answers have no end
    )
