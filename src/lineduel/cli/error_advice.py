"""Advice on errors in terms of command-line options."""

import argparse
import shlex

from lineduel.errors import (
    DeviceMemoryLimit,
    LedgerExists,
    LedgerLine,
    LedgerVersion,
    LineduelError,
    MemoryLimit,
    NoDevice,
    NotARulebook,
    NothingVaries,
    NotReplaced,
    NotSolved,
    OldCertificate,
    RulebookError,
    UnknownGame,
    UnknownPlayer,
    VariesTwice,
)

_ALWAYS: dict[type[LineduelError], str] = {
    NoDevice: "Use the CPU instead: leave out --gpu.",
    DeviceMemoryLimit: "Use the CPU instead: leave out --gpu.",
    NotARulebook: "A rulebook is a TOML file. Write one to begin with: lineduel new my-duel.toml",
    NotReplaced: "Choose another name, or replace it with --force.",
    OldCertificate: "Make a new one with 'lineduel solve --certificate'.",
    NothingVaries: "Say what to vary, for example --vary track.length=8..16.",
    VariesTwice: "Give all its values in one --vary.",
    LedgerExists: "Resume it with --resume, or choose another file with --file.",
}
"""Advice that does not depend on the command."""


def advised(error: LineduelError, options: argparse.Namespace) -> str:
    """The message of an error, followed by a line of advice if there is any."""
    advice = _ALWAYS.get(type(error)) or _advice(error, options)
    told = f"{_named_by(error, options)}{error}"
    return f"{told}\n{advice}" if advice else told


def _named_by(error: LineduelError, options: argparse.Namespace) -> str:
    """The option that named an unknown player, as `--p2: `; nothing for any other error."""
    if not isinstance(error, UnknownPlayer):
        return ""
    named = [one for one in ("p1", "p2") if getattr(options, one, None) == error.name]
    return f"--{named[0]}: " if named else ""


def _advice(error: LineduelError, options: argparse.Namespace) -> str | None:
    """The advice for this error in this command."""
    match error:
        case RulebookError(source=str(file)):
            return f"For all that is wrong with it: lineduel validate {shlex.quote(file)}"
        case UnknownGame(variants=""):
            return "See 'lineduel games' for all of them, or give the path of a .toml file."
        case MemoryLimit() if options.command == "solve":
            return "Set another limit with --memory, as --memory 8G."
        case NotSolved(position=position) if position is not None:
            return f"Solve it with: lineduel solve GAME --position {position}"
        case LedgerVersion(key=str(key)):
            return f"Begin a new sweep with --vary {key}=... and another --file."
        case LedgerVersion():
            return "Begin a new sweep with another --file."
        case LedgerLine() if options.command == "sweep":
            return "Restore the file, or begin a new sweep with another --file."
        case _:
            return None
