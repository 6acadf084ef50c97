"""Every command with its arguments and options, and what a program finds around it."""

from collections.abc import Iterator
from pathlib import Path

from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from generators.markdown import anchor, code, sentence, table
from lineduel.cli.command_tree import Argument, CommandHelp, command_tree
from lineduel.cli.main import CLOSING, GROUPS
from lineduel.cli.man import ENVIRONMENT


def commands_page() -> str:
    """The whole command line: what `lineduel help COMMAND` says, for all commands."""
    own, *commands = command_tree()
    by_name = {one.name: one for one in commands}
    groups = {
        group: [by_name[name] for row in rows for name in row if name in by_name]
        for group, rows in GROUPS.items()
    }
    others = [one for group in groups.values() for one in group]
    listed = table(
        ("", "command", "what it does"),
        (
            (
                f"**{group}**" if one is within[0] else "",
                f"[`{one.name}`](#{anchor(f'lineduel {one.name}')})",
                one.summary,
            )
            for group, within in groups.items()
            for one in within
        ),
    )
    parts = [
        "# Every command and option",
        "The same texts as `lineduel help COMMAND`, in the groups of `lineduel --help`. "
        "[The command line](../commands.md) tells how commands are written.",
        listed,
        "## Options without a command",
        _arguments(own.options),
        *(part for one in others for part in _command(one)),
    ]
    return "\n\n".join(parts) + "\n"


def _command(command: CommandHelp) -> Iterator[str]:
    yield f"## lineduel {command.name}"
    yield sentence(command.summary)
    yield f"```text\n{command.usage}\n```"
    if command.arguments or command.options:
        yield _arguments((*command.arguments, *command.options))
    if command.closing:
        heading, *lines = command.closing.strip().splitlines()
        shown = "\n".join(line.strip() for line in lines)
        yield f"{sentence(heading.rstrip(':')).rstrip('.')}:\n\n```text\n{shown}\n```"


def _arguments(arguments: tuple[Argument, ...]) -> str:
    return table(("option", "meaning"), (_argument(one) for one in arguments))


def _argument(argument: Argument) -> tuple[str, str]:
    names = ", ".join(argument.names)
    return code(f"{names} {argument.value}".strip()), argument.help


def surroundings_page() -> str:
    """Folders, environment variables and exit statuses."""
    parts = [
        "# Files, environment variables and exit statuses",
        "## Folders",
        "Where things are kept, unless an environment variable says otherwise. "
        "[Saved games](../saved-games.md) tells what is in each file.",
        table(("folder", "what it has", "Linux", "macOS", "Windows"), _folders()),
        "## Environment variables",
        table(("variable", "meaning"), ((code(name), told) for name, told in ENVIRONMENT.items())),
        "## Exit statuses",
        table(("status", "meaning"), exit_statuses().items()),
        "An error is one or two lines on standard error. Standard output then has nothing, or "
        "what was done before.",
    ]
    return "\n\n".join(parts) + "\n"


def _folders() -> Iterator[tuple[str, ...]]:
    systems = [kind("lineduel", appauthor=False) for kind in (Unix, MacOS)]
    for name, (content, on_windows) in _FOLDERS.items():
        paths = (str(getattr(one, f"user_{name}_dir")) for one in systems)
        known = (code(path.replace(str(Path.home()), "~")) for path in paths)
        yield name, content, *known, code(on_windows)


_FOLDERS = {
    "data": ("games, live games, puzzles, your rulebooks", r"%LOCALAPPDATA%\lineduel"),
    "cache": (
        "solutions, audits and compiled code, which can be made anew",
        r"%LOCALAPPDATA%\lineduel\Cache",
    ),
    "config": ("`config.toml`: what is remembered about you", r"%LOCALAPPDATA%\lineduel"),
}
"""What each folder has, and where it is on Windows, which platformdirs tells only there."""


def exit_statuses() -> dict[str, str]:
    """Each exit status with its meaning, as the help of `lineduel` has them."""
    _, *lines = CLOSING.split("\n\n")[0].splitlines()
    entries = (one.strip() for one in " ".join(lines).split(","))
    pairs = (one.split(" ", 1) for one in entries)
    return {number: meaning.strip() for number, meaning in pairs}
