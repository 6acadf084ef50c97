"""Everything that can go wrong, in one tree.

    LineduelError
    ├── RulebookError       a rulebook says something it may not say
    ├── UnknownGame         no rulebook has that name
    ├── NotationError       text that is no position, move or assignment
    ├── InvalidPosition     pieces stand where the rulebook never puts them
    ├── IllegalMove         the rules do not allow that move there
    ├── NotNow              something that cannot be done at this moment of a game
    ├── RecordError         text that is no record, or a record of an impossible game
    ├── StorageError        a file or folder cannot be read or written
    │   ├── AlreadyExists   a file that was to be created is there
    │   └── InUse           a game that is open in another program
    ├── TooLarge            more positions than can be solved here
    │   └── MemoryLimit     more memory than may be used
    ├── TooDeep             more positions than a level may look at for one move
    ├── UnknownPlayer       nobody of that name can take a seat
    ├── EngineError         another program does not play as it should
    ├── NotTrusted          a file that names programs to start, and nobody said that they may
    ├── NotSolved           a question about a position that was not solved
    ├── NotInstalled        a package that an extra brings is missing
    ├── LedgerError         a file of results that is damaged, or of other work
    ├── NoWorkers           nobody is there to do the work
    └── CertificateError    text that is no certificate, or one that proves nothing

A message is one or two plain sentences for the person at the keyboard.
"""

from collections.abc import Sequence


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

    def __init__(self, name: str, nearest: Sequence[str], advice: str) -> None:
        self.name = name
        self.nearest = tuple(nearest)
        guess = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
        super().__init__(f"There is no game called '{shown(name)}'.{guess}\n{advice}")


class NotationError(LineduelError):
    """Text that does not have the form it should have."""


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


class InUse(StorageError):
    """A game that is open in another program, which would overwrite what is played here."""


class TooLarge(LineduelError):
    """A rulebook with more positions than can be taken on, and the limit."""

    def __init__(self, positions: int, most: int, why: str = "") -> None:
        self.positions = positions
        self.most = most
        super().__init__(why or f"There are more than {most:,} positions, too many to solve so.")


class MemoryLimit(TooLarge):
    """A rulebook that takes more memory to solve than may be used."""


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
    """A question that a solution has no answer to."""


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


class NoWorkers(LineduelError):
    """No cluster answers, or those who were to do the work are lost again and again."""


class CertificateError(LineduelError):
    """A certificate that cannot be read, or that its checker refuses."""
