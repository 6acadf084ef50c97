"""Several rulebooks side by side as one page that needs nothing else."""

from collections.abc import Iterator, Sequence
from datetime import date
from html import escape

from lineduel.lab.audit import Audit
from lineduel.lab.board_picture import draw_track
from lineduel.lab.claims import Verdict
from lineduel.lab.page import made_on, whole_page
from lineduel.lab.report import comparison
from lineduel.rules import describe
from lineduel.solve import as_sentence

_STYLE = """
body{max-width:80rem}
td.yes{background:#e3f3e6}td.part{background:#fbf3d9}td.no{background:#fae3e1}
"""
_CLASSES = {
    str(Verdict.PROVED): ' class="yes"',
    str(Verdict.IN_PART): ' class="part"',
    str(Verdict.REFUTED): ' class="no"',
}


def compare_page(audits: Sequence[Audit], made: date) -> str:
    """Figures and verdicts in one table, then each track with its rules."""
    title = f"{len(audits)} duels side by side"
    return whole_page(title, _lines(title, audits, made), _STYLE)


def _lines(title: str, audits: Sequence[Audit], made: date) -> Iterator[str]:
    yield f"<h1>{title}</h1><p><small>Compared on {made_on(made)}.</small></p>"
    yield '<div class="wide"><table><tr><th></th>'
    yield "".join(f"<th>{escape(one.rulebook.title)}</th>" for one in audits)
    yield "</tr>"
    for row in comparison(audits):
        cells = "".join(f"<td{_CLASSES.get(cell, '')}>{escape(cell)}</td>" for cell in row.cells)
        yield f"<tr><th>{escape(row.title)}</th>{cells}</tr>"
    yield "</table></div>"
    for one in audits:
        yield f"<h2>{escape(one.rulebook.title)}</h2>"
        yield draw_track(one.analysis.game)
        yield f'<p class="lead">{escape(as_sentence(one.figures.value))}</p>'
        yield "<details><summary>The rules</summary>"
        for section in describe(one.rulebook):
            yield f"<h3>{escape(section.heading)}</h3>"
            yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
        yield "</details>"
