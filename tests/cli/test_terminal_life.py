"""A game at a terminal survives whatever happens to it, and understands what is typed."""

import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from lineduel import read_record
from lineduel.engine import Game, Move, Step
from lineduel.play import Session
from lineduel.record import Record, write_record
from lineduel.rulebooks import SHIPPED, find_rulebook
from support.program import PYTHON_M, Program, wait_until
from support.terminal import CTRL_BACKSLASH, CTRL_C, CTRL_D, CTRL_Z, Sitting, plain

pytestmark = pytest.mark.terminal

BLOCKADE = "Enter your move (1 or 2): "
SOLDIERS = "positions to move (1 or 2): "
WHO = "Number (1-3, Enter for 1, or quit): "
HOW_STRONG = "Number or name (1-9, Enter for 3, or quit): "
MENU = "Number or name (1-5, or quit): "
KEPT = "Game saved. Resume with: lineduel play --resume"
NOT_KEPT = "No moves played, nothing saved."


def moves_on_disk(program: Program) -> list[str]:
    """The moves of the one game that is kept."""
    (path,) = program.saved
    return [str(move) for move in read_record(path.read_text(encoding="utf-8")).moves]


# Leaving and coming back


def quits(sitting: Sitting) -> int:
    sitting.type("quit")
    return sitting.end()


def presses_ctrl_d(sitting: Sitting) -> int:
    sitting.press(CTRL_D)
    return sitting.end()


def presses_ctrl_c(sitting: Sitting) -> int:
    return sitting.interrupt()


def is_killed(sitting: Sitting) -> int:
    return sitting.kill()


def loses_its_window(sitting: Sitting) -> int:
    return sitting.close_window()


def gets(number: signal.Signals) -> Callable[[Sitting], int]:
    return lambda sitting: sitting.send(number)


SIGNALS = [
    pytest.param(signal.SIGINT, 130, id="SIGINT"),
    pytest.param(signal.SIGTERM, 143, id="SIGTERM"),
    pytest.param(signal.SIGHUP, 129, id="SIGHUP"),
]
WAYS_TO_LEAVE = [
    pytest.param(quits, 0, id="quit"),
    pytest.param(presses_ctrl_d, 0, id="Ctrl-D"),
    pytest.param(presses_ctrl_c, 130, id="Ctrl-C"),
    pytest.param(is_killed, -signal.SIGKILL, id="SIGKILL"),
    pytest.param(loses_its_window, 129, id="closed window"),
    pytest.param(gets(signal.SIGTERM), 143, id="SIGTERM"),
    pytest.param(gets(signal.SIGHUP), 129, id="SIGHUP"),
]


@pytest.mark.parametrize(("leave", "status"), WAYS_TO_LEAVE)
def test_a_game_goes_on_however_it_was_left(
    program: Program, leave: Callable[[Sitting], int], status: int
) -> None:
    """Left amid a game, every move is there with --resume, and the game can be won."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        for answer in ("1", "2", "2"):
            sitting.answer(BLOCKADE, answer)
        sitting.see("- Your token is at position 3.")
        sitting.see(BLOCKADE)
        assert leave(sitting) == status
        assert sitting.gone
    assert moves_on_disk(program) == ["P1+1", "P2+2", "P1+2"]

    with Sitting(program, "play", "--resume") as sitting:
        shown = plain(sitting.see(BLOCKADE))
        assert shown.startswith("Blockade Duel, after 3 turns.\n\n")
        assert "3 [P2]" in shown
        assert "8 [P1]" in shown
        assert "Player 2's turn:\n- Your token is at position 3.\n" in shown
        sitting.type("2")
        sitting.answer(BLOCKADE, "2")
        assert sitting.end() == 0
        assert sitting.shown.endswith("Player 1 has reached Player 2's base. Player 1 wins!\n")
    assert moves_on_disk(program) == ["P1+1", "P2+2", "P1+2", "P2+2", "P1+2"]


@pytest.mark.parametrize("leave", [quits, presses_ctrl_d, presses_ctrl_c])
def test_leaving_says_that_the_game_is_kept(
    program: Program, leave: Callable[[Sitting], int]
) -> None:
    """The last line tells how to go on."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        sitting.see(BLOCKADE)
        leave(sitting)
    assert sitting.shown.endswith(f"\n{KEPT}\n")
    assert "Traceback" not in sitting.shown


@pytest.mark.parametrize("leave", [quits, presses_ctrl_d, presses_ctrl_c])
def test_leaving_before_the_first_move_keeps_nothing(
    program: Program, leave: Callable[[Sitting], int]
) -> None:
    """A game that was not begun leaves no file, and says so."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.see(BLOCKADE)
        leave(sitting)
    assert sitting.shown.endswith(f"\n{NOT_KEPT}\n")
    assert program.saved == []


def test_a_game_taken_back_to_its_start_is_not_kept(program: Program) -> None:
    """What is said about keeping is true after undo as well."""
    done = program("play", "blockade-duel", typed="1\nundo\nquit\n")
    assert done.out.endswith(f"\n{NOT_KEPT}\n")
    assert program.saved == []


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_crash_after_any_move_loses_none(program: Program, count: int) -> None:
    """Once the next question is asked, the move before it is on disk."""
    with Sitting(program, "play", "ctf-soldiers") as sitting:
        for answer in ("S1 2", "S3 1", "S1 2", "S4 2")[:count]:
            sitting.answer(SOLDIERS, answer)
        sitting.see(SOLDIERS)
        sitting.kill()
    assert moves_on_disk(program) == ["S1+2", "S3+1", "S1+2", "S4+2"][:count]


def test_a_crash_in_a_battle_keeps_the_battle_open(program: Program) -> None:
    """The move that began it is kept, and player 1's number: only player 2 is asked again."""
    with Sitting(program, "play", "flag-chase") as sitting:
        for _ in range(4):
            sitting.answer("Enter choice (1-2): ", "1")
        sitting.answer("Player 1, choose a number between 1 and 5: ", "5")
        sitting.see("Player 2, choose a number between 1 and 5: ")
        sitting.kill()
    assert moves_on_disk(program) == ["P1+1", "P2+1", "P1+1", "P2+1"]
    with Sitting(program, "play", "--resume") as sitting:
        shown = plain(sitting.see("Player 2, choose a number between 1 and 5: "))
        assert "Battle Initiated at Cell 3!" in shown
        assert "Player 1, choose" not in shown
        sitting.type("2")
        assert "Player 1 chose 5.\nPlayer 2 chose 2." in plain(sitting.see("Enter choice (1-2): "))


def test_ctrl_c_at_a_secret_prompt_gives_the_echo_back(program: Program) -> None:
    """The shell that comes back shows what is typed, as before."""
    play = f"'{sys.executable}' -m lineduel play flag-chase --p2 human --plain"
    shell = f"trap : INT; {play}; echo status=$?; stty -a"
    with Sitting(program, shell=shell) as sitting:
        for _ in range(4):
            sitting.answer("Enter choice (1-2): ", "1")
        sitting.see("Player 1, choose a number between 1 and 5: ")
        sitting.press(CTRL_C)
        sitting.see("status=130")
        assert sitting.end() == 0
    settings = sitting.shown.rpartition("status=130")[2].split()
    assert "echo" in settings
    assert "-echo" not in settings
    assert "icanon" in settings


@pytest.mark.parametrize("in_a_battle", [False, True])
@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_gives_the_terminal_back(
    program: Program, number: signal.Signals, status: int, in_a_battle: bool
) -> None:
    """Echo and lines are back, the game is kept, and that is the last thing said."""
    with Sitting(program, "play", "flag-chase") as sitting:
        for _ in range(4 if in_a_battle else 2):
            sitting.answer("Enter choice (1-2): ", "1")
        sitting.see("between 1 and 5: " if in_a_battle else "Enter choice (1-2): ")
        wait_until(lambda: not sitting.echoes_lines)
        assert sitting.send(number) == status
        assert sitting.echoes_lines
    assert sitting.shown.endswith(f"\n{KEPT}\n")
    assert "Traceback" not in sitting.shown
    assert len(moves_on_disk(program)) == (4 if in_a_battle else 2)


LOADED = ["signal", "lineduel.cli.main", "argparse", "lineduel.cli.play", "lineduel.match.saves"]


@pytest.mark.parametrize("module", LOADED)
def test_an_interrupt_while_the_program_is_loaded_ends_it_quietly(
    program: Program, module: str
) -> None:
    """Ctrl-C just after Enter: status 130 and not a word, whatever is being imported then."""
    done = program.python(
        "-c",
        "import os, runpy, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), 2)\n"
        f"sys.modules.pop({module!r}, None)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.argv = ['lineduel', 'play', 'cross-over', '--plain']\n"
        "runpy.run_module('lineduel', run_name='__main__')\n",
    )
    assert (done.status, done.out, done.err) == (130, "", "")


def test_an_interrupt_amid_an_exec_ends_with_130_too(program: Program) -> None:
    """With `-m` Python itself would end by the signal, though the interrupt was handled."""
    path = program.folder / "interrupted.py"
    path.write_text("""
import sys
import lineduel.cli.games
from lineduel.__main__ import main

def run(options):
    exec("import signal; signal.raise_signal(signal.SIGINT)")

lineduel.cli.games.run = run
sys.argv = ["lineduel", "games"]
sys.exit(main())
""")
    done = program.python("-m", "interrupted")
    assert (done.status, done.out, done.err) == (130, "", "\n")


def test_the_statuses_of_signals_are_documented(program: Program) -> None:
    """Whoever writes a script finds them in the manual page."""
    told = program("man").out.replace("\\-", "-")
    assert "129 hangup" in told
    assert "130 interrupted (Ctrl-C), 143 terminated" in told


# A game is open in one place

OPEN_ELSEWHERE = "This game is open in another window or terminal."


def test_a_game_is_open_in_one_place(program: Program) -> None:
    """The second is told so; a copy goes on in a file of its own, and neither loses a move."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        sitting.see(BLOCKADE)
        refused = program("play", "--resume")
        assert refused.status == 2
        assert refused.complaints == [
            f"lineduel: {OPEN_ELSEWHERE}",
            "Resume a copy of it with: lineduel play --resume --copy",
        ]
        assert program("play", "--resume", "--copy", typed="2\n1\nquit\n").status == 0
        sitting.type("1")
        sitting.answer(BLOCKADE, "quit")
        sitting.end()
    games = [
        [str(move) for move in read_record(path.read_text("utf-8")).moves] for path in program.saved
    ]
    assert sorted(games) == [["P1+1", "P2+1"], ["P1+1", "P2+2", "P1+1"]]
    assert not list(program.data.glob("games/.*"))


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_at_a_terminal_a_copy_is_asked_for(program: Program, answer: str) -> None:
    with Sitting(program, "play", "blockade-duel") as first:
        first.answer(BLOCKADE, "1")
        first.see(BLOCKADE)
        with Sitting(program, "play", "--resume") as second:
            second.see(OPEN_ELSEWHERE)
            second.answer("Resume a copy of it? (yes/no): ", answer)
            if answer == "yes":
                second.answer(BLOCKADE, "2")
                second.answer(BLOCKADE, "quit")
            assert second.end() == 0
    assert len(program.saved) == (2 if answer == "yes" else 1)


def test_a_crash_leaves_the_game_open_to_others(program: Program) -> None:
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        sitting.see(BLOCKADE)
        sitting.kill()
    assert program("play", "--resume", typed="1\nquit\n").status == 0
    assert moves_on_disk(program) == ["P1+1", "P2+1"]
    assert not list(program.data.glob("games/.*"))


# A disk that is full

NOT_SAVED = "The game is not saved: "


def block_saving(program: Program) -> Path:
    """As long as this file is there, no game can be written."""
    program.data.mkdir(exist_ok=True)
    obstacle = program.data / "games"
    obstacle.touch()
    return obstacle


def test_saving_is_tried_again_at_every_move(program: Program) -> None:
    """That it fails is said once, and that it works again."""
    obstacle = block_saving(program)
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        assert NOT_SAVED in plain(sitting.see(BLOCKADE))
        sitting.type("1")
        assert NOT_SAVED not in plain(sitting.see(BLOCKADE))
        obstacle.unlink()
        sitting.type("1")
        assert "The game is saved again.\n" in plain(sitting.see(BLOCKADE))
        assert moves_on_disk(program) == ["P1+1", "P2+1", "P1+1"]
        sitting.type("quit")
        assert sitting.end() == 0
    assert sitting.shown.endswith(f"\n{KEPT}\n")


@pytest.mark.parametrize("leave", [quits, presses_ctrl_d, presses_ctrl_c])
def test_leaving_tries_once_more_to_save(program: Program, leave: Callable[[Sitting], int]) -> None:
    obstacle = block_saving(program)
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        sitting.see(BLOCKADE)
        obstacle.unlink()
        leave(sitting)
    assert sitting.shown.endswith(f"\n{KEPT}\n")
    assert moves_on_disk(program) == ["P1+1"]


@pytest.mark.parametrize("typed", ["1\nquit\n", "1\nresign\n"])
def test_leaving_a_game_that_could_not_be_saved_says_so(program: Program, typed: str) -> None:
    block_saving(program)
    done = program("play", "blockade-duel", typed=typed)
    assert done.status == 1
    assert KEPT not in done.out
    assert done.complaints[-1].startswith(NOT_SAVED)


# Going on


def test_the_game_left_last_is_the_one_that_goes_on(program: Program) -> None:
    """--resume takes the latest unfinished game, or the latest of the game that is named."""
    program("play", "ctf-tokens", typed="3\nquit\n")
    program("play", "blockade-duel", typed="1\nquit\n")
    program("play", "blockade-duel", typed="1\n2\n2\n2\n2\n")
    assert program("play", "--resume").out.startswith("Blockade Duel, after 1 turn.\n")
    named = program("play", "ctf-tokens", "--resume").out
    assert named.startswith("Capture the Flag (Tokens), after 1 turn.\n")


def test_the_time_of_a_file_does_not_matter(program: Program) -> None:
    """A game says itself when it was last played, so a copy of a folder changes nothing."""
    program("play", "ctf-tokens", typed="3\nquit\n")
    program("play", "blockade-duel", typed="1\nquit\n")
    tokens, blockade = sorted(program.saved, key=lambda path: "blockade" in path.name)
    os.utime(blockade, (1, 1))
    assert program("play", "--resume").out.startswith("Blockade Duel, after 1 turn.\n")
    program("play", "ctf-tokens", "--resume", typed="3\nquit\n")
    os.utime(tokens, (1, 1))
    assert program("play", "--resume").out.startswith("Capture the Flag (Tokens), after 2 turns.\n")


def test_games_from_before_they_told_the_time_go_by_their_names(program: Program) -> None:
    program("play", "blockade-duel", typed="1\nquit\n")
    (path,) = program.saved
    text = "".join(
        line for line in path.read_text("utf-8").splitlines(True) if not line.startswith("[Saved ")
    )
    path.unlink()
    for day, game in ((2, text.replace("P1+1", "P1+2")), (1, text)):
        (path.parent / f"2025-01-0{day}-120000-blockade-duel.duel").write_text(game, "utf-8")
    assert "7 [P1]" in program("play", "--resume").out


def test_going_on_with_another_opponent(program: Program) -> None:
    """--p2 with --resume changes who plays; the other seat stays."""
    program("play", "blockade-duel", typed="1\nquit\n")
    done = program("play", "--resume", "--p2", "level:3", typed="quit\n")
    assert "The computer plays Player 2: level 3 (easy)." in done.out
    (path,) = program.saved
    record = read_record(path.read_text("utf-8"))
    assert (dict(record.tags)["Player1"], dict(record.tags)["Player2"]) == ("human", "level:3")
    assert len(record.moves) == 2


def test_a_game_goes_on_from_a_file(program: Program) -> None:
    """The file stays as it is; what is noted in it stays with the game."""
    program("play", "blockade-duel", typed="1\nsave mine.duel\nresign\n")
    mine = program.folder / "mine.duel"
    mine.write_text(
        mine.read_text("utf-8").replace("[Position", '[Event "Cup"]\n[Position'), "utf-8"
    )
    before = mine.read_bytes()
    assert program("play", "--resume", "mine.duel", typed="2\nquit\n").status == 0
    assert mine.read_bytes() == before
    kept = [read_record(path.read_text("utf-8")) for path in program.saved]
    [going_on] = [one for one in kept if len(one.moves) == 2]
    assert [str(move) for move in going_on.moves] == ["P1+1", "P2+2"]
    assert dict(going_on.tags)["Event"] == "Cup"


# Programs that a file names


def record_with_engine(program: Program) -> Path:
    """A game from a stranger, whose second player is a command."""
    program("play", "blockade-duel", typed="1\nsave strange.duel\nresign\n")
    for path in program.saved:
        path.unlink()
    path = program.folder / "strange.duel"
    text = path.read_text("utf-8").replace('Player2 "human"', 'Player2 "engine:touch ran"')
    path.write_text(text, "utf-8")
    return path


def test_a_record_starts_no_program_unless_it_is_trusted(program: Program) -> None:
    record_with_engine(program)
    done = program("play", "--resume", "strange.duel")
    assert done.status == 2
    assert done.complaints == [
        "lineduel: strange.duel starts a program: touch ran",
        "Add --trust if you trust the file.",
    ]
    assert not (program.folder / "ran").exists()
    assert program("play", "--resume", "strange.duel", "--p2", "human").status == 0
    assert not (program.folder / "ran").exists()
    program("play", "--resume", "strange.duel", "--trust")
    assert (program.folder / "ran").exists()


@pytest.mark.parametrize("answer", ["yes", "no", ""])
def test_at_a_terminal_whoever_goes_on_is_asked_about_programs(
    program: Program, answer: str
) -> None:
    record_with_engine(program)
    with Sitting(program, "play", "--resume", "strange.duel") as sitting:
        sitting.see("strange.duel starts a program:\r\n  touch ran")
        sitting.answer("Do you trust it? (yes/no): ", answer)
        sitting.end()
    assert (program.folder / "ran").exists() is (answer == "yes")


def test_there_is_nothing_to_go_on_with_once_games_are_over(program: Program) -> None:
    """A finished game is not taken up again; that is said, with status 2."""
    program("play", "blockade-duel", typed="1\n2\n2\n2\n2\n")
    done = program("play", "--resume")
    assert done.status == 2
    assert done.complaints == ["lineduel: There is no unfinished game to resume."]


# What can be typed at a prompt


@pytest.mark.parametrize("typed", ["undo", "UNDO", "  Undo  ", "undo "])
def test_undo_takes_back_the_last_move(program: Program, typed: str) -> None:
    """The player who moved is asked again, and the kept game has the move no more."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        sitting.answer(BLOCKADE, "2")
        sitting.answer(BLOCKADE, typed)
        shown = plain(sitting.see(BLOCKADE))
        assert "Taken back.\n\n" in shown
        assert "Player 2's turn:\n- Your token is at position 5.\n" in shown
        assert moves_on_disk(program) == ["P1+1"]


def test_there_is_nothing_to_take_back_at_the_start(program: Program) -> None:
    """undo before the first move says so and asks again."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "undo")
        assert "There is nothing to take back.\n" in plain(sitting.see(BLOCKADE))


@pytest.mark.parametrize("typed", ["help", "HELP", "  hElP ", "?"])
def test_help_lists_every_word(program: Program, typed: str) -> None:
    """Every word that works at the prompt is in the list, and the question comes again."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, typed)
        shown = plain(sitting.see(BLOCKADE))
    words = [line.split()[0] for line in shown.splitlines()[3:-1]]
    assert words == [
        "moves",
        "board",
        "hint",
        "values",
        "rules",
        "undo",
        "save",
        "resign",
        "stop",
        "quit",
        "help",
    ]


def test_rules_are_read_at_the_prompt(program: Program) -> None:
    """The text of `lineduel rules` but its errata and variants; then the question comes again."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "rules")
        shown = plain(sitting.see(BLOCKADE))
    known, _, notes = program("rules", "blockade-duel").out.partition("What its author promises")
    assert notes
    assert " ".join(known.split()) in " ".join(shown.split())
    assert "Errata" not in shown


@pytest.mark.parametrize("typed", ["moves", "Moves", "   MOVES   "])
def test_moves_lists_what_can_be_played(program: Program, typed: str) -> None:
    """Each legal move in words, behind what can be typed for it."""
    with Sitting(program, "play", "ctf-soldiers") as sitting:
        sitting.answer(SOLDIERS, typed)
        shown = plain(sitting.see(SOLDIERS)).splitlines()
    assert shown[1:-1] == [
        "S1 1: S1 0→1",
        "S1 2: S1 0→2",
        "S2 1: S2 0→1",
        "S2 2: S2 0→2",
    ]


@pytest.mark.parametrize("typed", ["board", "BOARD", " Board  "])
def test_board_shows_the_track_as_it_stands(program: Program, typed: str) -> None:
    """The same picture as after a move."""
    with Sitting(program, "play", "ctf-soldiers") as sitting:
        sitting.answer(SOLDIERS, "S1 2")
        sitting.answer(SOLDIERS, typed)
        shown = plain(sitting.see(SOLDIERS)).splitlines()
    assert shown[1:-1] == [
        "Positions:",
        "0 [P1_Flag, S2]",
        "1 []",
        "2 [S1]",
        "...",
        "10 [P2_Flag, S3, S4]",
    ]


@pytest.mark.parametrize("typed", ["resign", "RESIGN", "  Resign "])
def test_resigning_gives_the_game_to_the_other_player(program: Program, typed: str) -> None:
    """Player 2 resigns, player 1 wins, and the game that is kept is over."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        sitting.answer(BLOCKADE, typed)
        assert sitting.end() == 0
    assert sitting.shown.endswith("Player 2 resigns. Player 1 wins!\n")
    (path,) = program.saved
    record = read_record(path.read_text(encoding="utf-8"))
    assert (record.resigned, record.winner) == (2, 1)
    assert program("play", "--resume").status == 2


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("save game.duel", "game.duel"),
        ("SAVE game.duel", "game.duel"),
        ("  Save    game.duel  ", "game.duel"),
        ("save folder/Game.duel", "folder/Game.duel"),
        ("save my game.duel", "my game.duel"),
        ("save ~/game.duel", "game.duel"),
    ],
)
def test_save_writes_the_game_to_a_file(program: Program, typed: str, name: str) -> None:
    """The file has the moves so far, its name as it was typed; and play goes on."""
    (program.folder / "folder").mkdir()
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "1")
        sitting.answer(BLOCKADE, typed)
        assert "Saved as " in plain(sitting.see(BLOCKADE))
        sitting.type("2")
        sitting.see(BLOCKADE)
    text = (program.folder / name).read_text(encoding="utf-8")
    assert [str(move) for move in read_record(text).moves] == ["P1+1"]


def test_save_overwrites_nothing(program: Program) -> None:
    """A file that is there stays as it is; no name is no file."""
    (program.folder / "mine.txt").write_text("precious", encoding="utf-8")
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "save mine.txt")
        assert "mine.txt already exists; choose another name." in plain(sitting.see(BLOCKADE))
        sitting.type("save")
        assert "Say where to: save FILE." in plain(sitting.see(BLOCKADE))
    assert (program.folder / "mine.txt").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("game", "prompt", "typed"),
    [
        ("ctf-soldiers", SOLDIERS, "s1 2"),
        ("ctf-soldiers", SOLDIERS, "  S1   2 "),
        ("ctf-soldiers", SOLDIERS, "S12"),
        ("ctf-soldiers", SOLDIERS, "s1+2"),
        ("blockade-duel", BLOCKADE, " 2 "),
        ("blockade-duel", BLOCKADE, "+2"),
        ("blockade-duel", BLOCKADE, "p1 + 2"),
    ],
)
def test_a_move_may_be_typed_in_several_ways(
    program: Program, game: str, prompt: str, typed: str
) -> None:
    """The rulebook's own way or the notation, letters in either case, spaces where one likes."""
    with Sitting(program, "play", game) as sitting:
        sitting.answer(prompt, typed)
        sitting.see(prompt)
    assert moves_on_disk(program) in (["S1+2"], ["P1+2"])


@pytest.mark.parametrize("typed", ["3", "0", "-1", "P2+1", "P1+9", "pass", "4:2", "hello", ""])
def test_an_answer_that_is_no_move_is_explained_and_asked_again(
    program: Program, typed: str
) -> None:
    """A complaint on a line of its own, nothing played, and the same question."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, typed)
        _, complaint, question = plain(sitting.see(BLOCKADE)).splitlines()
        assert complaint.endswith(".")
        assert question == BLOCKADE
    assert program.saved == []


@pytest.mark.parametrize(
    "typed",
    [
        "+-3",
        "--1",
        "²",
        "save ~nobody-of-that-name/game.duel",
        f"save {'a' * 300}",
        "١",
        "9" * 300,
        "P1+",
        "P1++1",
        "save .",
        "save /dev/null/game.duel",
        "\N{SNOWMAN}",
    ],
)
def test_nothing_that_is_typed_ends_the_game(program: Program, typed: str) -> None:
    """Whatever it is, it is answered in plain words and the question comes again."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, typed)
        sitting.answer(BLOCKADE, "1")
        sitting.answer(BLOCKADE, "quit")
        assert sitting.end() == 0
    assert "Traceback" not in sitting.shown


def test_a_game_in_which_nobody_can_move_asks_what_to_do(program: Program) -> None:
    """Passing to and fro would never end: the players are told, and may take a move back."""
    one_step = "Enter your move (1): "
    stuck = "undo, resign, quit or pass: "
    game = ("blockade-duel:from-bases-no-jump", "--position", "5/7/1")
    with Sitting(program, "play", *game) as sitting:
        sitting.answer(one_step, "1")
        shown = plain(sitting.see(stuck))
        assert "Player 2 has no legal move and forfeits the turn.\n" in shown
        assert "Neither side can move any more, so play would never end.\n" in shown
        sitting.type("undo")
        assert "- Your token is at position 5.\n" in plain(sitting.see(one_step))
        sitting.type("1")
        sitting.answer(stuck, "resign")
        assert sitting.end() == 0
    assert sitting.shown.endswith("Player 1 resigns. Player 2 wins!\n")


# Replay

PLAYED = [
    pytest.param(
        "ctf-soldiers",
        SOLDIERS,
        "S1+2 S3+1 S2+1 S3+2 S1+2 S4+2 S1+2 S3+2 S1+2 S3+1 S1+2",
        id="soldiers",
    ),
    pytest.param(
        "flag-chase",
        "Enter choice (1-2): ",
        "P1+1 P2+1 P1+1 P2+1 4 2 P1-1 P2-1 P1+1 P2+1 P1-1 P2-1 P1+1 P2+1 P1+1 2 2 "
        "P2+1 P1-1 P2+1 P1-1 P2+1 P1-1 P2+1 3 5",
        id="chase, with battles, a tie, stays and repetitions",
    ),
    pytest.param("blockade-duel", BLOCKADE, "P1+1 P2+2 P1+2 P2+2 P1+2", id="blockade"),
    pytest.param(
        "blockade-duel:from-bases --position 0/1/2", "): ", "P1+2 P2+1", id="a forfeited turn"
    ),
    pytest.param("ctf-tokens", "forward): ", "P1+3 P2+3 P1+2 P2+2", id="tokens"),
    pytest.param(
        "ctf-tokens --first 2", "forward): ", "P2+3 P1+3 P2+2 P1+1 P2+1", id="player 2 begins"
    ),
    pytest.param(
        "cross-over --position 3,1,2/10,9,8/2",
        "chosen move: ",
        "P2-C+2 P1-A+2 P2-C+1 P1-B+2 P2-C+1 P1-B+1 P2-B+2 P1-B+2 P2-A+1 P1-B+2",
        id="crossing, with captures",
    ),
]


@pytest.mark.parametrize(("arguments", "prompt", "answers"), PLAYED)
def test_a_replay_shows_the_game_as_it_was_played(
    program: Program, arguments: str, prompt: str, answers: str
) -> None:
    """Replaying the kept record prints, line for line, what playing printed."""
    with Sitting(program, "play", *arguments.split()) as sitting:
        for answer in answers.split():
            sitting.answer("between 1 and 5: " if answer.isdigit() else prompt, answer)
        assert sitting.end() == 0
    (path,) = program.saved
    replayed = program("replay", str(path))
    assert (replayed.status, replayed.err) == (0, "")
    assert replayed.out == sitting.shown


def test_a_replay_of_a_resigned_game_ends_with_the_resignation(program: Program) -> None:
    """All but the question that was answered with 'resign' is shown again."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "P1+1")
        sitting.see("\r\n\r\n")
        played = sitting.shown.partition("Player 2's turn:")[0]  # which may have come already
        sitting.answer(BLOCKADE, "resign")
        assert sitting.end() == 0
    (path,) = program.saved
    assert program("replay", str(path)).out == played + "Player 2 resigns. Player 1 wins!\n"


def test_a_replay_of_a_very_long_game_takes_no_longer_for_each_move(program: Program) -> None:
    """Twenty thousand moves to and fro are shown long before anybody loses patience."""
    rulebook = find_rulebook("flag-chase")
    game, rng = Game(rulebook), Random(1)
    moves: list[Move] = []
    position = game.start()
    while len(moves) < 20_000:
        going_on = [
            move for move in game.moves(position) if game.outcome(game.play(position, move)) is None
        ]
        moves.append(rng.choice(going_on))
        position = game.play(position, moves[-1])
    record = Record(rulebook=rulebook, start=game.start(), moves=tuple(moves))
    (program.folder / "long.duel").write_text(write_record(record), encoding="utf-8")
    done = program("replay", "long.duel")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("is to move.\n")


def test_a_position_is_counted_once_for_each_time_it_stands() -> None:
    """Also after moves were taken back."""
    session = Session(Game(find_rulebook("flag-chase")))
    there_and_back = [Step("P1", 1), Step("P2", 1), Step("P1", -1), Step("P2", -1)]
    for move in there_and_back * 2:
        session.play(move)
    assert session.times == 3
    session.take_back_to(session.plies - 1)
    assert session.times == 2
    session.play(there_and_back[-1])
    assert session.times == 3


def test_a_replay_of_an_unfinished_game_says_so(program: Program) -> None:
    """The replay stops where the game was saved, and tells whose turn it is."""
    with Sitting(program, "play", "blockade-duel") as sitting:
        sitting.answer(BLOCKADE, "P1+1")
        sitting.see("\r\n\r\n")
        played = sitting.shown.partition("Player 2's turn:")[0]  # which may have come already
        sitting.answer(BLOCKADE, "save game.duel")
        sitting.see(BLOCKADE)
    replayed = program("replay", "game.duel").out
    assert replayed == f"{played}The game is not finished; player 2 is to move.\n"


# The menu


@pytest.mark.parametrize("arguments", [(), ("play",)], ids=["lineduel", "lineduel play"])
def test_the_menu_shows_every_game(program: Program, arguments: tuple[str, ...]) -> None:
    """Each game has a number, its title and a line that tells what it is."""
    with Sitting(program, *arguments) as sitting:
        shown = plain(sitting.see(MENU)).splitlines()
    expected = ["New here? Type 'lesson' for your first duel, in three minutes.", "", "Which game?"]
    for number, game in enumerate(SHIPPED, start=1):
        rulebook, start = find_rulebook(game), " (start here)" if number == 1 else ""
        expected += [f"{number}. {rulebook.title}{start}", f"   {game}: {rulebook.summary}"]
    assert shown[:-1] == expected


def test_a_newcomer_can_take_the_first_lesson_from_the_menu(program: Program) -> None:
    """And is then asked again which game to play."""
    done = program(typed="lesson\n1\nquit\nquit\n")
    assert done.status == 0
    assert "Your move (or quit): 1\nRight.\n" in done.out
    assert done.out.count("Number or name") == 2


FIRST_LINES = {
    "cross-over": "Player 1's Turn:",
    "ctf-tokens": "--- Capture the Flag ---",
    "ctf-soldiers": "Welcome to Capture the Flag!",
    "flag-chase": "Grid: [P1] [ ] [ ] [ ] [P2]",
    "blockade-duel": "--- Game Start ---",
}


@pytest.mark.parametrize(("number", "game"), list(enumerate(FIRST_LINES, start=1)))
def test_a_game_is_picked_by_its_number(program: Program, number: int, game: str) -> None:
    """The number before a title begins that game."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, f" {number} ")
        sitting.answer(WHO, "1")
        sitting.see(f"\r\n{FIRST_LINES[game]}\r\n")


@pytest.mark.parametrize("game", FIRST_LINES)
def test_a_game_is_picked_by_its_name(program: Program, game: str) -> None:
    """The name that 'lineduel games' gives begins that game."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, game)
        sitting.answer(WHO, "")
        sitting.see(f"\r\n{FIRST_LINES[game]}\r\n")


def test_a_variant_is_picked_by_its_name(program: Program) -> None:
    """id:variant works in the menu as on the command line."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, "blockade-duel:from-bases")
        sitting.answer(WHO, "")
        shown = plain(sitting.see(BLOCKADE))
        assert "Player 1 is at position 0.\nPlayer 2 is at position 10.\n" in shown


@pytest.mark.parametrize(
    "typed",
    [
        "Flag Chase",
        "flag chase",
        "FLAG-CHASE",
    ],
)
def test_a_game_is_picked_by_the_title_that_the_menu_shows(program: Program, typed: str) -> None:
    """Who is asked for a name may type the one on the screen, in either case."""
    done = program(typed=f"{typed}\nquit\n")
    assert "Player 1, choose action:" in done.out


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("crossover", "cross-over"),
        ("flagchase", "flag-chase"),
        ("blokade", "blockade-duel"),
        ("ctf-soldier", "ctf-soldiers"),
        ("ctf-token", "ctf-tokens"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(
    program: Program, wrong: str, nearest: str
) -> None:
    """A slip is told with what was probably meant, and the menu asks again."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, wrong)
        shown = plain(sitting.see(MENU))
        assert f"There is no game called '{wrong}'." in shown
        assert nearest in shown.partition("Did you mean ")[2].partition("?")[0].split(" or ")
        sitting.type("quit")
        assert sitting.end() == 0


def test_a_wrong_variant_is_answered_with_the_variants_there_are(program: Program) -> None:
    """Where the game is right and its variant is not, all of its variants are named."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, "cross-over:nojump")
        shown = plain(sitting.see(MENU))
    assert "There is no game called 'cross-over:nojump'." in shown
    assert "cross-over:own-may-share, cross-over:no-jump" in shown


@pytest.mark.parametrize("typed", ["0", "6", "-1", "99"])
def test_a_number_that_is_not_in_the_menu_is_asked_again(program: Program, typed: str) -> None:
    """Only the numbers shown pick a game."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, typed)
        assert "There is no game called" in plain(sitting.see(MENU))


def test_an_empty_line_at_the_menu_is_asked_again(program: Program) -> None:
    """Pressing enter alone says what can be typed."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, "")
        assert "Nothing was typed. Type 1 to 5, a name, or quit." in plain(sitting.see(MENU))


@pytest.mark.parametrize(
    "typed",
    [
        "²",
        "9" * 5000,
        "no-such-file.toml",
        "no/such/file",
    ],
)
def test_nothing_that_is_typed_ends_the_menu(program: Program, typed: str) -> None:
    """Whatever it is, it is answered in plain words and the menu asks again."""
    done = program(typed=f"{typed}\n5\nquit\n")
    assert done.status == 0
    assert "--- Game Start ---" in done.out
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("leave", "status"),
    [
        pytest.param(quits, 0, id="quit"),
        pytest.param(presses_ctrl_d, 0, id="Ctrl-D"),
        pytest.param(presses_ctrl_c, 130, id="Ctrl-C"),
    ],
)
def test_the_menu_can_be_left(
    program: Program, leave: Callable[[Sitting], int], status: int
) -> None:
    """Nobody has to play; nothing is kept and nothing is left behind."""
    with Sitting(program) as sitting:
        sitting.see(MENU)
        assert leave(sitting) == status
        assert sitting.gone
    assert "Traceback" not in sitting.shown
    assert program.saved == []


def test_ctrl_c_at_the_menu_ends_the_line(program: Program) -> None:
    """The shell's prompt comes back on a line of its own."""
    with Sitting(program) as sitting:
        sitting.see(MENU)
        sitting.interrupt()
    assert sitting.shown.endswith("\n")


def test_a_game_from_the_menu_is_kept_like_any_other(program: Program) -> None:
    """What was begun from the menu goes on with --resume."""
    with Sitting(program) as sitting:
        sitting.answer(MENU, "5")
        sitting.answer(WHO, "")
        sitting.answer(BLOCKADE, "1")
        sitting.answer(BLOCKADE, "quit")
        assert sitting.end() == 0
    assert moves_on_disk(program) == ["P1+1"]
    assert program("play", "--resume").out.startswith("Blockade Duel, after 1 turn.\n")


# Stopped by the shell

SECRET = shlex.join([*PYTHON_M, "play", "flag-chase", "--plain", "--p2", "human"])
SECRET += " --position '3/3/1*'"
FIRST, SECOND = (f"Player {side}, choose a number between 1 and 5: " for side in (1, 2))
READY = "ready> "


@contextmanager
def shell(program: Program, command: str) -> Iterator[Sitting]:
    """A shell with job control, which asks for commands."""
    settings = {"PS1": READY, "HISTFILE": os.devnull}
    with Sitting(program, shell=f"exec {command}", settings=settings) as sitting:
        sitting.see(READY)
        yield sitting


@pytest.mark.parametrize("command", ["bash --norc --noprofile -i", "dash -i"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_secret_is_not_shown_after_the_game_was_stopped(
    program: Program, command: str, times: int
) -> None:
    """Ctrl-Z gives the echo back to the shell, and `fg` hides what is typed again."""
    with shell(program, command) as sitting:
        sitting.type(SECRET)
        sitting.see(FIRST)
        wait_until(lambda: sitting.hides_lines)
        for _ in range(times):
            sitting.press(CTRL_Z)
            sitting.see(READY)
            if command.startswith("dash"):  # bash sets the terminal for its own line editing
                assert sitting.echoes_lines
            sitting.type("fg")
            sitting.see("--position")
            wait_until(lambda: sitting.hides_lines)
        sitting.type("4")
        assert "4" not in plain(sitting.see(SECOND))
        sitting.type("3")
        sitting.see("Player 1 chose 4.")


@pytest.mark.parametrize("command", ["bash --norc --noprofile -i", "dash -i"])
def test_a_secret_is_not_shown_after_the_system_stopped_the_game(
    program: Program, command: str
) -> None:
    """By SIGSTOP, of which no program hears; `fg` hides what is typed all the same."""
    with shell(program, command) as sitting:
        sitting.type(SECRET)
        sitting.see(FIRST)
        wait_until(lambda: sitting.hides_lines)
        os.killpg(sitting.foreground, signal.SIGSTOP)
        sitting.see(READY)
        sitting.type("stty echo; echo asked; fg")
        sitting.see("asked\r\n")
        sitting.see("--position")
        wait_until(lambda: sitting.hides_lines)
        sitting.type("4")
        assert "4" not in plain(sitting.see(SECOND))


@pytest.mark.parametrize("command", ["bash --norc --noprofile -i", "dash -i"])
def test_a_secret_is_not_shown_after_it_went_on_in_the_background(
    program: Program, command: str
) -> None:
    """There it may not touch the terminal, which is the shell's."""
    with shell(program, command) as sitting:
        sitting.type(SECRET)
        sitting.see(FIRST)
        wait_until(lambda: sitting.hides_lines)
        sitting.press(CTRL_Z)
        sitting.see(READY)
        sitting.type("bg")
        sitting.see(READY)
        sitting.type("echo asked; fg")
        sitting.see("asked\r\n")
        wait_until(lambda: sitting.hides_lines)
        sitting.type("4")
        assert "4" not in plain(sitting.see(SECOND))


@pytest.mark.parametrize("keys", [b"", b"12"])
@pytest.mark.parametrize(
    ("asked", "prompt"),
    [(("flag-chase", "--position", "3/3/1*"), FIRST), (("blockade-duel",), BLOCKADE)],
    ids=["secret", "move"],
)
def test_ctrl_backslash_gives_the_echo_back(
    program: Program, asked: tuple[str, ...], prompt: str, keys: bytes
) -> None:
    """It ends the game at once, by the signal, at a secret prompt and at any other."""
    with Sitting(program, "play", *asked) as sitting:
        assert sitting.echoed_lines_at_first
        sitting.see(prompt)
        wait_until(lambda: not sitting.echoes_lines)
        sitting.press(keys + CTRL_BACKSLASH)
        assert sitting.end() == -signal.SIGQUIT
        assert sitting.echoes_lines


# Who plays


def test_a_new_game_at_a_terminal_asks_who_plays(program: Program) -> None:
    """A person picks a seat and an opponent by number or name; a slip is asked again."""
    with Sitting(program, "play", "blockade-duel", two_people=False) as sitting:
        sitting.answer(WHO, "4")
        assert "Type 1, 2, 3 or quit." in plain(sitting.see(WHO))
        sitting.type("2")
        sitting.answer(HOW_STRONG, "impossible")
        assert "There is no player called 'impossible'" in plain(sitting.see(HOW_STRONG))
        sitting.type("hard")
        sitting.see("The computer plays Player 2: level 6 (hard).")
        sitting.answer(BLOCKADE, "1")
        sitting.answer(BLOCKADE, "quit")
        assert sitting.end() == 0
    assert "\nThe computer moved P2 5→" in sitting.shown


def test_the_second_seat_and_the_usual_level_can_be_picked(program: Program) -> None:
    """Then the computer begins, and Enter means an easy opponent."""
    with Sitting(program, "play", "blockade-duel", two_people=False) as sitting:
        sitting.answer(WHO, "3")
        sitting.answer(HOW_STRONG, "")
        sitting.see("The computer plays Player 1: level 3 (easy).")
        sitting.see("The computer moved P1 5→")
        sitting.see("Player 2's turn:")


@pytest.mark.parametrize("answers", [["quit"], ["2", "q"]])
def test_whoever_does_not_want_to_play_can_leave(program: Program, answers: list[str]) -> None:
    """At either question, and nothing is kept."""
    with Sitting(program, "play", "blockade-duel", two_people=False) as sitting:
        for question, answer in zip((WHO, HOW_STRONG), answers, strict=False):
            sitting.answer(question, answer)
        assert sitting.end() == 0
    assert program.saved == []


def test_nobody_is_asked_who_plays_in_a_pipe_or_when_it_was_said(program: Program) -> None:
    """A script that pipes in its answers plays both sides; --p2 says it all."""
    assert "Who plays?" not in program("play", "blockade-duel", typed="1\n").out
    with Sitting(program, "play", "blockade-duel", "--p2", "human") as sitting:
        sitting.see(BLOCKADE)
    assert "Who plays?" not in sitting.shown
