"""A picture of a terminal as SVG, or a film of the rows that it shows one after the other.

Frames, blocks, arrows and flags are drawn as shapes, since fonts differ in how they draw them.
No script runs in it: CSS shows each piece of text while it is on the screen. Whoever has asked
for less motion, or whose viewer does not animate, sees the last picture.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate, groupby

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from glyphs import COLUMN, ROW, SHAPES, SMOOTH

BASELINE = 13
"""How far below the top of its row a character stands."""
MARGIN, TITLE = 10, 28
PALETTES = {
    "dark": ("#e6e6e6", "#14171c", "#232933", "#5c6773"),
    "light": ("#1c1c1c", "#fbfbf8", "#e6e6df", "#a8a89c"),
}
"""Ink, paper, frame and buttons of each theme."""
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


@dataclass(frozen=True, slots=True)
class Frame:
    """What the screen shows, and for how long."""

    papers: tuple[str, ...]
    inks: tuple[str, ...]
    """Coloured boxes, and the texts before them, as SVG."""
    seconds: float


class Film:
    """Frames in the order in which they are seen, each of them different from the one before."""

    def __init__(self, columns: int, rows: int, theme: str) -> None:
        self._columns, self._rows = columns, rows
        self._ink, self._paper, self._frame, self._buttons = PALETTES[theme]
        self._frames: list[Frame] = []
        self._looks: dict[str, str] = {}
        """The class of each look that a text has, by its declarations."""

    def add(self, strips: Iterable[Strip], seconds: float) -> None:
        """Show these rows; the same rows as before are only shown longer."""
        papers: list[str] = []
        inks: list[str] = []
        for row, strip in enumerate(strips):
            column = 0
            for style, segments in groupby(strip, lambda segment: segment.style or Style()):
                text = "".join(segment.text for segment in segments)
                ink, paper = self._colours(style)
                width = Segment(text).cell_length
                if paper != self._paper:
                    papers.append(_box(column, row, width, paper))
                for kind in ("", " s"):
                    shapes = "".join(
                        SHAPES[sign](COLUMN * (column + at), ROW * row)
                        for at, sign in enumerate(text)
                        if sign in SHAPES and (sign in SMOOTH) == bool(kind)
                    )
                    if shapes:
                        name = self._look(f"fill:{ink}") + kind
                        inks.append(f'<path class="{name}" d="{shapes}"/>')
                inks += self._texts(column, row, text, style, ink)
                column += width
        frame = Frame(tuple(papers), tuple(inks), seconds)
        if self._frames and self._frames[-1] == replace(frame, seconds=self._frames[-1].seconds):
            frame = replace(frame, seconds=seconds + self._frames.pop().seconds)
        self._frames.append(frame)

    def svg(self, title: str) -> str:
        """The whole film, for ever from the start again."""
        wide, high = self._columns * COLUMN, self._rows * ROW
        width, height = wide + 2 * MARGIN, high + MARGIN + TITLE
        starts = [0.0, *accumulate(frame.seconds for frame in self._frames)]
        groups: dict[tuple[int, ...], str] = {}
        drawn = [
            self._layer([frame.papers for frame in self._frames], groups),
            self._layer([frame.inks for frame in self._frames], groups),
        ]
        styles = [f".{name}{{{look}}}" for look, name in self._looks.items()]
        styles += [_keyframes(name, shown, starts) for shown, name in groups.items()]
        dots = (f'<circle cx="{18 + 16 * n}" cy="15" r="5"/>' for n in range(3))
        lines = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'role="img" aria-label="{escape(title)}">',
            "<style>",
            f"text{{font:14px {FONT};white-space:pre}}",
            "path{shape-rendering:crispEdges}",
            ".s{shape-rendering:auto}",
            f".a{{animation:{starts[-1]:g}s step-end infinite}}",
            *styles,
            "@media (prefers-reduced-motion:reduce){.a{animation:none}}",
            "</style>",
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{self._frame}"/>',
            f'<g fill="{self._buttons}">{"".join(dots)}'
            f'<text x="{width / 2:g}" y="19" text-anchor="middle">lineduel</text></g>',
            f'<g transform="translate({MARGIN} {TITLE})">',
            f'<rect width="{wide:g}" height="{high}" fill="{self._paper}"/>',
            *drawn,
            "</g>",
            "</svg>",
        )
        return "\n".join(lines) + "\n"

    def _layer(self, frames: Sequence[Sequence[str]], groups: dict[tuple[int, ...], str]) -> str:
        """What never changes, and then the rest, grouped by the frames in which it is seen."""
        seen: dict[str, list[int]] = {}
        for number, parts in enumerate(frames):
            for part in parts:
                seen.setdefault(part, []).append(number)
        together: dict[tuple[int, ...], list[str]] = {}
        for part, numbers in seen.items():
            together.setdefault(tuple(numbers), []).append(part)
        layer = together.pop(tuple(range(len(frames))), [])
        for shown, parts in together.items():
            name = groups.setdefault(shown, f"k{len(groups)}")
            hidden = "" if len(frames) - 1 in shown else ' opacity="0"'
            layer.append(f'<g class="a {name}"{hidden}>{"".join(parts)}</g>')
        return "\n".join(layer)

    def _colours(self, style: Style) -> tuple[str, str]:
        ink = style.color.get_truecolor().hex if style.color else self._ink
        paper = style.bgcolor.get_truecolor().hex if style.bgcolor else self._paper
        return (paper, ink) if style.reverse else (ink, paper)

    def _texts(self, column: int, row: int, text: str, style: Style, ink: str) -> Iterator[str]:
        """What is left of a text without its shapes, each piece where it stands."""
        look = f"fill:{ink}"
        look += ";font-weight:bold" if style.bold else ""
        look += ";text-decoration:underline" if style.underline else ""
        plain = "".join(" " if sign in SHAPES else sign for sign in text)
        for found in re.finditer(r"\S+(?: \S+)*", plain):
            before = Segment(plain[: found.start()]).cell_length
            x, y = (column + before) * COLUMN, row * ROW + BASELINE
            length = Segment(found[0]).cell_length * COLUMN
            yield (
                f'<text class="{self._look(look)}" x="{x:g}" y="{y:g}" textLength="{length:g}">'
                f"{escape(found[0], quote=False)}</text>"
            )

    def _look(self, look: str) -> str:
        """The class of a look."""
        return self._looks.setdefault(look, f"c{len(self._looks)}")


def _box(column: int, row: int, width: int, paper: str) -> str:
    # A little more than the cells, so that no gap is seen between two of them.
    return (
        f'<path fill="{paper}" d="M{column * COLUMN:g} {row * ROW}'
        f'h{width * COLUMN + 0.3:.4g}v{ROW + 0.3:g}H{column * COLUMN:g}"/>'
    )


def _keyframes(name: str, shown: Sequence[int], starts: Sequence[float]) -> str:
    """A row is seen during the frames in which the screen shows it."""
    total = starts[-1]
    steps: list[str] = []
    was: bool | None = None
    for number, start in enumerate(starts[:-1]):
        now = number in shown
        if now is not was:
            steps.append(f"{100 * start / total:.2f}%{{opacity:{now:d}}}")
        was = now
    return f"@keyframes {name}{{{''.join(steps)}}}.{name}{{animation-name:{name}}}"
