"""How long it takes to start: a command beside an empty Python, a screen beside Textual."""

import compileall
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

import lineduel
from bench.timing import interleaved, seconds, verdict

GOAL, SCREEN_GOAL = 5, 1.3
ROUNDS, SCREEN_ROUNDS = 40, 20
SIZE = {"COLUMNS": "80", "LINES": "24"}
FIRST_SCREENS = {
    "lineduel": ((), "Cross Over"),
    "lineduel play": (("play", "cross-over"), "level 3"),
    "lineduel play with players": (("play", "cross-over", "--p2", "human"), "P1-C 2→4"),
}
"""What is typed, and what stands last on the first screen."""


def main() -> None:
    compileall.compile_dir(Path(lineduel.__file__).parent, quiet=1)  # as an installation does
    script = str(Path(sys.executable).with_name("lineduel"))
    _commands(script)
    with tempfile.TemporaryDirectory() as folder:
        _screens(script, folder)


def _commands(script: str) -> None:
    commands = {"empty": [sys.executable, "-c", "pass"], "games": [script, "games"]}

    def run(command: list[str]) -> float:
        return seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))

    taken = interleaved({name: lambda c=c: run(c) for name, c in commands.items()}, ROUNDS)
    ratio = taken["games"] / taken["empty"]
    print("Start-up")
    print(f"  python -c pass   {taken['empty'] * 1000:6.1f} ms")
    print(f"  lineduel games   {taken['games'] * 1000:6.1f} ms")
    print(f"  ratio            {ratio:6.1f}  ({verdict(ratio, GOAL, at_most=True)})")


def _screens(script: str, folder: str) -> None:
    """From the command to the first screen, in a pseudo-terminal with no games kept."""
    settings = (
        os.environ
        | SIZE
        | {
            "TERM": "xterm-256color",
            "LINEDUEL_DATA": folder,
            "LINEDUEL_CONFIG": f"{folder}/config.toml",
        }
    )
    textual = [sys.executable, "-c", "import textual.app"]
    runs = {"textual": lambda: seconds(lambda: subprocess.run(textual, check=True))}
    for name, (words, text) in FIRST_SCREENS.items():
        runs[name] = lambda words=words, text=text: seconds(
            lambda: _until([script, *words], text, settings)
        )
    taken = interleaved(runs, SCREEN_ROUNDS)
    print("First screen")
    print(f"  import textual.app                   {taken['textual'] * 1000:6.1f} ms")
    for name, (words, _) in FIRST_SCREENS.items():
        ratio = taken[name] / taken["textual"]
        shown = " ".join(("lineduel", *words))
        told = verdict(ratio, SCREEN_GOAL, at_most=True)
        print(f"  {shown:<36} {taken[name] * 1000:6.1f} ms  ratio {ratio:.2f}  ({told})")


def _until(command: list[str], text: str, settings: dict[str, str]) -> None:
    """Start a program on a terminal, and end it once a text stands there."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(command[0], command, settings)
    shown = b""
    while text.encode() not in shown:
        shown += os.read(terminal, 65536)
    os.kill(process, 9)
    os.waitpid(process, 0)
    os.close(terminal)
