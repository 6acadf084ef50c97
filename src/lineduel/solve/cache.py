"""Solutions kept on disk, under a name made of the rules that matter and the start."""

from hashlib import sha256
from pathlib import Path

from lineduel.engine import Game, Position
from lineduel.errors import CertificateError, StorageError
from lineduel.rules.assignments import format_rules
from lineduel.solve.certificate import HEAD, read_certificate, solution_of, write_certificate
from lineduel.solve.solution import PlainSolution
from lineduel.storage import cache_folder, read_text, write_atomically


class Cache:
    """A folder of solutions; a file that is damaged, foreign or unwritable is as good as none."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder() / "solutions"

    def load(self, game: Game, start: Position) -> PlainSolution | None:
        """The solution from that start, if a sound file holds it."""
        try:
            certificate = read_certificate(read_text(self._path(game, start)))
        except (StorageError, CertificateError):
            return None
        if (certificate.rules, certificate.start) != (game.rules, start):
            return None
        return solution_of(certificate, game)

    def store(self, solution: PlainSolution) -> None:
        try:
            path = self._path(solution.game, solution.start)
            write_atomically(path, write_certificate(solution))
        except StorageError:
            return

    def _path(self, game: Game, start: Position) -> Path:
        name = sha256(f"{HEAD}\n{format_rules(game.rules)}\n{start}".encode()).hexdigest()
        return self._folder / f"{name}.txt"
