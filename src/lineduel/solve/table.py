"""A solution too large to hold position by position: compiled, and kept as one table."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, overload

import numpy as np
from numpy.typing import NDArray

from lineduel.engine import Game, Position
from lineduel.errors import CertificateError, LineduelError
from lineduel.kernel import ENDLESS as OPEN_END
from lineduel.kernel import NO_POSITION, DenseSolution, Plies, Summary, make_tables, solve_dense
from lineduel.record import parse_position
from lineduel.rules import Rulebook, Side, Words
from lineduel.rules.assignments import format_rules, parse_rules
from lineduel.solve.solution import Arrays, Plan, Solution
from lineduel.solve.value import NEVER_ENDS, Value

HEAD = "lineduel table 1"
_HEAD_LINES = 4
_SEAL_BYTES = 32
_CHUNK = 1 << 24
_LITTLE = np.dtype("<u2")
_Pairs = tuple[NDArray[np.int64], ...]
"""Rows and columns of a table."""


class TableSolution(Solution):
    """A solved table: it speaks of all positions that were solved, reachable or not."""

    counted = "solved"

    def __init__(self, game: Game, start: Position, dense: DenseSolution) -> None:
        super().__init__(game, start)
        self.dense = dense

    @property
    def positions(self) -> int:
        return self.dense.summary.positions

    @property
    def longest(self) -> int | None:
        return self.dense.summary.longest

    def plan(self, position: Position, side: Side) -> Plan | None:
        return None

    def arrays(self) -> Arrays:
        tables = (self.dense.plies1, self.dense.plies2)
        found = [np.nonzero(table != NO_POSITION) for table in tables]
        plies = np.concatenate([table[at] for table, at in zip(tables, found, strict=True)])
        sides = np.repeat((1, -1), [len(at[0]) for at in found])
        ends = plies != OPEN_END
        low = np.where(ends, np.where(plies % 2 == 1, sides, -sides), 0).astype(np.float64)
        return Arrays(
            _Positions(self.dense, *found),
            low,
            low.copy(),
            np.where(ends, plies.astype(np.int32), -1),
        )

    def _look_up(self, standing: Position) -> Value:
        winner, plies = self.dense.lookup(standing)
        return NEVER_ENDS if winner is None or plies is None else Value.won(winner, plies)


class _Positions(Sequence[Position]):
    """The positions of a table by number, made when they are asked for."""

    def __init__(self, dense: DenseSolution, first: "_Pairs", second: "_Pairs") -> None:
        self._tables = dense.tables
        self._pairs = {Side.ONE: first, Side.TWO: second}

    def __len__(self) -> int:
        return sum(len(rows) for rows, _ in self._pairs.values())

    @overload
    def __getitem__(self, at: int) -> Position: ...
    @overload
    def __getitem__(self, at: slice) -> list[Position]: ...
    def __getitem__(self, at: int | slice) -> Position | list[Position]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        ones = len(self._pairs[Side.ONE][0])
        side = Side.ONE if at < ones else Side.TWO
        rows, columns = self._pairs[side]
        at -= 0 if side is Side.ONE else ones
        return self._tables.position(int(rows[at]), int(columns[at]), side)


def solve_table(
    game: Game, start: Position, progress: Callable[[float], None] | None = None
) -> TableSolution:
    """Solve with the compiled rules."""
    return TableSolution(game, start, solve_dense(game.rules, start, progress))


def write_table(solution: TableSolution) -> Iterator[bytes]:
    """The file of a table, piece by piece: what it is, both tables, and a seal over all of it."""
    dense = solution.dense
    summary = dense.summary
    head = [
        HEAD,
        f"rules {format_rules(solution.game.rules)}",
        f"start {solution.start}",
        f"counts {summary.wins1} {summary.wins2} {summary.endless} {summary.longest or '-'}",
    ]
    seal = sha256()
    for piece in ("".join(f"{line}\n" for line in head).encode(), *_pieces(dense)):
        seal.update(piece)
        yield piece
    yield seal.digest()


def _pieces(dense: DenseSolution) -> Iterator[bytes]:
    for table in (dense.plies1, dense.plies2):
        flat = table.reshape(-1)
        for at in range(0, flat.size, _CHUNK):
            yield flat[at : at + _CHUNK].astype(_LITTLE).tobytes()


def read_table(path: Path) -> TableSolution:
    """The inverse of writing; whether it is true is for `check_table` to say."""
    try:
        with path.open("rb") as file:
            lines = [_line(file) for _ in range(_HEAD_LINES)]
            body = file.tell()
        _check_seal(path)
        rules = parse_rules(_after(lines[1], "rules "))
        start = parse_position(_after(lines[2], "start "))
        tables = make_tables(rules, start)
        size = tables.shape[0] * tables.shape[1]
        if path.stat().st_size != body + 2 * size * _LITTLE.itemsize + _SEAL_BYTES:
            raise CertificateError("The table has not the size that its rules give it.")
        flat = np.memmap(path, _LITTLE, "c", body, (2 * size,))
        plies1, plies2 = (part.reshape(tables.shape) for part in (flat[:size], flat[size:]))
        dense = DenseSolution(tables, _native(plies1), _native(plies2), _summary(lines[3]))
    except (OSError, UnicodeDecodeError):
        raise CertificateError("The table cannot be read.") from None
    except CertificateError:
        raise
    except LineduelError as error:
        raise CertificateError(f"The table is wrong. {error}") from None
    rulebook = Rulebook(id="certificate", title="", summary="", rules=rules, words=Words())
    return TableSolution(Game(rulebook), start, dense)


def check_table(solution: TableSolution, progress: Callable[[float], None] | None = None) -> None:
    """Accept by returning; refuse with a position whose value does not follow from its moves."""
    from lineduel.kernel.crew import Crew
    from lineduel.kernel.tally import tally
    from lineduel.kernel.verify import first_mistake

    dense = solution.dense
    with Crew(progress or (lambda _: None)) as crew:
        mistake = first_mistake(dense.tables, dense.plies1, dense.plies2, crew)
        if mistake is not None:
            raise CertificateError(f"{_shown(dense, *mistake)} does not hold.")
        if tally(dense.plies1, dense.plies2, crew) != dense.summary:
            raise CertificateError("The counts of the table do not hold.")
    try:
        solution.value(solution.start)
    except LineduelError:
        raise CertificateError("The table does not hold its own start.") from None


def _native(table: Plies) -> Plies:
    return table if table.dtype.isnative else table.astype(np.uint16)


def _line(file: BinaryIO) -> str:
    line = file.readline(1 << 16).decode()
    if not line.endswith("\n"):
        raise CertificateError("The table is cut short.")
    return line[:-1]


def _check_seal(path: Path) -> None:
    seal = sha256()
    left = path.stat().st_size - _SEAL_BYTES
    with path.open("rb") as file:
        while left > 0:
            piece = file.read(min(left, _CHUNK))
            seal.update(piece)
            left -= len(piece)
        if file.read() != seal.digest():
            raise CertificateError("The table is damaged: its seal does not fit.")


def _summary(line: str) -> Summary:
    try:
        wins1, wins2, endless, longest = _after(line, "counts ").split(" ")
        return Summary(
            int(wins1), int(wins2), int(endless), None if longest == "-" else int(longest)
        )
    except ValueError:
        raise CertificateError("The counts of the table are wrong.") from None


def _after(line: str, start: str) -> str:
    if not line.startswith(start):
        raise CertificateError(f"The table has no line for its {start.strip()}.")
    return line.removeprefix(start)


def _shown(dense: DenseSolution, row: int, column: int, side: Side) -> str:
    if row >= dense.tables.army1.moves.size or column >= dense.tables.army2.moves.size:
        return "The end of the table"
    return str(dense.tables.position(row, column, side))
