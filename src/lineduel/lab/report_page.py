"""An audit as one page that needs nothing else: no network, no other file."""

from collections.abc import Iterator
from datetime import date
from html import escape

from lineduel.arena import column_label, draw_heatmap_svg, percent
from lineduel.lab.audit import Audit, AuditedClaim
from lineduel.lab.board_picture import draw_position, draw_replay, draw_track
from lineduel.lab.claims import Verdict
from lineduel.lab.drawings import draw_lengths, draw_openings
from lineduel.lab.figures import DEFINITIONS
from lineduel.lab.page import Page
from lineduel.lab.report import EITHER, claims_that_hold, shown_figures, tested
from lineduel.record import write_record
from lineduel.solve import as_sentence

_CLASSES = {Verdict.PROVED: "proved", Verdict.IN_PART: "part", Verdict.REFUTED: "refuted"}


def audit_page(audit: Audit, made: date) -> str:
    """The whole report as HTML, made on a day."""
    return Page("Audit", audit.rulebook, made).text(_lines(audit))


def _lines(audit: Audit) -> Iterator[str]:
    rulebook, analysis = audit.rulebook, audit.analysis
    yield f'<p class="count">{claims_that_hold(audit.findings)}</p>'
    yield draw_track(analysis.game)
    yield f'<p class="lead">{escape(as_sentence(audit.figures.value))}</p>'
    if rulebook.rules.first is None:
        yield f"<p>{EITHER}</p>"
    yield "<h2>Claims</h2>"
    yield from claim_cards(audit)
    yield "<h2>Openings</h2>"
    yield draw_openings(audit.openings, analysis.game.start().side)
    yield "<h2>Length of a game</h2>"
    yield draw_lengths(analysis.lengths)
    beyond = 1 - float(analysis.lengths.sum())
    if beyond > 0.0005:
        yield f"<p><small>{beyond:.1%} of the games last longer than shown.</small></p>"
    yield "<p><small>Between two players of level 4, computed exactly.</small></p>"
    yield "<h2>Ladder</h2>"
    yield draw_heatmap_svg(analysis.ladder)
    yield from _pairs(audit)
    yield "<h2>Figures</h2>"
    yield from _figures(audit)
    yield "<h2>Words</h2>"
    yield from _words(audit)


def claim_cards(audit: Audit) -> Iterator[str]:
    """Each claim with its verdict, and its evidence on a board."""
    for finding in audit.findings:
        yield from _claim(finding, audit)


def _claim(finding: AuditedClaim, audit: Audit) -> Iterator[str]:
    claim = finding.claim
    yield f'<div class="claim {_CLASSES[finding.ruling.verdict]}">'
    yield f'<p class="verdict">{escape(tested(finding))}</p>'
    yield f'<p class="why">{escape(finding.ruling.why)}</p>'
    yield f"<p>Tested for: “{escape(claim.says)}”</p>"
    if claim.not_tested:
        yield f"<p>Not tested: {escape(claim.not_tested)}.</p>"
    yield f"<p><small>{escape(finding.evidence.told)}</small></p>"
    if finding.evidence.record is not None:
        yield draw_replay(finding.evidence.record)
        text = escape(write_record(finding.evidence.record))
        yield "<details><summary>The line of play, for lineduel replay</summary>"
        yield f"<pre>{text}</pre></details>"
    elif finding.evidence.position is not None:
        yield draw_position(audit.analysis.game, finding.evidence.position)
    yield "</div>"


def _pairs(audit: Audit) -> Iterator[str]:
    """What player 1 can expect, and the expected plies, for each pairing."""
    ladder = audit.analysis.ladder
    heads = "".join(f"<th>{escape(column_label(name))}</th>" for name in ladder.players)
    yield "<details><summary>Value and expected length of each pairing</summary>"
    yield "<p><small>Rows: player 1. Columns: player 2. Value for player 1, then plies.</small></p>"
    yield f"<table><tr><th></th>{heads}</tr>"
    for name, row in zip(ladder.players, ladder.results, strict=True):
        cells = "".join(
            f'<td class="number">{one.value:+.2f}<br>'
            f"{'–' if one.plies is None else f'{one.plies:.0f}'}</td>"
            for one in row
        )
        yield f"<tr><td>{escape(name)}</td>{cells}</tr>"
    yield "</table></details>"


def _figures(audit: Audit) -> Iterator[str]:
    yield "<table><tr><th>figure</th><th></th><th>meaning</th><th>source</th></tr>"
    for name, shown in shown_figures(audit.figures):
        known = DEFINITIONS[name]
        yield (
            f'<tr><td>{escape(known.title)}</td><td class="number">{escape(shown)}</td>'
            f"<td>{escape(known.meaning)}</td><td>{escape(known.source)}</td></tr>"
        )
    yield "</table><h3>Among equals</h3>"
    yield "<table><tr><th>player</th><th>first seat</th><th>endless</th><th>plies</th></tr>"
    for one in audit.figures.equals:
        plies = "–" if one.plies is None else f"{one.plies:.1f}"
        yield (
            f'<tr><td>{escape(one.player)}</td><td class="number">{one.seat:+.2f}</td>'
            f'<td class="number">{escape(percent(one.endless))}</td>'
            f'<td class="number">{plies}</td></tr>'
        )
    yield "</table>"


def _words(audit: Audit) -> Iterator[str]:
    yield "<table><tr><th>word</th><th>positions</th><th>in best play</th><th>first</th></tr>"
    for one in audit.analysis.words:
        example = "" if one.example is None else str(one.example)
        yield (
            f'<tr><td>{escape(one.word.value)}</td><td class="number">{one.positions:,}</td>'
            f'<td class="number">{one.in_best_play:,}</td><td>{escape(example)}</td></tr>'
        )
    yield "</table>"
