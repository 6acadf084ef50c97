"""Solutions stored on disk, in files named by a hash of the rules that matter and the start."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from lineduel.engine import Game, Position
from lineduel.errors import CertificateError, NotSolved, StorageError
from lineduel.rules import Side, format_rules
from lineduel.storage import cache_folder, write_atomically

if TYPE_CHECKING:
    from lineduel.solve.certificate import CertificateEntry
    from lineduel.solve.solution import Solution

# Solutions and certificates are imported only where they are read and written, so that a game,
# which creates its cache at startup, does not wait for the import.
_LARGEST_TABLE = 1 << 28
"""Above this many positions, solving again is no slower than reading the file."""
SAMPLE = 200
"""Number of positions of a stored solution that are checked before it is used."""
PLAIN, TABLE, BOUNDS = ".txt", ".table", ".bounds"


_VERSION = 2
"""Solutions of version 1 may have wide bounds, because they were limited by time."""


class Cache(NamedTuple):
    """A folder of solutions; files that are damaged, unknown or not writable are ignored."""

    folder: Path | None = None
    """None means the cache folder of the current user on the machine where the cache is used."""
    note: Callable[[str], None] | None = None
    """Called with a message if a file is intact but its solution is wrong."""

    def load(self, game: Game, start: Position) -> "Solution | None":
        """The stored solution from that start, if there is one and a sample of it is correct."""
        path = self._path(game, start)
        for kind, read in _READERS.items():
            file = path.with_suffix(kind)
            try:
                solution = read(file, game, start) if file.exists() else None
            except (StorageError, CertificateError, OSError):
                continue
            if solution is None:
                continue
            try:
                _check_sample(solution)
            except CertificateError:
                if self.note:
                    self.note(
                        f"The cached solution {file.name[:8]}…{kind} is wrong; "
                        "solving again and replacing it."
                    )
                continue
            return solution
        return None

    def store(self, solution: "Solution") -> None:
        """Store a solution if it is not too large and can be written, replacing any other."""
        from lineduel.solve.proof import proof_of
        from lineduel.solve.solution import PlainSolution

        path = self._path(solution.game, solution.start)
        kind = TABLE if solution.game.rules.battle is None else BOUNDS
        if type(solution) is PlainSolution:
            kind = PLAIN
        elif solution.positions > _LARGEST_TABLE:
            return
        try:
            write_atomically(path.with_suffix(kind), proof_of(solution))
            for other in _READERS:
                if other != kind:
                    path.with_suffix(other).unlink(missing_ok=True)
        except (StorageError, OSError):
            return

    def beside(self, solution: "Solution", kind: str) -> Path:
        """The file for something that was computed from a solution; `kind` is how its name ends."""
        return self._path(solution.game, solution.start).with_suffix(kind)

    def _path(self, game: Game, start: Position) -> Path:
        from hashlib import sha256

        from lineduel.solve.certificate import HEAD

        name = sha256(
            f"{HEAD}\n{_VERSION}\n{format_rules(game.rules)}\n{start}".encode()
        ).hexdigest()
        return (self.folder or cache_folder() / "solutions") / name


def _read_plain(path: Path, game: Game, start: Position) -> "Solution | None":
    from lineduel.solve.certificate import read_certificate, solution_of
    from lineduel.solve.proof import certificate_text

    certificate = read_certificate(certificate_text(path))
    if (certificate.rules, certificate.start) != (game.rules, start):
        return None
    return solution_of(certificate, game)


def _read_table(path: Path, game: Game, start: Position) -> "Solution | None":
    from importlib.util import find_spec

    if find_spec("numpy") is None:
        return None
    from lineduel.solve.table import TableSolution, read_table

    known = read_table(path)
    if (known.game.rules, known.start) != (game.rules, start):
        return None
    return TableSolution(game, start, known.dense)


def _read_bounds(path: Path, game: Game, start: Position) -> "Solution | None":
    from lineduel.compiled import compiler_installed

    if not compiler_installed():
        return None
    from lineduel.solve.graph_solution import read_bounds

    known = read_bounds(path)
    if (known.game.rules, known.start) != (game.rules, start):
        return None
    return known.solution(game)


_READERS = {TABLE: _read_table, BOUNDS: _read_bounds, PLAIN: _read_plain}


def _check_sample(solution: "Solution") -> None:
    """Raise `CertificateError` if the start or one of a seeded random sample is wrong."""
    from lineduel.solve.certificate import CertificateEntry
    from lineduel.solve.checker import check_entries
    from lineduel.solve.solution import PlainSolution

    rng = Random(f"{format_rules(solution.game.rules)} {solution.start}")
    if solution.game.rules.battle is not None and type(solution) is not PlainSolution:
        from lineduel.solve.graph_checker import check_positions
        from lineduel.solve.graph_solution import GraphSolution

        assert isinstance(solution, GraphSolution)
        assert solution.file is not None
        size = solution.positions
        check_positions(solution.file, [0, *rng.sample(range(size), min(SAMPLE, size))])
        return
    if isinstance(solution, PlainSolution):
        held = [position for position, _ in solution.items()]
        sample = rng.sample(held, min(SAMPLE, len(held)))
    else:
        from lineduel.solve.table import TableSolution, draw_positions

        assert isinstance(solution, TableSolution)
        sample = draw_positions(solution, rng, SAMPLE)

    def known(position: Position) -> "CertificateEntry | None":
        try:
            value = solution.value(position)
        except NotSolved:
            return None
        plan1, plan2 = (solution.plan(position, side) for side in Side)
        return CertificateEntry(position, value, (plan1, plan2) if plan1 and plan2 else None)

    entries = [known(position) for position in (solution.start, *sample)]
    check_entries(solution.game, known, [entry for entry in entries if entry])
    if entries[0] is None:
        raise CertificateError("The solution does not contain its own start.")
