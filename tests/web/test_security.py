"""Attacks on a real server: links, frames, bodies, origins, rates, rulebooks built to be slow."""

import asyncio
import json
import secrets
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from lineduel.cli.serve import exposure
from lineduel.errors import TooManyRequests
from lineduel.web import EVERYWHERE, ServerSettings
from lineduel.web.database import Database
from lineduel.web.pages import FOLDER
from lineduel.web.request_limits import AddressLimits, AllowedHosts, Rate, share_of
from lineduel.web.server import LineduelServer
from lineduel.web.tournaments import Tournaments
from support.program import Program, wait_until
from support.web_server import SECONDS, Client, Server

SLOW_RULEBOOK = """
title = "Slow"
summary = "Many positions."
[track]
first = 0
last = 40
[player1]
pieces = { A = 0, B = 1, C = 2, D = 3 }
goal = [40]
[player2]
pieces = { E = 40, F = 39, G = 38, H = 37 }
goal = [0]
[turn]
first = "player1"
[move]
steps = [-2, -1, 1, 2]
edge = "stay"
jump = true
[meet]
own = "blocked"
enemy = "sent home"
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--log", "--allow-host", "duels.example")
    with Server(tmp_path_factory.mktemp("data"), *options) as server:
        yield server


def new_key() -> str:
    return f"s.{secrets.token_urlsafe(24)}"


@pytest.mark.parametrize("name", ["bad host!", "duels.example:8000", ""])
def test_a_name_that_no_request_can_have_is_refused(program: Program, name: str) -> None:
    """It would be allowed for nothing."""
    done = program("serve", "--allow-host", name)
    assert done.status == 2
    assert "is not a name such as duels.example" in done.err


def test_an_address_to_listen_on_is_told_without_what_a_terminal_would_obey(
    program: Program,
) -> None:
    done = program("serve", "--host", "\x1b[31mX", "--port", "0")
    assert done.status == 2
    assert done.err.startswith("lineduel: The server cannot listen on \\x1b[31mX, port 0: ")
    assert "\x1b" not in done.err


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_a_signal_ends_the_server_quietly_even_while_it_works(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    """Whoever waits for an answer is told that there will be none."""
    with Server(tmp_path) as server:
        waiting = HTTPConnection("127.0.0.1", server.port)
        body = json.dumps({"toml": SLOW_RULEBOOK})
        waiting.request("POST", "/api/study", body, {"Content-Type": "application/json"})
        assert server.ask("/api/validate", {"toml": SLOW_RULEBOOK})[1]["valid"]
        assert server.stop(number) == status
        assert "".join(server.complained).strip() == ""
        answer = waiting.getresponse()
        assert (answer.status, json.load(answer)) == (503, {"error": "The server is closing."})
        waiting.close()


def test_ctrl_c_twice_ends_the_server_quietly(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        created = server.create(game="cross-over", opponent="here")
        with server.join(created["id"], created["seats"]["P1"]) as client:
            server.interrupt()
            client.next("bye")
            assert server.stop(signal.SIGINT) == 130
        assert "".join(server.complained).strip() == ""


def test_guessed_and_swapped_links_open_nothing(server: Server) -> None:
    """Neither another game's token, a spectator's as a seat's, nor a used invitation."""
    one = server.create(game="cross-over", opponent="friend", watch=True)
    two = server.create(game="cross-over", opponent="friend")
    key = new_key()
    server.join(one["id"], one["invite"], key).close()
    wrong = [two["seats"]["P1"], two["invite"], new_key(), "", "s.", one["invite"], "x" * 5000]
    for token in wrong:
        assert server.ask(f"/api/live/{one['id']}", token=token)[0] == 403
        client = Client(server.socket(one["id"]))
        try:
            client.send(token=token, key=new_key())
            assert client.next("bye")["again"] is False
        except ConnectionClosed:
            assert len(token) > 2000
    with server.join(one["id"], one["spectator"]) as watcher:
        assert watcher.view["you"] is None
        assert watcher.view["moves"] == []
        for request in (
            {"do": "move", "move": "P1-C+1", "turn": 0},
            {"do": "undo"},
            {"do": "resign"},
            {"do": "name", "name": "Eve"},
            {"do": "claim", "claim": "win"},
            {"do": "rematch"},
        ):
            assert watcher.do(**request)["error"] == (
                "You are watching this game, so you cannot act in it."
            )
    with server.join(one["id"], key) as friend:
        assert friend.do("resign", side="P1")["error"] == "You cannot act for the other player."
        assert friend.move("P1-C+1")["error"] == "It is not your turn."


def test_an_invitation_is_exchanged_once_and_asking_again_works(server: Server) -> None:
    created = server.create(game="cross-over", opponent="friend")
    key = new_key()
    for _ in range(2):
        with server.join(created["id"], created["invite"], key) as friend:
            assert friend.view["you"] == "P2"
    for token, other in ((created["invite"], new_key()), (created["invite"], None)):
        client = Client(server.socket(created["id"]))
        client.send(**({"token": token} | ({"key": other} if other else {})))
        assert client.next("bye")["error"]
        client.close()


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        '{"do": "fly"}',
        '{"do": "move", "turn": "0"}',
        '{"do": "move", "turn": 0}',
        '{"do": "move", "move": "P1-C+1"}',
        '{"do": "move", "move": "' + "P" * 500 + '", "turn": 0}',
        '{"do": "number", "number": 1, "turn": 0}',
        '{"do": "number", "number": 99999999999999999999999, "turn": 0}',
        '{"do": "undo-answer", "yes": true}',
        '{"do": "name", "name": "\\u0007"}',
        '{"do": "name", "name": "' + "x" * 25 + '"}',
        '{"do": "claim"}',
        '{"do": "move", "move": "P1-C+1", "turn": 0, "more": 1}',
        b"\xff\xfe",
    ],
)
def test_a_malformed_frame_is_refused_and_changes_nothing(
    server: Server, shared_game: Client, frame: str | bytes
) -> None:
    shared_game.socket.send(frame)
    told = shared_game.receive()
    assert told["type"] == "refused"
    assert told["error"].endswith(".")
    assert shared_game.do("view")["version"] == 0


@pytest.fixture(scope="module")
def shared_game(server: Server) -> Iterator[Client]:
    created = server.create(game="cross-over", opponent="here")
    with server.join(created["id"], created["seats"]["P1"]) as client:
        yield client


def test_an_oversized_frame_ends_the_connection_only(server: Server) -> None:
    created = server.create(game="cross-over", opponent="here")
    with server.join(created["id"], created["seats"]["P1"]) as client:
        client.socket.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            client.receive()
    with server.join(created["id"], created["seats"]["P1"]) as client:
        assert client.view["version"] == 0


def test_replayed_frames_count_once(server: Server) -> None:
    created = server.create(game="cross-over", opponent="here")
    with server.join(created["id"], created["seats"]["P1"]) as client:
        for _ in range(5):
            client.send(do="move", id=1, move="P1-C+1", turn=0)
        told = [client.receive() for _ in range(5)]
        assert sorted(one["type"] for one in told) == ["refused"] * 4 + ["turn"]
        errors = {one["error"] for one in told if one["type"] == "refused"}
        assert errors == {"The game has gone on."}


def test_a_flood_is_slowed_down_and_others_are_not(server: Server) -> None:
    """Each request is answered, by its number."""
    created = server.create(game="cross-over", opponent="here")
    with (
        server.join(created["id"], created["seats"]["P1"]) as flood,
        server.join(created["id"], created["seats"]["P1"]) as other,
    ):
        for number in range(1200):
            flood.send(do="undo", id=number)
        refused = [flood.next("refused") for _ in range(1200)]
        assert "Too many messages. Wait a moment." in [one["error"] for one in refused]
        assert [one["id"] for one in refused] == list(range(1200))
        assert other.move()["type"] == "turn"


def test_a_foreign_page_gets_no_connection(server: Server) -> None:
    created = server.create(game="cross-over", opponent="here")
    other = f"https://127.0.0.1:{server.port + 1}"
    for origin in ("https://evil.example", "null", "http://[", other):
        with pytest.raises(InvalidStatus):
            server.socket(created["id"], origin=origin)
    server.socket(created["id"], origin=server.address).close()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "text/plain; application/json"}, 415),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain", "Sec-Fetch-Site": "cross-site"}, 403),
        ({}, 201),
        ({"Content-Type": "Application/JSON; charset=utf-8"}, 201),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
    ],
)
def test_a_foreign_page_can_begin_nothing(
    server: Server, headers: dict[str, str], status: int
) -> None:
    """A page may send text anywhere without asking; programs send none of these headers."""
    body = {"game": "cross-over", "opponent": "here"}
    sent = {"Content-Type": "application/json", **headers}
    request = HTTPConnection("127.0.0.1", server.port)
    request.request("POST", "/api/live", json.dumps(body), sent)
    answer = request.getresponse()
    assert answer.status == status
    assert set(json.load(answer)) == ({"error"} if status != 201 else set(CREATED))
    request.close()


CREATED = ("id", "seats", "invite", "spectator")


def test_a_page_of_this_server_can_begin_a_game(server: Server) -> None:
    origin = {"Origin": server.address, "Sec-Fetch-Site": "same-origin"}
    assert server.ask("/api/live", {"game": "cross-over"}, headers=origin)[0] == 201
    behind_a_proxy = {"Origin": "https://duels.example", "Host": "duels.example"}
    assert server.ask("/api/live", {"game": "cross-over"}, headers=behind_a_proxy)[0] == 201


def status_of(address: str) -> int:
    """The status of something that is fetched whole, be it a text or a picture."""
    with urlopen(address, timeout=SECONDS) as answer:
        answer.read()
        return int(answer.status)


def test_a_class_behind_one_address_gets_everything(tmp_path: Path) -> None:
    """Thirty visitors open the first page and a game, all at once and from one address."""
    files = [f"/page/{path.name}" for path in sorted(FOLDER.iterdir())]
    with Server(tmp_path) as server:

        def visit(_: int) -> set[int]:
            paths = ["/", *files, "/api/games", "/api/opponents"]
            answers = {status_of(server.address + path) for path in paths}
            created = server.create(game="cross-over", opponent="here")
            server.join(created["id"], created["seats"]["P1"]).close()
            return answers

        with ThreadPoolExecutor(30) as visitors:
            assert set().union(*visitors.map(visit, range(30))) == {200}


def create_from(server: Server, forwarded: str) -> int:
    """The status of a new game whose creator is said to have that address.

    An address may create a hundred at once, then one a second.
    """
    body = {"game": "cross-over", "opponent": "here"}
    return server.ask("/api/live", body, headers={"X-Forwarded-For": forwarded})[0]


def test_each_client_of_a_proxy_has_a_share_of_its_own(tmp_path: Path) -> None:
    """The proxy says who asks: the last address counts, those before it may be invented."""
    with Server(tmp_path, "--behind-proxy", "127.0.0.1") as server:
        numbers = iter(range(1 << 16))
        wait_until(lambda: create_from(server, f"10.0.1.{next(numbers) % 250}, 10.0.0.1") == 429)
        assert create_from(server, "10.0.0.2") == 201
        assert create_from(server, "10.0.0.1, 10.0.0.3") == 201


def test_only_the_proxy_is_believed(tmp_path: Path) -> None:
    """Other clients have one address, whatever they claim."""
    with Server(tmp_path, "--behind-proxy", "127.0.0.2", "--behind-proxy", "10.0.0.0/8") as server:
        numbers = iter(range(1 << 16))
        wait_until(lambda: create_from(server, f"10.1.1.{next(numbers) % 250}") == 429)


def test_a_proxy_that_is_no_address_is_refused(program: Program) -> None:
    done = program("serve", "--behind-proxy", "proxy.example")
    assert done.status == 2
    assert "is not an address such as 127.0.0.1" in done.err


def test_a_missing_page_is_answered_in_the_form_that_is_asked_for(server: Server) -> None:
    """A person gets a page, a program JSON."""
    for path in ("/foo", "/api/foo", "/game/a/b"):
        status, text, headers = server.fetch(path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert (status, text) == (404, server.fetch("/")[1])
        assert headers["content-type"].startswith("text/html")
        status, answer = server.ask(path)
        assert (status, set(answer)) == (404, {"error"})


def test_a_name_that_was_pointed_here_by_somebody_else_gets_nothing(server: Server) -> None:
    """DNS rebinding: the browser believes that this server belongs to the page that asks."""
    created = server.create(game="cross-over", opponent="here")
    path, token = f"/api/live/{created['id']}", created["seats"]["P1"]
    for host in (
        "evil.example",
        f"evil.example:{server.port}",
        "localhost.evil.example",
        "10.0.0.1",
        "[::1].evil.example",
        "[::1]evil.example:80",
        "127.0.0.1:80:80",
        "localhost:x",
    ):
        for asked in (path, "/", "/health", "/api/docs"):
            status, answer = server.ask(asked, token=token, headers={"Host": host})
            assert (status, set(answer)) == (421, {"error"})
        with pytest.raises(InvalidStatus):
            server.socket(created["id"], origin=f"http://{host}", additional_headers={"Host": host})
    for host in ("localhost", f"127.0.0.1:{server.port}", f"[::1]:{server.port}", "duels.example"):
        assert server.ask(path, token=token, headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    ("listening", "host", "is_allowed"),
    [
        ("127.0.0.1", "LocalHost:8000", True),
        ("127.0.0.1", "192.168.1.5:8000", False),
        ("192.168.1.5", "192.168.1.5:8000", True),
        ("0.0.0.0", "192.168.1.5", True),
        ("::", "[fe80::1]:8000", True),
        ("0.0.0.0", "evil.example", False),
        ("0.0.0.0", "", False),
        ("0.0.0.0", "[::1].evil.example", False),
        ("0.0.0.0", "[", False),
        ("0.0.0.0", "[evil.example]", False),
        ("::", "[::1]:", True),
        ("0.0.0.0", "Duels.Example", True),
    ],
)
def test_which_names_are_allowed(listening: str, host: str, is_allowed: bool) -> None:
    """An address cannot be pointed elsewhere, a name can."""
    hosts = AllowedHosts(listening, ["duels.example"])
    scope = {"headers": [(b"host", host.encode())]}
    assert [hosts.refused(scope) is None for _ in range(2)] == [is_allowed] * 2
    assert hosts.refused({"headers": []}) is None


def test_an_address_that_can_be_opened_is_told_for_all_networks() -> None:
    """0.0.0.0 itself cannot."""
    assert EVERYWHERE["0.0.0.0"] == "127.0.0.1"
    told = exposure("0.0.0.0")
    assert told.startswith("On other computers put this computer's address in place of 127.0.0.1.")
    assert exposure("duels.example").startswith("Anyone who can reach duels.example can open it")


def test_every_answer_has_a_strict_policy(server: Server) -> None:
    for path in ("/", "/game/x", "/api/games", "/api/nothing", "/page/nothing"):
        _, _, headers = server.fetch(path)
        policy = {name.lower(): value for name, value in headers.items()}
        assert policy["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        assert policy["referrer-policy"] == "no-referrer"
        assert policy["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        *product(
            ("/api/live", "/api/study", "/api/review", "/api/puzzles/answer", "/api/audit"),
            (b"", b"{", b"[1]", b'{"game": 5}', b'{"x": 1}', b"\xff"),
        ),
        ("/api/live", b'{"game": "../../etc/passwd"}'),
        ("/api/live", b'{"game": "cross-over", "opponent": "engine:touch /tmp/x"}'),
        ("/api/live", b'{"game": "cross-over", "opponent": "human"}'),
        ("/api/live", b'{"game": "cross-over", "position": "1/2/3"}'),
        ("/api/live", json.dumps({"toml": "x" * 40_000}).encode()),
        ("/api/live", json.dumps({"toml": "x" * 100_000}).encode()),
        ("/api/live", json.dumps({"toml": "a=" + "[" * 3000}).encode()),
    ],
)
def test_a_bad_body_is_answered_with_one_sentence(server: Server, path: str, body: bytes) -> None:
    status, answer = server.ask(path, body)
    assert 400 <= status < 500
    assert set(answer) == {"error"}
    assert "Traceback" not in answer["error"]


def test_a_path_does_not_leave_the_folder(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(
            b"GET /page/../server.py HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        answer = b""
        while part := raw.recv(65536):
            answer += part
    assert b" 404 " in answer.split(b"\r\n", 1)[0]


def test_games_go_on_while_the_slowest_rulebook_is_worked_on(server: Server) -> None:
    """It is stopped in the end, and moves of other games do not wait for it."""
    created = server.create(game="cross-over", opponent="here")
    answers: list[tuple[int, object]] = []
    asking = threading.Thread(
        target=lambda: answers.append(server.ask("/api/study", {"toml": SLOW_RULEBOOK}))
    )
    asking.start()
    took: list[float] = []
    with server.join(created["id"], created["seats"]["P1"]) as client:
        while asking.is_alive() and len(took) < 40:
            began = time.perf_counter()
            answer = client.move() if client.view["moves"] else client.do("undo")
            assert answer["type"] in ("turn", "view")
            took.append(time.perf_counter() - began)
            time.sleep(0.05)
    assert sorted(took)[len(took) // 2] < 1
    asking.join()
    assert answers[0][0] in (200, 503)


LONG_TO_READ = "".join(f"k{number}=1\n" for number in range(3000))
"""A text of 26 KB in which every line is wrong."""


@pytest.mark.parametrize("path", ["/api/validate", "/api/design"])
def test_the_server_is_well_while_many_rulebooks_are_read(tmp_path: Path, path: str) -> None:
    """They are read by workers, in their own time."""
    with Server(tmp_path) as server:
        answers: list[tuple[int, dict[str, object]]] = []
        body = {"toml": LONG_TO_READ}
        asking = [
            threading.Thread(target=lambda: answers.append(server.ask(path, body)))
            for _ in range(20)
        ]
        for one in asking:
            one.start()
        while not answers:
            time.sleep(0.01)
        assert server.ask("/health")[0] == 200
        assert len(answers) < len(asking) // 2
        for one in asking:
            one.join()
        assert all(status == 200 and told["problems"] for status, told in answers)


@pytest.mark.parametrize("depth", [50, 900, 5000])
def test_a_body_that_is_nested_too_deeply_is_refused_with_one_sentence(
    server: Server, depth: int
) -> None:
    nested = '{"a":' * depth + "1" + "}" * depth
    status, answer = server.ask("/api/design", f'{{"rulebook":{nested}}}'.encode())
    if depth == 50:
        assert (status, answer["valid"]) == (200, False)
    else:
        assert (status, answer) == (400, {"error": "The request is nested too deeply."})


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_mistake_in_the_server_is_answered_like_every_other_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here it has no games, because it was never started."""
    database = Database(f"sqlite:///{tmp_path / 'live.sqlite'}")
    app = LineduelServer(ServerSettings(), database, Tournaments(None))
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b""}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": "/api/live/abc",
        "raw_path": b"/api/live/abc",
        "query_string": b"",
        "headers": [],
        "client": None,
    }
    asyncio.run(app(scope, receive, send))
    database.close()
    assert sent[0]["status"] == 500
    assert json.loads(sent[1]["body"]) == {
        "error": "The server made a mistake, so this cannot be answered."
    }
    assert "AttributeError" in capsys.readouterr().err


def test_a_client_that_does_not_read_is_dropped_and_holds_up_nobody(server: Server) -> None:
    created = server.create(game="cross-over", opponent="here")
    token = created["seats"]["P1"]
    with socket.create_connection(("127.0.0.1", server.port)) as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        lazy.sendall(
            f"GET /api/live/{created['id']}/socket HTTP/1.1\r\nHost: localhost\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        text = json.dumps({"token": token}).encode()
        lazy.sendall(bytes((0x81, 0x80 | len(text))) + b"\0\0\0\0" + text)
        with server.join(created["id"], token) as client:
            for number in range(60):
                client.do("name", name=f"Ann {number}", side="P1")
            assert client.view["names"]["P1"] == "Ann 59"


def test_an_address_has_its_share_and_no_more() -> None:
    """So many at once, then so many a second; other addresses do not suffer from it."""
    now = 0.0
    limits = AddressLimits(2, lambda: now)
    rate = Rate(at_once=3, each_second=2)
    for _ in range(3):
        limits.check(rate, "one")
    with pytest.raises(TooManyRequests):
        limits.check(rate, "one")
    limits.check(rate, "two")
    now = 0.5
    limits.check(rate, "one")
    with pytest.raises(TooManyRequests):
        limits.check(rate, "one")
    assert [limits.connect("one") for _ in range(3)] == [True, True, False]
    limits.disconnect("one")
    assert limits.connect("one")


def test_all_addresses_of_one_customer_have_one_share() -> None:
    """In IPv6 that is a network of 64 bits, and an IPv4 address is the same in either form."""
    assert share_of("2001:db8::1") == share_of("2001:db8::ffff:1") != share_of("2001:db8:0:1::1")
    assert share_of("::ffff:10.0.0.1") == share_of("10.0.0.1") == "10.0.0.1"
    assert share_of("") == ""


def test_nothing_went_wrong_inside(server: Server) -> None:
    """After all of this there is no traceback and no token in the log."""
    text = "".join(server.complained)
    assert "Traceback" not in text
    assert "s." not in text.replace('"ms.', "")
