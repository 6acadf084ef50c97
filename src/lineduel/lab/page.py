"""What every page of the lab has: one file that asks for nothing, and says what it is about."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from html import escape

from lineduel import __version__
from lineduel.lab.board_picture import REPLAY_SCRIPT, REPLAY_STYLE
from lineduel.rules import Rulebook, describe, write_rulebook
from lineduel.storage import PAGE_HEAD

_STYLE = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fbfbf8;margin:0 auto;
max-width:60rem;padding:1.5rem}
h1{margin:0}h2{margin:2rem 0 .5rem;border-bottom:1px solid #ddd}
.lead{font-size:1.2rem}.count{font-size:1.5rem;font-weight:700;margin:.4rem 0}
.claim{border-left:.4rem solid #999;background:#fff;margin:.8rem 0;padding:.5rem 1rem}
.proved{border-color:#1d7a35}.part{border-color:#b98900}.refuted{border-color:#b3261e}
.verdict{font-weight:700;font-size:1.05rem}
.claim p{margin:.2rem 0}.why{color:#444}
.wide{overflow-x:auto}
table{border-collapse:collapse;background:#fff}
td,th{border:1px solid #ddd;padding:.25rem .6rem;text-align:left;vertical-align:top}
td.number{text-align:right;white-space:nowrap}
svg{max-width:100%;height:auto;background:#fff}
pre{background:#f1f1ec;padding:.6rem;overflow-x:auto;font-size:.85rem;white-space:pre-wrap}
small{color:#666}
"""


@dataclass(frozen=True, slots=True)
class Page:
    """A page about a rulebook, made on a day."""

    kind: str
    """What it is: `Audit`, `Repairs`, `Sweep`."""
    rulebook: Rulebook
    made: date

    def text(self, body: Iterable[str]) -> str:
        """The whole page as HTML."""
        title = f"{self.kind} of {self.rulebook.title}"
        return whole_page(title, (*self._head(), *body, *self._foot()))

    def _head(self) -> Iterator[str]:
        yield f"<h1>{escape(self.rulebook.title)}</h1><p>{escape(self.rulebook.summary)}</p>"
        yield (
            f"<p><small>{self.kind} of <code>{escape(self.rulebook.id)}</code>, "
            f"{made_on(self.made)}.</small></p>"
        )

    def _foot(self) -> Iterator[str]:
        yield "<h2>The rules</h2>"
        for section in describe(self.rulebook):
            yield f"<h3>{escape(section.heading)}</h3>"
            yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
        yield "<details><summary>The rulebook as a file</summary>"
        yield f'<pre id="rulebook">{escape(write_rulebook(self.rulebook))}</pre></details>'


def whole_page(title: str, body: Iterable[str], style: str = "", script: str = "") -> str:
    """A page that asks for nothing else, from what stands between its head and its end."""
    head = (
        f'{PAGE_HEAD}<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<link rel="icon" href="data:,">',  # else a browser asks for one
        f"<title>{escape(title)}</title><style>{_STYLE}{REPLAY_STYLE}{style}</style></head><body>",
    )
    end = f"<script>{REPLAY_SCRIPT}{script}</script></body></html>"
    return "\n".join((*head, *body, end)) + "\n"


def made_on(made: date) -> str:
    """When a page was made, and by which version."""
    return f'<time datetime="{made}">{made.day} {made:%B %Y}</time>, lineduel {escape(__version__)}'
