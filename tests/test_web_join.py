"""`lineduel join`: a terminal against another client of the same live game, and a browser."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from playwright.sync_api import Browser, expect

from program import Program
from terminal import FullScreen
from web_server import SECONDS, Client, Server
from web_windows import opened

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
            terminal.find("asks to take back turn 1", "y: allow")
            terminal.press(b"y")
            expect(window.find(".log li")).to_have_count(0)
            terminal.press(b"u")
            terminal.find("You have not moved yet.")
            terminal.press(b"r")
            terminal.find("Resign this game?")
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
            terminal.find(f"1:{number}")
        with open_battle(server, program) as (one, terminal):
            one.do("number", number=number, turn=one.view["turn"])
            shown.append(terminal.rows)
            terminal.press(b"1")
            assert one.next("turn")["last"]["events"][0]["numbers"] == {"P1": number, "P2": 1}
            terminal.find(f"{number}:1")
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
            terminal.find(f"Hand the keyboard to Player {player}")
            terminal.press(b"\r")
            terminal.find("it is not shown")
            terminal.press(number)
        terminal.find("3:2")
        terminal.press(b"\r")
        terminal.find("Player 1 to move")


class Said:
    """What a program prints, while it runs."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._text = ""
        self._reader = threading.Thread(target=self._read, args=(program.stdout,), daemon=True)
        self._reader.start()

    def _read(self, printed: IO[str]) -> None:
        for line in printed:
            self._text += line

    def hear(self, text: str) -> None:
        """Wait until it has printed this."""
        deadline = time.monotonic() + SECONDS
        while text not in self._text:
            assert time.monotonic() < deadline, self._text
            time.sleep(0.02)


def test_a_terminal_plays_against_another_client_and_survives_a_restart(tmp_path: Path) -> None:
    """It joins by an invitation, moves, is asked for an undo, and comes back by itself."""
    with Server(tmp_path / "server") as server:
        created = server.create(game="cross-over", opponent="friend")
        link = f"{server.address}/game/{created['id']}#{created['invite']}"
        environment = {**os.environ, "LINEDUEL_DATA": str(tmp_path / "mine")}
        with (
            subprocess.Popen(
                [sys.executable, "-m", "lineduel", "join", link, "--name", "Bob"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=environment,
            ) as terminal,
            server.join(created["id"], created["seats"]["P1"]) as one,
        ):
            assert terminal.stdin is not None
            said = Said(terminal)
            while one.view["names"]["P2"] != "Bob":
                one.next("view")
            one.move("P1-C+1")
            said.hear("Player 1 moves P1-C from 2 to 3.")
            print("P2-C+1", file=terminal.stdin, flush=True)
            while one.view["turn"] < 2:
                one.next("turn", "view")
            one.do("undo")
            said.hear("Player 1 asks to take back turn 1. Type yes or no.")
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
    from lineduel.errors import LineduelError
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
