"""Ask before starting programs that are named in a file."""

from collections.abc import Iterable
from pathlib import Path

from lineduel.cli.options import Parser
from lineduel.cli.terminal import Terminal, says_yes
from lineduel.errors import NotTrusted, shown
from lineduel.players import engine_commands

_LONGEST = 100_000
"""Most characters in a command; it has to be shown in full before anybody can agree to it."""


def add_trust(parser: Parser) -> None:
    parser.add_flag("--trust", "start the engines that the file names without asking")


def trusts(players: Iterable[str], file: Path, terminal: Terminal, trust: bool) -> bool:
    """Whether to start the engines among these players, which are named in a file."""
    commands = [shown(command, _LONGEST) for command in engine_commands(players)]
    if trust or not commands:
        return True
    if not terminal.is_interactive:
        raise NotTrusted(
            f"{shown(file, 200)} starts a program: {', '.join(commands)}\n"
            "Add --trust if you trust the file."
        )
    terminal.say("\n  ".join((f"{shown(file, 200)} starts a program:", *commands)))
    return says_yes(terminal.ask("Do you trust it? (yes/no): "))
