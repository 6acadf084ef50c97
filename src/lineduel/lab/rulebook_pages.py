"""Audits, repairs, sweeps and comparisons as pages."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import partial

from lineduel import __version__
from lineduel.arena import column_label, draw_heatmap_svg, row_label
from lineduel.engine import Game
from lineduel.errors import TooLarge
from lineduel.lab.analysis import Analysis
from lineduel.lab.audit import Audit, audit, best_line, difference
from lineduel.lab.claims import Verdict
from lineduel.lab.drawings import (
    Replay,
    draw_lengths,
    draw_openings,
    draw_position,
    replay_of,
)
from lineduel.lab.export import cell_text, columns_of, draw_heat_map, draw_plot, number_of
from lineduel.lab.figures import DEFINITIONS, Measure
from lineduel.lab.repair import MEASURED, Repair, trade_off
from lineduel.lab.repair_search import RepairSearch
from lineduel.lab.report import (
    EITHER,
    NO_REPAIR,
    claims_that_hold,
    comparison,
    shown_figures,
    tested,
)
from lineduel.lab.sweep import RowData, Sweep
from lineduel.page import write_page
from lineduel.quantities import counted, percent
from lineduel.record import Record
from lineduel.rules import Rulebook, Rules, describe, write_rulebook
from lineduel.solve import Cache, as_sentence
from lineduel.svg import Svg

_PICTURED = ("seat_best", "plies_best", "decisions", "drama", "positions")
"""The columns of a sweep that are drawn."""


def duel_page(template: str, title: str, made: date, **content: object) -> str:
    """A page made on a day, with what templates need to show rulebooks and their values."""
    return write_page(
        template,
        title=title,
        made=made,
        percent=percent,
        rules_of=describe,
        sentence=as_sentence,
        track=lambda rulebook: draw_position(game := Game(rulebook), game.start()),
        version=__version__,
        **content,
    )


def _report_page(
    kind: str, rulebook: Rulebook, audit: Audit | None, made: date, **content: object
) -> str:
    """A page about one rulebook, which it contains; `audit` is of the rulebook as it is."""
    return duel_page(
        f"{kind.lower()}.html",
        f"{kind} of {rulebook.title}",
        made,
        kind=kind,
        rulebook=rulebook,
        audit=audit,
        claims_that_hold=claims_that_hold,
        draw_position=draw_position,
        file=write_rulebook,
        replay_of=replay_of,
        tested=tested,
        **content,
    )


def audit_page(audit: Audit, made: date) -> str:
    """The whole report as HTML, made on a day."""
    return _report_page(
        "Audit",
        audit.rulebook,
        audit,
        made,
        beyond=1 - float(audit.analysis.lengths.sum()),
        column_label=column_label,
        row_label=row_label,
        definitions=DEFINITIONS,
        either=EITHER,
        figures=shown_figures,
        heat_map=draw_heatmap_svg,
        lengths=draw_lengths,
        openings=draw_openings,
    )


def repair_page(
    search: RepairSearch,
    before: Audit,
    command: Callable[[Rules], str],
    made: date,
    cache: Cache | None = None,
) -> str:
    """The repairs with their tracks and best play, and the rulebook as it is."""
    repairs = search.repairs
    found = repairs or search.nearest
    nearest = " In the nearest ones below no claim is refuted, but some hold in part."

    def new_rules(one: Repair) -> tuple[str, ...]:
        return difference(search.rulebook, one.candidate.rulebook).there

    def best_play(one: Repair) -> Replay:
        analysis = Analysis(one.candidate.rulebook, cache=cache)
        start, moves = analysis.game.start(), best_line(analysis)
        return replay_of(Record(rulebook=analysis.rulebook, start=start, moves=moves))

    return _report_page(
        "Repairs",
        search.rulebook,
        before,
        made,
        search=search,
        found=found,
        lead=(
            f"Every claim is met by {counted(len(repairs), 'repair')} below."
            if repairs
            else f"{NO_REPAIR}{nearest if found else ''}"
        ),
        best={
            measure: [(at + 1, MEASURED[measure](repairs[at])) for at in places]
            for measure, places in trade_off(repairs).items()
            if len(repairs) > 1
        },
        best_play=best_play,
        command=command,
        counted=counted,
        depth=MEASURED[Measure.DEEPEST],
        new_rules=new_rules,
    )


def sweep_page(sweep: Sweep, made: date, cache: Cache | None = None) -> str:
    """The rows as pictures and as a table, and the rulebook that the sweep began with.

    That is audited, unless it is too large.
    """
    before: Audit | None = None
    with suppress(TooLarge):
        before = audit(sweep.space.rulebook, cache=cache)
    rows, keys = sweep.table(), tuple(sweep.space.axes)
    measured = [row for row in rows if "value" in row]
    return _report_page(
        "Sweep",
        sweep.space.rulebook,
        before,
        made,
        rows=rows,
        keys=keys,
        measured=measured,
        cell=partial(cell_text, missing="–"),
        columns=columns_of(rows),
        pictures=_sweep_pictures(measured, keys),
    )


def _sweep_pictures(rows: Sequence[RowData], keys: tuple[str, ...]) -> Iterator[Svg]:
    """Heat maps where two keys vary, else plots over a key that holds numbers."""
    numeric = [key for key in keys if all(number_of(row[key]) is not None for row in rows)]
    for column in _PICTURED:
        if any(number_of(row.get(column)) is not None for row in rows):
            if len(keys) == 2:
                yield draw_heat_map(rows, keys[0], keys[1], column)
            elif numeric:
                yield draw_plot(rows, numeric[0], column)


def compare_page(audits: Sequence[Audit], made: date) -> str:
    """Figures and verdicts in one table, then each track with its rules."""
    title = f"{len(audits)} duels side by side"
    rows, verdicts = comparison(audits), frozenset(Verdict)
    return duel_page("compare.html", title, made, audits=audits, rows=rows, verdicts=verdicts)
