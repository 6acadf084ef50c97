"""The entry point of the command line: parsing, errors, signals and exit status."""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from errno import EPIPE
from importlib import import_module
from itertools import takewhile
from types import FrameType
from typing import Any, NoReturn

from lineduel import __version__
from lineduel.cli.options import Parser
from lineduel.cli.screen import add_screen
from lineduel.cli.streams import OutputError, discard, keep_lines, prepare_streams
from lineduel.errors import LineduelError, original_errors, shown

DONE, NO, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "games": "the games and their variants",
    "rules": "a game's rules in plain words",
    "play": "play a game",
    "replay": "show a recorded game",
    "review": "judge a recorded game, move by move",
    "history": "the games you played: list, review, replay, resume, delete, statistics",
    "perft": "count move sequences",
    "solve": "who wins with best play",
    "puzzle": "find the only good move",
    "lesson": "learn by small tasks, from your first duel to mixed strategies",
    "ladder": "how strong each level is, exactly",
    "tournament": "many games between programs",
    "serve": "play in the browser, with a friend by link or against the computer",
    "join": "join a live game by its link, from the terminal",
    "backup": "copy the games of 'serve' while it runs",
    "new": "write a rulebook file to begin with",
    "validate": "check rulebook files, and list everything that is wrong",
    "audit": "test whether a rulebook keeps its promises",
    "repair": "the smallest changes that make its promises true",
    "sweep": "the figures of many rulebooks at once",
    "compare": "several rulebooks side by side",
    "discover": "find duels that nobody has written yet",
    "curve": "exact strength of a program during its training",
    "check": "verify a solution's certificate",
    "config": "show and change what is remembered",
    "exam": "examine an agent that reads and writes text, by exact solutions",
    "benchmark": "the exam that never changes, and the table of its results",
    "export": "positions with exact values, as training data",
    "mcp": "serve the games to assistants, over the Model Context Protocol",
    "engine": "play as an engine, over standard input and output",
    "engine-check": "check an engine against the protocol",
    "completion": "print a script that completes commands in your shell",
    "man": "print the manual page",
    "help": "show the help of a command",
}
"""Each command, with a summary. Its module in this package is imported when it is used."""
_SHARED = {
    "backup": "serve",
    "check": "solve",
    "compare": "audit",
    "engine-check": "engine",
    "help": "man",
    "perft": "solve",
    "rules": "games",
}
"""Commands in the module of another, as `run_backup` and `configure_backup`; each other command
has a module with its own name, with `run` and `configure`."""

_TO_THE_LETTER = (
    *("completion", "engine", "export", "man", "mcp"),
    *(None, "history", "join", "play", "replay"),
)
"""Commands that print what programs read, or a rulebook's own words: their lines stay whole."""
DESCRIPTION = "Play, solve, explain and audit two-player duels on a line."
GROUPS: dict[str, tuple[dict[str, str], ...]] = {
    "play": (
        {"play": "play a game, against a friend or the computer"},
        {"games": "the games", "rules": "the rules of one in plain words"},
        {"join": "join a live game by its link"},
        {"history": "the games you played", "replay": "show one again"},
    ),
    "learn": (
        {"solve": "who wins with best play, and what each move is worth"},
        {"review": "where a game was decided, move by move"},
        {"puzzle": "find the only good move", "lesson": "a lesson in steps"},
        {"ladder": "how strong each level is, exactly"},
    ),
    "design": (
        {"new": "write a rulebook to begin with", "validate": "check rulebook files"},
        {"audit": "test a rulebook's promises", "compare": "several side by side"},
        {"repair": "the smallest changes that make its promises true"},
        {"sweep": "measure many rulebooks", "discover": "find new duels"},
    ),
    "programs": (
        {"engine": "play as an engine", "engine-check": "check yours against the protocol"},
        {"tournament": "many games between programs", "curve": "strength during training"},
        {"exam": "examine an agent", "benchmark": "the fixed exam", "mcp": "serve assistants"},
        {"check": "verify a certificate", "perft": "count sequences", "export": "training data"},
    ),
    "server": ({"serve": "play in the browser", "backup": "copy its games while it runs"},),
    "housekeeping": (
        {"config": "your preferences", "completion": "completion for your shell"},
        {"man": "the manual page", "help": "the help of a command"},
    ),
}
"""The commands as `lineduel --help` shows them; a test sees that none is missing."""
_USAGE = "usage: lineduel [--version] [--plain] [COMMAND ...]; see 'lineduel help COMMAND'"
_EXAMPLES = ("  lineduel play cross-over --p1 easy --coach",)
CLOSING = """\
exit status:
  0 done, 1 the answer is no or a game is not saved, 2 bad usage or bad input, 129 hangup,
  130 interrupted (Ctrl-C), 143 terminated

examples:
  lineduel                      open the game on the whole screen
  lineduel lesson first-duel    learn to play in three minutes
  lineduel play cross-over      play at one keyboard
  lineduel rules flag-chase     read the rules first
  lineduel history              the games you played
  lineduel solve cross-over     who wins with best play
  lineduel audit cross-over     whether it keeps its promises
"""
# Their values may begin with a minus sign, which argparse would take for an option.
_TAKES_ANY_TEXT = ("--position", "--set", "--vary")


class _Parser(Parser):
    """A parser with short errors: one line about the error, one about the help."""

    knows_all_words = False
    """Whether it is the parser of a command, after which nothing else can come."""

    def error(self, message: str) -> NoReturn:
        from lineduel.cli.usage_errors import in_plain_words

        said = shown(in_plain_words(message, self), 900)
        self.exit(BAD_INPUT, f"lineduel: {said}\nSee '{self.prog} --help'.\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Let the parser of the command complain of words that it does not know."""
        if self.knows_all_words and (strange := self._unknown_options(args or ())):
            self.error(f"unrecognized arguments: {' '.join(strange)}")  # before what is missing
        options, unknown = super().parse_known_args(args, namespace)
        if unknown and self.knows_all_words:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def _unknown_options(self, words: Iterable[str]) -> list[str]:
        """Words that look like long options, and are not even the beginning of one."""
        given = takewhile(lambda word: word != "--", words)
        names = (word.partition("=")[0] for word in given if word.startswith("--"))
        known = self._option_string_actions
        return [name for name in names if not any(one.startswith(name) for one in known)]

    def _check_value(self, action: argparse.Action, value: str) -> None:
        """Suggest the nearest command if there is no such command."""
        if action.dest == "command" and value not in COMMANDS:
            self.error(f"There is no command '{shown(value)}'.{_suggestion(value)}")
        super()._check_value(action, value)


class _AllCommands(_Parser):
    """The parser of `lineduel` itself, whose help has the commands in groups."""

    def format_help(self) -> str:
        lines = [DESCRIPTION, _USAGE, ""]
        for group, rows in GROUPS.items():
            lines.append(group)
            for row in rows:
                known = {name: about for name, about in row.items() if name in COMMANDS}
                lines.append(f"  {', '.join(known):<22}{'; '.join(known.values())}")
        return "\n".join((*lines, "examples:", *_EXAMPLES, ""))


def _suggestion(word: str) -> str:
    """What a command that does not exist may mean, as ` Did you mean 'play'?`; or nothing."""
    from difflib import get_close_matches

    if found := get_close_matches(word.lower(), COMMANDS, n=1):
        return f" Did you mean '{found[0]}'?"
    from lineduel.rulebooks import find_rulebook

    try:
        return f" Did you mean 'lineduel play {find_rulebook(word).id}'?"
    except (LineduelError, OSError):
        return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    prepare_streams()
    options = argparse.Namespace(command=None)
    gc.disable()  # importing a command leaves no garbage
    try:
        try:
            given = _joined(sys.argv[1:] if arguments is None else arguments)
            build_parser(given).parse_args(given, options)
            with original_errors():
                return _run(options)
        finally:
            gc.enable()
            sys.stdout.flush()
    except LineduelError as error:
        from lineduel.cli.error_advice import advised

        print(f"lineduel: {advised(error, options)}", file=sys.stderr)
        return BAD_INPUT
    except CommandInterrupted:
        return INTERRUPTED
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore further interrupts while leaving
        print(file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        print("lineduel: There is not enough memory to do this.", file=sys.stderr)
        return BAD_INPUT
    except OutputError as error:
        discard(sys.stdout)
        if (end := _terminated_before(error)) is not None:
            raise end from None  # the terminal is already gone
        if error.errno == EPIPE:
            return DONE  # the reader has closed the pipe
        print(f"lineduel: The output cannot be written: {_reason(error)}.", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        file = "" if error.filename is None else f"{shown(error.filename, 300)}: "
        print(f"lineduel: {file}{_reason(error)}.", file=sys.stderr)
        return BAD_INPUT


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).lower()


def _run(options: argparse.Namespace) -> int:
    run = _part("run", options.command or "menu")
    gc.freeze()  # what was imported stays, and need not be searched for garbage
    gc.enable()
    _hear_signals()
    if options.command in _TO_THE_LETTER or getattr(options, "json", False):
        keep_lines()
    return int(run(options))


def _hear_signals() -> None:
    """From now on, let signals end the command after it has cleaned up."""
    for name, handler in _HANDLERS.items():
        number = getattr(signal, name, None)  # not all of them exist on every platform
        with suppress(ValueError):  # only the main thread may set handlers
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, handler)


class CommandInterrupted(Exception):
    """Raised to leave a command after an interrupt that has been answered."""


class _Terminated(SystemExit):
    """Raised when a signal tells the program to end."""


def _terminated_before(error: BaseException) -> _Terminated | None:
    """The signal that was being handled when an error occurred, if any."""
    context = error.__context__
    while context is not None and not isinstance(context, _Terminated):
        context = context.__context__
    return context


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    signal.signal(number, lambda number, _: os._exit(128 + number))  # the next one ends it at once
    raise _Terminated(128 + number)


_HANDLERS = {"SIGINT": signal.default_int_handler, "SIGTERM": _terminate, "SIGHUP": _terminate}


def _part(part: str, command: str) -> Callable[..., Any]:
    """The function `run` or `configure` of a command."""
    module = import_module(f"lineduel.cli.{_SHARED.get(command, command)}")
    found: Callable[..., Any] = getattr(
        module, f"{part}_{command.replace('-', '_')}" if command in _SHARED else part
    )
    return found


def build_parser(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of the command that the given words begin with, or of all commands.

    Of all commands, only those among the words have their options, unless `given` is None.
    """
    parser = _AllCommands(
        prog="lineduel",
        description=DESCRIPTION,
        epilog=CLOSING,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-V",
        "--version",
        action="version",
        version=f"lineduel {__version__}",
        help="show the version and exit",
    )
    parser.set_defaults(colour="auto", plain=False, animation=None, theme=None)
    parser.add_colour()
    add_screen(parser)
    choices = parser.add_subparsers(
        prog=parser.prog,  # the default is slow: it is taken from a formatted usage
        parser_class=_Parser,
        dest="command",
        metavar="COMMAND",
        title="commands",
    )
    first = given[0] if given else None
    for name, summary in COMMANDS.items():
        if first in COMMANDS and name != first:
            continue  # it is not needed, and creating a parser is slow
        command = choices.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if given is None or name in given:
            _part("configure", name)(command)
            command.add_colour()
            command.knows_all_words = True
    return parser


def _joined(given: Sequence[str]) -> list[str]:
    """The words with `--position -5/5/2` joined into `--position=-5/5/2`."""
    joined: list[str] = []
    for word in given:
        if joined and joined[-1] in _TAKES_ANY_TEXT:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined
