"""Somebody at a terminal with the real program."""

import fcntl
import os
import re
import signal
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from io import BytesIO
from types import TracebackType
from typing import Self

import pexpect
import pyte
from pexpect.fdpexpect import fdspawn

from support.prefork import Forked
from support.program import PATIENCE, PYTHON_M, Program, may_fork, prefork

ROWS, COLUMNS = 60, 100
NARROW = 60
"""Columns that every screen has."""

ENTER, CTRL_A, CTRL_C, CTRL_D, CTRL_E = b"\r", b"\x01", b"\x03", b"\x04", b"\x05"
CTRL_Z, CTRL_BACKSLASH = b"\x1a", b"\x1c"
_STEERING = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
_QUIET = {"TERM": "xterm", "NO_COLOR": "1", "INPUTRC": os.devnull}


def plain(raw: bytes) -> str:
    """Printed bytes as lines of text, without what steers the terminal."""
    return _STEERING.sub(b"", raw).replace(b"\r", b"").decode()


def screen(raw: bytes, columns: int = NARROW, rows: int = 600) -> pyte.Screen:
    """What a terminal of that size shows of the bytes."""
    shown = pyte.Screen(columns, rows)
    pyte.ByteStream(shown).feed(raw)
    return shown


def rows_of(shown: pyte.Screen) -> list[str]:
    """The rows of a screen down to the last that is not empty, without blanks at their ends."""
    return "\n".join(row.rstrip() for row in shown.display).rstrip("\n").split("\n")


class Executed:
    """A command in a terminal of its own."""

    def __init__(
        self, command: Sequence[str], program: Program, settings: Mapping[str, str], terminal: int
    ) -> None:
        self._process = subprocess.Popen(
            command,
            env=program.environment(**settings),
            cwd=program.folder,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.pid = self._process.pid

    @property
    def status(self) -> int | None:
        return self._process.poll()

    def has_ended(self, patience: float = 0) -> bool:
        """Whether it has, or does within so many seconds."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            return False
        return True


def _echoes_lines(terminal: int) -> bool:
    local = termios.tcgetattr(terminal)[3]
    return bool(local & termios.ECHO) and bool(local & termios.ICANON)


def _names_players(arguments: Sequence[str]) -> bool:
    """Whether it is settled who plays."""
    return not {"--p1", "--p2", "--resume"}.isdisjoint(arguments)


class Sitting:
    """The program in a pseudo-terminal, from the first line to the end of the `with` block."""

    def __init__(
        self,
        program: Program,
        *arguments: str,
        columns: int = COLUMNS,
        settings: Mapping[str, str] | None = None,
        shell: str | None = None,
        plain: bool = True,
        rows: int = ROWS,
        two_people: bool = True,
    ) -> None:
        """With the program, or with a shell that runs this command.

        A new game is played by two people, unless the arguments or its first question say else.
        """
        surroundings = _QUIET | dict(settings or {})
        self._printed = BytesIO()
        ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (rows, columns))
        self.echoed_lines_at_first = _echoes_lines(ours)  # later the program may have begun to ask
        words = (*(("--plain",) if plain else ()), *arguments)
        if two_people and arguments[:1] == ("play",) and not _names_players(arguments):
            words += ("--p2", "human")
        self._process: Forked | Executed
        if shell:
            command = ("/bin/sh", "-c", shell)
            self._process = Executed(command, program, surroundings, theirs)
        elif not may_fork(surroundings):
            self._process = Executed((*PYTHON_M, *words), program, surroundings, theirs)
        else:
            request = program.request(words, surroundings, "terminal")
            self._process = prefork().start(request, theirs, theirs, theirs)
        os.close(theirs)
        self._terminal = fdspawn(ours, timeout=PATIENCE)
        self._terminal.logfile_read = self._printed
        self._terminal.delaybeforesend = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave no process behind."""
        if not self._process.has_ended():
            self.kill()
        self._terminal.close()

    @property
    def raw(self) -> bytes:
        """Every byte printed and read so far."""
        return self._printed.getvalue()

    @property
    def shown(self) -> str:
        """The text printed and read so far."""
        return plain(self.raw)

    @property
    def gone(self) -> bool:
        """Whether neither the program nor anything it started is left."""
        try:
            os.killpg(self._process.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def see(self, text: str) -> bytes:
        """Wait for a text; what was printed since the last wait, the text included."""
        try:
            self._terminal.expect_exact(text.encode())
        except (pexpect.EOF, pexpect.TIMEOUT) as error:
            why = "the program ended" if isinstance(error, pexpect.EOF) else "it took too long"
            raise AssertionError(f"No {text!r}, {why}. Shown: {self.shown[-3000:]}") from None
        return bytes(self._terminal.before + self._terminal.after)

    def type(self, text: str) -> None:
        """A line, and Enter."""
        self._terminal.send(text.encode() + ENTER)

    def answer(self, prompt: str, text: str) -> None:
        self.see(prompt)
        self.type(text)

    def press(self, keys: bytes) -> None:
        """Keys without Enter."""
        self._terminal.send(keys)

    def interrupt(self) -> int:
        """Ctrl-C."""
        self.press(CTRL_C)
        return self.end()

    def end(self) -> int:
        """Wait until the program is done: its exit status, or minus the signal that ended it."""
        self._terminal.expect(pexpect.EOF)
        return self._status()

    def kill(self) -> int:
        """End it as no program can prevent."""
        os.killpg(self._process.pid, signal.SIGKILL)
        return self._status()

    def send(self, number: signal.Signals) -> int:
        """A signal from outside, which is to end it."""
        os.kill(self._process.pid, number)
        return self.end()

    @property
    def echoes_lines(self) -> bool:
        """Whether the terminal shows what is typed and hands it on line by line."""
        return _echoes_lines(self._terminal.child_fd)

    @property
    def foreground(self) -> int:
        """The process group that the terminal listens to."""
        return os.tcgetpgrp(self._terminal.child_fd)

    @property
    def hides_lines(self) -> bool:
        """Whether the terminal hands on line by line what is typed, and does not show it."""
        local = termios.tcgetattr(self._terminal.child_fd)[3]
        return not local & termios.ECHO and bool(local & termios.ICANON)

    def close_window(self) -> int:
        """The terminal goes away."""
        self._terminal.close()
        return self._status()

    def _status(self) -> int:
        if not self._process.has_ended(PATIENCE):
            raise TimeoutError("the program goes on")
        assert self._process.status is not None
        return self._process.status


class FullScreen(Sitting):
    """The program on the whole of a terminal that can show it."""

    def __init__(
        self,
        program: Program,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        settings: Mapping[str, str] | None = None,
        shell: str | None = None,
        two_people: bool = True,
    ) -> None:
        colourful = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": ""}
        super().__init__(
            program,
            *arguments,
            columns=columns,
            rows=rows,
            settings=colourful | dict(settings or {}),
            shell=shell,
            plain=False,
            two_people=two_people,
        )
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._fed = 0

    @property
    def rows(self) -> list[str]:
        """What the terminal shows now."""
        self._feed()
        return rows_of(self._screen)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.rows).split())

    def _feed(self) -> None:
        raw = self.raw
        self._stream.feed(raw[self._fed :])
        self._fed = len(raw)

    def find(self, *texts: str) -> None:
        """Wait until all of these are on the screen."""
        deadline = time.monotonic() + PATIENCE
        wanted = [" ".join(text.split()) for text in texts]
        while not all(text in self.words for text in wanted):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{texts} did not come up:\n" + "\n".join(self.rows))
            self.listen(0.02)

    def lose(self, text: str) -> None:
        """Wait until this is no longer on the screen."""
        deadline = time.monotonic() + PATIENCE
        while text in self.words:
            if time.monotonic() > deadline:
                raise TimeoutError(f"'{text}' did not go away:\n" + "\n".join(self.rows))
            self.listen(0.02)

    def listen(self, seconds: float) -> None:
        """Take in what is printed for a while."""
        self._terminal.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=seconds)

    def resize(self, columns: int, rows: int) -> None:
        self._feed()
        self._screen.resize(rows, columns)
        termios.tcsetwinsize(self._terminal.child_fd, (rows, columns))
