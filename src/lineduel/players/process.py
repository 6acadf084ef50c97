"""Another program that is spoken to line by line; it can neither block nor outlive this one."""

import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from lineduel.errors import EngineError, EngineSilent, EngineTooLong, StorageError, shown
from lineduel.storage import open_regular, reason

_LONGEST = 10_000
"""The most characters of a line."""
_BEGIN = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+ [0-9]+ [<>!] |# Lines are missing here")
"""What each of our lines begins with."""


class EngineLog:
    """Appends every line as it comes; several processes may write to one file.

    `>` is sent to the engine, `<` comes from it, `!` is on its standard error.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._missing = path, ""
        self.problem = ""
        """Why lines are missing, as a sentence; empty if none are."""
        _check_appendable(path)
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        except (OSError, ValueError) as error:
            told = f"{shown(path, 200)} cannot be written: {reason(error)}."
            raise StorageError(told) from None

    def note(self, process: int, mark: str, line: str) -> None:
        """One line of the dialogue with that process."""
        text = f"{datetime.now().isoformat(timespec='milliseconds')} {process} {mark} "
        text = f"{self._missing}{text}{shown(line, _LONGEST)}\n"
        try:
            os.write(self._file, text.encode(errors="replace"))
        except OSError as error:  # the game goes on, and the log says what is missing
            self._missing = f"# Lines are missing here: {error.strerror}.\n"
            self.problem = (
                f"{shown(self._path, 200)} cannot be written: {reason(error)}. "
                "Messages of engines are missing there."
            )
        else:
            self._missing = ""

    def close(self) -> None:
        os.close(self._file)


def _check_appendable(path: Path) -> None:
    """Raise if there is a file that is not such a log."""
    try:
        if not path.is_file():
            return
        with open_regular(path) as file:
            first = file.read(100)
    except (OSError, ValueError):
        return  # the error of opening it will say why
    if first and not _BEGIN.match(first):
        raise StorageError(
            f"{shown(path, 200)} is not a log of engines, and was left as it is.\n"
            "Choose another name for the log."
        )


_LONGEST_LINE = 8192
"""The most bytes of a line, without its end."""
MOST_HEARD = 1 << 20
"""The most bytes that are read between two lines of our own."""
_AT_ONCE = 4096
POLITE, FIRM, HASTY = 1.0, 0.5, 0.15
"""Seconds to end after `quit`, after SIGTERM, and after either when we are in a hurry."""
_GLANCE = 0.005
LAST_LINES = 3
"""How many lines of its standard error are shown after a crash."""
_LINES_KEPT = 40
_POINTER = re.compile(r"[\s~^]+")
_REASON = re.compile(r"error|exception|panic", re.IGNORECASE)
_SCRIPTS = (".py", ".js", ".rb", ".lua", ".jar", ".sh")
_WATCHER = ("/bin/sh", "-c", "trap '' HUP INT TERM; read line; kill -9 0")
"""Waits for the end of its input, then ends its whole process group, itself included."""


class Process:
    """A running command in a process group that always ends when this program ends.

    The group is led by a watcher that reads from a pipe which only we hold open: when we are
    gone, killed or not, the system closes the pipe and the watcher ends the group.
    """

    def __init__(
        self,
        words: Sequence[str],
        log: EngineLog | None = None,
        clock: Callable[[], float] = time.monotonic,
        longest_line: int = _LONGEST_LINE,
    ) -> None:
        """Start it; a line of more bytes than `longest_line` is refused."""
        if os.name != "posix":
            raise EngineError("Engines cannot be started on this system: it has no process groups.")
        self._log, self._longest = log, longest_line
        self.clock = clock
        """By which answers are late."""
        self._watcher, self._lifeline = _watcher()
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                process_group=self._watcher.pid,
            )
        except BaseException as error:
            self._end_group()
            if isinstance(error, FileNotFoundError):
                raise EngineError(no_program(words)) from None
            if isinstance(error, OSError | ValueError):
                why = error.strerror if isinstance(error, OSError) else str(error)
                meant = _as_script(words) if isinstance(error, PermissionError) else ""
                raise EngineError(f"'{shown(words[0])}' cannot be started: {why}.{meant}") from None
            raise
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr: IO[bytes] = self._process.stderr
        # A program that answers without reading must not make us wait when the pipe is full.
        os.set_blocking(self._stdin.fileno(), False)
        os.set_blocking(self._stderr.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._waiting = b""
        self._heard = 0
        self._overheard = b""
        self._last_lines: deque[str] = deque(maxlen=_LINES_KEPT)
        self._closed = False
        self._words = words

    def send(self, line: str) -> None:
        self._note(">", line)
        text = f"{line}\n".encode()
        self._heard = 0
        try:
            written = self._stdin.write(text)
        except BrokenPipeError:
            raise EngineError(self._how_it_ended("closed its input")) from None
        if written != len(text):
            raise EngineError("The engine does not read what it is sent.")

    def receive(self, seconds: float) -> str:
        """The next line, which has to arrive within this many seconds."""
        deadline = self.clock() + seconds
        while b"\n" not in self._waiting:
            if len(self._waiting) > self._longest:
                raise _too_long(self._longest)
            left = deadline - self.clock()
            ready = self._selector.select(left) if left > 0 else ()
            if not ready:
                # Its output may be held open by a child even though it has ended.
                late = self._how_it_ended("did not answer in time", 0.0)
                raise EngineSilent(late) if self._process.poll() is None else EngineError(late)
            for key, _ in ready:
                if key.fileobj is self._stderr:
                    self._overhear()
                else:
                    self._listen()
        if self._heard > MOST_HEARD:
            raise EngineTooLong(f"The engine sent more than {MOST_HEARD:,} bytes and no answer.")
        raw, _, self._waiting = self._waiting.partition(b"\n")
        if len(raw) > self._longest:
            raise _too_long(self._longest)
        line = raw.decode(errors="replace").strip()
        self._note("<", line)
        return line

    def ended(self, seconds: float) -> bool:
        """Whether it ends by itself within this many seconds."""
        deadline = self.clock() + seconds
        while self._process.poll() is None and self.clock() < deadline:
            time.sleep(_GLANCE)
        return self._process.poll() is not None

    def hang_up(self) -> None:
        """Close its input, as if this program had ended."""
        self._stdin.close()

    def close(self, hasty: bool = False) -> None:
        """Ask it to quit, then make it, and whatever it started in its group."""
        if self._closed:
            return
        self._closed = True
        try:
            with suppress(OSError):  # it has ended, or does not read its input
                if not self._stdin.closed:
                    self._stdin.write(b"quit\n")
            self._stdin.close()
            if not self.ended(HASTY if hasty else POLITE):
                self._signal(signal.SIGTERM)
                self.ended(HASTY if hasty else FIRM)
        finally:  # after an interrupt, too, no process is left
            self._end_group()
            self._process.kill()  # it may have left the group
            self._process.wait()
            self._drain()
            self._selector.close()
            self._stdout.close()
            self._stderr.close()

    def _listen(self) -> None:
        chunk = os.read(self._stdout.fileno(), _AT_ONCE)
        if not chunk:
            raise EngineError(self._how_it_ended("closed its output"))
        self._waiting += chunk
        self._heard += len(chunk)

    def _overhear(self) -> bool:
        """Read what it wrote to its standard error; False at the end of it."""
        try:
            chunk = os.read(self._stderr.fileno(), _AT_ONCE)
        except BlockingIOError:
            return False
        if not chunk:
            self._selector.unregister(self._stderr)
        *lines, self._overheard = (self._overheard + (chunk or b"\n")).split(b"\n")
        if len(self._overheard) > _LONGEST_LINE:
            lines, self._overheard = [*lines, self._overheard], b""
        for line in filter(None, (line.decode(errors="replace").rstrip() for line in lines)):
            self._last_lines.append(line)
            self._note("!", line)
        return bool(chunk)

    def _drain(self) -> None:
        """The rest of its standard error, as far as it is there."""
        with suppress(KeyError):  # it was closed before
            self._selector.get_key(self._stderr)
            for _ in range(MOST_HEARD // _AT_ONCE):
                if not self._overhear():
                    break

    def _how_it_ended(self, otherwise: str, wait: float = FIRM) -> str:
        if not self.ended(wait):
            return f"The engine {otherwise}."
        self._drain()
        status = self._process.wait()
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        if missing := next(filter(_is_missing_script, self._words[1:]), None):
            return f"The engine ended {how}: there is no file '{shown(missing)}'."
        if not self._last_lines:
            return f"The engine ended {how}."
        told = " | ".join(shown(line.strip(), 120) for line in telling_lines(self._last_lines))
        return f"The engine ended {how}. Its last lines of standard error: {told}"

    def _note(self, mark: str, line: str) -> None:
        if self._log is not None:
            self._log.note(self._process.pid, mark, line)

    def _end_group(self) -> None:
        self._signal(signal.SIGKILL)
        self._watcher.wait()
        os.close(self._lifeline)

    def _signal(self, number: signal.Signals) -> None:
        # No process left is fine; macOS reports it as a missing permission.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._watcher.pid, number)


def no_program(words: Sequence[str]) -> str:
    """That the program of a command does not exist, and what may be meant."""
    return f"There is no program called '{shown(words[0])}'.{_as_script(words)}"


def _as_script(words: Sequence[str]) -> str:
    """How to start a file that is no program by itself; empty if there is no such file."""
    if not Path(words[0]).is_file():
        return ""
    first = "python " if words[0].endswith(".py") else "" if "/" in words[0] else "./"
    return f" Did you mean '{first}{shown(' '.join(words))}'?" if first else ""


def _is_missing_script(word: str) -> bool:
    return Path(word).suffix in _SCRIPTS and not Path(word).exists()


def _too_long(longest: int) -> EngineTooLong:
    return EngineTooLong(f"The engine sent a line of more than {longest} bytes.")


def _watcher() -> tuple["subprocess.Popen[bytes]", int]:
    """The leader of a new process group, and the end of the pipe that keeps it waiting."""
    reading, lifeline = os.pipe()
    try:
        watcher = subprocess.Popen(
            _WATCHER,
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
    except BaseException as error:
        os.close(lifeline)
        if isinstance(error, OSError):
            raise EngineError(f"Engines cannot be started: {error.strerror}.") from None
        raise
    finally:
        os.close(reading)
    return watcher, lifeline


def telling_lines(lines: Iterable[str]) -> list[str]:
    """The last lines of a crash, without pointers into the line above; first its reason."""
    told = [line for line in lines if not _POINTER.fullmatch(line)]
    last, before = told[-LAST_LINES:], told[:-LAST_LINES]
    if not any(map(_REASON.search, last)):
        return [*[line for line in before if _REASON.search(line)][-1:], *last]
    return last
