"""Everything that can go wrong, in one tree.

    LineduelError
    ├── RulebookError       a rulebook says something it may not say
    ├── UnknownGame         no rulebook has that name
    ├── NotationError       text that is no position, move or assignment
    │   ├── NothingVaries   a sweep without a key that takes several values
    │   └── VariesTwice     a key of a sweep that is given twice
    ├── InvalidPosition     pieces stand where the rulebook never puts them
    ├── IllegalMove         the rules do not allow that move there
    ├── NotNow              something that cannot be done at this moment of a game
    ├── RecordError         text that is no record, or a record of an impossible game
    ├── StorageError        a file or folder cannot be read or written
    │   ├── AlreadyExists   a file that was to be created is there
    │   │   └── LedgerExists    a file of results that was to be begun is there
    │   ├── InUse           a game that is open in another program
    │   └── NotReplaced     a file that somebody else may have made
    ├── TooLarge            more positions than can be solved here
    │   └── MemoryLimit     more memory than may be used
    ├── AddressSpaceLimit   less address space than compiled code needs
    ├── TooDeep             more positions than a level may look at for one move
    ├── UnknownPlayer       nobody of that name can take a seat
    ├── EngineError         another program does not play as it should
    ├── NotTrusted          a file that names programs to start, and nobody said that they may
    ├── NotSolved           a question about a position that was not solved
    ├── NotInstalled        a package that an extra brings is missing
    ├── LedgerError         a file of results that is damaged, or of other work
    │   ├── LedgerLine      a line of it that does not belong there
    │   └── LedgerVersion   a file of results that another version wrote
    ├── NoWorkers           nobody is there to do the work
    └── CertificateError    text that is no certificate, or one that proves nothing
        └── OldCertificate  a certificate that an older version wrote

A message is one or two plain sentences. It speaks of the thing that is wrong; which option or
command helps is for the command line to say, by the class of the error and what it carries.
"""

from collections.abc import Sequence
from pathlib import Path


def shown(text: object, most: int = 60) -> str:
    """Somebody's text as it can stand in a sentence: on one line, printable, cut short."""
    plain = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in str(text)[: most + 1]
    )
    return plain if len(plain) <= most else plain[: most - 3] + "..."


class LineduelError(Exception):
    """The root: catching it catches all that lineduel raises on purpose."""


class RulebookError(LineduelError):
    """A key of a rulebook, what it holds, and what it may hold."""

    def __init__(self, key: str, holds: str, allowed: str, source: str | None = None) -> None:
        self.key = shown(key, 120)
        self.holds = shown(holds, 120)
        self.allowed = allowed
        self.source = source
        start = f"{shown(source, 300)}: " if source else ""
        super().__init__(f"{start}{self.key}: {self.holds}. Allowed: {allowed}.")

    def located(self, source: str) -> "RulebookError":
        """The same complaint, with the file it is about."""
        return RulebookError(self.key, self.holds, self.allowed, source)


class UnknownGame(LineduelError):
    """A name that no rulebook has, and the names nearest to it."""

    def __init__(self, name: str, nearest: Sequence[str], variants: str = "") -> None:
        self.name = name
        self.nearest = tuple(nearest)
        self.variants = variants
        """Which variants there are, where only the variant is unknown."""
        guess = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
        known = f"\n{variants}" if variants else ""
        super().__init__(f"There is no game called '{shown(name)}'.{guess}{known}")


class NotationError(LineduelError):
    """Text that does not have the form it should have."""


class NothingVaries(NotationError):
    """A sweep needs a key that takes several values."""

    def __init__(self) -> None:
        super().__init__("Nothing varies.")


class VariesTwice(NotationError):
    """A key of a sweep is given twice."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"{key} varies twice.")


class InvalidPosition(LineduelError):
    """A position that this rulebook can never have on its track."""


class IllegalMove(LineduelError):
    """A move the rules refuse; the position is unchanged and the legal moves are at hand."""

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
    """What was asked for cannot be done at this moment of the game."""


class RecordError(LineduelError):
    """A record that cannot be read or replayed, with the line where it breaks."""


class StorageError(LineduelError):
    """A file or folder that cannot be read or written."""


class AlreadyExists(StorageError):
    """A file that was to be created is there already; it was left as it is."""


class LedgerExists(AlreadyExists):
    """A file of results that was to be begun is there already; it was left as it is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{shown(path, 200)} is there already.")


class InUse(StorageError):
    """A game that is open in another program, which would overwrite what is played here."""


class NotReplaced(StorageError):
    """A file that is there, and that somebody else may have made; it was left as it is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{shown(path, 300)} exists, and nothing shows that this command wrote it."
        )


class TooLarge(LineduelError):
    """A rulebook with more positions than can be taken on, and the limit."""

    def __init__(self, positions: int, most: int, why: str = "") -> None:
        self.positions = positions
        self.most = most
        super().__init__(why or f"There are more than {most:,} positions, too many to solve so.")


class MemoryLimit(TooLarge):
    """A rulebook that takes more memory to solve than may be used."""


class AddressSpaceLimit(LineduelError):
    """A process that may not have the address space that compiled code needs."""

    def __init__(self, needed: int, allowed: int) -> None:
        self.needed, self.allowed = needed, allowed
        super().__init__(
            f"Compiled code needs {needed >> 20:,} MiB of address space, "
            f"and this process is allowed {allowed >> 20:,} MiB (see 'ulimit -v')."
        )


class TooDeep(LineduelError):
    """A level that sees too far for this position, and the highest one that does not."""

    def __init__(self, level: int, fits: int, most: int) -> None:
        self.level = level
        self.fits = fits
        super().__init__(
            f"Level {level} would have to look at more than {most:,} positions for this move.\n"
            f"The highest level that fits here is level {fits}."
        )


class UnknownPlayer(LineduelError):
    """A name that no player has, and those there are."""

    def __init__(self, name: str, known: str) -> None:
        super().__init__(f"There is no player called '{shown(name)}'. There are {known}.")


class EngineError(LineduelError):
    """What an engine did wrong: it crashed, hung, or answered with what is no answer."""


class NotTrusted(LineduelError):
    """A file would start programs, and nobody was there to be asked."""


class NotSolved(LineduelError):
    """A question that a solution has no answer to, and the position it is about."""

    def __init__(self, why: str, position: object = None) -> None:
        self.position = position
        super().__init__(why)


class NotInstalled(LineduelError):
    """A package that is only needed for some commands, and the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(
            f"This needs {package}, which comes with the extra '{extra}':\n"
            f"pip install 'lineduel[{extra}]'"
        )


class LedgerError(LineduelError):
    """A file of results that cannot be gone on with."""


class LedgerLine(LedgerError):
    """A line of a file of results that does not belong there, and why."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        self.path = path
        self.line = line
        self.why = why
        super().__init__(f"{shown(path, 200)}, line {line}: {why}.")


class LedgerVersion(LedgerError):
    """A file of results that another version wrote; perhaps a key meant something else there."""

    def __init__(self, why: str, key: str | None = None) -> None:
        self.key = key
        super().__init__(why)


class NoWorkers(LineduelError):
    """No cluster answers, or those who were to do the work are lost again and again."""


class CertificateError(LineduelError):
    """A certificate that cannot be read, or that its checker refuses."""


class OldCertificate(CertificateError):
    """A certificate that an older version wrote, and what it calls itself."""

    def __init__(self, head: str) -> None:
        self.head = head
        super().__init__(f"This is a '{head}', which an older lineduel wrote.")
