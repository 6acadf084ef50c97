"""A line of JSON for each request; nothing in it is secret."""

import re
import time
from collections.abc import Callable
from typing import Any, TextIO

import msgspec

_TOKEN = re.compile(r"[siw]\.[A-Za-z0-9_-]{16,}")
_HIDDEN = "…"


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
    """Notes what was asked for and how it was answered; queries, headers and bodies never."""

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
            client=str(scope["client"][0]) if scope.get("client") else "",
        )
        print(msgspec.json.encode(line).decode(), file=self._stream, flush=True)
