"""The board as SVG: at the start, in a position, or move by move with buttons and keys."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from lineduel.engine import Game, Position
from lineduel.narration import Narrator
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.svg import svg_picture, svg_text

BOARD_STYLE = """\
.small{font-size:11px;fill:#666}
.cell{fill:#fff;stroke:#999}
.one{fill:#2563a8}
.two{fill:#c76a00}
.light{fill:#fff;font-weight:600}
.piece{transition:transform .2s}
@media (prefers-reduced-motion:reduce){.piece{transition:none}}"""
REPLAY_STYLE = """
.replay{margin:.6rem 0;padding:.3rem;border-radius:.3rem}
.replay:focus-visible{outline:2px solid #2563a8}
.replay button{font:inherit;padding:.1rem .6rem;margin-right:.3rem;cursor:pointer}
.replay button:disabled{cursor:default;opacity:.5}
.replay .said{display:block;margin-top:.3rem;white-space:pre-line;min-height:3em}
"""
REPLAY_SCRIPT = """
document.querySelectorAll(".replay").forEach(function (box) {
  const frames = JSON.parse(box.querySelector("script").textContent);
  const pieces = box.querySelectorAll(".piece");
  const said = box.querySelector(".said");
  const ends = { first: 0, back: 0, on: frames.length - 1, last: frames.length - 1 };
  let at = 0;
  function show(to) {
    at = Math.max(0, Math.min(frames.length - 1, to));
    frames[at].at.forEach(function (place, number) {
      const piece = pieces[number];
      piece.style.display = place ? "" : "none";
      if (place) piece.style.transform = "translate(" + place[0] + "px," + place[1] + "px)";
    });
    said.textContent = frames[at].said;
    box.querySelectorAll("button").forEach(function (button) {
      button.disabled = at === ends[button.dataset.go];
    });
  }
  function go(where) {
    show({ first: 0, back: at - 1, on: at + 1, last: frames.length - 1 }[where]);
  }
  box.addEventListener("click", function (event) {
    if (event.target.dataset.go) go(event.target.dataset.go);
  });
  box.addEventListener("keydown", function (event) {
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    if (!keys[event.key]) return;
    event.preventDefault();
    go(keys[event.key]);
  });
  show(0);
});
"""
"""What makes the buttons and the arrow keys of every board on a page work."""
_CELL, _PIECE = 58, 26
_IN_A_ROW = 16
_BUTTONS = {"first": "|◀ Start", "back": "◀ Back", "on": "Next ▶", "last": "End ▶|"}


def draw_track(game: Game) -> str:
    """The track as it stands at the start, with everybody's goal."""
    return draw_position(game, game.start())


def draw_position(game: Game, position: Position) -> str:
    """The track with the pieces as they stand, and everybody's goal."""
    return _Board.of(game, (position,)).picture(position)


def draw_replay(record: Record) -> str:
    """A line of play as HTML: the board, and buttons and arrow keys to step through it."""
    game, positions = Game(record.rulebook), record.positions()
    board, narrator = _Board.of(game, positions), Narrator(game)
    frames = [{"said": _said_first(record), "at": board.places(positions[0])}]
    for number, move in enumerate(record.moves):
        before = positions[number]
        told = " ".join(narrator.tell(game.events(before, move)).split())
        told += f" {' '.join(narrator.victory(game.events(before, move)).split())}"
        said = f"Turn {number + 1} of {len(record.moves)}: {move}\n{told.strip()}"
        frames.append({"said": said, "at": board.places(positions[number + 1])})
    data = json.dumps(frames, ensure_ascii=False).replace("<", "\\u003c")
    buttons = "".join(
        f'<button type="button" data-go="{where}">{name}</button>'
        for where, name in _BUTTONS.items()
    )
    return (
        '<div class="replay" tabindex="0" role="group" '
        'aria-label="A line of play: step through it with the arrow keys">'
        f"{board.picture(positions[0])}<div>{buttons}"
        f'<span class="said">{escape(_said_first(record))}</span></div>'
        f'<script type="application/json">{data}</script></div>'
    )


def _said_first(record: Record) -> str:
    count = f"{len(record.moves)} turn{'' if len(record.moves) == 1 else 's'}"
    return f"The start of {count}. Step through them with the buttons or the arrow keys."


@dataclass(frozen=True, slots=True)
class _Board:
    """Where everything is drawn, with room for the most pieces that meet on one cell."""

    game: Game
    most: int

    @classmethod
    def of(cls, game: Game, positions: Sequence[Position]) -> "_Board":
        """A board on which all these positions have room."""
        crowds = (
            sum(one == cell for side in Side for one in position.cells(side))
            for position in positions
            for cell in game.rules.track.cells
        )
        return cls(game, max(1, *crowds))

    @property
    def _high(self) -> int:
        return _PIECE * self.most + 28

    def _corner(self, cell: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        row, column = divmod(cell - self.game.rules.track.first, _IN_A_ROW)
        return 10 + column * _CELL, row * (self._high + 30) + 6

    def places(self, position: Position) -> list[tuple[int, int] | None]:
        """Where each piece is drawn, None for one that is out of the game."""
        crowd: dict[int, int] = {}
        places: list[tuple[int, int] | None] = []
        for side in Side:
            for cell in position.cells(side):
                if cell is None:
                    places.append(None)
                    continue
                x, y = self._corner(cell)
                places.append((x + 5, y + 6 + crowd.get(cell, 0) * _PIECE))
                crowd[cell] = crowd.get(cell, 0) + 1
        return places

    def picture(self, position: Position) -> str:
        """The track, with the pieces as groups that can be moved."""
        cells = self.game.rules.track.cells
        rows = -(-len(cells) // _IN_A_ROW)
        width = 20 + min(len(cells), _IN_A_ROW) * _CELL
        parts = [*self._cells(), *self._pieces(position)]
        return svg_picture(width, rows * (self._high + 30) + 10, "The track", BOARD_STYLE, parts)

    def _cells(self) -> Iterator[str]:
        rules, narrator = self.game.rules, Narrator(self.game)
        for cell in rules.track.cells:
            x, top = self._corner(cell)
            goals = [side for side in Side if cell in rules.team(side).goal]
            colour = {Side.ONE: "#e6effa", Side.TWO: "#fbeedd"}[goals[0]] if goals else "#fff"
            yield (
                f'<rect class="cell" x="{x}" y="{top}" width="{_CELL}" height="{self._high}" '
                f'style="fill:{colour}"/>'
            )
            yield svg_text(x + _CELL / 2, top + self._high + 18, narrator.label(cell), "middle")
            for at, side in enumerate(goals):
                y = top + self._high - 4 - 12 * at
                yield svg_text(x + _CELL / 2, y, f"P{side} wins", "middle", "small")

    def _pieces(self, position: Position) -> Iterator[str]:
        places = iter(self.places(position))
        for side in Side:
            for piece, place in zip(self.game.rules.team(side).pieces, places, strict=False):
                x, y = place or (0, 0)
                hidden = "" if place else ";display:none"
                shown = piece.name if len(piece.name) < 7 else f"{piece.name[:6]}…"
                yield (
                    f'<g class="piece" style="transform:translate({x}px,{y}px){hidden}">'
                    f"<title>{escape(piece.name)}</title>"
                    f'<rect class="{"one" if side is Side.ONE else "two"}" '
                    f'width="{_CELL - 10}" height="22" rx="{11 if side is Side.ONE else 3}"/>'
                    f"{svg_text((_CELL - 10) / 2, 16, shown, 'middle', 'light')}</g>"
                )
