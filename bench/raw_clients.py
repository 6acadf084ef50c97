"""Clients that cost as little as possible, so that a load generator does not measure itself."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import cast

_MASK = b"\0\0\0\0"
"""A mask of zeros leaves the text as it is, and is as valid as any other."""


class WebSocketClient(asyncio.Protocol):
    """A WebSocket that sends small texts, and hands on what comes."""

    def __init__(
        self, host: str, path: str, heard: Callable[["WebSocketClient", bytes], None]
    ) -> None:
        self._host, self._path, self._heard = host, path, heard
        self._buffer = b""
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send(self, text: bytes) -> None:
        size = len(text)
        head = bytes((0x81, 0x80 | size)) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        self.transport.write(head + _MASK + text)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._is_open:
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if b" 101 " not in head[:20]:
                raise ConnectionError(head[:100].decode())
            self._is_open = True
            self.opened.set_result(None)
        at = 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                if len(buffer) - at < 4:
                    break
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            if len(buffer) < start + size:
                break
            if buffer[at] == 0x81:
                self._heard(self, buffer[start : start + size])
            elif buffer[at] == 0x89:  # a ping
                self.transport.write(
                    bytes((0x8A, 0x80 | size)) + _MASK + buffer[start : start + size]
                )
            at = start + size
        self._buffer = buffer[at:]


class PostClient(asyncio.Protocol):
    """Sends the same POST again as soon as it is answered."""

    def __init__(self, host: str, path: str) -> None:
        body = b"{}"
        self._request = (
            f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        self.answers = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self.answers += 1  # an empty answer comes in one piece
        self.transport.write(self._request)
