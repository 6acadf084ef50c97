"""All exceptions that lineduel raises, in one tree.

    LineduelError
    ├── RulebookError       a rulebook contains something that is not allowed
    ├── UnknownGame         no rulebook has that name
    ├── NotationError       text is not a valid position, move or assignment
    │   ├── NothingVaries   a sweep has no key with several values
    │   └── VariesTwice     a key of a sweep is given twice
    ├── InvalidPosition     the position cannot occur in this rulebook
    ├── IllegalMove         the rules do not allow that move in that position
    ├── NotNow              the action is not possible at this point of a game
    │   ├── LinkRefused      a token does not open a live game
    │   ├── NoSuchGame       no live game has that id
    │   └── TooManyRequests  somebody asks a server for more than their share
    ├── LessonError         there is no such lesson, or its file is wrong
    ├── RecordError         text is not a record, or the recorded game is impossible
    ├── StorageError        a file or folder cannot be read or written
    │   ├── AlreadyExists   a file to be created already exists
    │   │   └── LedgerExists    a results file to be created already exists
    │   ├── InUse           a game is open in another program
    │   ├── NotARulebook    a file is something else than a rulebook
    │   ├── NotText         a file is not text
    │   └── NotReplaced     an existing file may not be lineduel's own
    ├── TooLarge            there are more positions than can be solved
    │   └── MemoryLimit     more memory is needed than may be used
    │       └── DeviceMemoryLimit   more memory is needed than the GPU has
    ├── NoDevice            there is no GPU that can be used
    ├── AddressSpaceLimit   compiled code needs more address space than allowed
    ├── TooDeep             a level would examine too many positions for one move
    ├── UnknownPlayer       no player has that name
    ├── EngineError         an engine crashed, hung or broke the protocol
    │   ├── EngineComplaint  an engine answered `error`
    │   ├── EngineSilent     an engine did not answer in time
    │   │   └── EngineNotReady   an engine did not say `readyok` in time
    │   └── EngineTooLong    an engine sent more than is read
    ├── AgentError          an agent cannot be examined
    ├── NotTrusted          a file would start programs, and nobody has allowed it
    ├── NotSolved           the solution does not cover that position or question
    ├── NotInstalled        a package from an optional extra is missing
    ├── LedgerError         a results file is damaged or belongs to other work
    │   ├── LedgerLine      a line of a results file does not belong there
    │   └── LedgerVersion   a results file was written by another version
    ├── DiscoverError       a search for rulebooks that cannot be made as asked
    ├── NoWorkers           there are no workers to do the work
    ├── TimeLimit           work took more time or memory than it may
    ├── WorkStopped         nobody waits for the result of some work any more
    └── CertificateError    text is not a certificate, or the certificate is wrong
        └── OldCertificate  a certificate was written by an older version

A message is one or two plain sentences about what is wrong. The command line adds which option or
command helps, based on the class of the error and its attributes.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


def shown(text: object, most: int = 60) -> str:
    """Text from outside, made safe for a message: on one line, printable, at most `most` long."""
    plain = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in str(text)[: most + 1]
    )
    return plain if len(plain) <= most else plain[: most - 3] + "..."


@contextmanager
def original_errors() -> Iterator[None]:
    """Let errors through as they were raised, also by a signal that came amid compiled code.

    If the handler of a signal raises while compiled code returns its arrays, that comes out as a
    SystemError, or as several in a chain, whose cause is what was raised.
    """
    try:
        yield
    except SystemError as error:
        raised: BaseException = error
        while isinstance(raised, SystemError) and raised.__cause__ is not None:
            raised = raised.__cause__
        if raised is error:
            raise
        raise raised from None


KeyPath = tuple[str | int, ...]
"""The way to a key of a file: names of tables, places in lists counted from 0, its own name."""


def key_text(path: KeyPath) -> str:
    """A path as one text; entries of lists count from 1: `claims[1].says`."""
    text = ""
    for one in path:
        if isinstance(one, int):
            text += f"[{one + 1}]"
        else:
            text += f".{one}" if text else one
    return text


class LineduelError(Exception):
    """Base class of all errors that lineduel raises on purpose."""


class RulebookError(LineduelError):
    """A key of a rulebook has an invalid value; carries the key, the value and what is allowed."""

    UNKNOWN_KEY = "unknown key"

    def __init__(
        self,
        key: str | KeyPath,
        holds: str,
        allowed: str,
        source: str | None = None,
        line: int | None = None,
    ) -> None:
        """With the file and the line of the mistake, where they are known."""
        self.path = tuple(key.split(".")) if isinstance(key, str) else key
        self.key = shown(key_text(self.path), 120)
        self.holds = shown(holds, 120)
        self.allowed = allowed
        self.source = source
        self.line = line
        place = ":".join(str(one) for one in (source and shown(source, 300), line) if one)
        start = f"{place}: " if place else ""
        super().__init__(f"{start}{self.key}: {self.holds}. {self._advice()}")

    def _advice(self) -> str:
        """What is allowed there, and the key or word that a misspelt one may mean."""
        from difflib import get_close_matches

        if self.holds == self.UNKNOWN_KEY:
            name = self.key.rpartition(".")[2]
            for near in get_close_matches(name, self.allowed.split(", "), n=1):
                return f"Did you mean {near}?"
        words = re.findall(r'"[^"]*"', self.allowed) if self.holds.startswith('"') else []
        for near in get_close_matches(self.holds, words, n=1):
            return f"Did you mean {near}? Allowed: {self.allowed}."
        return f"Allowed: {self.allowed}."


class UnknownGame(LineduelError):
    """No rulebook has that name; carries the most similar names."""

    def __init__(self, name: str, nearest: Sequence[str], variants: str = "") -> None:
        self.name = name
        self.nearest = tuple(nearest)
        self.variants = variants
        """The available variants, if only the variant is unknown."""
        guess = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
        known = f"\n{variants}" if variants else ""
        super().__init__(f"There is no game called '{shown(name)}'.{guess}{known}")


class NotationError(LineduelError):
    """Text does not have the required form."""


class NothingVaries(NotationError):
    """A sweep has no key with several values."""

    def __init__(self) -> None:
        super().__init__("There is nothing to vary.")


class VariesTwice(NotationError):
    """A key of a sweep is given twice."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"{key} is given twice.")


class InvalidPosition(LineduelError):
    """A position cannot occur in this rulebook."""


class IllegalMove(LineduelError):
    """A move is not allowed; carries the unchanged position and the legal moves."""

    def __init__(self, move: object, position: object, legal: Sequence[object], why: str) -> None:
        self.move = move
        self.position = position
        self.legal = tuple(legal)
        self.why = why
        if legal:
            shown = ", ".join(str(one) for one in legal[:12])
            more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
            why = f"{why} Legal: {shown}{more}."
        super().__init__(why)


class NotNow(LineduelError):
    """The requested action is not possible at this point of the game."""


class LinkRefused(NotNow):
    """A token does not open this game."""


class NoSuchGame(NotNow):
    """There is no live game of that id."""


class TooManyRequests(NotNow):
    """Somebody asks for more than their share."""


class LessonError(LineduelError):
    """There is no such lesson, or its file is wrong; the message names the step."""


class RecordError(LineduelError):
    """A record cannot be read or replayed; the message names the line."""


class StorageError(LineduelError):
    """A file or folder cannot be read or written."""


class AlreadyExists(StorageError):
    """A file to be created already exists; it was left unchanged."""


class LedgerExists(AlreadyExists):
    """A results file to be created already exists; it was left unchanged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{shown(path, 200)} already exists.")


class InUse(StorageError):
    """A game is open in another program, which would overwrite moves made here."""


class NotARulebook(StorageError):
    """A file is something else than a rulebook."""


class NotText(StorageError):
    """A file is not text."""


class NotReplaced(StorageError):
    """A file exists that may not have been written by lineduel; it was left unchanged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{shown(path, 300)} exists already, and was left as it is.")


class TooLarge(LineduelError):
    """A rulebook has too many positions; carries the number found and the limit."""

    def __init__(self, positions: int, most: int, why: str = "") -> None:
        self.positions = positions
        self.most = most
        super().__init__(
            why or f"There are more than {most:,} positions, too many to solve this way."
        )


class MemoryLimit(TooLarge):
    """Solving a rulebook takes more memory than may be used."""


class DeviceMemoryLimit(MemoryLimit):
    """Solving or checking a table takes more memory than the GPU has free."""


class NoDevice(LineduelError):
    """There is no GPU that can be used, or no driver for it."""

    def __init__(self) -> None:
        super().__init__(
            "This machine has no GPU that can be used: it takes an NVIDIA GPU with its driver."
        )


class AddressSpaceLimit(LineduelError):
    """Compiled code needs more address space than this process is allowed."""

    def __init__(self, needed: int, allowed: int) -> None:
        self.needed, self.allowed = needed, allowed
        super().__init__(
            f"Compiled code needs {needed >> 20:,} MiB of address space, "
            f"and this process is allowed {allowed >> 20:,} MiB (see 'ulimit -v')."
        )


class TooDeep(LineduelError):
    """A level looks too far ahead for this position; carries the highest level that works."""

    def __init__(self, level: int, fits: int, most: int) -> None:
        self.level = level
        self.fits = fits
        super().__init__(
            f"Level {level} would have to look at more than {most:,} positions for this move.\n"
            f"The highest level that fits here is level {fits}."
        )


class UnknownPlayer(LineduelError):
    """No player has that name; the message names the most similar one and lists the known ones."""

    def __init__(self, name: str, known: str, nearest: str | None = None, wanted: str = "") -> None:
        """If only some players will do, `wanted` says which: `whose chances are known`."""
        only = f" {wanted}" if wanted else ""
        guess = f" Did you mean {nearest}?" if nearest else ""
        self.name = name
        super().__init__(
            f"There is no player called '{shown(name)}'{only}.{guess}\nThere are {known}."
        )


class EngineError(LineduelError):
    """An engine crashed, hung, or gave an invalid answer."""


class EngineComplaint(EngineError):
    """An engine answered `error`."""


class EngineSilent(EngineError):
    """An engine did not answer in time."""


class EngineNotReady(EngineSilent):
    """An engine did not say `readyok` in time."""


class EngineTooLong(EngineError):
    """An engine sent more than is read."""


class AgentError(LineduelError):
    """An agent cannot be examined: it cannot be started, or reached."""


class NotTrusted(LineduelError):
    """A file would start programs, and nobody could be asked for permission."""


class NotSolved(LineduelError):
    """A solution has no answer to the question; carries the position if there is one."""

    def __init__(self, why: str, position: object = None) -> None:
        self.position = position
        super().__init__(why)


class NotInstalled(LineduelError, ImportError):
    """A package that some commands need is missing; carries the extra that installs it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(
            f"This needs {package}, which comes with the extra '{extra}':\n"
            f"pip install 'lineduel[{extra}]'"
        )


class LedgerError(LineduelError):
    """A results file cannot be continued."""


class LedgerLine(LedgerError):
    """A line of a results file does not belong there; carries the reason."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        self.path = path
        self.line = line
        self.why = why
        super().__init__(f"{shown(path, 200)}, line {line}: {why}.")


class LedgerVersion(LedgerError):
    """A results file was written by another version, in which a key may mean something else."""

    def __init__(self, why: str, key: str | None = None) -> None:
        self.key = key
        super().__init__(why)


class DiscoverError(LineduelError):
    """A search for rulebooks that cannot be made as asked: its bounds or its goals."""


class NoWorkers(LineduelError):
    """No cluster answers, or the workers keep getting lost."""


class TimeLimit(LineduelError):
    """Work took more time or memory than it may, and was stopped."""


class WorkStopped(LineduelError):
    """Nobody waits for the result of some work any more."""


class CertificateError(LineduelError):
    """A certificate cannot be read, or the checker rejects it."""


class OldCertificate(CertificateError):
    """A certificate was written by an older version; carries its header line."""

    def __init__(self, head: str) -> None:
        self.head = head
        super().__init__(f"This is a '{head}', written by an older version of lineduel.")
