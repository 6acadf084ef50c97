"""An audit as one page that needs nothing else: no network, no script, no other file."""

from collections.abc import Iterator
from html import escape

from lineduel.arena import column_label, draw_heatmap_svg, percent
from lineduel.lab.audit import Audit, AuditedClaim
from lineduel.lab.claims import Verdict
from lineduel.lab.drawings import draw_lengths, draw_openings, draw_track
from lineduel.lab.figures import DEFINITIONS
from lineduel.lab.report import EITHER, shown_figures, tested
from lineduel.record import write_record
from lineduel.rules import describe
from lineduel.solve import as_sentence
from lineduel.storage import PAGE_HEAD

_STYLE = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fbfbf8;margin:0 auto;
max-width:60rem;padding:1.5rem}
h1{margin:0}h2{margin:2rem 0 .5rem;border-bottom:1px solid #ddd}
.lead{font-size:1.2rem}
.claim{border-left:.4rem solid #999;background:#fff;margin:.8rem 0;padding:.5rem 1rem}
.proved{border-color:#1d7a35}.part{border-color:#b98900}.refuted{border-color:#b3261e}
.verdict{font-weight:700;font-size:1.05rem}
.claim p{margin:.2rem 0}.why{color:#444}
table{border-collapse:collapse;background:#fff}
td,th{border:1px solid #ddd;padding:.25rem .6rem;text-align:left;vertical-align:top}
td.number{text-align:right;white-space:nowrap}
svg{max-width:100%;height:auto;background:#fff}
pre{background:#f1f1ec;padding:.6rem;overflow-x:auto;font-size:.85rem}
small{color:#666}
"""
_CLASSES = {Verdict.PROVED: "proved", Verdict.IN_PART: "part", Verdict.REFUTED: "refuted"}


def audit_page(audit: Audit) -> str:
    """The whole report as HTML."""
    return "\n".join(_lines(audit)) + "\n"


def _lines(audit: Audit) -> Iterator[str]:
    rulebook, analysis = audit.rulebook, audit.analysis
    yield f'{PAGE_HEAD}<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<link rel="icon" href="data:,">'  # else a browser asks for one
    yield f"<title>Audit of {escape(rulebook.title)}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(rulebook.title)}</h1><p>{escape(rulebook.summary)}</p>"
    yield draw_track(analysis.game)
    yield f'<p class="lead">{escape(as_sentence(audit.figures.value))}</p>'
    if rulebook.rules.first is None:
        yield f"<p>{EITHER}</p>"
    yield "<h2>Claims</h2>"
    for finding in audit.findings:
        yield from _claim(finding)
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
    yield "<h2>The rules</h2>"
    for section in describe(rulebook):
        yield f"<h3>{escape(section.heading)}</h3>"
        yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
    yield "</body></html>"


def _claim(finding: AuditedClaim) -> Iterator[str]:
    claim = finding.claim
    yield f'<div class="claim {_CLASSES[finding.ruling.verdict]}">'
    yield f'<p class="verdict">{escape(tested(finding))}</p>'
    yield f'<p class="why">{escape(finding.ruling.why)}</p>'
    yield f"<p>Tested for: “{escape(claim.says)}”</p>"
    if claim.not_tested:
        yield f"<p>Not tested: {escape(claim.not_tested)}.</p>"
    yield f"<p><small>{escape(finding.evidence.told)}</small></p>"
    if finding.evidence.record is not None:
        text = escape(write_record(finding.evidence.record))
        yield "<details><summary>The line of play, for lineduel replay</summary>"
        yield f"<pre>{text}</pre></details>"
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
