"""All commands and options as plain data, read from the parser: for shells and the manual."""

import argparse
from dataclasses import dataclass
from enum import Enum, auto

from lineduel.cli.help import TOPIC
from lineduel.cli.main import build_parser


class ValueKind(Enum):
    """What the value of an option or an argument is."""

    NOTHING = auto()
    """An option that takes no value."""
    CHOICE = auto()
    """One of some words."""
    GAME = auto()
    PLAYER = auto()
    COMMAND = auto()
    """A command of lineduel."""
    FILE = auto()
    TEXT = auto()
    """Anything else: a number, a position."""


_KINDS = {
    "GAME": ValueKind.GAME,
    "PLAYER": ValueKind.PLAYER,
    "FILE": ValueKind.FILE,
    "FOLDER": ValueKind.FILE,
}
"""What a value is, by its name in the help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An option, or an argument that stands by its place."""

    names: tuple[str, ...]
    """`-V` and `--version`; none for an argument that stands by its place."""
    value: str
    """What the help calls its value."""
    kind: ValueKind
    choices: tuple[str, ...]
    is_repeated: bool
    """Whether several values follow each other."""
    is_optional: bool
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandHelp:
    """A command; that without a name is `lineduel` alone."""

    name: str
    summary: str
    usage: str
    options: tuple[Argument, ...]
    arguments: tuple[Argument, ...]
    closing: str
    """What the help ends with: the examples."""


def command_tree() -> tuple[CommandHelp, ...]:
    """`lineduel` itself, then each of its commands in the order of the help."""
    parser = build_parser()
    (choices,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    summaries = {one.dest: one.help or "" for one in choices._choices_actions}
    own = _command("", parser.description or "", parser)
    return (own, *(_command(name, summaries[name], one) for name, one in choices.choices.items()))


def _command(name: str, summary: str, parser: argparse.ArgumentParser) -> CommandHelp:
    shown = [
        _argument(action)
        for action in parser._actions
        if action.help != argparse.SUPPRESS and not isinstance(action, argparse._SubParsersAction)
    ]
    return CommandHelp(
        name=name,
        summary=summary,
        usage=" ".join(parser.format_usage().removeprefix("usage: ").split()),
        options=tuple(one for one in shown if one.names),
        arguments=tuple(one for one in shown if not one.names),
        closing=parser.epilog or "",
    )


def _argument(action: argparse.Action) -> Argument:
    choices = tuple(map(str, action.choices or ()))
    named = action.metavar or ("{" + ",".join(choices) + "}" if choices else action.dest.upper())
    value = named if isinstance(named, str) else " ".join(named)
    if action.nargs == 0:
        kind, value = ValueKind.NOTHING, ""
    elif choices:
        kind = ValueKind.CHOICE
    elif action.dest == TOPIC:
        kind = ValueKind.COMMAND
    else:
        kind = _KINDS.get(value, ValueKind.TEXT)
    return Argument(
        names=tuple(action.option_strings),
        value=value,
        kind=kind,
        choices=choices,
        is_repeated=action.nargs == "+",
        is_optional=action.nargs == "?",
        help=action.help or "",
    )
