"""The terminal: print text, ask questions, and read secrets without showing them."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
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
        self._modes = _Modes()

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
                with self._modes.borrowed(), hearing_signals(check):
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
        if self._interactive:
            self._modes.hide_typing()
        print(self.paint(prompt), end="", flush=True)
        answer = self._read()
        self.say()
        return answer

    def show_typing(self) -> None:
        self._modes.give_back()

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


class _Modes:
    """How the terminal treats what is typed, which line editing and secrets change for a while.

    It is given back whenever the program is stopped (Ctrl-Z) or ended (Ctrl-\\), and changed again
    when the program goes on.
    """

    def __init__(self) -> None:
        self._given: list[Any] | None = None
        """As it was before it was changed."""
        self._hidden: list[Any] | None = None
        """As it is while typing is hidden."""
        self._at_stop: list[Any] | None = None
        """As it was when the program was stopped."""
        self._handlers: dict[signal.Signals, Any] = {}
        """What handled each signal until then."""

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        """For line editing, which changes the terminal by itself."""
        self._borrow()
        try:
            yield
        finally:
            self.give_back()

    def hide_typing(self) -> None:
        """Until it is given back."""
        self._borrow()
        if self._given is not None and self._hidden is None:
            self._hidden = list(self._given)
            self._hidden[3] &= ~termios.ECHO
            _set_modes(self._hidden)

    def give_back(self) -> None:
        if self._given is None:
            return
        _set_modes(self._given)
        self._given = self._hidden = self._at_stop = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()

    def _borrow(self) -> None:
        if termios is None or self._given is not None:
            return
        with suppress(termios.error):  # the terminal may be gone
            self._given = termios.tcgetattr(sys.stdin)
        for number, handler in (
            (signal.SIGTSTP, self._stop),
            (signal.SIGCONT, self._go_on),
            (signal.SIGQUIT, self._quit),
        ):
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN and self._given is not None:
                with suppress(ValueError):  # only the main thread may set handlers
                    signal.signal(number, handler)
                    self._handlers[number] = before

    def _stop(self, number: int, frame: FrameType | None) -> None:
        with suppress(termios.error):
            self._at_stop = termios.tcgetattr(sys.stdin)
        self._leave_to(signal.SIGTSTP)
        signal.signal(number, self._stop)  # it goes on here

    def _quit(self, number: int, frame: FrameType | None) -> None:
        self._leave_to(signal.SIGQUIT)

    def _leave_to(self, number: signal.Signals) -> None:
        """Let a signal do what it does by default, with the terminal as it was."""
        if self._given is not None:
            _set_modes(self._given)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _go_on(self, number: int, frame: FrameType | None) -> None:
        modes = self._at_stop or self._hidden  # without a stop of ours: by SIGSTOP
        if modes is not None and _in_foreground():
            _set_modes(modes)
            self._at_stop = None


def _set_modes(modes: list[Any]) -> None:
    """Unless the terminal is gone; in the background it belongs to another program."""
    if _in_foreground():
        with suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)


def _in_foreground() -> bool:
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:  # without job control it is always ours
        return True


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
