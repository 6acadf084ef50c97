"""The connections of the server: how many there may be, and what one may send, and how long."""

import asyncio
import os
import socket
import struct
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network
from typing import Any, NamedTuple

import uvicorn
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from lineduel.documents import as_json
from lineduel.web.api import ErrorDocument
from lineduel.web.pages import SECURITY_HEADERS
from lineduel.web.request_limits import is_in, share_of

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

LONGEST_HEAD = 1 << 14
"""Bytes of a request before its body."""
MOST_HEADERS = 100
LONGEST_REQUEST = 1 << 20
"""Bytes of a request in all: its body is far shorter, but may come in small parts."""
MOST_UNANSWERED = 32
"""Requests that a client may send before the first of them is answered."""
BACKLOG = 128
"""Connections that may wait to be taken; fewer than the descriptors that are kept free."""
SECONDS_UNREAD = 60.0
"""How long a client may leave unread what it was sent."""
SECONDS_TO_CLOSE = 10.0
"""How long a connection may take to end."""
MOST_UNREAD = 1 << 20
"""Bytes that a WebSocket may leave unread; then it is cut off, and may come back."""
SECONDS_FOR_GOODBYE = 1.0
"""How long its client may take to read what was said at the end."""
CONNECTION = "lineduel.connection"
"""Where the application finds the connection of a WebSocket, among the extensions of its scope."""
_SYSTEM_BUFFER = 1 << 16
"""Bytes that the system keeps for a WebSocket; by itself it would take millions."""
_MOST_DESCRIPTORS = 1 << 16
_KNOWN_DESCRIPTORS = 1024
"""How many there are where the platform does not say."""
_SLICE = 1 << 14
"""Bytes that are read at a time, so that no more than these are held beyond a limit."""


def raise_descriptor_limit() -> int:
    """Let this process have as many files and connections open as it may; how many that is."""
    if resource is None:
        return _KNOWN_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # the platform has another limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else min(soft, _MOST_DESCRIPTORS)


def most_connections(descriptors: int) -> int:
    """How many connections fit beside the database, the workers and those being refused."""
    own = BACKLOG + 16 + 8 * (os.cpu_count() or 1)
    return max(descriptors - own, descriptors // 4)


class _Connection(NamedTuple):
    """A connection that was let in."""

    share: str
    """Whose it is: an address, or a network of them."""
    is_proxy: bool


class ConnectionLimits:
    """Which connections are let in; those that do not end by themselves are ended."""

    def __init__(
        self, most: int, each: int, proxies: Sequence[IPv4Network | IPv6Network] = ()
    ) -> None:
        """At most `most` in all and `each` from one address; a proxy speaks for many addresses."""
        self._most, self._each, self._proxies = most, each, proxies
        self._open: dict[asyncio.Transport, _Connection] = {}
        self._shares: Counter[str] = Counter()
        self._unread: dict[asyncio.Transport, float] = {}
        """Since when a client has left something unread."""
        self._closing: dict[asyncio.Transport, float] = {}

    def let_in(self, transport: asyncio.Transport, address: str) -> bool:
        """Whether there may be one more connection from an address; it is counted then.

        No address may have more than half of what is left, whatever others have: each that comes
        leaves some for the next.
        """
        left = self._most - len(self._open)
        one = _Connection(share_of(address), is_in(address, self._proxies))
        has = self._shares[one.share]
        if left <= 0 or (not one.is_proxy and (has >= self._each or 2 * has >= left)):
            return False
        self._open[transport] = one
        self._shares[one.share] += 1
        return True

    def note_end(self, transport: asyncio.Transport) -> None:
        """A connection has ended, whether it was let in or not."""
        self._unread.pop(transport, None)
        self._closing.pop(transport, None)
        if (one := self._open.pop(transport, None)) is not None:
            self._shares[one.share] -= 1
            if not self._shares[one.share]:
                del self._shares[one.share]

    def end_stuck(self, now: float) -> None:
        """End the connections whose clients read nothing, or do not let them end."""
        for transport in list(self._open):
            _note_since(self._closing, transport, transport.is_closing(), now)
            _note_since(self._unread, transport, transport.get_write_buffer_size() > 0, now)
            if (
                now - self._closing.get(transport, now) > SECONDS_TO_CLOSE
                or now - self._unread.get(transport, now) > SECONDS_UNREAD
            ):
                transport.abort()

    def end_all(self) -> None:
        """End every connection at once, whatever has not been sent."""
        for transport in list(self._open):
            transport.abort()


def _note_since(
    since: dict[asyncio.Transport, float],
    transport: asyncio.Transport,
    is_so: bool,
    now: float,
) -> None:
    if is_so:
        since.setdefault(transport, now)
    else:
        since.pop(transport, None)


class ConnectionConfig(uvicorn.Config):
    """Uvicorn's settings, and the limits that its connections keep to."""

    def __init__(
        self, app: Any, limits: ConnectionLimits, request_seconds: float, **options: Any
    ) -> None:
        self.connection_limits = limits
        self.request_seconds = request_seconds
        """How long a request may take to arrive."""
        super().__init__(
            app,
            http=HttpConnection,
            ws=WebSocketConnection,
            backlog=BACKLOG,
            **options,
        )


class HttpConnection(HttpToolsProtocol):
    """A connection whose requests have to be short and quick."""

    config: ConnectionConfig
    _received = 0
    """Bytes of the request that is coming in."""
    _is_in_body = False
    _is_refused = False
    _deadline: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._unanswered: deque[RequestResponseCycle] = deque()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not self.config.connection_limits.let_in(transport, address):
            self._refuse(429, "Too many connections from your address.")
            return
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        self.config.connection_limits.note_end(self.transport)
        for cycle in self._unanswered:  # uvicorn thinks of the last one only
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), _SLICE):
            if self._is_refused or self.transport.is_closing():
                return
            if not self._is_in_body:
                self._expect_request()
            part = data[at : at + _SLICE]
            self._received += len(part)
            super().data_received(part)
            if self.transport.get_protocol() is not self:
                return  # it is a WebSocket now
            if self._received > (LONGEST_REQUEST if self._is_in_body else LONGEST_HEAD):
                self._refuse_head()

    def handle_websocket_upgrade(self) -> None:
        self._expect_nothing()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """An answer to what is not HTTP; nothing where the head was refused already."""
        if not self._is_refused:
            self._refuse(400, "The request is not understood.")

    def on_message_begin(self) -> None:
        self._expect_request()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > MOST_HEADERS:
            self._refuse_head()
            raise ValueError("too many headers")  # the parser stops

    def on_headers_complete(self) -> None:
        length = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if length > LONGEST_HEAD:
            self._refuse_head()
            raise ValueError("the head is too long")  # as above
        if len(self._unanswered) >= MOST_UNANSWERED:
            self._refuse(429, "Too many requests at once.")
            raise ValueError("too many requests at once")  # as above
        self._is_in_body = True
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            self._unanswered.append(self.cycle)

    def on_message_complete(self) -> None:
        self._received = 0
        self._is_in_body = False
        self._expect_nothing()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._unanswered.popleft()
        super().on_response_complete()

    def shutdown(self) -> None:
        """Wait for an answer that is being made, but for no part of a request."""
        if self._deadline is not None:
            self.transport.abort()
        else:
            super().shutdown()

    def _expect_request(self) -> None:
        if self._deadline is None:
            seconds = self.config.request_seconds
            self._deadline = self.loop.call_later(seconds, self._give_up)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self._received:
            self._refuse(408, "The request took too long to arrive.")
        else:
            self.transport.close()  # nobody asked

    def _refuse_head(self) -> None:
        self._refuse(431, "The headers of the request are too long.")

    def _refuse(self, status: int, error: str) -> None:
        """Say why, unless there is another answer already, and end the connection."""
        self._is_refused = True
        self._expect_nothing()
        if self._unanswered or self._is_in_body:
            self.transport.abort()
        else:
            body = as_json(ErrorDocument(error))
            headers = {
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
                "Connection": "close",
                **SECURITY_HEADERS,
            }
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            self.transport.write(STATUS_LINE[status] + lines.encode() + b"\r\n" + body)
            self.transport.close()


class WebSocketConnection(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with a way to send that never waits, never raises and lets nobody stay.

    A client that stops reading leaves its transport open for ever, because what is left in the
    buffer can never be sent. So it is aborted wherever uvicorn would only close it.
    """

    config: ConnectionConfig
    hear: Callable[[bytes], None] | None = None
    """What takes messages as soon as they come."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, with little room in the system, so that it is known here what is not read."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SYSTEM_BUFFER)

    def handle_connect(self, event: Any) -> None:
        """Begin the handshake, and let the application find this connection."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][CONNECTION] = self  # type: ignore[assignment]

    def post(self, frame: bytes) -> None:
        """Send a frame after those before it; a client that leaves too much unread is cut off."""
        transport = self.transport
        if self.close_sent or self.conn.state is not State.OPEN or transport.is_closing():
            return
        if transport.get_write_buffer_size() > MOST_UNREAD:
            transport.abort()
            return
        transport.write(_head(len(frame)) + frame)

    def send_receive_event_to_app(self) -> None:
        """Hand a whole message on, at once to those who wait for none."""
        if self.hear is None or self.close_sent or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        message, self.frames = b"".join(self.frames), []
        self.hear(message)

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.connection_limits.note_end(self.transport)
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """The client has not answered for too long."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops: close, and do not wait for a client that does not read."""
        super().shutdown()
        self.let_go()

    def let_go(self) -> None:
        """Nothing more is to be said: end the connection, whether or not the client reads."""
        self.loop.call_later(SECONDS_FOR_GOODBYE, self.transport.abort)


def _head(size: int) -> bytes:
    """What stands before a text of this many bytes: it is all in one frame, and not masked."""
    if size < 126:
        return bytes((0x81, size))
    return struct.pack("!BBH" if size < 1 << 16 else "!BBQ", 0x81, 126 + (size >> 16 > 0), size)
