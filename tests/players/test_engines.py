"""Engines of others: they play like anybody, and nothing they do can hurt the table."""

import ast
import doctest
import errno
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import lineduel.testing
from lineduel import Game, Position, Side, find_rulebook, read_position
from lineduel.errors import EngineError, EngineTooLong, UnknownPlayer
from lineduel.match import load
from lineduel.players import (
    Chances,
    EngineLog,
    EngineProgram,
    Limits,
    Process,
    answer,
    check_player_name,
    identify,
    make_player,
)
from lineduel.players.process import MOST_HEARD, telling_lines
from lineduel.rulebooks import SHIPPED, rulebook_file
from lineduel.rules.assignments import format_rules
from lineduel.testing import check_engine, check_player as check_policy
from lineduel.testing.engine_check import _checks
from support.program import PATIENCE, PYTHON_M, Program, prefork, wait_until
from support.solved import solution_of
from support.terminal import CTRL_C, FullScreen, plain

ROOT = Path(__file__).parents[2]
ZOO = Path(__file__).parents[1] / "zoo"
EXAMPLE = shlex.join([sys.executable, str(ROOT / "examples" / "engine.py")])
SHELL = shlex.join(["sh", str(ROOT / "examples" / "engine.sh")])
DOCUMENT = ROOT / "docs" / "engine-protocol.md"
QUICK = Limits(start=20, ready=20, movetime=100, grace=0.9)
MARK = "LINEDUEL_ZOO"
STEP, FIGHT = "1/5/2", "3/3/1*"


def animal(name: str) -> str:
    return shlex.join([sys.executable, str(ZOO / f"{name}.py")])


@dataclass(frozen=True)
class Misdeed:
    """An engine, where it is asked, and what is said of it."""

    command: str
    reason: str
    position: str = STEP
    limits: Limits = QUICK


MISDEEDS = {
    "there is none": Misdeed("no-such-engine --fast", "There is no program called"),
    "not executable": Misdeed(str(DOCUMENT), "cannot be started: Permission denied"),
    "crashes at start": Misdeed(animal("crashes_at_start"), "ended with status 3"),
    "crashes at go": Misdeed(animal("crashes_at_go"), "ended by signal 9"),
    "crashes with words": Misdeed(
        animal("crashes_with_words"),
        "ended with status 3. Its last lines of standard error: three | four | five \\x1b[31m",
    ),
    "has no name": Misdeed(
        animal("has_no_name"), "said 'duelok' instead of 'id name NAME, then duelok'"
    ),
    "hangs at start": Misdeed(
        animal("hangs_at_start"), "did not answer in time", limits=Limits(start=0.5)
    ),
    "hangs at go": Misdeed(animal("hangs_at_go"), "did not answer in time"),
    "hangs and ignores SIGTERM": Misdeed(animal("hangs_on"), "did not answer in time"),
    "drips": Misdeed(animal("drips"), "did not answer in time"),
    "nonsense": Misdeed(animal("talks_nonsense"), "said 'I like it here"),
    "no move": Misdeed(animal("says_no_move"), "'to-the-left' is not a move"),
    "illegal move": Misdeed(animal("plays_illegally"), f"P2+9 is illegal in {STEP}"),
    "impossible number": Misdeed(
        animal("chooses_impossible"), "'6' is not a number from 1 to 5", FIGHT
    ),
    "complains": Misdeed(animal("complains"), "complains: 'no time for games'"),
    "a line without end": Misdeed(
        animal("floods_without_newline"), "a line of more than 8192 bytes"
    ),
    "lines without end": Misdeed(
        animal("floods_lines"),
        "sent more than 1,048,576 bytes and no answer",
        limits=Limits(movetime=20_000),
    ),
    "closes its output": Misdeed(animal("closes_output"), "closed its output"),
    "closes its input": Misdeed(animal("closes_input"), "closed its input"),
    "leaves a child": Misdeed(animal("leaves_a_child_and_crashes"), "ended with status 0"),
    "not our language": Misdeed("cat", "said 'duel' instead of"),
}
WAITED_FOR = ("hangs at start", "hangs and ignores SIGTERM", "drips", "closes its output")
"""Told by the client alone; at a table each would take some seconds."""
AT_START = (
    *("there is none", "not executable", "crashes at start", "has no name"),
    *("closes its input", "not our language"),
)
"""Those that cannot even get ready."""


@contextmanager
def nobody_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever is started inside, and whatever that starts, is gone afterwards."""
    prefork()  # it serves all tests, and stays
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    monkeypatch.setenv(MARK, mark)
    before = children()
    yield
    deadline = time.monotonic() + PATIENCE
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.01)  # a killed process takes a moment to vanish
    assert marked(mark) == []
    assert children() == before


def marked(mark: str) -> list[str]:
    """The commands of all running processes that carry the mark."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if folder.name != str(os.getpid()) and (
                f"{MARK}={mark}".encode() in (folder / "environ").read_bytes()
            ):
                found.append((folder / "cmdline").read_text())
        except OSError:
            continue
    return found


def children() -> set[str]:
    """Our own children, dead ones that nobody has reaped included."""
    lists = Path("/proc/self/task").glob("*/children")
    return {number for one in lists for number in one.read_text().split()}


def flag_chase(position: str) -> tuple[Game, Position]:
    game = Game(find_rulebook("flag-chase"))
    return game, read_position(game, position)


def choose(engine: EngineProgram, position: Position) -> object:
    if position.battle is None:
        return engine.choose_move(position)
    return engine.choose_number(position, Side.TWO)


# The engine that lineduel is, by lines that a stranger could send


@contextmanager
def started(*arguments: str, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Our engine, ended by force when it hangs."""
    with subprocess.Popen(
        [*PYTHON_M, "engine", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"LINEDUEL_CACHE": str(folder)},
    ) as process:
        watch = threading.Timer(PATIENCE, process.kill)
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            process.kill()


def test_every_line_of_the_sample_is_true(tmp_path: Path) -> None:
    """The dialogue in the document, line by line, each answered before the next is sent."""
    found = re.search(r"^```dialogue\n(.*?)^```", DOCUMENT.read_text(), re.M | re.S)
    assert found
    lines = found[1].splitlines()
    assert len(lines) > 20
    with started("--player", "perfect", "--seed", "1", folder=tmp_path) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for line in lines:
            mark, text = line.split(" ", 1)
            if mark == ">":
                process.stdin.write(f"{text}\n")
                process.stdin.flush()
            else:
                assert process.stdout.readline() == f"{text}\n"
        assert process.wait(PATIENCE) == 0
        assert process.stdout.read() == process.stderr.read() == ""


@pytest.mark.parametrize("address", SHIPPED)
@pytest.mark.parametrize("who", [("--level", "2"), ("--player", "perfect")])
def test_our_engine_answers_in_every_game(
    program: Program, address: str, who: tuple[str, str]
) -> None:
    """A legal first move for each rulebook, by its rules and by its name."""
    game = Game(find_rulebook(address))
    start = game.start()
    for rules in (f"set {format_rules(game.rules)}", f"id {address}"):
        typed = f"duel\nrules {rules}\nposition {start}\nisready\ngo movetime 1000\nquit\n"
        done = program("engine", *who, typed=typed)
        assert (done.status, done.err) == (0, "")
        lines = [line for line in done.out.splitlines() if not line.startswith(("info", "id"))]
        assert lines[:2] == ["duelok", "readyok"]
        assert lines[2].removeprefix("bestmove ") in map(str, game.moves(start))
        assert len(lines) == 3


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"DUEL",
        b"duel now",
        b"rules",
        b"rules set",
        b"rules set move.steps=1",
        b"rules set " + b"x" * 200_000,
        b"rules id chess",
        b"rules id /etc/passwd",
        b"rules id cross-over:sideways",
        b"position",
        b"position here",
        b"position 1/5/1 sideways P1+1",
        b"position 1/5/1 moves P1+7",
        b"position 1/5/1 moves nothing",
        b"position 5/4/1 moves P1+1",
        b"go movetime",
        b"go movetime soon",
        b"go side 3",
        b"go side 2",
        b"go side 1 side 1 side",
        b"\xff\xfe\x00",
        b"isready?",
    ],
)
def test_our_engine_complains_of_bad_lines_and_goes_on(program: Program, line: bytes) -> None:
    """One line of `error`, and the game stands as it stood."""
    before = b"rules id flag-chase\nposition 1/5/1\n"
    done = program("engine", "--level", "1", typed=before + line + b"\ngo\n")
    assert (done.status, done.err) == (0, "")
    complaint, move = done.out.splitlines()
    assert complaint.startswith("error ")
    assert move in ("bestmove P1+1", "bestmove P1-1")


def test_our_engine_needs_a_game_that_goes_on(program: Program) -> None:
    """Without rules, without a position, after the end, and in a battle without a side."""
    done = program(
        "engine",
        typed="go\nposition 1/5/1\nrules id flag-chase\ngo\nposition 5/4/1\ngo\n"
        "position 3/3/1*\ngo\ngo side 2 movetime 5\n",
    )
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == [
        *["error"] * 5,
        "info",
        "bestmove",
    ]


def test_our_engine_plays_the_same_with_the_same_seed(program: Program) -> None:
    """Twenty draws at random, twice."""
    typed = "rules id cross-over\nposition 0,1,2/10,9,8/1\n" + "go\n" * 20
    runs = [program("engine", "--level", "1", "--seed", s, typed=typed).out for s in "112"]
    assert runs[0] == runs[1] != runs[2]


# Engines of others


@pytest.mark.parametrize("name", MISDEEDS)
def test_what_an_engine_does_wrong_is_said_and_nothing_of_it_is_left(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each misdeed is an EngineError with its reason, in one line."""
    misdeed = MISDEEDS[name]
    game, position = flag_chase(misdeed.position)
    with nobody_left(monkeypatch):
        engine = EngineProgram(misdeed.command, game, limits=misdeed.limits)
        with pytest.raises(EngineError, match=re.escape(misdeed.reason)) as caught:
            choose(engine, position)
        engine.close()
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            'Traceback (most recent call last):\n  File "bot.py", line 9, in choose\n'
            "    return 7/0\n           ~^~\nZeroDivisionError: division by zero",
            [
                '  File "bot.py", line 9, in choose',
                "    return 7/0",
                "ZeroDivisionError: division by zero",
            ],
        ),
        (
            "node:internal/loader:1\n  throw err;\n  ^\nError: Cannot find module 'bot.js'\n"
            "    at load\n  requireStack: []\n}\nNode.js v20",
            ["Error: Cannot find module 'bot.js'", "  requireStack: []", "}", "Node.js v20"],
        ),
    ],
)
def test_a_crash_is_told_with_its_reason(written: str, told: list[str]) -> None:
    assert telling_lines(written.split("\n")) == told


@pytest.mark.parametrize("lines", [0, 40, 600])
def test_a_crash_is_told_with_its_reason_however_much_was_written_before(lines: int) -> None:
    """Though nobody has read any of it yet."""
    written = f"('x' * 99 + chr(10)) * {lines} + 'Error: the reason'"
    source = f"import sys; sys.stderr.write({written}); sys.exit(3)"
    with closing(Process([sys.executable, "-c", source])) as process:
        assert process.ended(PATIENCE)
        with pytest.raises(EngineError, match=r"ended with status 3\..*Error: the reason"):
            process.receive(1.0)


@pytest.mark.parametrize("name", [one for one in MISDEEDS if one in AT_START])
def test_an_engine_that_cannot_play_is_known_before_anybody_moves(
    program: Program, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is asked, nothing is kept, and nobody has lost a game."""
    misdeed = MISDEEDS[name]
    with nobody_left(monkeypatch):
        done = program(
            *("play", "flag-chase", "--p2", f"engine:{misdeed.command}"),
            typed="1\n",
            **{MARK: os.environ[MARK]},
        )
    assert (done.status, done.out) == (2, "")
    assert misdeed.reason in done.err
    assert len(done.complaints) == 1
    assert program.saved == []


@pytest.mark.parametrize("name", [one for one in MISDEEDS if one not in (*WAITED_FOR, *AT_START)])
def test_at_a_table_it_forfeits_the_game(
    program: Program, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line tells why, the other side wins, the game is kept and all ends well."""
    misdeed = MISDEEDS[name]
    movetime = "20000" if name == "lines without end" else "100"
    with nobody_left(monkeypatch):
        done = program(
            *("play", "flag-chase", "--position", misdeed.position, "--movetime", movetime),
            *("--p2", f"engine:{misdeed.command}"),
            **{MARK: os.environ[MARK]},
        )
    assert (done.status, done.err) == (0, "")
    *_, why, end = done.out.splitlines()
    assert why.startswith("The computer: The engine")
    assert misdeed.reason in why
    assert end == "Player 2 forfeits the game. Player 1 wins!"
    assert "resign" not in done.out
    (kept,) = program.saved
    record = load(kept)
    assert (record.winner, record.forfeited, record.resigned) == (1, 2, None)
    assert '[Termination "forfeit"]' in kept.read_text()
    assert program("replay", str(kept)).out.endswith(f"{end}\n")


@pytest.mark.parametrize("name", ["polite", "leaves_a_child", "chatters"])
def test_an_engine_that_plays_well_is_sent_away_with_all_it_started(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many choices in one run; closing twice does no harm, and it can be asked again."""
    game, position = flag_chase(STEP)
    _, battle = flag_chase(FIGHT)
    with nobody_left(monkeypatch):
        engine = EngineProgram(animal(name), game)
        for _ in range(2):
            for _ in range(20):
                assert str(engine.choose_move(position)) == "P2+1"
                assert engine.choose_number(battle, Side.ONE) == 1
            assert engine.name == "zoo"
            engine.close()
            engine.close()


@contextmanager
def against_an_engine(program: Program, command: str) -> Iterator["subprocess.Popen[str]"]:
    """A game in which the engine has made its first move."""
    with program.started(
        *("play", "flag-chase", "--p2", f"engine:{command}"),
        stdin=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **{MARK: os.environ[MARK]},  # type: ignore[arg-type]
    ) as process:
        assert process.stdin
        process.stdin.write("1\n")
        process.stdin.flush()
        wait_until(lambda: program.saved and len(load(program.saved[0]).moves) == 2)
        yield process


@pytest.mark.parametrize(
    ("signals", "status"),
    [
        ((signal.SIGKILL,), -9),
        ((signal.SIGTERM,), 143),
        ((signal.SIGHUP,), 129),
        ((signal.SIGINT,), 130),
        ((signal.SIGINT, signal.SIGINT), 130),
        ((signal.SIGTERM, signal.SIGTERM), 143),
    ],
)
def test_no_engine_outlives_the_table(
    program: Program,
    signals: tuple[signal.Signals, ...],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However lineduel ends, and even if the engine ignores the end of its input and signals."""
    told_to_go = program.folder / "told-to-go"
    command = f"{animal('stays')} {told_to_go}"
    with nobody_left(monkeypatch), against_an_engine(program, command) as process:
        for number in signals:
            process.send_signal(number)
            if number != signal.SIGKILL:  # a second one meets it while it leaves
                wait_until(told_to_go.exists)
        assert process.wait(PATIENCE) == status
        assert process.stdout
        assert "Traceback" not in process.stdout.read()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)]
)
def test_an_engine_that_leaves_its_group_is_ended_too(
    program: Program, number: signal.Signals, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody waits for it for ever."""
    command = animal("leaves_its_group")
    with nobody_left(monkeypatch), against_an_engine(program, command) as process:
        process.send_signal(number)
        assert process.wait(PATIENCE) == status


def test_what_outlives_lineduel_is_what_the_security_page_says(
    program: Program, tmp_path: Path
) -> None:
    """A child of an engine in a session of its own: no process group reaches it."""
    engine, left = tmp_path / "engine.py", tmp_path / "left"
    engine.write_text(
        "import subprocess, sys\n"
        f"sys.path.insert(0, {str(ZOO)!r})\n"
        "from polite import serve\n"
        "nothing = subprocess.DEVNULL\n"
        "child = subprocess.Popen(['sleep', '600'], start_new_session=True, stdin=nothing,\n"
        "    stdout=nothing, stderr=nothing)\n"
        f"print(child.pid, file=open({str(left)!r}, 'w'), flush=True)\n"
        "serve()\n"
    )
    command = f"engine:{shlex.join([sys.executable, str(engine)])}"
    done = program("play", "flag-chase", "--p2", command, typed="1\nquit\n")
    assert done.status == 0, done.err
    child = int(left.read_text())
    try:
        os.kill(child, 0)
    finally:
        os.kill(child, signal.SIGKILL)
    told = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())
    assert "started in a session of its own goes on after lineduel has ended" in told


def test_an_engine_may_say_as_much_to_each_line_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a game is; too much is what comes between two of our lines."""
    monkeypatch.setattr("lineduel.players.process.MOST_HEARD", 100)
    with closing(Process(["cat"])) as echo:
        for _ in range(5):
            echo.send("x" * 60)
            assert echo.receive(PATIENCE) == "x" * 60
        echo.send("\n".join(("x" * 60,) * 2))
        with pytest.raises(EngineTooLong):
            _ = [echo.receive(PATIENCE) for _ in range(2)]


def test_a_log_keeps_what_is_said(program: Program) -> None:
    """Both directions and the standard error, line by line; a second game is added."""
    for _ in range(2):
        done = program(
            *("play", "flag-chase", "--p2", f"engine:{animal('crashes_with_words')}"),
            *("--engine-log", "said.txt"),
            typed="1\n",
        )
        assert done.status == 0
    lines = [
        line.split(" ", 2)[2] for line in (program.folder / "said.txt").read_text().split("\n")[:-1]
    ]
    assert lines[:3] == ["> duel", "< id name zoo", "< duelok"]
    assert "> position 2/5/2" in lines
    assert "> go movetime 1000 moves P2+1 P2-1" in lines
    assert [line for line in lines if line.startswith("!")] == [
        *("! one", "! two", "! three", "! four", "! five \\x1b[31m")
    ] * 2


def test_a_log_that_cannot_be_written_is_told_at_once(program: Program) -> None:
    for command in (
        ("play", "flag-chase"),
        ("tournament", "flag-chase", "--players", "level:1", "level:2"),
    ):
        done = program(*command, "--engine-log", "no/such/folder/log")
        assert (done.status, done.out) == (2, "")
        assert done.complaints == [
            "lineduel: no/such/folder/log cannot be written: no such file or directory."
        ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
@pytest.mark.parametrize(
    "command",
    [
        ("play", "flag-chase", "--p1", "level:1", "--p2", f"engine:{animal('polite')}"),
        (
            *("tournament", "flag-chase", "--players", "level:1", f"engine:{animal('polite')}"),
            *("--games", "4", "--cores", "1", "--file", "played.jsonl"),
        ),
    ],
    ids=["play", "tournament"],
)
def test_a_log_whose_disk_is_full_is_told_once(program: Program, command: tuple[str, ...]) -> None:
    """The games go on."""
    done = program(*command, "--engine-log", "/dev/full")
    assert done.status == 0
    assert done.complaints == [
        "/dev/full cannot be written: no space left on device. "
        "Messages of engines are missing there."
    ]


def test_a_log_whose_disk_is_full_is_told_after_the_full_screen(program: Program) -> None:
    asked = ("play", "flag-chase", "--p2", f"engine:{animal('polite')}", "--no-animation")
    with FullScreen(program, *asked, "--engine-log", "/dev/full") as screen:
        screen.find("Your move.")
        screen.press(CTRL_C)
        assert screen.end() == 130
    told = plain(screen.raw.rpartition(b"\x1b[?1049l")[2])
    assert told.count("/dev/full cannot be written: no space left on device.") == 1


def test_a_log_says_once_where_lines_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And goes on after that, however often the disk was full in between."""
    log, write = EngineLog(tmp_path / "log"), os.write

    def full(handle: int, text: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    expected = []
    for number, fails in enumerate((False, True, True, False, False, True, False)):
        monkeypatch.setattr(os, "write", full if fails else write)
        log.note(1, ">", f"line {number}")
        expected += [] if fails else [f"line {number}"]
    monkeypatch.undo()
    log.close()
    lines = (tmp_path / "log").read_text().splitlines()
    marks = [at for at, line in enumerate(lines) if line.startswith("# Lines are missing here")]
    assert marks == [1, 4]
    assert [line.partition(" > ")[2] for line in lines if " > " in line] == expected
    assert "No space left" in log.problem or "no space left" in log.problem


def test_a_log_is_never_added_to_another_file(program: Program) -> None:
    """Neither to the rulebook that is played nor to anything else that is not such a log."""
    precious = program.folder / "mine.toml"
    precious.write_bytes(rulebook_file("flag-chase").read_bytes())
    before = precious.read_bytes()
    engine = f"engine:{animal('polite')}"
    for command in (
        ("play", "mine.toml", "--p1", "level:1", "--p2", engine),
        ("tournament", "mine.toml", "--players", engine, "level:1", "--file", "games"),
    ):
        done = program(*command, "--engine-log", "mine.toml")
        assert (done.status, done.out) == (2, "")
        assert "mine.toml is not a log of engines, and was left as it is." in done.err
    assert precious.read_bytes() == before
    assert not (program.folder / "games").exists()


@pytest.mark.parametrize("end", ["quit", "interrupt"])
def test_whoever_leaves_the_table_leaves_no_engine_behind(
    program: Program, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a word or by a key."""
    with nobody_left(monkeypatch), against_an_engine(program, animal("leaves_a_child")) as process:
        if end == "quit":
            process.communicate("quit\n", timeout=PATIENCE)
        else:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
        assert process.returncode == (0 if end == "quit" else 130)


def test_a_whole_game_between_an_engine_and_a_level(program: Program) -> None:
    """In either seat, and against itself, with battles and without."""
    for game in ("cross-over", "flag-chase"):
        for seats in (
            ("level:2", f"engine:{EXAMPLE}"),
            (f"engine:{EXAMPLE}", f"engine:{shlex.join(PYTHON_M)} engine --level 8"),
            (f"engine:{SHELL}", f"engine:{animal('older')}"),
        ):
            done = program("play", game, "--p1", seats[0], "--p2", seats[1], "--seed", "4")
            assert (done.status, done.err) == (0, "")
            assert "forfeits" not in done.out
            assert "wins" in done.out.splitlines()[-1].lower() or "Nobody has won" in done.out
    kept = [dict(load(path).tags)["Player2"] for path in program.saved]
    assert kept.count(f"engine:{EXAMPLE}") == 2


def test_the_engine_sits_there_again_after_a_pause(program: Program) -> None:
    """A game that was left goes on with the same engine."""
    seats = ("--p2", f"engine:{animal('polite')}")
    program("play", "flag-chase", *seats, typed="1\nquit\n")
    done = program("play", "--resume", typed="2\nquit\n")
    assert done.err == ""
    assert len(load(program.saved[0]).moves) == 4


@pytest.mark.parametrize("time", ["0", "-1", "x", "99999999999"])
def test_a_time_that_is_none_is_refused(program: Program, time: str) -> None:
    """Two lines, and nothing is played."""
    done = program("play", "flag-chase", f"--movetime={time}")
    assert (done.status, done.out) == (2, "")
    assert "--movetime" in done.err


def test_an_engine_is_named_by_its_command() -> None:
    """As it is written, but for the word before it; an empty or broken command is refused."""
    assert check_player_name(" Engine: Foo  'Bar b' ") == "engine:Foo  'Bar b'"
    for wrong in ("engine:", "engine:  ", "engine:'open"):
        with pytest.raises(EngineError):
            check_player_name(wrong)
    with pytest.raises(UnknownPlayer):
        check_player_name("engine:a\x1b")
    with pytest.raises(UnknownPlayer, match="whose chances are known"):
        make_player("engine:cat", solution_of("flag-chase"))


# What others can check


@pytest.mark.parametrize(
    "command",
    [EXAMPLE, SHELL, shlex.join([*PYTHON_M, "engine", "--level", "3"]), animal("older")],
    ids=["example", "shell", "own", "older"],
)
def test_good_engines_pass_the_check(program: Program, command: str) -> None:
    """The examples, ours, and one from before moves were offered; each point in its own line."""
    done = program("engine-check", command)
    assert (done.status, done.err) == (0, "")
    *findings, last = done.out.splitlines()
    assert len(findings) > 15
    assert all(line.startswith("passed: ") for line in findings)
    assert last == "All checks passed."


def test_a_reason_that_comes_again_is_told_once(program: Program, tmp_path: Path) -> None:
    """One mistake fails many checks, and would fill the screen with one traceback."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from lineduel.bot import run_bot\nrun_bot('wrong', lambda asked: asked.moves[0])"
    )
    done = program("engine-check", shlex.join([sys.executable, str(bot)]))
    assert done.status == 1
    assert done.out.count("no attribute 'moves'") == 1
    assert done.out.count("The reason is the same as above.") > 3


def test_what_a_bot_prints_while_it_chooses_is_no_answer(program: Program, tmp_path: Path) -> None:
    """A line for debugging, which everybody writes first, goes to standard error."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from lineduel.bot import run_bot\n"
        "run_bot('talks', lambda asked: print(asked.position) or asked.choices[0])\n"
    )
    done = program("engine-check", shlex.join([sys.executable, str(bot)]))
    assert (done.status, done.out.splitlines()[-1]) == (0, "All checks passed.")


def test_the_check_tells_what_is_wrong(program: Program) -> None:
    """An engine for one game is caught in others; one that is none is asked no more."""
    done = program("engine-check", animal("plays_illegally"))
    assert done.status == 1
    lines = done.out.splitlines()
    assert lines[0] == "passed: names itself after 'duel'"
    assert any(line.startswith("FAILED: plays flag-chase by the rules. ") for line in lines)
    assert any(line.startswith("FAILED: answers an unknown line, 'gibberish 1'") for line in lines)
    assert re.fullmatch(r"\d+ checks failed\.", lines[-1])
    (finding,) = check_engine("cat")
    assert not finding.right


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_check_shows_what_an_engine_says_safely(
    program: Program, form: tuple[str, ...]
) -> None:
    """No control character reaches the terminal, and nothing is longer than a few lines."""
    done = program("engine-check", animal("shouts"), *form)
    assert done.status == 1
    assert done.err == ""
    lines = done.out.splitlines()
    assert all(line.isprintable() for line in lines)
    assert "\\x1b[31m" in done.out
    assert re.search(r"9{200}", done.out) is None


@pytest.mark.parametrize(("after_rules", "checked"), [((), 2), (("later",), 7)])
def test_an_engine_that_is_never_ready_is_checked_no_further(
    after_rules: tuple[str, ...], checked: int
) -> None:
    """Whenever that turns out; each further check would wait as long again."""
    command = shlex.join([*shlex.split(animal("never_ready")), *after_rules])
    findings = list(check_engine(command, QUICK._replace(ready=0.5)))
    assert len(findings) == checked
    assert [finding.right for finding in findings[-2:]] == [True, False]
    assert findings[-1].wrong == "The engine did not say 'readyok' within 0.5 seconds."


@pytest.mark.parametrize(("length", "passes"), [(8191, True), (8192, True), (8193, False)])
@pytest.mark.parametrize("writes", [1, 3])
def test_a_line_of_an_engine_has_at_most_8192_bytes(
    tmp_path: Path, length: int, passes: bool, writes: int
) -> None:
    """Without its end, in however many pieces it comes."""
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import os\n"
        f"line = b'id name ' + b'x' * {length - 8} + b'\\n'\n"
        f"for at in range({writes}):\n"
        f"    os.write(1, line[at * len(line) // {writes} : (at + 1) * len(line) // {writes}])\n"
        "print('duelok', flush=True)\n"
        "input()\ninput()\n"
    )
    first = next(iter(check_engine(shlex.join([sys.executable, str(engine)]), QUICK)))
    assert first.right is passes
    assert passes or first.wrong == "The engine sent a line of more than 8192 bytes."


@pytest.mark.parametrize(("more", "passes"), [(-1, True), (0, True), (1, False)])
def test_an_engine_has_a_mebibyte_for_its_answer(tmp_path: Path, more: int, passes: bool) -> None:
    """Counted from our last line, the answer included; the count begins again with each line."""
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\n"
        "def flood(answer):\n"
        f"    left = {MOST_HEARD + more} - len(answer)\n"
        "    while left > 0:\n"
        "        length = min(left, 1000)\n"
        "        length -= left - length == 1\n"
        "        sys.stdout.write('info'.ljust(length - 1)[: length - 1] + '\\n')\n"
        "        left -= length\n"
        "    sys.stdout.write(answer)\n"
        "    sys.stdout.flush()\n"
        "for line in sys.stdin:\n"
        "    if line == 'duel\\n':\n"
        "        print('id name x\\nduelok', flush=True)\n"
        "    elif line == 'isready\\n':\n"
        "        flood('readyok\\n')\n"
    )
    with closing(Process([sys.executable, str(engine)])) as process:
        identify(process, QUICK)
        for _ in range(2 if passes else 1):
            process.send("isready")
            if passes:
                assert answer(process, "readyok", QUICK.ready) == []
            else:
                with pytest.raises(EngineError, match="sent more than 1,048,576 bytes"):
                    answer(process, "readyok", QUICK.ready)


def test_the_check_leaves_nobody_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even of an engine that leaves its children."""
    with nobody_left(monkeypatch):
        findings = list(check_engine(animal("leaves_a_child"), QUICK))
    assert not all(finding.right for finding in findings)


@pytest.mark.parametrize("name", ["engine.py", "engine.sh"])
def test_the_examples_are_short(name: str) -> None:
    """A complete engine in less than 60 lines."""
    assert len((ROOT / "examples" / name).read_text().splitlines()) < 60


def test_the_example_imports_only_what_is_public() -> None:
    """The façade and `lineduel.bot`."""
    tree = ast.parse((ROOT / "examples" / "engine.py").read_text())
    homes = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert homes == {"lineduel", "lineduel.bot"}


@pytest.mark.parametrize("options", ["tea please", "movetime 5 tea side 1 please", "moves P1+1"])
def test_our_engine_skips_words_that_it_does_not_know(program: Program, options: str) -> None:
    """So that a table may say more some day."""
    typed = f"rules id flag-chase\nposition 1/5/1\ngo {options}\n"
    done = program("engine", "--level", "1", typed=typed)
    assert done.out in ("bestmove P1+1\n", "bestmove P1-1\n")


def test_a_bot_is_asked_a_question(program: Program) -> None:
    """With what there is to choose from, for whom, and how long it may take."""
    (program.folder / "mine.py").write_text(
        "import sys\n"
        "from lineduel.bot import run_bot\n"
        "def choose(asked):\n"
        "    print(*map(str, asked.choices), asked.side, asked.seconds, file=sys.stderr)\n"
        "    return asked.choices[-1]\n"
        "run_bot('mine', choose, author='me')\n"
    )
    typed = (
        f"duel\ngo\nrules set {format_rules(solution_of('flag-chase').game.rules)}\n"
        "position 1/5/1 moves P1+1\ngo movetime 250 moves P2+1 P2-1\n"
        "position 3/3/1*\ngo\ngo numbers 5 side 2\nposition 5/4/2\ngo\nquit\nduel\n"
    )
    done = program.python("mine.py", typed=typed)
    assert done.out.splitlines() == [
        *("id name mine", "id author me", "duelok"),
        "error Send the rules and a position first.",
        "bestmove P2-1",
        "error A battle is open: say for which side, as go side 1.",
        "bestmove 5",
        "error The game is over.",
    ]
    assert done.err.splitlines() == ["P2+1 P2-1 2 0.25", "1 2 3 4 5 2 None"]


class Lopsided:
    """A policy that is none."""

    name = description = "lopsided"

    def chances(self, position: Position, side: Side) -> Chances:
        return (0.5, 0.4)


def test_a_policy_is_checked_too() -> None:
    """What is shown at the top of `lineduel.testing`, and a policy that is wrong."""
    results = doctest.testmod(lineduel.testing)
    assert (results.failed, results.attempted > 0) == (0, True)
    findings = check_policy(Lopsided(), Game(find_rulebook("cross-over")))
    assert [finding.right for finding in findings] == [False, False, True]
    assert findings[0].wrong == "In 0,1,2/10,9,8/1 for player 1: 2 chances for 3 choices."


class Negative:
    """Chances that add up to 1, and are none."""

    name = description = "negative"

    def chances(self, position: Position, side: Side) -> Chances:
        return (1.5, -0.5, 0.0)


def test_a_chance_below_0_is_wrong() -> None:
    findings = check_policy(Negative(), Game(find_rulebook("cross-over")))
    assert findings[1].wrong == "In 0,1,2/10,9,8/1 for player 1: a chance of -0.5."


@pytest.mark.parametrize("side", Side)
def test_an_engine_has_to_fight_as_either_player(tmp_path: Path, side: Side) -> None:
    """One that chooses a number that is not there for one of them is wrong."""
    source = (
        (ZOO / "polite.py")
        .read_text()
        .replace(
            'case ["go", *_]:',
            f'case ["go", *_, "side", "{side}"]:\n                say("bestmove 3")\n'
            '            case ["go", *_]:',
        )
    )
    engine = tmp_path / "engine.py"
    engine.write_text(source)
    fights = _checks()["chooses a number in a battle, for either side"]
    fights(animal("polite"), QUICK)
    with pytest.raises(EngineError, match=f"It chose '3' for player {side} in a battle"):
        fights(shlex.join([sys.executable, str(engine)]), QUICK)


def test_our_engine_takes_a_whole_rulebook_as_toml() -> None:
    """Line by line until `endrules`; a broken one is an error, and the engine goes on."""
    from lineduel.play import EngineDialogue
    from lineduel.rulebooks.catalogue import shipped_path

    engine = EngineDialogue("perfect", Random(1))

    def say(*lines: str) -> list[str]:
        return [answer for line in lines for answer in engine.answer(line)]

    toml = shipped_path("ctf-tokens").read_text(encoding="utf-8").splitlines()
    assert say("rules toml", *toml, "endrules", "position 2/-4/1") == []
    assert say("go")[-1] == "bestmove P1+3"
    [error] = say("rules toml", "title =", "endrules")
    assert error.startswith("error The rulebook is not TOML")
    long = "# " + "x" * (1 << 20)
    too_long = ["error That is longer than 1,048,576 characters."]
    assert say("rules toml", *toml, long, "endrules") == too_long
    assert say("rules toml", *toml, *["#" * 999] * 1050, "endrules") == too_long
    assert say(f"position 2/-4/1 {long}") == too_long
    assert say("go")[-1] == "bestmove P1+3"
    assert say("rules id cross-over", "position 6,0,x/10,9,x/1", "go")[-1] == "bestmove P1-A+2"


def test_our_engine_follows_a_game_of_ten_thousand_moves(program: Program) -> None:
    """A line of some 90,000 characters is read whole."""
    line = "position 1/5/1 moves" + " P1+1 P2-1 P1-1 P2+1" * 5_000
    done = program("engine", "--level", "1", typed=f"rules id flag-chase\n{line}\ngo\n")
    assert (done.status, done.err) == (0, "")
    assert done.out in ("bestmove P1+1\n", "bestmove P1-1\n")


def test_an_engine_is_told_where_its_game_begins(tmp_path: Path) -> None:
    """Each time that it is started."""
    game, start = flag_chase("2/4/1")
    _, position = flag_chase(STEP)
    log = EngineLog(tmp_path / "said.txt")
    with closing(EngineProgram(animal("polite"), game, start, QUICK, log)) as engine:
        for _ in range(2):
            engine.start()
            engine.choose_move(position)
            engine.close()
    log.close()
    said = re.findall("> position (.*)", (tmp_path / "said.txt").read_text())
    assert said == [str(start), str(position)] * 2
