"""Audits, repairs, sweeps and comparisons as pages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, NamedTuple

from lineduel import __version__
from lineduel.arena import column_label, draw_heatmap_svg
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
    draw_track,
    replay_of,
)
from lineduel.lab.export import columns_of, draw_heat_map, draw_plot, is_number
from lineduel.lab.figures import DEFINITIONS, Measure
from lineduel.lab.repair import MEASURED, Repair, trade_off
from lineduel.lab.repair_search import RepairSearch
from lineduel.lab.report import EITHER, claims_that_hold, comparison, shown_figures, tested
from lineduel.lab.sweep import RowData, Sweep
from lineduel.page import write_page
from lineduel.quantities import counted, percent
from lineduel.record import Record
from lineduel.rules import Rulebook, Rules, describe, write_rulebook
from lineduel.solve import Cache, as_sentence
from lineduel.svg import Svg

_NONE = "No variant keeps the game's character and meets every claim."
_PICTURED = ("seat_best", "plies_best", "decisions", "drama", "positions")
"""The columns of a sweep that are drawn."""


@dataclass(frozen=True, slots=True)
class DuelPage:
    """A page made on a day; its template shows rulebooks and their values by these functions."""

    made: date

    percent = staticmethod(percent)
    rules = staticmethod(describe)
    sentence = staticmethod(as_sentence)
    version = __version__

    @staticmethod
    def track(rulebook: Rulebook) -> Svg:
        """The board at the start."""
        return draw_track(Game(rulebook))


@dataclass(frozen=True, slots=True)
class ReportPage(DuelPage):
    """A page about one rulebook, which it contains."""

    kind: ClassVar[str]
    rulebook: Rulebook
    audit: Audit | None
    """Of the rulebook as it is."""

    draw_position = staticmethod(draw_position)
    file = staticmethod(write_rulebook)
    replay = staticmethod(replay_of)
    tested = staticmethod(tested)
    claims_that_hold = staticmethod(claims_that_hold)

    @property
    def title(self) -> str:
        return f"{self.kind} of {self.rulebook.title}"


# Audits


@dataclass(frozen=True, slots=True)
class AuditPage(ReportPage):
    """The whole report of an audit."""

    kind = "Audit"
    audit: Audit

    column_label = staticmethod(column_label)
    definitions = DEFINITIONS
    either = EITHER
    figures = staticmethod(shown_figures)
    heat_map = staticmethod(draw_heatmap_svg)
    lengths = staticmethod(draw_lengths)
    openings = staticmethod(draw_openings)

    @property
    def beyond(self) -> float:
        """The share of games that last longer than is drawn."""
        return 1 - float(self.audit.analysis.lengths.sum())


def audit_page(audit: Audit, made: date) -> str:
    """The whole report as HTML, made on a day."""
    return write_page("audit.html", AuditPage(made, audit.rulebook, audit))


# Repairs


class RankedRepair(NamedTuple):
    """The number of a repair, and how good it is by a measure."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class RepairsPage(ReportPage):
    """A search for repairs, and the rulebook as it is."""

    kind = "Repairs"
    audit: Audit
    search: RepairSearch
    command: Callable[[Rules], str]
    cache: Cache | None

    counted = staticmethod(counted)

    @property
    def found(self) -> list[Repair]:
        """The repairs, or else what comes nearest to one."""
        return self.search.repairs or self.search.nearest

    @property
    def lead(self) -> str:
        """What came of the search."""
        if self.search.repairs:
            return f"Every claim is met by {counted(len(self.found), 'repair')} below."
        nearest = " In the nearest ones below no claim is refuted, but some hold in part."
        return f"{_NONE}{nearest if self.found else ''}"

    @property
    def best(self) -> Mapping[Measure, tuple[RankedRepair, ...]]:
        """The best repairs by each measure, where there is a choice."""
        repairs = self.search.repairs
        return {
            measure: tuple(RankedRepair(at + 1, MEASURED[measure](repairs[at])) for at in places)
            for measure, places in trade_off(repairs).items()
            if len(repairs) > 1
        }

    def new_rules(self, one: Repair) -> tuple[str, ...]:
        """The sentences of the rules that a repair changes, as they are then."""
        return difference(self.rulebook, one.candidate.rulebook).there

    def depth(self, one: Repair) -> str:
        """How much room for skill there is."""
        return MEASURED[Measure.DEEPEST](one)

    def best_play(self, one: Repair) -> Replay:
        """A game between perfect players by the changed rules."""
        analysis = Analysis(one.candidate.rulebook, cache=self.cache)
        start, moves = analysis.game.start(), best_line(analysis)
        return replay_of(Record(rulebook=analysis.rulebook, start=start, moves=moves))


def repair_page(
    search: RepairSearch,
    before: Audit,
    command: Callable[[Rules], str],
    made: date,
    cache: Cache | None = None,
) -> str:
    """The repairs with their tracks and best play, and the rulebook as it is."""
    return write_page(
        "repairs.html", RepairsPage(made, search.rulebook, before, search, command, cache)
    )


# Sweeps


@dataclass(frozen=True, slots=True)
class SweepPage(ReportPage):
    """The rows of a sweep, as pictures and as a table."""

    kind = "Sweep"
    rows: Sequence[RowData]
    keys: tuple[str, ...]
    """The rules that vary."""

    columns = staticmethod(columns_of)

    @property
    def measured(self) -> list[RowData]:
        """The rows that have figures."""
        return [row for row in self.rows if "value" in row]

    def pictures(self) -> Iterator[Svg]:
        """Heat maps where two keys vary, else plots over a key that holds numbers."""
        rows, keys = self.measured, self.keys
        numeric = [key for key in keys if all(is_number(row[key]) for row in rows)]
        for column in _PICTURED:
            if any(is_number(row.get(column)) for row in rows):
                if len(keys) == 2:
                    yield draw_heat_map(rows, keys[0], keys[1], column)
                elif numeric:
                    yield draw_plot(rows, numeric[0], column)

    @staticmethod
    def cell(value: object) -> str:
        """A cell of the table as text."""
        match value:
            case None:
                return "–"
            case float():
                return f"{value:.3g}"
            case int():
                return f"{value:,}"
            case _:
                return str(value)


def sweep_page(sweep: Sweep, made: date, cache: Cache | None = None) -> str:
    """The rows as pictures and as a table, and the rulebook that the sweep began with.

    That is audited, unless it is too large.
    """
    before: Audit | None = None
    with suppress(TooLarge):
        before = audit(sweep.space.rulebook, cache=cache)
    keys = tuple(sweep.space.axes)
    return write_page(
        "sweep.html", SweepPage(made, sweep.space.rulebook, before, sweep.table(), keys)
    )


# Comparisons


@dataclass(frozen=True, slots=True)
class ComparePage(DuelPage):
    """Several rulebooks side by side."""

    audits: Sequence[Audit]

    rows = staticmethod(comparison)
    verdicts = frozenset(Verdict)

    @property
    def title(self) -> str:
        return f"{len(self.audits)} duels side by side"


def compare_page(audits: Sequence[Audit], made: date) -> str:
    """Figures and verdicts in one table, then each track with its rules."""
    return write_page("compare.html", ComparePage(made, audits))
