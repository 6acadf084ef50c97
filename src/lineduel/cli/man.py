"""`lineduel man` and `help`: the help texts as a manual page, or those of one command."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lineduel import __version__
from lineduel.cli.options import Parser

if TYPE_CHECKING:
    from lineduel.cli.command_tree import Argument, CommandHelp

TOPIC = "topic"
"""The name of the argument that holds the command to explain."""
ENVIRONMENT = {
    "LINEDUEL_DATA": "folder for your games (default: the system's folder for data)",
    "LINEDUEL_CACHE": "folder for saved solutions (default: the system's folder for caches)",
    "LINEDUEL_CONFIG": "file for your preferences (default: config.toml in the system's folder "
    "for settings)",
    "NO_COLOR": "if set, no colours",
    "REDUCE_MOTION": "if set, no animation",
    "TERM": "if it is 'dumb', plain lines in place of the full screen",
    "NUMBA_CACHE_DIR": "folder for compiled code (default: beside the program, or else the cache)",
}
"""What the program reads from its environment."""


def configure(parser: Parser) -> None:
    parser.examples("lineduel man | man -l -", "lineduel man > ~/.local/share/man/man1/lineduel.1")


def configure_help(parser: Parser) -> None:
    parser.add_argument(TOPIC, metavar="COMMAND", nargs="?", help="a command of lineduel")
    parser.examples("lineduel help", "lineduel help tournament")


def run(options: argparse.Namespace) -> int:
    from lineduel.cli.command_tree import command_tree

    print(*manual(command_tree()), sep="\n")
    return 0


def run_help(options: argparse.Namespace) -> int:
    from lineduel.cli.main import main

    return main([*([options.topic] if options.topic else []), "--help"])


def manual(commands: "tuple[CommandHelp, ...]") -> Iterator[str]:
    """The lines of the page, in roff."""
    own, *others = commands
    yield f'.TH LINEDUEL 1 "" "lineduel {__version__}" "User Commands"'
    yield ".SH NAME"
    yield "lineduel \\- play, solve and audit two-player duels on a line"
    yield ".SH SYNOPSIS"
    yield ".B lineduel"
    yield "[\\fIOPTION\\fR]... [\\fICOMMAND\\fR [\\fIARGUMENT\\fR]...]"
    yield ".SH DESCRIPTION"
    yield _text(own.summary)
    yield "Without a command it opens the game on the whole screen."
    yield ".SH OPTIONS"
    yield from _arguments(own.options)
    yield ".SH COMMANDS"
    for command in others:
        yield f".SS {_text(command.name)}"
        yield f"{_text(command.summary[0].upper() + command.summary[1:])}."
        yield ".PP"
        yield f".B {_text(command.usage)}"
        yield from _arguments((*command.arguments, *command.options))
        if command.closing:
            heading, *lines = command.closing.splitlines()
            yield from (".PP", _text(heading), *_verbatim(lines))
    yield ".SH ENVIRONMENT"
    for name, about in ENVIRONMENT.items():
        yield from (".TP", f".B {name}", _text(about))
    for section in own.closing.strip().split("\n\n"):
        heading, *lines = section.splitlines()
        yield from (f".SH {heading.rstrip(':').upper()}", *_verbatim(lines))


def _verbatim(lines: list[str]) -> Iterator[str]:
    yield ".RS 4"
    yield ".nf"
    yield from (_text(line.strip()) for line in lines)
    yield ".fi"
    yield ".RE"


def _arguments(arguments: "tuple[Argument, ...]") -> Iterator[str]:
    for argument in arguments:
        names = ", ".join(f"\\fB{_text(name)}\\fR" for name in argument.names)
        value = f"\\fI{_text(argument.value)}\\fR" if argument.value else ""
        yield ".TP"
        yield " ".join(part for part in (names, value) if part)
        yield _text(argument.help)


def _text(text: str) -> str:
    """Text with the characters escaped that mean something to roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
