"""`lineduel join`: a terminal against another client of the same live game."""

import os
import subprocess
import sys
import time
from pathlib import Path

from web_server import SECONDS, Server


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
            assert terminal.stdout is not None
            while one.view["names"]["P2"] != "Bob":
                one.next("view")
            one.move("P1-C+1")
            print("P2-C+1", file=terminal.stdin, flush=True)
            while one.view["turn"] < 2:
                one.next("turn", "view")
            one.do("undo")
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
            said, _ = terminal.communicate(timeout=SECONDS)
            assert terminal.returncode == 0
        assert "Cross Over: Player 1 against Player 2" in said
        assert "Player 1 moves P1-C from 2 to 3." in said
        assert "Player 1 asks to take back turn 1. Type yes or no." in said
        assert "The connection is lost; connecting again …" in said
        assert (tmp_path / "mine" / "joined.json").stat().st_mode & 0o077 == 0


def test_a_wrong_link_is_told(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        created = server.create(game="cross-over", opponent="here")
        for link, told in (
            (f"{server.address}/game/{created['id']}#s.{'x' * 32}", "does not open the game"),
            (f"{server.address}/game/{created['id']}", "not the link of a live game"),
            (f"http://127.0.0.1:9/game/x#s.{'x' * 32}", "cannot be reached"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "lineduel", "join", link],
                input="",
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 2
            assert told in done.stderr
