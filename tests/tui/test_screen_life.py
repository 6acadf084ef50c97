"""The whole screen at a real terminal: it opens, survives what happens, and leaves no trace."""

import os
import re
import shlex
import signal
import sys
from collections.abc import Callable

import pytest

from lineduel import read_record
from support.program import PYTHON_M, Program
from support.screens import HUSH
from support.terminal import CTRL_C, CTRL_Z, ENTER, FullScreen, Sitting

pytestmark = pytest.mark.terminal

ESCAPE = b"\x1b"
KEPT = "Game saved. Resume with: lineduel play --resume"
HOME = "duels on a line"
ALTERNATE_OFF, CURSOR_ON, MOUSE_OFF = b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l"
BUTTON = re.compile("│ *[0-9] *│".encode())
"""A number to click; all of them are there, whichever is chosen."""
STEERING = re.compile(rb"\x1b\[[0-9;?<>=$]*[a-zA-Z]")
COLOUR = re.compile(rb"\x1b\[[0-9;]*[34]8;[25];")


def moves_on_disk(program: Program) -> list[str]:
    (path,) = program.saved
    return [str(move) for move in read_record(path.read_text(encoding="utf-8")).moves]


def play_two_moves(screen: FullScreen) -> None:
    screen.find("Player 1 to move.")
    screen.press(b"1")
    screen.find("Player 2 to move.")
    screen.press(b"1")
    screen.find("P2 5→4", "Player 1 to move.")


def test_home_opens_and_leads_into_a_game(program: Program) -> None:
    """The program alone opens the games; Enter twice plays one against level 3."""
    with FullScreen(program) as screen:
        screen.find(HOME, "Cross Over", "q quit")
        screen.press(b"5")
        screen.find("level 3", "Enter start")
        screen.press(ENTER)
        screen.find("Your move.")
        screen.press(b"\x1b[B" + ENTER)
        screen.find("P2 5→")
        screen.press(b"q")
        assert screen.end() == 0
        assert screen.gone
    assert KEPT in screen.raw.rpartition(ALTERNATE_OFF)[2].decode()
    assert len(moves_on_disk(program)) == 2


def quits(screen: FullScreen) -> int:
    screen.press(b"q")
    return screen.end()


def presses_ctrl_c(screen: FullScreen) -> int:
    screen.press(CTRL_C)
    return screen.end()


def gets(number: signal.Signals) -> Callable[[FullScreen], int]:
    return lambda screen: screen.send(number)


@pytest.mark.parametrize(
    ("leave", "status"),
    [
        pytest.param(quits, 0, id="q"),
        pytest.param(presses_ctrl_c, 130, id="Ctrl-C"),
        pytest.param(gets(signal.SIGINT), 130, id="SIGINT"),
        pytest.param(gets(signal.SIGTERM), 143, id="SIGTERM"),
        pytest.param(gets(signal.SIGHUP), 129, id="SIGHUP"),
    ],
)
def test_leaving_gives_the_terminal_back(
    program: Program, leave: Callable[[FullScreen], int], status: int
) -> None:
    """The old screen, the cursor and the mouse are back; one line says how to go on."""
    with FullScreen(program, "play", "blockade-duel", "--no-animation") as screen:
        play_two_moves(screen)
        assert leave(screen) == status
        assert screen.gone
        assert screen.echoes_lines
    before, _, after = screen.raw.rpartition(ALTERNATE_OFF)
    assert CURSOR_ON in screen.raw[-200:]
    assert MOUSE_OFF in before + after
    assert STEERING.sub(b"", after).decode().split("\r\n") == [KEPT, ""]
    assert "Traceback" not in screen.shown
    assert moves_on_disk(program) == ["P1+1", "P2+1"]


@pytest.mark.parametrize("in_a_battle", [False, True])
def test_ctrl_c_leaves_a_shell_that_echoes(program: Program, in_a_battle: bool) -> None:
    """Echo and line editing are as before, also after a secret was typed."""
    game = f"'{sys.executable}' -m lineduel play flag-chase --p2 human --no-animation"
    with FullScreen(program, shell=f"trap : INT; {game}; echo status=$?; stty -a") as screen:
        screen.find("Player 1 to move.")
        if in_a_battle:
            go_to_battle(screen)
            screen.press(ENTER)
            screen.find("(hidden while you type)")
        screen.press(CTRL_C)
        screen.find("status=130")
        assert screen.end() == 0
    settings = screen.shown.rpartition("status=130")[2].split()
    assert "echo" in settings
    assert "icanon" in settings
    assert "-echo" not in settings


@pytest.mark.parametrize("way", ["SIGKILL", "closed window"])
def test_a_game_goes_on_after_a_crash(program: Program, way: str) -> None:
    """From home with c, or with --resume; every move is there."""
    with FullScreen(program, "play", "blockade-duel", "--no-animation") as screen:
        play_two_moves(screen)
        if way == "SIGKILL":
            assert screen.kill() == -signal.SIGKILL
        else:
            assert screen.close_window() == 129
        assert screen.gone
    assert moves_on_disk(program) == ["P1+1", "P2+1"]
    with FullScreen(program, "--no-animation") as screen:
        screen.find("c continue Blockade Duel, after 2 turns")
        screen.press(b"c")
        screen.find("Player 1 to move.", "P2 5→4")
        screen.press(b"2")
        screen.find("Player 2 to move.")
        screen.kill()
    with FullScreen(program, "play", "--resume", "--no-animation") as screen:
        screen.find("Player 2 to move.", "P1 6→8")
        screen.press(b"2")
        screen.find("Player 1 to move.")
        assert quits(screen) == 0
    assert moves_on_disk(program) == ["P1+1", "P2+1", "P1+2", "P2+2"]


def test_a_game_that_is_open_elsewhere_goes_on_as_a_copy(program: Program) -> None:
    """The second screen asks first; neither game loses a move."""
    with FullScreen(program, "play", "blockade-duel", "--no-animation") as first:
        play_two_moves(first)
        with FullScreen(program, "--no-animation") as second:
            second.find("c continue Blockade Duel, after 2 turns")
            second.press(b"c")
            second.find("This game is open in another window or terminal.")
            second.press(b"n")
            second.find("c continue Blockade Duel, after 2 turns")
            second.press(b"c")
            second.find("Resume a copy of it?")
            second.press(b"y")
            second.find("Player 1 to move.", "P2 5→4")
            second.press(b"2")
            second.find("Player 2 to move.")
            assert quits(second) == 0
        first.press(b"1")
        first.find("Player 2 to move.")
        assert quits(first) == 0
    games = [
        [str(move) for move in read_record(path.read_text("utf-8")).moves] for path in program.saved
    ]
    assert sorted(games) == [["P1+1", "P2+1", "P1+1"], ["P1+1", "P2+1", "P1+2"]]


def test_a_game_can_be_opened_again_at_once(program: Program) -> None:
    """Whoever goes home, or begins another game, lets go of the game that was open."""
    with FullScreen(program, "play", "blockade-duel", "--no-animation") as screen:
        play_two_moves(screen)
        screen.press(ESCAPE)
        screen.find("c continue Blockade Duel, after 2 turns")
        screen.press(b"c")
        screen.find("Player 1 to move.", "P2 5→4")
        screen.press(b"n")
        screen.find("Enter start")
        screen.press(ENTER)
        screen.find("Your move. Arrows")
        screen.press(ESCAPE)
        screen.find("c continue Blockade Duel, after 2 turns")
        screen.press(b"c")
        screen.find("Player 1 to move.", "P2 5→4")
        assert quits(screen) == 0


@pytest.mark.parametrize("key", "²①٣９½")
def test_what_only_looks_like_a_digit_is_none(program: Program, key: str) -> None:
    """The key of its own on French keyboards and its kin, at home, in a game and in a battle."""
    with FullScreen(program, "--no-animation") as screen:
        screen.find(HOME)
        screen.press(key.encode())
        screen.press(b"2")
        screen.find("Enter start")
        assert presses_ctrl_c(screen) == 130
    with FullScreen(program, "play", "flag-chase", "--no-animation") as screen:
        screen.find("Player 1 to move.")
        screen.press(key.encode())
        go_to_battle(screen)
        screen.press(ENTER)
        screen.find("(hidden while you type)")
        screen.press(key.encode())
        screen.press(b"2")
        screen.find("Hand the keyboard to player 2.")
        assert presses_ctrl_c(screen) == 130
    assert "Traceback" not in screen.shown


def test_a_screen_tries_again_to_save(program: Program) -> None:
    """A disk that was full for a moment is noticed, and so is one that stays full."""
    program.data.mkdir()
    obstacle = program.data / "games"
    obstacle.touch()
    with FullScreen(program, "play", "blockade-duel", "--no-animation") as screen:
        screen.find("Player 1 to move.")
        screen.press(b"1")
        screen.find("The game is not saved:")
        obstacle.unlink()
        screen.press(b"1")
        screen.find("The game is saved again.")
        assert moves_on_disk(program) == ["P1+1", "P2+1"]
        assert quits(screen) == 0
    assert KEPT in screen.raw.rpartition(ALTERNATE_OFF)[2].decode()


def test_leaving_a_screen_whose_game_could_not_be_saved_says_so(program: Program) -> None:
    program.data.mkdir()
    (program.data / "games").touch()
    with FullScreen(program, "play", "blockade-duel", "--no-animation") as screen:
        play_two_moves(screen)
        assert quits(screen) == 1
    assert "The game is not saved:" in screen.raw.rpartition(ALTERNATE_OFF)[2].decode()


def test_ctrl_z_stops_a_game_and_fg_goes_on(program: Program) -> None:
    """The shell gets its own screen back, and then the game its own."""
    settings = {"PS1": "ready> ", "HISTFILE": os.devnull}
    play = shlex.join([*PYTHON_M, "play", "blockade-duel", "--no-animation", "--p2", "human"])
    with FullScreen(program, shell="exec bash --norc --noprofile -i", settings=settings) as screen:
        screen.see("ready> ")
        screen.type(play)
        screen.find("Player 1 to move.")
        screen.press(b"1")
        screen.find("Player 2 to move.")
        for _ in range(2):
            before = len(screen.raw)
            screen.press(CTRL_Z)
            screen.see("ready> ")
            left = screen.raw[before:]
            assert ALTERNATE_OFF in left
            assert CURSOR_ON in left
            screen.type("fg")
            screen.see("Blockade Duel")  # the whole screen is drawn again
        screen.press(b"1")
        screen.find("P2 5→4", "Player 1 to move.")
    assert moves_on_disk(program) == ["P1+1", "P2+1"]


def test_ctrl_z_does_nothing_where_no_shell_could_go_on(program: Program) -> None:
    """As in a window that was opened for the game alone."""
    with FullScreen(program, "play", "blockade-duel", "--no-animation") as screen:
        screen.find("Player 1 to move.")
        screen.press(CTRL_Z + b"1")
        screen.find("Player 2 to move.")
        assert quits(screen) == 0


def test_resizing_in_a_game(program: Program) -> None:
    """Smaller, far too small, and large again: nothing is lost."""
    with FullScreen(program, "play", "cross-over", "--no-animation") as screen:
        screen.find("Player 1 to move.")
        for columns, rows in ((60, 20), (20, 5), (1, 1), (200, 60), (60, 20)):
            screen.resize(columns, rows)
            screen.listen(0.1)
        screen.find("Player 1 to move.", "q quit", "P1-C 2→4")
        screen.press(b"3")
        screen.find("Player 2 to move.")
        assert quits(screen) == 0
    assert "Traceback" not in screen.shown


# Battles


def go_to_battle(screen: FullScreen) -> None:
    for side in (2, 1, 2):
        screen.press(b"1")
        screen.find(f"Player {side} to move.")
    screen.press(b"1")
    screen.find("Hand the keyboard to player 1.")


@pytest.mark.parametrize("number", [b"6", b"8"])
def test_no_byte_tells_a_number_that_is_still_secret(program: Program, number: bytes) -> None:
    """Nothing that the terminal gets, through a resize and to the end, nor the record has it."""
    (program.folder / "hush.toml").write_text(HUSH, encoding="utf-8")
    with FullScreen(program, "play", "hush.toml", "--no-animation") as screen:
        screen.find("Player 1 to move.")
        go_to_battle(screen)
        screen.press(ENTER)
        screen.find("(hidden while you type)")
        screen.press(number)
        screen.find("Hand the keyboard to player 2.")
        for columns, rows in ((60, 20), (100, 30)):
            screen.resize(columns, rows)
            screen.listen(0.2)
            screen.find("Hand the keyboard to player 2.")
        screen.press(ESCAPE)
        screen.find("A battle is open.")
        screen.press(ENTER)
        screen.find("Hand the keyboard to player 2.")
        assert presses_ctrl_c(screen) == 130
    assert number not in BUTTON.sub(b"", STEERING.sub(b" ", screen.raw))
    (path,) = program.saved
    assert path.read_text("utf-8").splitlines()[-1] == "1. Ann+1 Bob+1 2. Ann+1 Bob+1 *"
    with FullScreen(program, "play", "--resume", "--no-animation") as screen:
        screen.find("Hand the keyboard to player 2.")
        assert presses_ctrl_c(screen) == 130
    assert number not in STEERING.sub(b" ", screen.raw)


def test_a_kill_in_a_battle_keeps_the_number_that_was_chosen(program: Program) -> None:
    """When the game goes on, player 1 has chosen, nothing of it is seen, and player 2 is asked."""
    with FullScreen(program, "play", "flag-chase", "--no-animation") as screen:
        screen.find("Player 1 to move.")
        go_to_battle(screen)
        screen.press(ENTER)
        screen.find("(hidden while you type)")
        screen.press(b"4")
        screen.find("Hand the keyboard to player 2.")
        screen.kill()
    assert moves_on_disk(program) == ["P1+1", "P2+1", "P1+1", "P2+1"]
    with FullScreen(program, "play", "--resume", "--no-animation") as screen:
        screen.find("Hand the keyboard to player 2.")
        screen.press(ENTER)
        screen.find("Player 2, choose a number")
        screen.press(b"5")
        screen.find("Player 1 chose 4.", "Player 2 chose 5.")
        assert presses_ctrl_c(screen) == 130
    assert not list(program.data.glob("games/.*"))


# Who plays


def test_a_game_by_its_name_asks_who_plays(program: Program) -> None:
    """Enter begins, and q leads to the home screen."""
    with FullScreen(program, "play", "cross-over", "--no-animation", two_people=False) as screen:
        screen.find("Cross Over", "level 3", "Enter start")
        screen.press(b"q")
        screen.lose("Enter start")
        screen.find("Enter play")
        quits(screen)
    with FullScreen(program, "play", "cross-over", "--no-animation", two_people=False) as screen:
        screen.find("Enter start")
        screen.press(ENTER)
        screen.find("You against", "the computer (level 3, easy)", "Your move.")
        quits(screen)


def test_what_the_command_settles_is_not_asked(program: Program) -> None:
    """A position, who begins, a variant, names and the coach are as the options say."""
    settled = ("--position", "3/8/2", "--name1", "Ann", "--coach", "--no-animation")
    with FullScreen(program, "play", "blockade-duel", *settled, two_people=False) as screen:
        screen.find("Enter start", "Rules standard", "Begins Player 2", "Ann", "Coach ‹ on ›")
        screen.press(ENTER)
        screen.find("You against", "the computer (level 3, easy)", "1 P2 8→")
        quits(screen)
    with FullScreen(program, "play", "flag-chase:may-stay", two_people=False) as screen:
        screen.find("Enter start", "Rules may stay")
        screen.press(ENTER)
        screen.find("Your move.", "P1 stays")
        quits(screen)


# Which form


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        (("--plain",), {}),
        (("play", "blockade-duel", "--plain"), {}),
        (("--plain", "play", "blockade-duel"), {}),
        ((), {"TERM": "dumb"}),
        (("play", "blockade-duel"), {"TERM": "dumb"}),
        ((), {"TERM": ""}),
    ],
)
def test_the_plain_form_never_takes_the_screen(
    program: Program, arguments: tuple[str, ...], settings: dict[str, str]
) -> None:
    with Sitting(program, *arguments, plain=False, settings=settings, two_people=False) as sitting:
        sitting.answer("(1", "quit")
        assert sitting.end() == 0
    assert b"\x1b[?1049h" not in sitting.raw


def test_a_pipe_gets_the_plain_form(program: Program) -> None:
    """Whether the answers or the output go through it."""
    assert "Which game?" in program(typed="quit\n").out
    assert "Nothing was typed. Type 1 to 5" in program(typed="\nquit\n").err
    command = f"'{sys.executable}' -m lineduel | cat"
    with FullScreen(program, shell=command) as screen:
        screen.see("Which game?")
        screen.type("quit")
        screen.end()
    assert b"\x1b[?1049h" not in screen.raw


@pytest.mark.parametrize("way", ["NO_COLOR", "--color"])
def test_no_colour_means_none(program: Program, way: str) -> None:
    """Not even greys; signs and shapes are there."""
    arguments = ("play", "blockade-duel", "--no-animation")
    settings = {"NO_COLOR": "1"} if way == "NO_COLOR" else {}
    more = ("--color", "never") if way == "--color" else ()
    with FullScreen(program, *arguments, *more, settings=settings) as screen:
        screen.find("Player 1 to move.")
        screen.press(b"v")
        screen.find("✓ wins in", "►P1", "◄P2")
        quits(screen)
    assert not COLOUR.search(screen.raw)
    assert not re.search(rb"\x1b\[(?:[0-9;]*;)?(3[0-7]|4[0-7]|9[0-7])(;[0-9;]*)?m", screen.raw)


def test_colours_come_with_the_theme(program: Program) -> None:
    """`--theme light` draws on a light ground."""
    grounds = {}
    for theme in ("dark", "light"):
        with FullScreen(program, "--theme", theme, "--no-animation") as screen:
            screen.find(HOME)
            quits(screen)
        grounds[theme] = screen.raw
    assert b"48;2;20;23;28" in grounds["dark"]
    assert b"48;2;251;251;248" in grounds["light"]
    assert b"48;2;20;23;28" not in grounds["light"]


def test_a_terminal_far_too_small_is_no_crash(program: Program) -> None:
    with FullScreen(program, "play", "cross-over", columns=12, rows=4) as screen:
        screen.find("60×20 is")
        screen.press(b"1")
        while not program.saved:
            screen.listen(0.02)
        assert presses_ctrl_c(screen) == 130
    assert "Traceback" not in screen.shown
    assert moves_on_disk(program) == ["P1-B+2"]
