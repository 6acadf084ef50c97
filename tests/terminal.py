"""Somebody at a terminal with the real program."""

import os
import re
import signal
import sys
import termios
import time
import warnings
from collections.abc import Mapping
from io import BytesIO
from types import TracebackType
from typing import Self

import pexpect
import pyte

from program import PATIENCE, Program

ROWS, COLUMNS = 60, 100
NARROW = 60
"""Columns that every screen has."""

ENTER, CTRL_A, CTRL_C, CTRL_D, CTRL_E = b"\r", b"\x01", b"\x03", b"\x04", b"\x05"
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
    ) -> None:
        command = ["/bin/sh", "-c", shell] if shell else [sys.executable, "-m", "lineduel"]
        if plain and not shell:
            command.append("--plain")
        self._printed = BytesIO()
        with warnings.catch_warnings():
            # Newer Pythons warn of a fork beside threads, which a parallel test run has.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = pexpect.spawn(
                command[0],
                [*command[1:], *arguments],
                env=program.environment(**(_QUIET | dict(settings or {}))),
                cwd=str(program.folder),
                dimensions=(rows, columns),
                timeout=PATIENCE,
            )
        self._child.logfile_read = self._printed
        self._child.delaybeforesend = None
        self._child.ptyproc.delayafterclose = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave no process behind."""
        if self._child.isalive():
            self.kill()
        self._child.close()

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
            os.killpg(self._child.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def see(self, text: str) -> bytes:
        """Wait for a text; what was printed since the last wait, the text included."""
        self._child.expect_exact(text.encode())
        return bytes(self._child.before + self._child.after)

    def type(self, text: str) -> None:
        """A line, and Enter."""
        self._child.send(text.encode() + ENTER)

    def answer(self, prompt: str, text: str) -> None:
        self.see(prompt)
        self.type(text)

    def press(self, keys: bytes) -> None:
        """Keys without Enter."""
        self._child.send(keys)

    def interrupt(self) -> int:
        """Ctrl-C."""
        self.press(CTRL_C)
        return self.end()

    def end(self) -> int:
        """Wait until the program is done: its exit status, or minus the signal that ended it."""
        self._child.expect(pexpect.EOF)
        return self._status()

    def kill(self) -> int:
        """End it as no program can prevent."""
        os.killpg(self._child.pid, signal.SIGKILL)
        return self._status()

    def send(self, number: signal.Signals) -> int:
        """A signal from outside, which is to end it."""
        os.kill(self._child.pid, number)
        return self.end()

    @property
    def echoes_lines(self) -> bool:
        """Whether the terminal shows what is typed and hands it on line by line."""
        local = termios.tcgetattr(self._child.child_fd)[3]
        return bool(local & termios.ECHO) and bool(local & termios.ICANON)

    def close_window(self) -> int:
        """The terminal goes away."""
        self._child.ptyproc.fileobj.close()
        return self._status()

    def _status(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while self._child.isalive():
            if time.monotonic() > deadline:
                raise TimeoutError("the program goes on")
            time.sleep(0.005)
        if self._child.signalstatus is not None:
            return -int(self._child.signalstatus)
        return int(self._child.exitstatus)


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
        while not all(text in self.words for text in texts):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{texts} did not come up:\n" + "\n".join(self.rows))
            self.listen(0.02)

    def listen(self, seconds: float) -> None:
        """Take in what is printed for a while."""
        self._child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=seconds)

    def resize(self, columns: int, rows: int) -> None:
        self._feed()
        self._screen.resize(rows, columns)
        self._child.setwinsize(rows, columns)
