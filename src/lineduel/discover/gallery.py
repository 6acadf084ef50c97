"""The duels that a search kept, as one page to look through: sorted and filtered there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape

from lineduel.discover.design_search import DesignSearch
from lineduel.discover.found import FoundDuel
from lineduel.discover.qualities import NEVER, QUALITIES
from lineduel.engine import Game
from lineduel.lab import Verdict, draw_track, made_on, whole_page
from lineduel.rules import describe
from lineduel.solve import as_sentence

_STYLE = """
body{max-width:72rem}
.tools{display:flex;flex-wrap:wrap;gap:1rem;margin:1rem 0;align-items:center}
.tools select{font:inherit;padding:.2rem}
.duel{background:#fff;border:1px solid #ddd;border-radius:.5rem;padding:1rem;margin:1rem 0}
.duel h2{border:0;margin:0 0 .3rem}.duel[hidden]{display:none}
.badge{display:inline-block;border-radius:1rem;padding:0 .6rem;margin:.1rem .2rem .1rem 0;
background:#e3f3e6;font-size:.85rem}
.badge.part{background:#fbf3d9}.badge.no{background:#fae3e1}.badge.front{background:#dfe9f7}
.figures{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;font-size:.9rem;margin:.4rem 0}
"""
_SCRIPT = """
(function () {
  const list = document.getElementById("duels");
  const sort = document.getElementById("sort");
  const front = document.getElementById("front");
  const meeting = document.getElementById("meeting");
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
      duel.hidden = !(kept && fits);
      list.appendChild(duel);
    });
    const left = duels.filter(function (duel) { return !duel.hidden; }).length;
    document.getElementById("shown").textContent = left + " of " + duels.length + " shown";
  }
  [sort, front, meeting].forEach(function (one) { one.addEventListener("change", arrange); });
  arrange();
})();
"""
_CLASSES = {Verdict.PROVED: "", Verdict.IN_PART: " part", Verdict.REFUTED: " no"}


def gallery_page(
    search: DesignSearch, found: Sequence[FoundDuel], commands: Mapping[str, str], made: date
) -> str:
    """The page; `commands` says how to play each duel, by its id."""
    title = f"{len(found)} duels found" if len(found) != 1 else "One duel found"
    return whole_page(title, _lines(title, search, found, commands, made), _STYLE, _SCRIPT)


def _lines(
    title: str,
    search: DesignSearch,
    found: Sequence[FoundDuel],
    commands: Mapping[str, str],
    made: date,
) -> Iterator[str]:
    question = search.question
    yield f"<h1>{title}</h1>"
    yield f"<p><small>Searched on {made_on(made)}.</small></p>"
    asked = escape("; ".join(goal.text for goal in question.goals) or "nothing in particular")
    yield (
        f"<p>{search.tried:,} candidates were tried, {search.measured:,} of them measured. Asked "
        f"for: {asked}. Preferred: {escape(', '.join(question.preferred))}. "
        "Every verdict and figure below is computed exactly.</p>"
    )
    yield '<div class="tools"><label>Sort by <select id="sort">'
    for name in dict.fromkeys((*question.preferred, *QUALITIES)):
        yield f'<option value="{name}" data-better="{QUALITIES[name].better}">{name}</option>'
    yield '</select></label><label>Meeting an enemy <select id="meeting"><option value="">any'
    for meeting in sorted({str(one.proved.design.enemy) for one in found}):
        yield f'<option value="{escape(meeting)}">{escape(meeting)}'
    yield '</select></label><label><input type="checkbox" id="front"> only the front</label>'
    yield '<span id="shown" role="status"></span></div><div id="duels">'
    for number, one in enumerate(found, start=1):
        yield from _duel(number, one, commands[one.rulebook.id])
    yield "</div>"


def _duel(number: int, one: FoundDuel, command: str) -> Iterator[str]:
    rulebook, proved = one.rulebook, one.proved
    figures = escape(json.dumps(proved.figures), quote=True)
    yield (
        f'<section class="duel" data-number="{number}" data-figures="{figures}" '
        f'data-front="{"yes" if one.on_front else "no"}" '
        f'data-meeting="{escape(str(proved.design.enemy))}">'
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
    yield "<details><summary>The rules</summary>"
    for section in describe(rulebook):
        yield f"<h3>{escape(section.heading)}</h3>"
        yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
    yield f"</details><pre>{escape(command)}</pre></section>"


def figure_text(found: float) -> str:
    """A figure as people read it."""
    if found >= NEVER:
        return "never ends"
    return f"{found:,.0f}" if abs(found) >= 100 or found == int(found) else f"{found:.3g}"
