"""Solutions too large to store each position separately: solved by compiled code, in a table."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np

from lineduel.engine import Game, ParsedPosition, Position, valid_position
from lineduel.errors import CertificateError, LineduelError, OldCertificate
from lineduel.record import parse_position
from lineduel.rules import Rulebook, Rules, Side, Words, format_rules, parse_rules
from lineduel.solve.memory import free_memory, in_bytes
from lineduel.solve.sealed_file import SEAL_BYTES, after_word, check_seal, head_line, sealed
from lineduel.solve.solution import Counted, Plan, Solution
from lineduel.solve.value import NEVER_ENDS, Value
from lineduel.tablebase import (
    DenseSolution,
    Plies,
    SolvedTable,
    Summary,
    estimate_of_pairs,
    make_tables,
    solve_dense,
)

_HEAD = "lineduel table 2"
OLD_HEADS = ("lineduel table 1",)
"""Headers of old table formats, whose counts omit ended positions."""
_HEAD_LINES = 4
_COUNTS = re.compile(r"counts ([0-9]{1,18}) ([0-9]{1,18}) ([0-9]{1,18}) ([0-9]{1,5}|-)")
_CHUNK = 1 << 24
_LITTLE = np.dtype("<u2")


class TableSolution(Solution):
    """A solved table; it covers all solved positions, whether reachable or not."""

    counted: Counted = "solved"

    def __init__(self, game: Game, start: Position, dense: SolvedTable) -> None:
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

    def _look_up(self, standing: Position) -> Value:
        winner, plies = self.dense.lookup(standing)
        return NEVER_ENDS if winner is None or plies is None else Value.won(winner, plies)


def solve_table(
    game: Game,
    start: Position,
    progress: Callable[[float], None] | None = None,
    *,
    gpu: bool = False,
) -> TableSolution:
    """Solve a game with the compiled rules, on the CPU or on a GPU."""
    if not gpu:
        return TableSolution(game, start, solve_dense(game.rules, start, progress))
    from lineduel.tablebase import solve_on_gpu

    return TableSolution(game, start, solve_on_gpu(game.rules, start, progress))


def draw_positions(solution: TableSolution, rng: Random, count: int) -> list[Position]:
    """Up to `count` random open positions of a table; pairs that are not positions are skipped."""
    tables = solution.dense.tables
    rows, columns = (size - 1 for size in tables.shape)
    if not (rows and columns):
        return []
    drawn = [
        tables.position(rng.randrange(rows), rng.randrange(columns), rng.choice(tuple(Side)))
        for _ in range(count)
    ]
    return [position for position in drawn if tables.holds(position)]


def write_table(solution: TableSolution) -> Iterator[bytes]:
    """The bytes of a table file, in chunks: the header, both tables, and a SHA-256 hash of them."""
    dense = solution.dense
    summary = dense.summary
    head = [
        _HEAD,
        f"rules {format_rules(solution.game.rules)}",
        f"start {solution.start}",
        f"counts {summary.wins1} {summary.wins2} {summary.endless} {summary.longest or '-'}",
    ]
    text = "".join(f"{line}\n" for line in head).encode()
    columns = (values.astype(_LITTLE, copy=False).tobytes() for values in dense.pieces(_CHUNK))
    return sealed(chain((text,), columns))


def read_table(path: Path) -> TableSolution:
    """Read what `write_table` wrote; use `check_table` to check that the values are correct."""
    try:
        with path.open("rb") as file:
            lines = [head_line(file, "table") for _ in range(_HEAD_LINES)]
            body = file.tell()
        _check_head(lines[0])
        rules = parse_rules(after_word(lines[1], "rules", "table"))
        parsed = parse_position(after_word(lines[2], "start", "table"))
        summary = _summary(lines[3])
        pairs = _pairs(path, body)
        start = _start(rules, parsed)
        _check_size(rules, start, pairs)
        check_seal(path, "table")
        tables = make_tables(rules, start)
        flat = np.memmap(path, _LITTLE, "c", body, (2 * pairs,))
        plies1, plies2 = (part.reshape(tables.shape) for part in (flat[:pairs], flat[pairs:]))
        dense = DenseSolution(tables, _native(plies1), _native(plies2), summary)
    except (OSError, UnicodeDecodeError):
        raise CertificateError("The table cannot be read.") from None
    except CertificateError:
        raise
    except LineduelError as error:
        raise CertificateError(f"The table is wrong. {error}") from None
    rulebook = Rulebook(id="certificate", title="", summary="", rules=rules, words=Words())
    return TableSolution(Game(rulebook), start, dense)


def check_table(
    solution: TableSolution,
    progress: Callable[[float], None] | None = None,
    *,
    gpu: bool = False,
) -> None:
    """Return if the table is correct; otherwise raise with a position whose value is wrong."""
    dense, start = solution.dense, solution.start
    plies1, plies2 = (dense.table(side) for side in Side)
    if gpu:
        from lineduel.tablebase import check_on_gpu

        found = check_on_gpu(dense.tables, start, plies1, plies2)
    else:
        from lineduel.compiled import Threads
        from lineduel.tablebase import count_results, first_mistake

        with Threads(progress or (lambda _: None)) as threads:
            found = first_mistake(dense.tables, plies1, plies2, threads) or count_results(
                dense.tables, start, plies1, plies2, threads
            )
    if not isinstance(found, Summary):
        raise CertificateError(f"{_shown(dense, *found)} is wrong.")
    if found != dense.summary:
        raise CertificateError("The counts of the table do not match its positions.")
    try:
        solution.value(start)
    except LineduelError:
        raise CertificateError("The table does not contain its own start.") from None


def _native(table: Plies) -> Plies:
    return table if table.dtype.isnative else table.astype(np.uint16)


def _check_head(line: str) -> None:
    if line in OLD_HEADS:
        raise OldCertificate(line)
    if line != _HEAD:
        raise CertificateError(f"This is not a table: it does not begin with '{_HEAD}'.")


def _pairs(path: Path, body: int) -> int:
    """The number of entries in each of the two tables, from the size of the file."""
    pairs, rest = divmod(path.stat().st_size - body - SEAL_BYTES, 2 * _LITTLE.itemsize)
    if pairs < 1 or rest:
        raise CertificateError("The table is cut short.")
    return pairs


def _start(rules: Rules, parsed: ParsedPosition) -> Position:
    if rules.battle is not None:
        raise CertificateError("The table is wrong. Rules with battles have no table.")
    return valid_position(rules, parsed)


def _check_size(rules: Rules, start: Position, pairs: int) -> None:
    """Raise if the rules and start give another number of pairs, or memory is too short."""
    expected, room = estimate_of_pairs(rules, start, pairs), free_memory()
    if expected is None:
        raise CertificateError("The size of the table does not match its rules.")
    if expected.lists > room:
        raise CertificateError(f"This table needs more memory than the {in_bytes(room)} available.")


def _summary(line: str) -> Summary:
    found = _COUNTS.fullmatch(line)
    if not found:
        raise CertificateError("The counts of the table are wrong.")
    wins1, wins2, endless = map(int, found.groups()[:3])
    return Summary(wins1, wins2, endless, None if found[4] == "-" else int(found[4]))


def _shown(dense: SolvedTable, row: int, column: int, side: Side) -> str:
    if row >= dense.tables.formations1.moves.size or column >= dense.tables.formations2.moves.size:
        return "The end of the table"
    return str(dense.tables.position(row, column, side))
