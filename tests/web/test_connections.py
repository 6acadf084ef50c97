"""Connections to a real server: how many, how long, how much, and how they end."""

import json
import selectors
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from lineduel.web.connections import MOST_HEADERS, MOST_UNREAD, WebSocketConnection
from lineduel.web.server import LARGEST_BODY
from lineduel.web.socket import LONGEST_FRAME
from support.program import wait_until
from support.web_server import SECONDS, Server

HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
KILOBYTE = 1 << 10
OTHER_ADDRESS = "127.0.0.2"
"""All of 127.0.0.0/8 is this computer."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that waits a second for a request, and has 256 descriptors."""
    options = ("--request-timeout", "1")
    with Server(tmp_path_factory.mktemp("data"), *options, descriptors=256) as server:
        yield server


def opened(server: Server, address: str = "127.0.0.1") -> socket.socket:
    """A connection from that address."""
    return socket.create_connection(("127.0.0.1", server.port), SECONDS, (address, 0))


def answer_of(connection: socket.socket) -> bytes:
    """All that is answered before the connection ends."""
    answer = b""
    try:
        while part := connection.recv(1 << 16):
            answer += part
    except ConnectionResetError:
        pass
    return answer


def is_answered(server: Server, address: str) -> bool:
    """Whether somebody at that address gets an answer."""
    with opened(server, address) as connection:
        try:
            connection.sendall(HEAD + b"Connection: close\r\n\r\n")
        except ConnectionError:
            return False
        return answer_of(connection).startswith(b"HTTP/1.1 200 ")


def ended(connections: list[socket.socket]) -> int:
    """How many of them the server has closed."""
    with selectors.DefaultSelector() as selector:
        for one in connections:
            selector.register(one, selectors.EVENT_READ)
        return len(selector.select(0))


@pytest.mark.parametrize(
    "head",
    [
        HEAD + b"X-Long: " + b"x" * (40 * KILOBYTE),
        HEAD + b"X-Long: " + b"x" * (40 * KILOBYTE) + b"\r\n\r\n",
        HEAD + b"x: y\r\n" * 2000,
        HEAD + b"x: y\r\n" * 200 + b"\r\n",
        b"GET /" + b"x" * (40 * KILOBYTE),
    ],
    ids=["one long line", "complete", "many lines", "many, complete", "path"],
)
def test_headers_that_are_too_long_are_refused(server: Server, head: bytes) -> None:
    with opened(server) as connection:
        connection.sendall(head)
        answer = answer_of(connection)
    assert b"HTTP/1.1 431 " in answer
    assert json.loads(answer.rpartition(b"\r\n\r\n")[2]) == {
        "error": "The headers of the request are too long."
    }


@pytest.mark.parametrize(
    "head",
    [
        b"POST /api/live HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        HEAD + b"\r\n" + HEAD,
    ],
    ids=["after a body", "of a second request"],
)
def test_later_headers_are_limited_too(server: Server, head: bytes) -> None:
    """The first request may be answered, then the connection ends."""
    with opened(server) as connection:
        connection.sendall(head + b"x: y\r\n" * 3000)
        answer_of(connection)


def status_of(server: Server, request: bytes) -> int:
    """The status of the answer to a request, after which the connection ends."""
    with opened(server) as connection:
        connection.sendall(request)
        return int(answer_of(connection).split(maxsplit=2)[1])


@pytest.mark.parametrize(("more", "status"), [(-1, 200), (0, 200), (1, 431)])
def test_a_request_has_as_many_headers_as_are_allowed(
    server: Server, more: int, status: int
) -> None:
    others = MOST_HEADERS + more - 2  # Host and Connection are headers, too
    head = HEAD + b"Connection: close\r\n" + b"x: y\r\n" * others + b"\r\n"
    assert status_of(server, head) == status


@pytest.mark.parametrize(("more", "status"), [(-1, 201), (0, 201), (1, 413)])
def test_a_body_is_as_long_as_is_allowed(server: Server, more: int, status: int) -> None:
    body = b'{"game": "cross-over", "opponent": "here"}'.ljust(LARGEST_BODY + more)
    head = (
        f"POST /api/live HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    assert status_of(server, head.encode() + body) == status


def test_a_frame_is_as_long_as_is_allowed(server: Server) -> None:
    """One byte more ends the connection."""
    created = server.create(game="cross-over", opponent="here")
    with server.join(created["id"], created["seats"]["P1"]) as client:
        for length in (LONGEST_FRAME - 1, LONGEST_FRAME):
            client.socket.send('{"do": "view"}'.ljust(length))
            client.next("view")
        client.socket.send('{"do": "view"}'.ljust(LONGEST_FRAME + 1))
        with pytest.raises(ConnectionClosed):
            client.next("nothing that is ever sent")


def test_ordinary_headers_are_taken(server: Server) -> None:
    """Ten kilobytes of cookies, say, which other servers on this computer have set."""
    cookies = "; ".join(f"cookie{number}={'x' * 90}" for number in range(100))
    assert server.ask("/health", headers={"Cookie": cookies})[0] == 200


def test_endless_headers_take_no_memory(server: Server) -> None:
    """Three hundred megabytes were held for one connection once."""
    before = server.memory
    sent = 0
    with opened(server) as connection, suppress(ConnectionError):
        connection.sendall(HEAD + b"X-Long: ")
        while sent < 100 << 20:
            sent += connection.send(b"x" * (1 << 16))
    assert sent < 20 << 20  # what was under way
    assert server.memory - before < 5 << 20


UNFINISHED = {
    "nothing": b"",
    "line": b"GET /health HT",
    "head": HEAD,
    "empty line": b"\r\n",
    "body": b"POST /api/live HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{",
    "refused": b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    "second": HEAD + b"\r\n" + HEAD,
    "after": HEAD + b"\r\n\r\n",
}


def test_an_unfinished_request_is_ended_in_time(server: Server) -> None:
    """All of them at once, so that their times pass together."""
    with ExitStack() as open_ones:
        connections = {part: open_ones.enter_context(opened(server)) for part in UNFINISHED}
        for part, connection in connections.items():
            connection.sendall(UNFINISHED[part])
        began = time.monotonic()
        for part, connection in connections.items():
            answer_of(connection)
            assert time.monotonic() - began < SECONDS / 2, part
    assert "Traceback" not in "".join(server.complained)


def test_a_request_that_never_ends_is_ended_however_often_something_comes(server: Server) -> None:
    """One letter a moment, for ever."""
    is_ended = False
    with opened(server) as connection:
        connection.sendall(HEAD)

        def sends_more() -> bool:
            nonlocal is_ended
            try:
                connection.sendall(b"x")
            except ConnectionError:
                is_ended = True
            return is_ended

        wait_until(sends_more)


def test_one_address_cannot_keep_others_out(tmp_path: Path) -> None:
    """It opens more connections than the server can have, and sends nothing."""
    with Server(tmp_path, descriptors=256) as server, ExitStack() as open_ones:
        mine = [open_ones.enter_context(opened(server)) for _ in range(400)]
        wait_until(lambda: ended(mine) > 300)
        assert is_answered(server, OTHER_ADDRESS)
        assert not is_answered(server, "127.0.0.1")
        for number in range(3, 6):  # others come, who do the same
            address = f"127.0.0.{number}"
            mine += [open_ones.enter_context(opened(server, address)) for _ in range(50)]
        assert is_answered(server, "127.0.0.100")
        for one in mine:
            one.close()
        wait_until(lambda: is_answered(server, "127.0.0.1"))
        created = server.create(game="cross-over", opponent="level:1")
        with server.join(created["id"], created["seats"]["P1"]) as client:
            assert client.move()["type"] == "turn"
        assert "".join(server.complained) == ""


def test_a_client_cannot_have_endless_requests_wait(server: Server) -> None:
    """It asks for more and more without reading an answer."""
    one = HEAD + b"\r\n"
    with opened(server) as connection:
        with suppress(ConnectionError):
            connection.sendall(one * 20_000)
        assert answer_of(connection).count(b"HTTP/1.1 ") < 40
    with opened(server) as connection:
        connection.sendall(one * 9 + HEAD + b"Connection: close\r\n\r\n")
        assert answer_of(connection).count(b"HTTP/1.1 200 ") == 10


def test_http_and_websockets_are_counted_together(tmp_path: Path) -> None:
    with Server(tmp_path, "--connections", "6") as server, ExitStack() as open_ones:
        created = server.create(game="cross-over", opponent="here")
        clients = [server.join(created["id"], created["seats"]["P1"]) for _ in range(3)]
        mine = [open_ones.enter_context(opened(server)) for _ in range(6)]
        wait_until(lambda: ended(mine) == 3)
        (refused,) = {answer_of(one) for one in mine[-3:]}
        assert refused.startswith(b"HTTP/1.1 429 ")
        assert b"Too many connections from your address." in refused
        for client in clients:
            client.close()
        wait_until(lambda: is_answered(server, "127.0.0.1"))


def test_all_clients_of_a_proxy_have_their_own_share(tmp_path: Path) -> None:
    """The connections of the proxy itself are limited only by what the server can have."""
    options = ("--connections", "3", "--behind-proxy", OTHER_ADDRESS)
    with Server(tmp_path, *options) as server, ExitStack() as open_ones:
        proxy = [open_ones.enter_context(opened(server, OTHER_ADDRESS)) for _ in range(20)]
        assert is_answered(server, OTHER_ADDRESS)
        assert ended(proxy) == 0


class Wire:
    """A transport that keeps what is written, and what is not read yet."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.unread = 0
        self.is_aborted = False

    def is_closing(self) -> bool:
        return self.is_aborted

    def get_write_buffer_size(self) -> int:
        return self.unread

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def abort(self) -> None:
        self.is_aborted = True


def test_sending_never_raises_and_ends_those_who_leave_too_much_unread() -> None:
    """What comes after the end goes nowhere, whoever ended it."""
    connection, wire = object.__new__(WebSocketConnection), Wire()
    connection.transport, connection.close_sent = wire, False  # type: ignore[assignment]
    connection.conn = SimpleNamespace(state=State.OPEN)  # type: ignore[assignment]
    connection.post(b"one")
    assert wire.written == [b"\x81\x03one"]
    for close_sent, state in ((True, State.OPEN), (False, State.CLOSING), (False, State.CLOSED)):
        connection.close_sent, connection.conn.state = close_sent, state
        connection.post(b"two")
    connection.conn.state = State.OPEN
    wire.unread = MOST_UNREAD + 1
    connection.post(b"three")
    assert wire.is_aborted
    connection.post(b"four")
    assert len(wire.written) == 1


def test_the_server_does_not_wait_for_half_a_request(tmp_path: Path) -> None:
    with Server(tmp_path) as server, ExitStack() as open_ones:
        connections = []
        for part in UNFINISHED.values():
            connections.append(open_ones.enter_context(opened(server)))
            connections[-1].sendall(part)
        assert server.ask("/health")[0] == 200
        began = time.monotonic()
        assert server.stop() == 143
        assert time.monotonic() - began < 4
        assert "".join(server.complained).strip() == ""
        for connection in connections:
            answer_of(connection)


def test_the_server_does_not_wait_for_those_who_do_not_read(tmp_path: Path) -> None:
    """Neither at a WebSocket nor for an answer."""
    with Server(tmp_path) as server, ExitStack() as open_ones:
        created = server.create(game="cross-over", opponent="here")
        token = json.dumps({"token": created["seats"]["P1"]}).encode()
        for _ in range(5):
            lazy = open_ones.enter_context(socket.socket())
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            lazy.connect(("127.0.0.1", server.port))
            lazy.sendall(
                f"GET /api/live/{created['id']}/socket HTTP/1.1\r\nHost: localhost\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            lazy.recv(12)
            lazy.sendall(bytes((0x81, 0x80 | len(token))) + b"\0\0\0\0" + token)
        reader = open_ones.enter_context(socket.socket())
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        reader.connect(("127.0.0.1", server.port))
        reader.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n" * 30)
        with server.join(created["id"], created["seats"]["P1"]) as client:
            for number in range(400):
                client.do("name", name=f"Ann {number}", side="P1")
            began = time.monotonic()
            assert server.stop(signal.SIGTERM) == 143
            assert time.monotonic() - began < 8
        assert "Traceback" not in "".join(server.complained)


@pytest.mark.long
def test_thousands_of_unfinished_requests_are_gone_in_time(tmp_path: Path) -> None:
    """From a hundred addresses; meanwhile others are answered."""
    with Server(tmp_path, "--request-timeout", "5") as server, ExitStack() as open_ones:
        mine = []
        for number in range(5000):
            one = opened(server, f"127.0.1.{number % 100}")
            one.sendall(HEAD)
            mine.append(open_ones.enter_context(one))
        assert is_answered(server, OTHER_ADDRESS)
        wait_until(lambda: ended(mine) == 5000)
        assert is_answered(server, OTHER_ADDRESS)
        assert "".join(server.complained) == ""


@pytest.mark.long
def test_a_client_that_reads_nothing_is_gone_in_time(tmp_path: Path) -> None:
    """Within a minute, and its share is free again."""
    with Server(tmp_path, "--connections", "2") as server, socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        lazy.connect(("127.0.0.1", server.port))

        def is_ended() -> bool:
            try:
                lazy.sendall(b"GET /page/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
            except ConnectionError:
                return True
            time.sleep(0.2)
            return False

        wait_until(is_ended)
        wait_until(lambda: is_answered(server, "127.0.0.1"))
