"""Solutions kept on disk, under a name made of the rules that matter and the start."""

from hashlib import sha256
from pathlib import Path

from lineduel.engine import Game, Position
from lineduel.errors import CertificateError, StorageError
from lineduel.rules.assignments import format_rules
from lineduel.solve.certificate import HEAD, read_certificate, solution_of
from lineduel.solve.proof import proof_of
from lineduel.solve.solution import PlainSolution, Solution
from lineduel.storage import cache_folder, read_text, write_atomically

LARGEST_TABLE = 1 << 28
"""Positions above which solving again is no slower than reading."""


class Cache:
    """A folder of solutions; a file that is damaged, foreign or unwritable is as good as none."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder() / "solutions"

    def load(self, game: Game, start: Position) -> Solution | None:
        """The solution from that start, if a sound file holds it."""
        path = self._path(game, start)
        try:
            if (table := path.with_suffix(".table")).exists():
                return _table(table, game, start)
            certificate = read_certificate(read_text(path.with_suffix(".txt")))
        except (StorageError, CertificateError, OSError):
            return None
        if (certificate.rules, certificate.start) != (game.rules, start):
            return None
        return solution_of(certificate, game)

    def store(self, solution: Solution) -> None:
        """Keep a solution, if there is room for it."""
        path = self._path(solution.game, solution.start)
        plain = isinstance(solution, PlainSolution)
        if not plain and solution.positions > LARGEST_TABLE:
            return
        try:
            write_atomically(path.with_suffix(".txt" if plain else ".table"), proof_of(solution))
        except StorageError:
            return

    def _path(self, game: Game, start: Position) -> Path:
        name = sha256(f"{HEAD}\n{format_rules(game.rules)}\n{start}".encode()).hexdigest()
        return self._folder / name


def _table(path: Path, game: Game, start: Position) -> Solution | None:
    from importlib.util import find_spec

    if find_spec("numpy") is None:
        return None
    from lineduel.solve.table import TableSolution, read_table

    known = read_table(path)
    if (known.game.rules, known.start) != (game.rules, start):
        return None
    return TableSolution(game, start, known.dense)
