"""The WebSocket of a live game: who comes in with a token, and what is sent to whom."""

import asyncio
import re
import types
from collections.abc import Generator
from contextlib import suppress
from typing import Any

import msgspec

from lineduel.documents import LiveBye, as_json
from lineduel.errors import LineduelError
from lineduel.play import NO_SIDES, Sides
from lineduel.web.api import address_of
from lineduel.web.hosted_game import NOTHING_SENT
from lineduel.web.hosted_games import HostedGames, refused
from lineduel.web.request_limits import FRAMES, AddressLimits, Bucket, has_own_origin

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
POLICY_VIOLATION = 1008
"""The status of a WebSocket that is closed for what its client does."""


class Greeting(msgspec.Struct, forbid_unknown_fields=True):
    """The first frame of a connection."""

    token: str
    key: str | None = None


_greetings = msgspec.json.Decoder(Greeting)


class LiveSocket:
    """One connection to a live game."""

    __slots__ = (
        "_hosted_games",
        "_is_closed",
        "_limits",
        "_send",
        "_sending",
        "_waiting",
        "seen",
        "sides",
    )

    def __init__(self, hosted_games: HostedGames, limits: AddressLimits, send: Send) -> None:
        self.sides: Sides = NO_SIDES
        self.seen = NOTHING_SENT
        self._hosted_games = hosted_games
        self._limits = limits
        self._send = send
        self._waiting: list[str] = []
        self._sending: asyncio.Task[None] | None = None
        self._is_closed = False

    async def serve(self, scope: Scope, receive: Receive) -> None:
        """Take the connection from its first frame to its end."""
        found = PATH.fullmatch(scope["path"])
        address = address_of(scope)
        await receive()
        if not found or not has_own_origin(scope) or not self._limits.connect(address):
            await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        try:
            await self._send({"type": "websocket.accept"})
            await self._talk(found[1], receive)
        except OSError:
            pass  # the client is gone
        finally:
            self._limits.disconnect(address)

    async def _talk(self, id: str, receive: Receive) -> None:
        try:
            frame = await asyncio.wait_for(_next_frame(receive), SECONDS_TO_GREET)
            if frame is None:
                return
            greeting = _greetings.decode(frame)
            hosted = await self._hosted_games.find(id)
            self.sides = await self._hosted_games.admit(hosted, greeting.token, greeting.key)
            hosted = self._hosted_games.current(hosted)
            self._hosted_games.enter(hosted, self)
        except LineduelError as error:
            await self._close(str(error))
            return
        except (msgspec.DecodeError, UnicodeDecodeError, TimeoutError):
            await self._close("The first message is not understood.")
            return
        clock = asyncio.get_running_loop().time
        bucket = Bucket(FRAMES, clock())
        try:
            while (frame := await _next_frame(receive)) is not None:
                if bucket.take(FRAMES, clock()):
                    self._hosted_games.hear(self._hosted_games.current(hosted), self, frame)
                else:
                    self.post(refused(None, "Too many messages. Wait a moment."))
        finally:
            self._is_closed = True
            self._hosted_games.leave(self._hosted_games.current(hosted), self)

    def post(self, frame: str) -> None:
        """Send a frame after those before it; this neither raises nor waits.

        A client that leaves too many unread is disconnected.
        """
        if self._is_closed:
            return
        if self._sending is not None:
            self._waiting.append(frame)
            if len(self._waiting) > _MOST_WAITING:
                self._is_closed = True
                self._waiting.clear()
            return
        # Sending is over at its first step, unless the client does not read: no task is needed.
        step = self._send({"type": "websocket.send", "text": frame})
        try:
            waiting_for = step.send(None)
        except StopIteration:
            return
        except Exception:  # whatever the server makes of a client that is gone, others go on
            self._is_closed = True
            return
        loop = asyncio.get_running_loop()
        self._sending = loop.create_task(self._send_rest(step, waiting_for))

    async def _send_rest(self, step: Any, waiting_for: Any) -> None:
        """Go on with a frame that has to wait, and with those after it."""
        try:
            await _continued(step, waiting_for)
            while self._waiting:
                await self._send({"type": "websocket.send", "text": self._waiting.pop(0)})
            if self._is_closed:
                await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})
        except Exception:  # as above
            self._is_closed = True
        finally:
            self._sending = None

    async def _close(self, error: str) -> None:
        """Say why, and close the connection."""
        self._is_closed = True
        bye = as_json(LiveBye(error=error, again=False)).decode()
        with suppress(OSError, RuntimeError):  # the client is gone
            await self._send({"type": "websocket.send", "text": bye})
            await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})


@types.coroutine
def _continued(step: Any, waiting_for: Any) -> Generator[Any, Any, None]:
    """Take over a coroutine that has been started, and waits for something."""
    yield waiting_for
    yield from step


async def _next_frame(receive: Receive) -> str | bytes | None:
    """What the client sends; None when it is gone."""
    message = await receive()
    if message["type"] != "websocket.receive":
        return None
    frame: str | bytes = message.get("text") or message.get("bytes") or ""
    return frame
