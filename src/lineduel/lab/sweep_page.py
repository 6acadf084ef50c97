"""A sweep as one page that needs nothing else."""

from collections.abc import Iterator, Sequence
from datetime import date
from html import escape

from lineduel.engine import Game
from lineduel.errors import TooLarge
from lineduel.lab.audit import Audit, audit
from lineduel.lab.board_picture import draw_track
from lineduel.lab.export import columns_of, draw_heat_map, draw_plot, is_number
from lineduel.lab.page import Page
from lineduel.lab.report import claims_that_hold
from lineduel.lab.report_page import claim_cards
from lineduel.lab.sweep import Sweep
from lineduel.lab.sweep_file import RowData
from lineduel.solve import Cache

_PICTURED = ("seat_best", "plies_best", "decisions", "drama", "positions")
"""The columns that are drawn."""


def sweep_page(sweep: Sweep, made: date, cache: Cache | None = None) -> str:
    """The rows as pictures and as a table, and the rulebook that the sweep began with.

    That is audited, unless it is too large.
    """
    try:
        before = audit(sweep.space.rulebook, cache=cache)
    except TooLarge:
        before = None
    return Page("Sweep", sweep.space.rulebook, made).text(_lines(sweep, before))


def _lines(sweep: Sweep, before: Audit | None) -> Iterator[str]:
    rows = sweep.table()
    with_figures = [row for row in rows if "value" in row]
    if before is not None:
        yield f'<p class="count">{claims_that_hold(before.findings)}</p>'
        yield "<p>That is the rulebook the sweep began with.</p>"
    keys = [axis.key for axis in sweep.space.axes]
    yield (
        f'<p class="lead">{len(rows):,} combinations of {escape(" and ".join(keys))}; '
        f"{len(with_figures):,} have figures.</p>"
    )
    yield "<h2>Pictures</h2>"
    yield from _pictures(with_figures, keys)
    yield "<h2>Every row</h2>"
    yield from _table(rows)
    yield "<h2>The rulebook it began with</h2>"
    yield draw_track(Game(sweep.space.rulebook))
    if before is not None:
        yield from claim_cards(before)


def _pictures(rows: Sequence[RowData], keys: Sequence[str]) -> Iterator[str]:
    """Heat maps where two keys vary, else plots over a key that holds numbers."""
    numeric = [key for key in keys if all(is_number(row[key]) for row in rows)]
    for column in _PICTURED:
        if not any(is_number(row.get(column)) for row in rows):
            continue
        if len(keys) == 2:
            yield f"<p>{draw_heat_map(rows, keys[0], keys[1], column)}</p>"
        elif numeric:
            yield f"<p>{draw_plot(rows, numeric[0], column)}</p>"
    if not numeric and len(keys) != 2:
        yield "<p>No key that varies holds numbers, so there is nothing to draw.</p>"


def _table(rows: Sequence[RowData]) -> Iterator[str]:
    names = columns_of(rows)
    yield f'<div class="wide"><table><tr>{"".join(f"<th>{escape(one)}</th>" for one in names)}</tr>'
    for row in rows:
        cells = "".join(f'<td class="number">{_cell(row.get(name))}</td>' for name in names)
        yield f"<tr>{cells}</tr>"
    yield "</table></div>"


def _cell(value: object) -> str:
    match value:
        case None:
            return "–"
        case float():
            return f"{value:.3g}"
        case int():
            return f"{value:,}"
        case _:
            return escape(str(value))
