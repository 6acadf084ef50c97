"""The duels that a search kept, as one page to look through: sorted and filtered there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path
from shlex import quote

from lineduel.discover.design_search import DesignSearch
from lineduel.discover.found import FoundDuel, best_on_front
from lineduel.discover.qualities import NEVER, QUALITIES
from lineduel.engine import Game
from lineduel.lab import Verdict, draw_track, made_on, whole_page
from lineduel.rules import assignments_between, describe, design_link, write_rulebook
from lineduel.solve import as_sentence, proof_of, solve
from lineduel.storage import write_atomically

GALLERY_FILE = "gallery.html"

_STYLE = """
body{max-width:72rem}
.tools{display:flex;flex-wrap:wrap;gap:1rem;margin:1rem 0;align-items:center}
.tools select{font:inherit;padding:.2rem}
.duel{background:#fff;border:1px solid #ddd;border-radius:.5rem;padding:1rem;margin:1rem 0}
.duel h2{border:0;margin:0 0 .3rem}.duel[hidden]{display:none}
.badge{display:inline-block;border-radius:1rem;padding:0 .6rem;margin:.1rem .2rem .1rem 0;
background:#e3f3e6;font-size:.85rem}
.badge.part{background:#fbf3d9}.badge.no{background:#fae3e1}.badge.front{background:#dfe9f7}
.front td,.front th{padding:.2rem .8rem;text-align:right}.front td:first-child{text-align:left}
.duel table{font-size:.9rem}.duel td,.duel th{padding:.1rem .8rem;text-align:right}
.figures{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;font-size:.9rem;margin:.4rem 0}
"""
_SCRIPT = """
(function () {
  const list = document.getElementById("duels");
  const sort = document.getElementById("sort");
  const front = document.getElementById("front");
  const meeting = document.getElementById("meeting");
  const property = document.getElementById("property");
  const duels = Array.from(list.children);
  function arrange() {
    const name = sort.value;
    const up = sort.selectedOptions[0].dataset.better === "less" ? 1 : -1;
    duels.sort(function (one, other) {
      const a = JSON.parse(one.dataset.figures)[name];
      const b = JSON.parse(other.dataset.figures)[name];
      return up * (a - b) || one.dataset.number - other.dataset.number;
    });
    duels.forEach(function (duel) {
      const kept = !front.checked || duel.dataset.front === "yes";
      const fits = !meeting.value || duel.dataset.meeting === meeting.value;
      const proved = !property.value || JSON.parse(duel.dataset.proved).includes(property.value);
      duel.hidden = !(kept && fits && proved);
      list.appendChild(duel);
    });
    const left = duels.filter(function (duel) { return !duel.hidden; }).length;
    document.getElementById("shown").textContent = left + " of " + duels.length + " shown";
  }
  [sort, front, meeting, property].forEach(function (one) {
    one.addEventListener("change", arrange);
  });
  arrange();
})();
"""
_CLASSES = {Verdict.PROVED: "", Verdict.IN_PART: " part", Verdict.REFUTED: " no"}


def write_gallery(
    folder: Path, search: DesignSearch, found: Sequence[FoundDuel], server: str, made: date
) -> None:
    """Write a rulebook and a certificate for each duel, and the page."""
    commands = {}
    for one in found:
        rulebook = folder / f"{one.rulebook.id}.toml"
        write_atomically(rulebook, write_rulebook(one.rulebook))
        write_atomically(rulebook.with_suffix(".certificate"), proof_of(solve(Game(one.rulebook))))
        commands[one.rulebook.id] = f"lineduel play {quote(str(rulebook))}"
    page = gallery_page(search, found, commands, server, made)
    write_atomically(folder / GALLERY_FILE, page)


def gallery_page(
    search: DesignSearch,
    found: Sequence[FoundDuel],
    commands: Mapping[str, str],
    server: str,
    made: date,
) -> str:
    """The page; `commands` says how to play each duel, by its id.

    `server` is the address of a server whose designer opens the duels.
    """
    title = f"{len(found)} duels found" if len(found) != 1 else "One duel found"
    return whole_page(title, _lines(title, search, found, commands, server, made), _STYLE, _SCRIPT)


def _lines(
    title: str,
    search: DesignSearch,
    found: Sequence[FoundDuel],
    commands: Mapping[str, str],
    server: str,
    made: date,
) -> Iterator[str]:
    question = search.question
    yield f"<h1>{title}</h1>"
    yield f"<p><small>Searched on {made_on(made)}.</small></p>"
    asked = escape("; ".join(goal.text for goal in question.goals) or "nothing in particular")
    yield (
        f"<p>{search.tried:,} candidates were tried, {search.measured:,} of them of a size that "
        f"can be proved. Asked for: {asked}. Preferred: {escape(', '.join(question.preferred))}. "
        "Every verdict and figure below is computed exactly.</p>"
    )
    yield from (f"<p>{escape(str(one))}</p>" for one in question.dropped)
    yield from _front(found, question.preferred)
    yield from _tools(found, question.preferred)
    yield '<div id="duels">'
    for number, one in enumerate(found, start=1):
        yield from _duel(number, one, found, commands[one.rulebook.id], server)
    yield "</div>"


def _front(found: Sequence[FoundDuel], preferred: Sequence[str]) -> Iterator[str]:
    """The trade-offs between the preferred figures, with the best of each in bold."""
    if not found:
        return
    best = best_on_front(found, preferred)
    yield (
        "<h2>The front</h2><p>No other duel is better than one of these in a preferred figure "
        "without being worse in another. The best of each figure is in bold.</p>"
        '<table class="front"><thead><tr><th></th>'
    )
    yield "".join(
        f'<th title="{escape(QUALITIES[name].meaning)}">{name}</th>' for name in preferred
    )
    yield "</tr></thead><tbody>"
    for one in found:
        if not one.on_front:
            continue
        told = {name: figure_text(one.proved.figures[name]) for name in preferred}
        cells = "".join(
            f"<td><b>{text}</b></td>" if one in best[name] else f"<td>{text}</td>"
            for name, text in told.items()
        )
        link = f'<a href="#duel-{one.rulebook.id}">{escape(one.rulebook.title)}</a>'
        yield f"<tr><td>{link}</td>{cells}</tr>"
    yield "</tbody></table>"


def _tools(found: Sequence[FoundDuel], preferred: Sequence[str]) -> Iterator[str]:
    """How to sort and to filter."""
    yield '<div class="tools"><label>Sort by <select id="sort">'
    for name in dict.fromkeys((*preferred, *QUALITIES)):
        yield f'<option value="{name}" data-better="{QUALITIES[name].better}">{name}</option>'
    yield '</select></label><label>Meeting an enemy <select id="meeting"><option value="">any'
    for meeting in sorted({str(one.proved.design.enemy) for one in found}):
        yield f'<option value="{escape(meeting)}">{escape(meeting)}'
    yield '</select></label><label>Proved <select id="property"><option value="">anything'
    for about in dict.fromkeys(about for one in found for about in one.proved.properties):
        yield f'<option value="{escape(str(about))}">{escape(str(about))}'
    yield '</select></label><label><input type="checkbox" id="front"> only the front</label>'
    yield '<span id="shown" role="status"></span></div>'


def _duel(
    number: int, one: FoundDuel, found: Sequence[FoundDuel], command: str, server: str
) -> Iterator[str]:
    rulebook, proved = one.rulebook, one.proved
    figures = escape(json.dumps(proved.figures), quote=True)
    properties = escape(json.dumps([str(about) for about in proved.properties]), quote=True)
    yield (
        f'<section class="duel" id="duel-{rulebook.id}" data-number="{number}" '
        f'data-figures="{figures}" data-front="{"yes" if one.on_front else "no"}" '
        f'data-proved="{properties}" data-meeting="{escape(str(proved.design.enemy))}">'
    )
    yield f"<h2>{escape(rulebook.title)}</h2><p>{escape(rulebook.summary)}</p>"
    yield draw_track(Game(rulebook))
    yield "<p>"
    if one.on_front:
        yield '<span class="badge front">on the front</span>'
    for about, ruling in proved.rulings.items():
        yield (
            f'<span class="badge{_CLASSES[ruling.verdict]}" title="{escape(ruling.why)}">'
            f"{escape(str(about))}: {ruling.verdict}</span>"
        )
    yield f"</p><p>{escape(as_sentence(proved.exact.value))}</p>"
    cells = "".join(
        f'<span title="{escape(QUALITIES[name].meaning)}">{name} <b>{figure_text(found)}</b></span>'
        for name, found in proved.figures.items()
    )
    yield f'<div class="figures">{cells}</div>'
    if others := [other for other in found if other is not one]:
        yield f"<p>{escape(_difference(one, others))}</p>"
    yield "<details><summary>The rules</summary>"
    for section in describe(rulebook):
        yield f"<h3>{escape(section.heading)}</h3>"
        yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
    yield "</details>"
    yield from _ladder(one)
    link = design_link(write_rulebook(rulebook), server)
    yield (
        f"<pre>{escape(command)}</pre><p>While <code>lineduel serve</code> is running, you can "
        f'<a class="designer" href="{escape(link)}">open it in the '
        "designer</a> to play and change it.</p></section>"
    )


def _difference(one: FoundDuel, others: Sequence[FoundDuel]) -> str:
    """What sets a duel apart from the most similar of the others."""
    rules = one.rulebook.rules
    changes = {
        other.rulebook.title: assignments_between(other.rulebook.rules, rules) for other in others
    }
    nearest = min(changes, key=lambda title: len(changes[title]))
    return f"Different from {nearest}, the most similar one: {', '.join(changes[nearest])}."


def _ladder(one: FoundDuel) -> Iterator[str]:
    """How strong each player of the ladder is, and how games between equals go."""
    yield (
        "<details><summary>The ladder</summary><table><thead><tr><th>player</th><th>Elo</th>"
        "<th>first seat, between equals</th><th>turns, between equals</th></tr></thead><tbody>"
    )
    for rating, equals in zip(one.proved.elo, one.proved.exact.equals, strict=True):
        turns = "never ends" if equals.plies is None else f"{equals.plies:.1f}"
        yield (
            f"<tr><td>{escape(equals.player)}</td><td>{rating:.0f}</td>"
            f"<td>{equals.seat:+.3f}</td><td>{turns}</td></tr>"
        )
    yield "</tbody></table></details>"


def figure_text(found: float) -> str:
    """A figure as people read it."""
    if found >= NEVER:
        return "never ends"
    return f"{found:,.0f}" if abs(found) >= 100 or found == int(found) else f"{found:.3g}"
