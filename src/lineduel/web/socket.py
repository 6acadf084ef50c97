"""The WebSocket of a live game: who comes in with a token, and what is sent to whom."""

import asyncio
import re
import socket
import struct
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from lineduel.documents import LiveBye, as_json
from lineduel.errors import LineduelError, TooManyRequests
from lineduel.play import NO_SIDES, Sides
from lineduel.web.api import address_of
from lineduel.web.hosted_game import NOTHING_SENT
from lineduel.web.hosted_games import HostedGames, refused
from lineduel.web.request_limits import FRAMES, AddressLimits, Bucket

Scope = Any
Receive = Any
Send = Any
"""The three parts of ASGI; its messages are dictionaries without types."""

PATH = re.compile(r"/api/live/([0-9a-z]{1,40})/socket")
SECONDS_TO_GREET = 10.0
"""How long a connection may wait before it shows its token."""
LONGEST_FRAME = 2048
MOST_UNREAD = 1 << 20
"""Bytes that a client may leave unread; then it is cut off, and may come back."""
_SYSTEM_BUFFER = 1 << 16
"""Bytes that the system keeps for a client; by itself it would take millions."""
_SECONDS_TO_CLOSE = 1.0
"""How long a client may take to read what was said to it at the end."""
POLICY_VIOLATION = 1008
"""The status of a WebSocket that is closed for what its client does."""
_EXTENSION = "lineduel.outlet"


class Outlet(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with a way to send that never waits, never raises and lets nobody stay.

    A client that stops reading leaves its transport open for ever, because what is left in the
    buffer can never be sent. So it is aborted wherever uvicorn would only close it.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, with little room in the system, so that it is known here what is not read."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SYSTEM_BUFFER)

    hear: Callable[[bytes], None] | None = None
    """What takes messages as soon as they come."""

    def handle_connect(self, event: Any) -> None:
        """Begin the handshake, and let the application find this outlet."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][_EXTENSION] = self  # type: ignore[assignment]

    def post(self, frame: str) -> None:
        """Send a frame after those before it; a client that leaves too much unread is cut off."""
        transport = self.transport
        if self.close_sent or self.conn.state is not State.OPEN or transport.is_closing():
            return
        if transport.get_write_buffer_size() > MOST_UNREAD:
            transport.abort()
            return
        text = frame.encode()
        transport.write(_head(len(text)) + text)

    def send_receive_event_to_app(self) -> None:
        """Hand a whole message on, at once to those who wait for none."""
        if self.hear is None or self.close_sent or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        message, self.frames = b"".join(self.frames), []
        self.hear(message)

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
        self.loop.call_later(_SECONDS_TO_CLOSE, self.transport.abort)


def _head(size: int) -> bytes:
    """What stands before a text of this many bytes: it is all in one frame, and not masked."""
    if size < 126:
        return bytes((0x81, size))
    return struct.pack("!BBH" if size < 1 << 16 else "!BBQ", 0x81, 126 + (size >> 16 > 0), size)


class Greeting(msgspec.Struct, forbid_unknown_fields=True):
    """The first frame of a connection."""

    token: str
    key: str | None = None
    version: int | None = None
    """What the client has seen of the game already: it is sent what is missing."""


_greetings = msgspec.json.Decoder(Greeting)


class LiveSocket:
    """One connection to a live game."""

    __slots__ = ("_hosted_games", "_limits", "_outlet", "_send", "address", "seen", "sides")

    def __init__(self, hosted_games: HostedGames, limits: AddressLimits, send: Send) -> None:
        self.address = ""
        self.sides: Sides = NO_SIDES
        self.seen = NOTHING_SENT
        self.address = ""
        self._hosted_games = hosted_games
        self._limits = limits
        self._send = send
        self._outlet: Outlet | None = None

    async def serve(self, scope: Scope, receive: Receive) -> None:
        """Take the connection from its first frame to its end."""
        found = PATH.fullmatch(scope["path"])
        self.address = address_of(scope)
        self._outlet = outlet = scope["extensions"][_EXTENSION]
        await receive()
        if not found or not has_own_origin(scope) or not self._limits.connect(self.address):
            await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        try:
            await self._send({"type": "websocket.accept"})
            await self._talk(found[1], receive)
        except OSError:
            pass  # the client is gone
        finally:
            self._limits.disconnect(self.address)
            outlet.let_go()

    async def _talk(self, id: str, receive: Receive) -> None:
        try:
            frame = await asyncio.wait_for(_next_frame(receive), SECONDS_TO_GREET)
            if frame is None:
                return
            greeting = _greetings.decode(frame)
            hosted = await self._hosted_games.find(id)
            self.sides = await self._hosted_games.admit(hosted, greeting.token, greeting.key)
            self._hosted_games.enter(hosted, self, greeting.version)
        except LineduelError as error:
            await self._close(str(error))
            return
        except (msgspec.DecodeError, UnicodeDecodeError, TimeoutError):
            await self._close("The first message is not understood.")
            return
        clock = asyncio.get_running_loop().time
        bucket = Bucket(FRAMES, clock())

        def hear(frame: str | bytes) -> None:
            try:
                if not bucket.take(FRAMES, clock()):
                    raise TooManyRequests("Too many messages. Wait a moment.")
                self._limits.check(self._limits.frames, self.address)
            except TooManyRequests as error:
                self.post(refused(None, str(error)))
            else:
                self._hosted_games.hear(hosted, self, frame)

        try:
            if self._outlet is not None:
                self._outlet.hear = hear
            while (frame := await _next_frame(receive)) is not None:
                hear(frame)
        finally:
            self._hosted_games.leave(hosted, self)

    def post(self, frame: str) -> None:
        """Send a frame after those before it; this neither raises nor waits."""
        if self._outlet is not None:
            self._outlet.post(frame)

    def dismiss(self, error: str) -> None:
        """Say why, and end the connection."""
        self.post(as_json(LiveBye(error=error, again=False)).decode())
        self._hosted_games.begin(self._end())

    async def _close(self, error: str) -> None:
        self.post(as_json(LiveBye(error=error, again=False)).decode())
        await self._end()

    async def _end(self) -> None:
        await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})


async def _next_frame(receive: Receive) -> str | bytes | None:
    """What the client sends; None when it is gone."""
    message = await receive()
    if message["type"] != "websocket.receive":
        return None
    frame: str | bytes = message.get("text") or message.get("bytes") or ""
    return frame


def has_own_origin(scope: Scope) -> bool:
    """Whether a page of this server asks, or a program other than a browser."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    if origin is None:
        return True
    host = str(headers.get(b"host", b""), "latin-1")
    return urlsplit(str(origin, "latin-1")).netloc == host
