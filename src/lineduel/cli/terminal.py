"""The terminal: print text, ask questions, and read secrets without showing them."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from lineduel.errors import NotationError, shown

try:
    import termios
except ImportError:  # not on this platform
    termios = None  # type: ignore[assignment]

_RESET = "\x1b[0m"
BOLD = "1"
PLAYER1 = "36"
PLAYER2 = "33"
ALARM = "31"
_LONGEST_LINE = 1 << 16
"""Most characters in an answer; no move or file name is longer."""
WAKE_UP = 0.2
"""Seconds between two checks for signals."""
YES = ("y", "yes")
Paint = Callable[[str], str]


class Terminal:
    """Standard input, output and error, with colour if it is wanted."""

    def __init__(self, colour: str = "auto") -> None:
        self._interactive = sys.stdin.isatty()
        self._colour = wants_colour(colour, sys.stdout)
        self._alarm = wants_colour(colour, sys.stderr)
        self.paint: Paint = lambda text: text
        self._before_hiding: list[Any] | None = None

    @property
    def is_interactive(self) -> bool:
        """Whether somebody can be asked."""
        return self._interactive and sys.stdout.isatty()

    def colour_names(self, player1: list[str], player2: list[str]) -> None:
        """From now on, print these names in their player's colour."""
        if not self._colour:
            return
        colours = dict.fromkeys(player1, PLAYER1) | dict.fromkeys(player2, PLAYER2)
        longest_first = sorted(map(re.escape, colours), key=len, reverse=True)
        pattern = re.compile(rf"(?<![\w-])({'|'.join(longest_first)})(?![\w-])")
        self.paint = lambda text: pattern.sub(
            lambda found: f"\x1b[{colours[found[1]]}m{found[1]}{_RESET}", text
        )

    def say(self, text: str = "") -> None:
        sys.stdout.write(f"{self.paint(text)}\n")
        sys.stdout.flush()

    def bold(self, text: str) -> str:
        return f"\x1b[{BOLD}m{text}{_RESET}" if self._colour else text

    def complain(self, text: str) -> None:
        print(f"\x1b[{ALARM}m{text}{_RESET}" if self._alarm else text, file=sys.stderr, flush=True)

    def ask(self, prompt: str, check: Callable[[], object] = lambda: None) -> str | None:
        """Ask for a line; None at the end of input. A piped answer is printed as if typed.

        While it waits, `check` is called now and then; what it raises ends the wait.
        """
        self.show_typing()
        if self._interactive:
            try:
                with hearing_signals(check):
                    return input(_for_line_editing(self.paint(prompt)))
            except UnicodeDecodeError:
                raise _not_text() from None
            except EOFError:
                self.say()
                return None
        print(self.paint(prompt), end="", flush=True)
        answer = self._read(check)
        self.say(shown((answer or "").rstrip("\r\n"), _LONGEST_LINE))
        return answer

    def ask_secret(self, prompt: str) -> str | None:
        """Ask for a line that is never shown; None at the end of input.

        Typing stays hidden until `show_typing` or the next ordinary question, so that not even
        text that is typed too early can be seen.
        """
        if self._interactive and termios is None:
            return self._ask_secret_elsewhere(prompt)
        self._hide_typing()
        print(self.paint(prompt), end="", flush=True)
        answer = self._read()
        self.say()
        return answer

    def show_typing(self) -> None:
        if self._before_hiding is not None:
            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before_hiding)
            self._before_hiding = None

    def _hide_typing(self) -> None:
        if not self._interactive or self._before_hiding is not None:
            return
        self._before_hiding = termios.tcgetattr(sys.stdin)
        hidden = list(self._before_hiding)
        hidden[3] &= ~termios.ECHO
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, hidden)

    def _ask_secret_elsewhere(self, prompt: str) -> str | None:
        """Ask for a secret without termios, as on Windows."""
        import getpass
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", getpass.GetPassWarning)  # it is printed as well
            try:
                return getpass.getpass(self.paint(prompt))
            except EOFError:
                return None

    def _read(self, check: Callable[[], object] = lambda: None) -> str | None:
        """The next line; one that is too long is cut and marked."""
        try:
            with hearing_signals(check):
                line = rest = sys.stdin.readline(_LONGEST_LINE)
                while len(rest) == _LONGEST_LINE and not rest.endswith("\n"):
                    rest = sys.stdin.readline(_LONGEST_LINE)
        except UnicodeDecodeError:
            raise _not_text() from None
        return (line if rest is line else f"{line}...") or None


@contextmanager
def hearing_signals(check: Callable[[], object] = lambda: None) -> Iterator[None]:
    """While waiting for a line, wake up a few times a second, and call `check` each time.

    A signal that comes in the instant before the wait begins is noticed only when the wait is
    interrupted; without this it would be the next key.
    """
    if not hasattr(signal, "setitimer"):  # not on this platform
        yield
        return
    signal.signal(signal.SIGALRM, lambda number, frame: check())
    signal.setitimer(signal.ITIMER_REAL, WAKE_UP, WAKE_UP)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, lambda number, frame: None)  # stays: one may be on its way
        signal.setitimer(signal.ITIMER_REAL, 0)


def _not_text() -> NotationError:
    return NotationError("The input is not text in UTF-8.")


def says_yes(answer: str | None) -> bool:
    """Whether the answer to a question is yes."""
    return answer is not None and answer.strip().lower() in YES


def wants_colour(choice: str, stream: TextIO | None = None) -> bool:
    """Whether to use colour on a stream (default: standard output)."""
    stream = stream or sys.stdout
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _for_line_editing(prompt: str) -> str:
    """Enable arrow keys and history if the platform supports them, and mark the prompt's colours.

    Line editing has to know that they have no width.
    """
    try:
        import readline
    except ImportError:
        return prompt
    readline.set_auto_history(True)
    if not sys.stdout.isatty():
        return prompt
    return re.sub(r"(\x1b\[[0-9;]*m)", "\x01\\1\x02", prompt)
