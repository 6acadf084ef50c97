"""Another program, spoken to line by line, that can neither hang us nor outlive us."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

from lineduel.errors import EngineError, shown

LONGEST_LINE = 8192
"""The most bytes of a line."""
MOST_HEARD = 1 << 20
"""The most bytes that are read between two lines of our own."""
AT_ONCE = 4096
POLITE, FIRM, HASTY = 1.0, 0.5, 0.15
"""Seconds to end after `quit`, after SIGTERM, and after either when we are in a hurry."""
GLANCE = 0.005


class Process:
    """A running command, in a session of its own so that its children end with it."""

    def __init__(self, words: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except FileNotFoundError:
            raise EngineError(f"There is no program called '{shown(words[0])}'.") from None
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise EngineError(f"'{shown(words[0])}' cannot be started: {why}.") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        # A program that answers without reading must not make us wait when the pipe is full.
        os.set_blocking(self._stdin.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._waiting = b""
        self._heard = 0
        self._closed = False

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._process.pid

    def send(self, line: str) -> None:
        text = f"{line}\n".encode()
        self._heard = 0
        try:
            written = self._stdin.write(text)
        except BrokenPipeError:
            raise EngineError(self._how_it_ended("closed its input")) from None
        if written != len(text):
            raise EngineError("The engine does not read what it is sent.")

    def receive(self, seconds: float) -> str:
        """The next line, which has to come within so many seconds."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._waiting:
            if len(self._waiting) > LONGEST_LINE:
                raise EngineError(f"The engine sent a line of more than {LONGEST_LINE} bytes.")
            left = deadline - time.monotonic()
            if left <= 0 or not self._selector.select(left):
                # What a child of it holds open does not tell that it has ended.
                late = "did not answer in time"
                raise EngineError(self._how_it_ended(late, 0.0))
            chunk = os.read(self._stdout.fileno(), AT_ONCE)
            if not chunk:
                raise EngineError(self._how_it_ended("closed its output"))
            self._waiting += chunk
            self._heard += len(chunk)
        if self._heard > MOST_HEARD:
            raise EngineError(f"The engine sent more than {MOST_HEARD:,} bytes and no answer.")
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line.decode(errors="replace").strip()

    def ended(self, seconds: float) -> bool:
        """Whether it ends of itself within so many seconds."""
        deadline = time.monotonic() + seconds
        while not (over := self._is_over()) and time.monotonic() < deadline:
            time.sleep(GLANCE)
        return over

    def hang_up(self) -> None:
        """Close its input, as when we are gone."""
        self._stdin.close()

    def close(self, hasty: bool = False) -> None:
        """Ask it to quit, then make it, and whatever it started in its group."""
        if self._closed:
            return
        self._closed = True
        with suppress(OSError):  # it is gone, or does not listen
            if not self._stdin.closed:
                self._stdin.write(b"quit\n")
        self._stdin.close()
        if not self.ended(HASTY if hasty else POLITE):
            self._signal(signal.SIGTERM)
            self.ended(HASTY if hasty else FIRM)
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        self._stdout.close()

    def _how_it_ended(self, otherwise: str, wait: float = FIRM) -> str:
        if not self.ended(wait):
            return f"The engine {otherwise}."
        status = self._status()
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        return f"The engine ended {how}."

    def _is_over(self) -> bool:
        """Whether it has ended; it is not reaped, so that its number stays its group's."""
        if not hasattr(os, "waitid"):  # an old macOS
            return self._process.poll() is not None
        if self._process.returncode is not None:
            return True
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _status(self) -> int:
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.wait()
        found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        assert found is not None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _signal(self, number: signal.Signals) -> None:
        # That nobody is left is well; macOS says so by a refusal.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
