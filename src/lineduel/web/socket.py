"""The WebSocket of a live game: who comes in with a token, and what is sent to whom."""

import asyncio
import re
from collections import deque
from typing import Any
from urllib.parse import urlsplit

import msgspec

from lineduel.documents import LiveBye, as_json
from lineduel.errors import LineduelError
from lineduel.web.rooms import Guest, Refused, Rooms

Scope = Any
Receive = Any
Send = Any
"""The three parts of ASGI; its messages are dictionaries without types."""

PATH = re.compile(r"/api/live/([0-9a-z]{1,40})/socket")
SECONDS_TO_GREET = 10.0
"""How long a connection may wait before it shows its token."""
LONGEST_FRAME = 2048
_MOST_WAITING = 64
"""Frames that a slow client may leave unread; then it is disconnected, and may come back."""
_POLICY, _GOING_AWAY = 1008, 1001


class _Greeting(msgspec.Struct, forbid_unknown_fields=True):
    """The first frame of a connection."""

    token: str
    key: str | None = None


_greetings = msgspec.json.Decoder(_Greeting)


class LiveSocket:
    """One connection to a live game."""

    def __init__(self, rooms: Rooms, send: Send) -> None:
        self._rooms = rooms
        self._send = send
        self._waiting: deque[str] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._is_closed = False

    async def serve(self, scope: Scope, receive: Receive) -> None:
        """Take the connection from its first frame to its end."""
        found = PATH.fullmatch(scope["path"])
        await receive()
        if not found or not has_own_origin(scope):
            await self._send({"type": "websocket.close", "code": _POLICY})
            return
        await self._send({"type": "websocket.accept"})
        try:
            frame = await asyncio.wait_for(_next_frame(receive), SECONDS_TO_GREET)
            if frame is None:
                return
            room = await self._rooms.find(found[1])
            if room is None:
                raise Refused("There is no such game.")
            greeting = _greetings.decode(frame)
            sides = await self._rooms.admit(room, greeting.token, greeting.key)
        except LineduelError as error:
            await self.close(str(error))
            return
        except (msgspec.DecodeError, UnicodeDecodeError, TimeoutError):
            await self.close("The first message is not understood.")
            return
        guest = Guest(sides, self.post)
        self._rooms.enter(room, guest)
        try:
            while (frame := await _next_frame(receive)) is not None:
                room = self._rooms.current(room)
                self._rooms.hear(room, guest, frame)
        finally:
            self._is_closed = True
            self._rooms.leave(self._rooms.current(room), guest)

    def post(self, frame: str) -> None:
        """Send a frame when those before it are sent."""
        if self._is_closed:
            return
        self._waiting.append(frame)
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_waiting())
        elif len(self._waiting) > _MOST_WAITING:
            self._is_closed = True
            self._waiting.clear()

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                await self._send({"type": "websocket.send", "text": self._waiting.popleft()})
            if self._is_closed:
                await self._send({"type": "websocket.close", "code": _POLICY})
        except OSError:
            self._is_closed = True  # the client is gone
        finally:
            self._sending = None

    async def close(self, error: str, again: bool = False) -> None:
        """Say why, and close the connection."""
        self._is_closed = True
        bye = as_json(LiveBye(error=error, again=again)).decode()
        await self._send({"type": "websocket.send", "text": bye})
        await self._send({"type": "websocket.close", "code": _GOING_AWAY if again else _POLICY})


async def _next_frame(receive: Receive) -> str | bytes | None:
    """What the client sends; None when it is gone, or sends too much at once."""
    message = await receive()
    if message["type"] != "websocket.receive":
        return None
    frame: str | bytes = message.get("text") or message.get("bytes") or ""
    return frame if len(frame) <= LONGEST_FRAME else None


def has_own_origin(scope: Scope) -> bool:
    """Whether a page of this server asks, or a program that is no browser."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    if origin is None:
        return True
    return urlsplit(origin.decode("latin-1")).netloc == headers.get(b"host", b"").decode("latin-1")
