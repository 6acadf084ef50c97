"""Write and check the file that proves a solution: a certificate, a table or bounds."""

from collections.abc import Callable, Iterable
from pathlib import Path

from lineduel.compiled import compiler_installed
from lineduel.engine import Position
from lineduel.errors import CertificateError, NotInstalled, StorageError
from lineduel.solve.certificate import LARGEST_FILE, read_certificate, write_certificate
from lineduel.solve.checker import check_certificate
from lineduel.solve.memory import GpuUse, require_device, uses_gpu
from lineduel.solve.solution import PlainSolution, Solution

_TABLE_HEAD, _BOUNDS_HEAD = b"lineduel table ", b"lineduel bounds "


def proof_of(solution: Solution) -> str | Iterable[bytes]:
    """The contents of the file: the text of a certificate, or the bytes of a table or bounds."""
    if type(solution) is PlainSolution:
        return write_certificate(solution)
    from lineduel.solve.graph_solution import GraphSolution, write_bounds
    from lineduel.solve.table import TableSolution, write_table

    if isinstance(solution, GraphSolution):
        return write_bounds(solution)
    assert isinstance(solution, TableSolution)
    return write_table(solution)


def check_proof(
    path: Path, progress: Callable[[float], None], *, gpu: GpuUse = "never"
) -> tuple[int, Position]:
    """The number of positions that the file proves, and the start; raises if a check fails.

    Only tables are checked on a GPU.
    """
    if gpu == "always":
        require_device()
    compact = next((head for head in (_TABLE_HEAD, _BOUNDS_HEAD) if _begins(path, head)), None)
    if compact is None:
        certificate = read_certificate(certificate_text(path))
        size = len(certificate.entries)
        check_certificate(certificate, lambda done: progress(done / size))
        return size, certificate.start
    if not compiler_installed():
        raise NotInstalled("Numba", "full")
    if compact == _BOUNDS_HEAD:
        from lineduel.solve.graph_checker import check_bounds

        return check_bounds(path, progress)
    from lineduel.solve.table import check_table, read_table
    from lineduel.tablebase import bytes_to_check

    solution = read_table(path)
    tables = solution.dense.tables
    on_gpu = uses_gpu(gpu, 2 * tables.shape[0] * tables.shape[1], bytes_to_check(tables))
    check_table(solution, progress, gpu=on_gpu)
    return solution.positions, solution.start


def certificate_text(path: Path) -> str:
    """The text of the file; raises if it is too large to be a certificate."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise CertificateError(
                f"This is not a certificate: it is larger than {LARGEST_FILE >> 20} MiB."
            )
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        raise CertificateError("This is not a certificate: it is not text.") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from None


def _begins(path: Path, head: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(head)) == head
    except (OSError, ValueError):
        return False
