"""`lineduel join`: a terminal against another client of the same live game, and a browser."""

import json
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from lineduel.errors import LineduelError
from lineduel.web.live_client import _BETWEEN_REMATCHES, GameLink, LiveClient
from support.program import Program, wait_until
from support.terminal import FullScreen
from support.web_server import SECONDS, Client, Server
from support.web_windows import opened

BATTLES = "flag-chase"
"""A game in which enemies who meet fight a battle."""


@pytest.mark.terminal
def test_a_full_screen_plays_against_a_browser(
    browser: Browser, server: Server, program: Program
) -> None:
    """From the invitation to a rematch: moves, a takeback, a resignation, on either side."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "A friend by link")
        link = window.find(".invitation .link").input_value()
        with FullScreen(program, "join", link, "--name", "Bob", "--no-animation") as terminal:
            expect(window.find(".plate.P2")).to_contain_text("Bob")
            terminal.find("Cross Over", "You play ◄ Bob", "No moves yet")
            window.find("button.move").first.click()
            terminal.find("Your move.", "1 P1-")
            terminal.press(b"1")
            expect(window.find(".log li")).to_have_count(2)
            window.page.get_by_role("button", name="Take back").click()
            terminal.find("asks to take back turns 1 and 2", "y: allow")
            terminal.press(b"y")
            expect(window.find(".log li")).to_have_count(0)
            terminal.press(b"u")
            terminal.find("You have not moved yet.")
            terminal.press(b"r")
            terminal.find("Resign?")
            terminal.press(b"y")
            expect(window.find(".duel.over")).to_have_count(1)
            terminal.find("play again")
            terminal.press(b"a")
            window.page.get_by_role("button", name="Accept").click()
            terminal.find("You play ► Bob", "Your move.")
            terminal.press(b"P1-C+1\r")
            expect(window.find(".log li")).to_have_count(1)
            terminal.press(b"q")
            assert terminal.end() == 0
            assert "You left. The game goes on" in terminal.shown


@contextmanager
def open_battle(server: Server, program: Program) -> Iterator[tuple[Client, FullScreen]]:
    """Player 1 as a client and player 2 on the full screen, with a battle between them."""
    created = server.create(game=BATTLES, opponent="friend")
    link = f"{server.address}/game/{created['id']}#{created['invite']}"
    with (
        FullScreen(program, "join", link, "--no-animation") as terminal,
        server.join(created["id"], created["seats"]["P1"]) as one,
    ):
        terminal.find("You play")
        while not one.view["joined"]:
            one.next("view")
        while not one.view["numbers"]:
            if one.view["moves"]:
                one.move()
            else:
                terminal.find("Your move.", last_line(one))
                terminal.press(b"1")
                one.next("turn")
        terminal.find("Choose a number from 1 to", last_line(one))
        yield one, terminal


def last_line(client: Client) -> str:
    """The latest turn, as the list of moves so far shows it."""
    line = client.view["log"][-1]
    return f"{line['n']} {' '.join(line['text'].split())}"


@pytest.mark.terminal
def test_no_secret_number_leaves_or_reaches_a_full_screen(server: Server, program: Program) -> None:
    """What either side is sent and shown does not depend on the number that the other chose."""
    sent, shown = [], []
    for number in (2, 4):
        with open_battle(server, program) as (one, terminal):
            before = len(one.frames)
            terminal.press(str(number).encode())
            assert one.next("turn")["chosen"] == ["P2"]
            sent.append(one.frames[before:])
            one.do("number", number=1, turn=one.view["turn"])
            terminal.find(f"1 against {number}")
        with open_battle(server, program) as (one, terminal):
            one.do("number", number=number, turn=one.view["turn"])
            shown.append(terminal.rows)
            terminal.press(b"1")
            assert one.next("turn")["last"]["events"][0]["numbers"] == {"P1": number, "P2": 1}
            terminal.find(f"{number} against 1")
    assert sent[0] == sent[1]
    assert shown[0] == shown[1]


@pytest.mark.terminal
def test_two_people_at_one_terminal_choose_behind_a_curtain(
    server: Server, program: Program
) -> None:
    created = server.create(game=BATTLES, opponent="here", position="3/3/1*")
    link = f"{server.address}/game/{created['id']}#{created['seats']['P1']}"
    with FullScreen(program, "join", link, "--no-animation") as terminal:
        for player, number in ((1, b"3"), (2, b"2")):
            terminal.find(f"Hand the keyboard to player {player}")
            terminal.press(b"\r")
            terminal.find("(hidden while you type)")
            terminal.press(number)
        terminal.find("3:2")
        terminal.press(b"\r")
        terminal.find("Player 1 to move")


class Said:
    """What a program prints, while it runs."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self.text = ""
        self._reader = threading.Thread(target=self._read, args=(program.stdout,), daemon=True)
        self._reader.start()

    def _read(self, printed: IO[str]) -> None:
        for line in printed:
            self.text += line

    def hear(self, text: str) -> None:
        """Wait until it has printed this."""
        wait_until(lambda: text in self.text)


@contextmanager
def joining(folder: Path, link: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The program line by line, in a data folder of its own, with an input that stays open."""
    folder.mkdir(exist_ok=True)
    with Program(folder).started(
        *("join", link, *options),
        stdin=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        LINEDUEL_DATA=str(folder),
    ) as terminal:
        yield terminal


def test_a_terminal_plays_against_another_client_and_survives_a_restart(tmp_path: Path) -> None:
    """It joins by an invitation, moves, is asked for an undo, and comes back by itself."""
    with Server(tmp_path / "server") as server:
        created = server.create(game="cross-over", opponent="friend")
        link = f"{server.address}/game/{created['id']}#{created['invite']}"
        with (
            joining(tmp_path / "mine", link, "--name", "Bob") as terminal,
            server.join(created["id"], created["seats"]["P1"]) as one,
        ):
            assert terminal.stdin is not None
            said = Said(terminal)
            while one.view["names"]["P2"] != "Bob":
                one.next("view")
            one.move("P1-C+1")
            said.hear("Player 1 moved P1-C 2→3.")
            print("P2-C+1", file=terminal.stdin, flush=True)
            while one.view["turn"] < 2:
                one.next("turn", "view")
            one.do("undo")
            said.hear("Player 1 asks to take back turns 1 and 2. Type yes or no.")
            print("yes", file=terminal.stdin, flush=True)
            while one.view["turn"] > 0:
                one.next("view")
            server.kill()
            server.start()
            with server.join(created["id"], created["seats"]["P1"]) as again:
                deadline = time.monotonic() + SECONDS
                while not again.view["presence"]["P2"]:
                    assert time.monotonic() < deadline
                    again.view["presence"] = again.next("presence")
                again.move("P1-C+2")
            print("nonsense\nquit", file=terminal.stdin, flush=True)
            assert terminal.wait(SECONDS) == 0
            said.hear("Cross Over: Player 1 against Player 2")
            said.hear("The connection is lost; connecting again …")
        assert (tmp_path / "mine" / "joined.json").stat().st_mode & 0o077 == 0


def test_a_wrong_link_is_told(server: Server, program: Program) -> None:
    created = server.create(game="cross-over", opponent="here")
    for link, told in (
        (f"{server.address}/game/{created['id']}#s.{'x' * 32}", "does not open the game"),
        (f"{server.address}/game/{created['id']}", "not the link of a live game"),
        (
            f"http://127.0.0.1:9/game/x#s.{'x' * 32}",
            "The game cannot be reached: Connection refused.",
        ),
    ):
        done = program("join", link)
        assert done.status == 2
        assert told in done.err


def test_the_first_reason_for_a_refusal_is_the_one_that_is_told(server: Server) -> None:
    """Not that the server hung up afterwards, which a slow listener would hear of."""
    from lineduel.web import LiveClient, read_link

    created = server.create(game="cross-over", opponent="here")
    client = LiveClient(read_link(f"{server.address}/game/{created['id']}#s.{'x' * 32}"))
    before = set(threading.enumerate())
    with pytest.raises(LineduelError, match="does not open the game"):
        client.connect()
    for thread in set(threading.enumerate()) - before:
        thread.join(SECONDS)
        assert not thread.is_alive()
    assert "does not open the game" in client.refusal


@pytest.mark.parametrize(
    "place",
    [
        "127.0.0.1:99999",
        "127.0.0.1:abc",
        "127.0.0.1:-1",
        "a..b",
        "x" * 70,
        "[::1",
        "",
    ],
)
@pytest.mark.parametrize("token", ["s.", "i."])
def test_a_link_to_where_nothing_can_be_is_refused_at_once(
    program: Program, place: str, token: str
) -> None:
    done = program("join", "--plain", f"http://{place}/game/abcdefghijkl#{token}{'A' * 32}")
    assert done.status == 2
    assert done.complaints == [
        "lineduel: That is not the link of a live game. It looks like https://HOST/game/ID#TOKEN"
    ]


# Servers that mean harm

HARM = "\x1b]0;owned\x07\u202e"
HARMLESS = "\\x1b]0;owned\\x07\\u202e"
_TEXTS = ("title", "sentence", "text", "name", "move", "labels", "names", "players", "piece")


def doctored(data: Any, inside: bool = False) -> Any:
    """A message with something in every text that a terminal would obey."""
    match data:
        case dict():
            return {key: doctored(one, inside or key in _TEXTS) for key, one in data.items()}
        case list():
            return [doctored(one, inside) for one in data]
        case str() if inside:
            return f"{data}{HARM}"
        case _:
            return data


class HostileServer:
    """Says what it is told to whoever connects, and has the record of a real game."""

    def __init__(self, record: str, *messages: object) -> None:
        self._record, self._messages = record, messages
        self._may_go_on = threading.Event()

    def go_on(self) -> None:
        """Say what comes after the first message."""
        self._may_go_on.set()

    @contextmanager
    def opened(self) -> Iterator[str]:
        """A link to it, as long as it runs."""
        with serve(self._talk, "127.0.0.1", 0, process_request=self._answer) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                port = server.socket.getsockname()[1]
                yield f"http://127.0.0.1:{port}/game/abc#s.{'A' * 32}"
            finally:
                self.go_on()
                server.shutdown()
                thread.join()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        if not request.path.endswith("/record"):
            return None
        return connection.respond(200, self._record)

    def _talk(self, connection: ServerConnection) -> None:
        connection.recv()
        first, *others = self._messages
        connection.send(json.dumps(first))
        self._may_go_on.wait()
        for message in others:
            connection.send(json.dumps(message))
        with suppress(ConnectionClosed):
            connection.recv()  # until the client leaves


def test_a_server_that_says_nothing_is_not_waited_for_in_silence(tmp_path: Path) -> None:
    """It takes a moment until that is said."""

    def say_nothing(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            connection.recv()
            connection.recv()

    with serve(say_nothing, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = server.socket.getsockname()[1]
        link = f"http://127.0.0.1:{port}/game/abc#s.{'A' * 32}"
        with joining(tmp_path, link, "--plain") as terminal:
            Said(terminal).hear(f"Waiting for http://127.0.0.1:{port} …")
            terminal.send_signal(signal.SIGINT)
            assert terminal.wait(SECONDS) == 130
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("path", ["/socket", "/record"])
def test_a_token_goes_to_no_other_server(server: Server, tmp_path: Path, path: str) -> None:
    """A server that sends us elsewhere is refused: our key to the seat is for this one."""
    view, record = honest_game(server)
    asked: list[str] = []

    def note(connection: ServerConnection, request: Request) -> Response:
        asked.append(request.path)
        return connection.respond(404, "nothing here")

    class Elsewhere(HostileServer):
        def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
            if not request.path.endswith(path):
                return super()._answer(connection, request)
            answer = connection.respond(302, "")
            scheme = "ws" if path == "/socket" else "http"
            answer.headers["Location"] = f"{scheme}://127.0.0.1:{other}{request.path}"
            return answer

    with serve(lambda connection: None, "127.0.0.1", 0, process_request=note) as another:
        thread = threading.Thread(target=another.serve_forever)
        thread.start()
        other = another.socket.getsockname()[1]
        with (
            Elsewhere(record, view).opened() as link,
            joining(tmp_path, link, "--plain") as terminal,
        ):
            assert terminal.wait(SECONDS) == 2
        another.shutdown()
        thread.join()
    assert asked == []


def test_rematches_without_end_are_followed_with_pauses(server: Server) -> None:
    """So that no server sends a terminal through thousands of games a minute."""
    view, _ = honest_game(server)
    joined: list[float] = []
    is_enough = threading.Event()

    def send_on(connection: ServerConnection) -> None:
        joined.append(time.monotonic())
        if len(joined) > 3:
            is_enough.set()
        with suppress(ConnectionClosed):
            connection.recv()
            rematch = {"offered_by": [], "id": f"next{len(joined)}"}
            connection.send(json.dumps({**view, "rematch": rematch}))
            connection.recv()

    with serve(send_on, "127.0.0.1", 0) as endless:
        thread = threading.Thread(target=endless.serve_forever)
        thread.start()
        port = endless.socket.getsockname()[1]
        client = LiveClient(GameLink(f"http://127.0.0.1:{port}", "abc", f"s.{'A' * 32}", None))
        following = threading.Thread(target=client._run)
        following.start()
        assert is_enough.wait(SECONDS)
        client.close()
        endless.shutdown()
        thread.join()
        following.join()
    assert joined[3] - joined[0] >= 3 * _BETWEEN_REMATCHES


def honest_game(server: Server) -> tuple[dict[str, Any], str]:
    """A game of a real server after a move: its view and its record."""
    created = server.create(game="cross-over", opponent="here")
    seat = created["seats"]["P1"]
    with server.join(created["id"], seat) as client:
        client.move("P1-C+1")
    with server.join(created["id"], seat) as client:
        view = client.view
    return view, server.fetch(f"/api/live/{created['id']}/record", token=seat)[1]


BYE = {"type": "bye", "error": f"Go away.{HARM}", "again": False}
REFUSED = {"type": "refused", "id": None, "error": f"No.{HARM}"}


def test_nothing_that_a_server_says_is_obeyed_by_a_terminal(server: Server, tmp_path: Path) -> None:
    """Escapes and characters that turn text around are shown as what they are.

    The title, the board and the moves are those of the rules, whatever the server calls them.
    """
    view, record = honest_game(server)
    told = doctored(view) | {"log": view["log"]}
    hostile = HostileServer(record, told, REFUSED, BYE)
    with hostile.opened() as link, joining(tmp_path, link, "--plain") as terminal:
        assert terminal.stdin is not None
        said = Said(terminal)
        said.hear(f"Cross Over: Player 1{HARMLESS} against Player 2{HARMLESS}")
        said.hear(f"to move.{HARMLESS}")
        print("moves", file=terminal.stdin, flush=True)
        first = view["moves"][0]
        said.hear(f"1. {first['piece']} {first['from']}→{first['to']}\n")
        hostile.go_on()
        assert terminal.wait(SECONDS) == 2
        said.hear(f"No.{HARMLESS}")
        said.hear(f"lineduel: Go away.{HARMLESS}")
        assert not {"\x1b", "\x07", "\u202e"} & set(said.text)


@pytest.mark.terminal
def test_nothing_that_a_server_says_is_obeyed_on_the_full_screen(
    server: Server, program: Program
) -> None:
    view, record = honest_game(server)
    told = doctored(view) | {"log": view["log"]}
    hostile = HostileServer(record, told, REFUSED, told | {"version": 9}, BYE)
    with (
        hostile.opened() as link,
        FullScreen(program, "join", link, "--no-animation", columns=140) as terminal,
    ):
        terminal.find(f"to move.{HARMLESS}")
        hostile.go_on()
        assert terminal.end() == 0
        assert f"Go away.{HARMLESS}" in terminal.shown
        assert b"\x1b]0;" not in terminal.raw
        assert "\u202e" not in terminal.shown


@pytest.mark.parametrize(
    "change",
    [
        {"names": {}},
        {"type": "bye", "error": "", "again": False},
    ],
)
def test_a_server_that_makes_no_sense_ends_the_program_with_a_sentence(
    server: Server, tmp_path: Path, change: dict[str, Any]
) -> None:
    """It does not wait for input that never comes, and nobody has to read a traceback."""
    view, record = honest_game(server)
    nonsense = change if "type" in change else view | change
    hostile = HostileServer(record, nonsense)
    with hostile.opened() as link, joining(tmp_path, link, "--plain") as terminal:
        said = Said(terminal)
        assert terminal.wait(SECONDS) == 2
        said.hear("lineduel: The ")
        assert "Traceback" not in said.text


def test_an_error_that_nobody_foresaw_ends_a_connection_and_is_told(server: Server) -> None:
    """Whoever waits for the game waits no longer."""
    from lineduel.web import LiveClient, read_link

    def fail(message: object) -> None:
        raise ValueError("\x1b[31mnot foreseen")

    created = server.create(game="cross-over", opponent="here")
    client = LiveClient(
        read_link(f"{server.address}/game/{created['id']}#{created['seats']['P1']}")
    )
    before = set(threading.enumerate())
    client.listen(fail)
    with suppress(LineduelError):  # it may have come already
        client.connect()
    for thread in set(threading.enumerate()) - before:
        thread.join(SECONDS)
        assert not thread.is_alive()
    assert client.is_over
    told = "The connection to the game failed (ValueError: \\x1b[31mnot foreseen)."
    assert client.refusal == told


def test_a_server_that_tells_of_impossible_moves_ends_a_plain_game_with_a_sentence(
    server: Server, tmp_path: Path
) -> None:
    view, record = honest_game(server)
    hostile = HostileServer(record, view, doctored(view) | {"version": view["version"] + 1})
    with hostile.opened() as link, joining(tmp_path, link, "--plain") as terminal:
        said = Said(terminal)
        said.hear("to move.")
        hostile.go_on()
        assert terminal.wait(SECONDS) == 2
        said.hear("lineduel: The server tells of moves that are not possible in this game.")
        assert "Traceback" not in said.text


@pytest.mark.terminal
def test_a_server_that_tells_of_impossible_moves_ends_the_full_screen_with_a_sentence(
    server: Server, program: Program
) -> None:
    view, record = honest_game(server)
    later = doctored(view) | {"version": view["version"] + 1}
    hostile = HostileServer(record, view, later)
    with (
        hostile.opened() as link,
        FullScreen(program, "join", link, "--no-animation") as terminal,
    ):
        terminal.find("to move.")
        hostile.go_on()
        assert terminal.end() == 0
        assert "Traceback" not in terminal.shown
        assert "The server" in terminal.shown


@pytest.mark.parametrize("damaged", ["{", "[" * 100_000, '{"x y": 5}', "[]", "\udcff"])
def test_damaged_keys_to_seats_are_put_aside_and_that_is_told(
    server: Server, program: Program, damaged: str
) -> None:
    """Nothing is overwritten; the next try works."""
    created = server.create(game="cross-over", opponent="friend")
    link = f"{server.address}/game/{created['id']}#{created['invite']}"
    file = program.data / "joined.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(damaged.encode(errors="surrogateescape"))
    done = program("join", "--plain", link)
    assert done.status == 2
    assert "with the keys to your seats in live games, was damaged." in done.complaints[0]
    aside = file.with_name("joined.json.damaged")
    assert aside.read_bytes() == damaged.encode(errors="surrogateescape")
    assert f"It is kept as {aside}" in done.complaints[1]
    assert program("join", "--plain", link, typed="quit\n").status == 0
    assert program("join", "--plain", link, typed="quit\n").status == 0
    assert list(json.loads(file.read_text())) == [f"127.0.0.1:{server.port} {created['id']}"]
