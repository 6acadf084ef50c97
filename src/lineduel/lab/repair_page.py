"""A search for repairs as one page that needs nothing else."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from html import escape

from lineduel.arena import percent
from lineduel.coach import counted
from lineduel.engine import Game
from lineduel.lab.analysis import Analysis
from lineduel.lab.audit import Audit, difference
from lineduel.lab.board_picture import draw_replay, draw_track
from lineduel.lab.evidence import best_line
from lineduel.lab.figures import Measure
from lineduel.lab.page import Page
from lineduel.lab.repair import Repair, RepairSearch, trade_off
from lineduel.lab.report import claims_that_hold
from lineduel.lab.report_page import claim_cards
from lineduel.record import Record
from lineduel.rules import Rules
from lineduel.solve import Cache, as_sentence

_NONE = "No variant keeps the game's character and meets every claim."
MEASURED: Mapping[Measure, Callable[[Repair], str]] = {
    Measure.FEWEST: lambda one: counted(len(one.candidate.changes), "change"),
    Measure.FAIREST: lambda one: f"seat worth {one.seat_worth:.2f}",
    Measure.DEEPEST: lambda one: f"Elo range {one.figures.elo_range or 0:,.0f}",
}
"""How good a repair is by each measure, in words."""


def repair_page(
    search: RepairSearch,
    before: Audit,
    command: Callable[[Rules], str],
    made: date,
    cache: Cache | None = None,
) -> str:
    """The repairs with their tracks and best play, and the rulebook as it is."""
    body = _lines(search, before, command, cache)
    return Page("Repairs", search.rulebook, made).text(body)


def _lines(
    search: RepairSearch, before: Audit, command: Callable[[Rules], str], cache: Cache | None
) -> Iterator[str]:
    yield f'<p class="count">{claims_that_hold(before.findings)}</p>'
    found = search.repairs or search.nearest
    lead = _NONE
    if search.repairs:
        lead = f"Every claim is met by {counted(len(found), 'repair')} below."
    elif found:
        lead = f"{_NONE} In the nearest ones below no claim is refuted, but some hold in part."
    yield f'<p class="lead">That is the rulebook as it is. {lead}</p>'
    yield (
        f"<p>Tried {search.tried:,} rulebooks with up to "
        f"{counted(search.sizes, 'change')}. To keep: {escape('; '.join(search.wanted))}.</p>"
    )
    if len(search.repairs) > 1:
        yield from _trade_off(search.repairs)
    yield f"<h2>{'Repairs' if search.repairs else 'Nearest'}</h2>" if found else ""
    for number, one in enumerate(found, start=1):
        yield from _repair(number, one, search, command, cache)
    yield "<h2>The rulebook as it is</h2>"
    yield draw_track(Game(search.rulebook))
    yield from claim_cards(before)


def _trade_off(repairs: list[Repair]) -> Iterator[str]:
    best = trade_off(repairs)
    yield "<h2>The best by what you may want most</h2>"
    yield f"<table><tr>{''.join(f'<th>{measure}</th>' for measure in best)}</tr>"
    for row in range(max(map(len, best.values()))):
        cells = "".join(
            f'<td><a href="#repair-{places[row] + 1}">{places[row] + 1}.</a> '
            f"{MEASURED[measure](repairs[places[row]])}</td>"
            for measure, places in best.items()
        )
        yield f"<tr>{cells}</tr>"
    yield "</table>"


def _repair(
    number: int,
    one: Repair,
    search: RepairSearch,
    command: Callable[[Rules], str],
    cache: Cache | None,
) -> Iterator[str]:
    rulebook, figures = one.candidate.rulebook, one.figures
    kind = "proved" if one.mends else "part"
    changes = escape("; ".join(each.told for each in one.candidate.changes))
    yield f'<div class="claim {kind}" id="repair-{number}">'
    yield f'<p class="verdict">{number}. {changes}</p>'
    for sentence in difference(search.rulebook, rulebook).there:
        yield f"<p>{escape(sentence)}</p>"
    yield (
        f'<p class="why">{escape(as_sentence(figures.value))} Seat worth at most '
        f"{one.seat_worth:.2f}; skill "
        f"{percent(figures.skill.worse)}; {figures.positions:,} positions; "
        f"{MEASURED[Measure.DEEPEST](one)}.</p>"
    )
    held = "".join(
        f"<li>{escape(str(about))}: {ruling.verdict}. {escape(ruling.why)}</li>"
        for about, ruling in one.rulings.items()
    )
    yield f"<details><summary>The verdict on each claim</summary><ul>{held}</ul></details>"
    yield "<p>Best play:</p>"
    yield draw_replay(_best_play(one, cache))
    yield f"<pre>{escape(command(rulebook.rules))}</pre></div>"


def _best_play(one: Repair, cache: Cache | None) -> Record:
    analysis = Analysis(one.candidate.rulebook, cache=cache)
    moves = best_line(analysis)
    return Record(rulebook=analysis.rulebook, start=analysis.game.start(), moves=moves)
