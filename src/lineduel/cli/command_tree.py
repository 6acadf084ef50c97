"""All commands and options as data, for shell completion and the manual page."""

import argparse
from dataclasses import dataclass
from enum import Enum, auto

from lineduel.cli.main import COMMANDS, build_parser
from lineduel.cli.man import TOPIC


class ValueKind(Enum):
    """The kind of value that an option or an argument takes."""

    NOTHING = auto()
    """An option that takes no value."""
    CHOICE = auto()
    """One of a fixed set of words."""
    GAME = auto()
    PLAYER = auto()
    FILE = auto()
    TEXT = auto()
    """Anything else: a number, a position."""


_KINDS = {
    "GAME": ValueKind.GAME,
    "PLAYER": ValueKind.PLAYER,
    "FILE": ValueKind.FILE,
    "FOLDER": ValueKind.FILE,
}
"""The kind of a value, by its name in the help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An option or a positional argument."""

    names: tuple[str, ...]
    """Such as `-V` and `--version`; empty for a positional argument."""
    value: str
    """The name of its value in the help."""
    kind: ValueKind
    choices: tuple[str, ...]
    is_repeated: bool
    """Whether it takes several values."""
    is_optional: bool
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandHelp:
    """A command; an empty name means `lineduel` without a command."""

    name: str
    summary: str
    usage: str
    options: tuple[Argument, ...]
    arguments: tuple[Argument, ...]
    closing: str
    """The end of the help text: the examples."""


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
    choices = tuple(COMMANDS) if action.dest == TOPIC else tuple(map(str, action.choices or ()))
    named = action.metavar or ("{" + ",".join(choices) + "}" if choices else action.dest.upper())
    value = named if isinstance(named, str) else " ".join(named)
    if action.nargs == 0:
        kind, value = ValueKind.NOTHING, ""
    elif choices:
        kind = ValueKind.CHOICE
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
