"""Nobody silences a game: guests who do not read, crowds, floods, and answers that come late."""

import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from support.program import wait_until
from support.web_server import SECONDS, Client, Server
from web.test_games import two_players


@pytest.fixture(scope="module")
def quick_server(tmp_path_factory: pytest.TempPathFactory, solutions: Path) -> Iterator[Server]:
    """A server that notices soon who is gone."""
    options = ("--ping", "1", "--patience", "2", "--connections", "400")
    with Server(tmp_path_factory.mktemp("data"), *options, cache=solutions) as server:
        yield server


class SilentGuest:
    """Comes in with a token, and reads nothing from then on."""

    def __init__(self, server: Server, game: str, token: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        self._socket.connect(("127.0.0.1", server.port))
        self._socket.sendall(
            f"GET /api/live/{game}/socket HTTP/1.1\r\nHost: localhost\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._socket.recv(1)
        self.say(token=token)

    def say(self, **message: object) -> None:
        text = json.dumps(message).encode()
        size = len(text)
        head = bytes((0x81, 0x80 | size)) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        self._socket.sendall(head + b"\0\0\0\0" + text)

    def is_cut_off(self) -> bool:
        """Whether the server has ended the connection, without reading what came before."""
        try:
            self._socket.sendall(b"\x8a\x80\0\0\0\0")  # a pong, which needs no answer
        except ConnectionError:
            return True
        return False

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> "SilentGuest":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def fill(guest: SilentGuest, times: int) -> None:
    """Have the server send more than the guest's socket takes."""
    for number in range(times):
        guest.say(do="view", id=number)


def wait_for(client: Client, present: bool) -> None:
    """Until player 1 is there, or is gone."""
    while client.next("presence")["P1"] is not present:
        pass


def test_a_guest_who_stops_reading_silences_nobody(quick_server: Server) -> None:
    """Neither in other games nor in its own: it is let go, and is seen to be gone."""
    server = quick_server
    game, one, two = two_players(server, "cross-over")
    _, opponent, friend = two_players(server, "cross-over")
    one.close()
    wait_for(two, present=False)
    with two, opponent, friend, SilentGuest(server, game["id"], game["seats"]["P1"]) as silent:
        wait_for(two, present=True)
        fill(silent, 200)
        wait_for(two, present=False)
        for _ in range(5):
            played = opponent.move()
            assert played["type"] == "turn"
            friend.until(played["version"])
            opponent, friend = friend, opponent
        with server.join(game["id"], game["seats"]["P1"]) as back:
            assert back.view["presence"]["P1"]
            two.until(back.move()["version"])


def test_a_server_with_guests_who_do_not_read_stops_in_good_order(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        created = server.create(game="cross-over", opponent="here")
        token = created["seats"]["P1"]
        with SilentGuest(server, created["id"], token) as silent:
            fill(silent, 200)
            with server.join(created["id"], token) as client:
                client.move()
            began = time.monotonic()
            assert server.stop() == 143
            assert time.monotonic() - began < SECONDS / 3
        assert "Traceback" not in "".join(server.complained)


def test_a_crowd_of_spectators_takes_no_place_of_a_player(server: Server) -> None:
    """The hundred-and-first is refused; the opponent comes back, and cannot be claimed against."""
    created = server.create(game="cross-over", opponent="friend", watch=True)
    key = f"s.{'k' * 32}"
    with ExitStack() as stack:
        one = stack.enter_context(server.join(created["id"], created["seats"]["P1"]))
        with server.join(created["id"], created["invite"], key):
            pass
        for _ in range(100):
            stack.enter_context(SilentGuest(server, created["id"], created["spectator"]))
        while one.view["presence"]["watching"] < 100:
            one.view["presence"] = one.next("presence")
        assert refusal(server, created["id"], created["spectator"]) == (
            "Too many people are watching this game."
        )
        two = stack.enter_context(server.join(created["id"], key))
        assert (two.view["presence"]["P2"], two.view["presence"]["watching"]) == (True, 100)
        claim = one.do("claim", claim="win")
        assert claim["error"] == "The other player has not been away long enough."


def refusal(server: Server, game: str, token: str) -> str:
    """Why somebody is not let in."""
    opened = server.socket(game)
    try:
        opened.send(json.dumps({"token": token}))
        message = json.loads(opened.recv(SECONDS))
        assert message["type"] == "bye"
        return str(message["error"])
    finally:
        opened.close()


def test_a_player_who_comes_too_often_loses_the_oldest_connection(server: Server) -> None:
    """So that nobody is kept out by connections of their own that they lost."""
    created = server.create(game="cross-over", opponent="here")
    token = created["seats"]["P1"]
    with ExitStack() as stack:
        clients = [stack.enter_context(server.join(created["id"], token)) for _ in range(9)]
        assert clients[0].next("bye")["error"] == "You have opened this game in too many places."
        with pytest.raises(ConnectionClosed):
            clients[0].socket.recv(SECONDS)
        assert clients[-1].move()["type"] == "turn"
        clients[1].until(clients[-1].view["version"])


def test_a_guest_who_does_not_read_the_goodbye_is_let_go(tmp_path: Path) -> None:
    """What it left unread keeps no connection open, though nobody is asked for a sign of life."""
    with ExitStack() as stack:
        server = stack.enter_context(Server(tmp_path, "--ping", "3600"))
        created = server.create(game="cross-over", opponent="here")
        token = created["seats"]["P1"]
        silent = stack.enter_context(SilentGuest(server, created["id"], token))
        fill(silent, 100)
        for _ in range(8):
            stack.enter_context(server.join(created["id"], token))
        began = time.monotonic()
        wait_until(silent.is_cut_off)
        assert time.monotonic() - began < SECONDS / 3  # a second, where the computer is not busy


def test_the_whole_game_is_not_sent_too_often(tmp_path: Path) -> None:
    """Others who move in the same game are answered all the same."""
    with Server(tmp_path) as server:
        created = server.create(game="cross-over", opponent="here")
        token = created["seats"]["P1"]
        with server.join(created["id"], token) as greedy, server.join(created["id"], token) as one:
            for number in range(600):
                greedy.send(do="view", id=number)
            assert one.move()["type"] == "turn"
            answers = [greedy.next("view", "refused") for _ in range(600)]
            refused = {one["error"] for one in answers if one["type"] == "refused"}
            assert refused  # how fast they come decides which of two equal limits is met first
            assert refused <= {
                "Too many requests from your address. Wait a moment.",
                "This game is asked for too often. Wait a moment.",
            }
            sent = sum(one["type"] == "view" for one in answers)
            assert 400 <= sent < 600


def test_an_address_cannot_send_more_by_several_connections(tmp_path: Path) -> None:
    """Each request is answered all the same."""
    with Server(tmp_path, "--connections", "6") as server:  # ten frames at once for each
        created = server.create(game="cross-over", opponent="here")
        token = created["seats"]["P1"]
        with server.join(created["id"], token) as one, server.join(created["id"], token) as two:
            for number in range(100):
                one.send(do="view", id=number)
                two.send(do="view", id=number)
            answers = [who.next("view", "refused") for _ in range(100) for who in (one, two)]
            refused = {answer["error"] for answer in answers if answer["type"] == "refused"}
            assert refused == {"Too many requests from your address. Wait a moment."}


def test_whoever_comes_back_is_sent_what_is_missing(server: Server) -> None:
    """Only the turns, if there was nothing else; otherwise the whole game."""
    created = server.create(game="cross-over", opponent="here")
    game, token = created["id"], created["seats"]["P1"]
    with server.join(game, token) as one:
        one.move()
        seen = one.view["version"]
        one.move()
        one.move()
        with Client(server.socket(game)) as two:
            two.send(token=token, version=seen)
            missing = two.receive()
            assert (missing["type"], missing["since"]) == ("turn", seen)
            assert [line["n"] for line in missing["log"]] == [2, 3]
            assert missing["version"] == one.view["version"]
            assert missing["board"] == one.view["board"]
            assert two.receive()["type"] == "presence"
            two.view |= missing
            one.until(two.move()["version"])
        one.do("name", name="Ann", side="P1")
        for version in (seen, one.view["version"] + 7, -1):
            with Client(server.socket(game)) as two:
                two.send(token=token, version=version)
                assert two.receive()["type"] == "view"
        with Client(server.socket(game)) as two:
            two.send(token=token, version=one.view["version"])
            nothing = two.receive()
            assert (nothing["type"], nothing["log"]) == ("turn", [])


def test_only_an_answer_to_the_open_question_counts(server: Server) -> None:
    """To ask for an undo is not to agree to the other's, and a late yes answers no newer one."""
    _, one, two = two_players(server, "cross-over")
    with one, two:
        one.move()
        two.until(one.view["version"])
        two.move()
        one.until(two.view["version"])
        one.do("undo")
        two.until(one.view["version"])
        asked = two.view["undo"]["to"]
        assert two.do("undo")["error"] == "The other player asks to take back. Answer that first."
        one.do("undo-answer", yes=False)
        two.until(one.view["version"])
        two.do("undo")
        one.until(two.view["version"])
        late = one.do("undo-answer", yes=True, to=asked)
        assert late["error"] == "That question is no longer open."
        agreed = one.do("undo-answer", yes=True, to=one.view["undo"]["to"])
        assert agreed["turn"] == 1


def test_rematches_count_as_new_games(tmp_path: Path) -> None:
    """Otherwise they would go around the limit of games."""
    with Server(tmp_path) as server:
        created = server.create(game="cross-over", opponent="here")
        game, token = created["id"], created["seats"]["P1"]
        for _ in range(200):
            server.ask(f"/api/live/{game}/resign", {"side": "P1"}, token)
            status, answer = server.ask(f"/api/live/{game}/rematch", {"side": "P1"}, token)
            if status != 200:
                break
            game = answer["rematch"]["id"]
        assert (status, answer["error"]) == (
            429,
            "Too many requests from your address. Wait a moment.",
        )


def test_a_player_who_acts_over_http_is_not_away(quick_server: Server) -> None:
    """A program that plays by requests alone has no connection, and is there all the same."""
    server = quick_server
    created = server.create(game="flag-chase", opponent="friend")
    key = f"s.{'h' * 32}"
    with server.join(created["id"], created["seats"]["P1"]) as one:
        with server.join(created["id"], created["invite"], key):
            pass
        one.next("presence")
        one.move()
        time.sleep(2.1)  # the patience of this server
        status, _ = server.ask(f"/api/live/{created['id']}/move", {"move": "P2-1", "turn": 1}, key)
        assert status == 200
        claim = one.do("claim", claim="win")
        assert claim["error"] == "The other player has not been away long enough."
