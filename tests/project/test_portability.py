"""Python without the modules that only POSIX systems have: what can work does, the rest says so."""

import os
from pathlib import Path

import pytest

from support.program import Program
from support.terminal import FullScreen, Sitting

HIDDEN = ("fcntl", "termios", "resource", "pwd", "grp")
PLAIN = {"PYTHONPATH": "hidden"}
TESTS = Path(__file__).parents[1]
SCREEN = """
import asyncio
from support.screens import match_of, viewer

async def play() -> None:
    async with viewer(match_of("flag-chase", "human", "level:2")) as game:
        await game.see("Your move.")
        await game.press("1")
        await game.until(lambda: len(game.app.screen.match.session.turns) == 2)
        await game.press("q")
    print(game.app.farewell)

asyncio.run(play())
"""


@pytest.fixture
def elsewhere(program: Program) -> Program:
    """The program where `import fcntl` and the like fail."""
    folder = program.folder / "hidden"
    folder.mkdir()
    lines = ["import sys", *(f"sys.modules[{name!r}] = None" for name in HIDDEN)]
    (folder / "sitecustomize.py").write_text("\n".join(lines), encoding="utf-8")
    assert program.python("-c", "import termios", PYTHONPATH="hidden").status == 1
    return program


def test_games_rules_and_solutions_are_as_everywhere(elsewhere: Program) -> None:
    for command in (("games",), ("rules", "flag-chase"), ("solve", "cross-over")):
        done = elsewhere(*command, PYTHONPATH="hidden")
        assert (done.status, done.err) == (0, "")
        assert done.out == elsewhere(*command).out


def test_a_game_is_played_kept_and_gone_on_with(elsewhere: Program) -> None:
    """That it could be opened twice is said."""
    typed = "1\n1\n1\n1\n4\n2\nquit\n"
    assert elsewhere("play", "flag-chase", typed=typed, PYTHONPATH="hidden").err == ""
    done = elsewhere("play", "--resume", PYTHONPATH="hidden")
    assert done.status == 0
    assert "Flag Chase, after 5 turns." in done.out
    assert done.complaints == [
        "Files cannot be locked on this system: make sure that the game is open only here."
    ]


@pytest.mark.terminal
def test_secrets_are_asked_for_though_they_cannot_be_hidden(elsewhere: Program) -> None:
    """Whoever types is warned, and the battle is played."""
    with Sitting(elsewhere, "play", "flag-chase", settings=PLAIN) as sitting:
        for _ in range(4):
            sitting.answer("Enter choice (1-2): ", "1")
        for number in "42":
            sitting.see("may be echoed")
            sitting.answer("choose a number between 1 and 5: ", number)
        sitting.see("Player 1 chose 4.")
        sitting.answer("Enter choice (1-2): ", "quit")
        assert sitting.end() == 0


def test_the_screens_need_none_of_these_modules(elsewhere: Program) -> None:
    """With a driver of Textual's that needs none, as on Windows."""
    done = elsewhere.python(
        "-c",
        SCREEN,
        PYTHONPATH=os.pathsep.join(("hidden", str(TESTS))),
        TEXTUAL_DRIVER="textual.drivers.headless_driver:HeadlessDriver",
    )
    assert (done.status, done.err) == (0, "")
    assert "lineduel play --resume" in done.out


@pytest.mark.terminal
def test_where_the_screen_cannot_be_drawn_lines_are_used(elsewhere: Program) -> None:
    """Python on POSIX without termios: that is said, and the game is played in plain lines."""
    with FullScreen(elsewhere, "play", "blockade-duel", "--p2", "human", settings=PLAIN) as screen:
        screen.see("The full screen needs Python's module termios, which is missing here.")
        screen.answer("Enter your move (1 or 2): ", "quit")
        assert screen.end() == 0
    assert b"\x1b[?1049h" not in screen.raw
