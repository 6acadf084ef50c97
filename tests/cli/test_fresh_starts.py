"""Each command in a process that has imported nothing before, as it starts for people.

Most tests run forks of a process that has imported all of the program. They cannot see that a
command lacks an import, or relies on what another command has imported or left behind.
"""

import json
import shutil
import signal
import urllib.request
from pathlib import Path

import pytest

from lineduel.cli.main import COMMANDS
from lineduel.rulebooks import rulebook_file
from support.program import PATIENCE, Program
from support.terminal import ENTER, FullScreen

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "1.0.0rc1"
CURVE = {
    "game": "blockade-duel",
    "step": 0,
    "seconds": 0.5,
    "exploitability": 0.5,
    "regret": 0.25,
    "worst_case": [0.0, -1.0],
    "against": {"level:1": [0.5, -0.5]},
}
RUNS = {
    "games": [],
    "rules": ["flag-chase"],
    "play": ["flag-chase", "--p2", "level:2", "--seed", "1"],
    "replay": ["kept.duel"],
    "review": ["kept.duel"],
    "history": [],
    "perft": ["flag-chase", "3"],
    "solve": ["ctf-tokens", "--certificate", "certificate"],
    "puzzle": ["ctf-tokens", "--count", "1", "--seed", "1"],
    "lesson": ["first-duel"],
    "ladder": ["ctf-tokens"],
    "tournament": ["ctf-tokens", "--players", "level:1", "level:2", "--games", "2", "--cores", "1"],
    "backup": ["--database", "sqlite:///live.sqlite", "copy.sqlite"],
    "new": ["mine.toml", "--from", "flag-chase"],
    "validate": ["rules.toml"],
    "audit": ["ctf-tokens"],
    "repair": ["ctf-tokens", "--cores", "1"],
    "sweep": ["ctf-tokens", "--vary", "track.length=9..10", "--cores", "1"],
    "compare": ["ctf-tokens", "flag-chase"],
    "discover": ["--candidates", "2", "--cores", "1"],
    "curve": ["run.jsonl"],
    "check": ["certificate"],
    "config": [],
    "exam": [
        *("player:level:2", "--games", "ctf-tokens", "--unseen", "0", "--levels", "1"),
        *("--positions", "1", "--cores", "1"),
    ],
    "benchmark": [],
    "export": ["ctf-tokens", "--rows", "5"],
    "mcp": [],
    "engine": [],
    "engine-check": [f"sh {ROOT / 'examples' / 'engine.sh'}"],
    "completion": ["bash"],
    "man": [],
    "help": ["play"],
}
"""A small run of each command that ends by itself."""
TYPED = {"play": "1\nquit\n", "puzzle": "1\n", "lesson": "1\n", "engine": "duel\nquit\n"}


def furnished(folder: Path) -> Program:
    """The program in a folder that has what the commands read."""
    program = Program(folder)
    shutil.copytree(FIXTURES / "player" / "data", program.data)
    shutil.copy(FIXTURES / "server" / "live.sqlite", folder)
    (game,) = program.data.glob("games/*-cross-over-2.duel")
    shutil.copy(game, folder / "kept.duel")
    shutil.copy(rulebook_file("flag-chase"), folder / "rules.toml")
    (folder / "run.jsonl").write_text(json.dumps(CURVE) + "\n", encoding="utf-8")
    return program


def test_every_command_has_a_fresh_start() -> None:
    assert {*RUNS, "serve", "join"} == COMMANDS.keys()


@pytest.mark.parametrize("command", RUNS)
def test_a_fresh_process_says_what_a_fork_says(command: str, tmp_path: Path) -> None:
    """To the letter, and with the same exit status."""
    arguments, typed = [command, *RUNS[command]], TYPED.get(command, "")
    for name in ("fresh", "forked"):
        (tmp_path / name).mkdir()
    fresh, forked = furnished(tmp_path / "fresh"), furnished(tmp_path / "forked")
    if command == "check":
        for program in (fresh, forked):
            assert program("solve", *RUNS["solve"]).status == 0
    started = fresh.python("-m", "lineduel", *arguments, typed=typed)
    expected = forked(*arguments, typed=typed)
    assert started.status == 0, started.err
    for one, other in ((started.out, expected.out), (started.err, expected.err)):
        assert one == other.replace(str(forked.folder), str(fresh.folder))


def test_a_fresh_server_is_joined_by_a_fresh_terminal(program: Program) -> None:
    """`serve` takes a game, and `join` sits down at it."""
    with program.started("serve", "--port", "0", fresh=True) as server:
        assert server.stdout
        for line in server.stdout:
            if line.startswith("lineduel is on "):
                address = line.split()[-1].rstrip("/")
            if line.startswith("Stop it"):
                break
        wanted = urllib.request.Request(
            f"{address}/api/live",
            json.dumps({"game": "cross-over", "opponent": "friend"}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(wanted, timeout=PATIENCE) as answer:
            game = json.load(answer)
        link = f"{address}/game/{game['id']}#{game['invite']}"
        joined = program.python("-m", "lineduel", "join", link, typed="quit\n")
        assert joined.status == 0, joined.err
        assert "Cross Over" in joined.out
        server.terminate()
        assert server.wait(PATIENCE) == 128 + signal.SIGTERM


@pytest.mark.terminal
def test_the_full_screen_opens_in_a_fresh_process(program: Program) -> None:
    """The program alone opens the games; they lead into one."""
    with FullScreen(program, settings={"LANG": "C.UTF-8"}) as screen:
        screen.find("Cross Over", "q quit")
        screen.press(b"3" + ENTER)
        screen.find("level 3", "Enter start")
        screen.press(b"q")
        screen.find("q quit")
        screen.press(b"q")
        assert screen.end() == 0
