"""Long work that may be stopped at any time: one type, and one function that runs it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from lineduel.errors import original_errors
from lineduel.jobs.ledger import Header, Ledger

if TYPE_CHECKING:
    from lineduel.jobs.pool import Pool


class Progress(NamedTuple):
    """How far long work is."""

    doing: str
    done: float = 0
    """Out of `total`; if that is 0, a share from 0 to 1, which stays 0 if it is not known."""
    total: int = 0
    detail: str = ""
    """How it stands, in a few words."""


ProgressReport = Callable[[Progress], None]
"""Called while long work goes on."""
Keep = Callable[[bytes], None]
"""Writes whole lines to the file of the work; on return they are on the disk."""


class LongWork(Protocol):
    """Work whose results are written down one by one, so that it can be stopped and resumed.

    To resume it takes a function that makes it again from its open file, see `LongRun.go_on`.
    """

    @property
    def header(self) -> Header:
        """All that its results depend on: the first line of its file."""

    def steps(self, pool: "Pool", keep: Keep) -> Iterator[Progress]:
        """Compute what is missing, and keep each result; yields whenever there is news."""

    @property
    def kept(self) -> str:
        """What is written down, as a sentence: `12 of 40 rows are kept`."""


_Work = TypeVar("_Work", bound=LongWork)


class LongRun(Generic[_Work]):
    """Long work and the file that keeps its results, open until it is closed."""

    def __init__(self, work: _Work, ledger: Ledger | None = None) -> None:
        """Run work whose file is open; without a file nothing is kept."""
        self.work = work
        self.ledger = ledger

    @classmethod
    def begin(cls, path: Path, work: _Work) -> "LongRun[_Work]":
        """Keep new work in a new file, never in place of another."""
        return cls(work, Ledger.begin(path, work.header))

    @classmethod
    def begin_again(cls, path: Path, work: _Work) -> "LongRun[_Work]":
        """Keep new work in place of the file of stopped work, unless another program writes it."""
        return cls(work, Ledger.begin_again(path, work.header))

    @classmethod
    def go_on(cls, path: Path, kind: str, resumed: Callable[[Ledger], _Work]) -> "LongRun[_Work]":
        """Go on with work of that kind; `resumed` reads what its file holds, or refuses it."""
        ledger = Ledger.go_on(path, kind)
        try:
            return cls(resumed(ledger), ledger)
        except BaseException:
            ledger.close()
            raise

    def run(self, pool: "Pool", report: ProgressReport = lambda progress: None) -> _Work:
        """Do what is left to do; the work with all its results."""
        with original_errors():
            for progress in self.work.steps(pool, self.keep):
                report(progress)
        return self.work

    def keep(self, lines: bytes) -> None:
        """Write whole lines to the file; on return they are on the disk."""
        if self.ledger is not None:
            self.ledger.append(lines)

    def close(self) -> None:
        """Let others write to the file."""
        if self.ledger is not None:
            self.ledger.close()

    def remove(self) -> None:
        """Close the file, and delete it."""
        if self.ledger is not None:
            self.ledger.remove()

    def __enter__(self) -> "LongRun[_Work]":
        return self

    def __exit__(self, *how: object) -> None:
        self.close()
