"""The WebSocket of a live game: who comes in with a token, and what is sent to whom."""

import asyncio
import re
from typing import Any

import msgspec

from lineduel.documents import LiveBye, as_json
from lineduel.errors import LineduelError, TooManyRequests
from lineduel.play import NO_SIDES, Sides
from lineduel.web.api import address_of
from lineduel.web.connections import CONNECTION, WebSocketConnection
from lineduel.web.hosted_game import NOTHING_SENT
from lineduel.web.hosted_games import HostedGames
from lineduel.web.request_limits import FRAMES, AddressLimits, Bucket, has_own_origin

Scope = Any
Receive = Any
Send = Any
"""The three parts of ASGI; its messages are dictionaries without types."""

PATH = re.compile(r"/api/live/([0-9a-z]{1,40})/socket")
SECONDS_TO_GREET = 10.0
"""How long a connection may wait before it shows its token."""
LONGEST_FRAME = 2048
POLICY_VIOLATION = 1008
"""The status of a WebSocket that is closed for what its client does."""


class Greeting(msgspec.Struct, forbid_unknown_fields=True):
    """The first frame of a connection."""

    token: str
    key: str | None = None
    version: int | None = None
    """What the client has seen of the game already: it is sent what is missing."""


_greetings = msgspec.json.Decoder(Greeting)


class LiveSocket:
    """One connection to a live game."""

    __slots__ = ("_connection", "_hosted_games", "_limits", "_send", "address", "seen", "sides")

    def __init__(self, hosted_games: HostedGames, limits: AddressLimits, send: Send) -> None:
        self.address = ""
        self.sides: Sides = NO_SIDES
        self.seen = NOTHING_SENT
        self._hosted_games = hosted_games
        self._limits = limits
        self._send = send
        self._connection: WebSocketConnection | None = None

    async def serve(self, scope: Scope, receive: Receive) -> None:
        """Take the connection from its first frame to its end."""
        found = PATH.fullmatch(scope["path"])
        self.address = address_of(scope)
        self._connection = connection = scope["extensions"][CONNECTION]
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
            connection.hear = None  # so that neither holds the other
            connection.let_go()

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
            too_many: TooManyRequests | None = None
            try:
                if not bucket.take(FRAMES, clock()):
                    raise TooManyRequests("Too many messages. Wait a moment.")
                self._limits.check(self._limits.frames, self.address)
            except TooManyRequests as error:
                too_many = error
            self._hosted_games.hear(hosted, self, frame, too_many)

        try:
            if self._connection is not None:
                self._connection.hear = hear
            while (frame := await _next_frame(receive)) is not None:
                hear(frame)
        finally:
            self._hosted_games.leave(hosted, self)

    def post(self, frame: bytes) -> None:
        """Send a frame after those before it; this neither raises nor waits."""
        if self._connection is not None:
            self._connection.post(frame)

    def dismiss(self, error: str) -> None:
        """Say why, and end the connection, whether or not the client reads it."""
        self.post(as_json(LiveBye(error=error, again=False)))
        if self._connection is not None:
            self._connection.let_go()
        self._hosted_games.begin(self._end())

    async def _close(self, error: str) -> None:
        self.post(as_json(LiveBye(error=error, again=False)))
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
