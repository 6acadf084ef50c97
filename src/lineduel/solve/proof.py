"""Write and check the file that proves a solution, either a certificate or a table."""

from collections.abc import Callable, Iterable
from pathlib import Path

from lineduel.compiled import compiler_installed
from lineduel.engine import Position
from lineduel.errors import CertificateError, NotInstalled, StorageError
from lineduel.solve.certificate import LARGEST_FILE, read_certificate, write_certificate
from lineduel.solve.checker import check_certificate
from lineduel.solve.memory import GpuUse, require_device, uses_gpu
from lineduel.solve.solution import PlainSolution, Solution

_TABLE_HEAD = b"lineduel table "


def proof_of(solution: Solution) -> str | Iterable[bytes]:
    """The contents of the file: the text of a certificate, or the bytes of a table."""
    if isinstance(solution, PlainSolution):
        return write_certificate(solution)
    from lineduel.solve.table import TableSolution, write_table

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
    if not _is_table(path):
        certificate = read_certificate(certificate_text(path))
        size = len(certificate.entries)
        check_certificate(certificate, lambda done: progress(done / size))
        return size, certificate.start
    if not compiler_installed():
        raise NotInstalled("Numba", "full")
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


def _is_table(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_TABLE_HEAD)) == _TABLE_HEAD
    except (OSError, ValueError):
        return False
