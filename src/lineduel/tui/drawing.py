"""Draw a track as lines of styled text: cells, pieces, flags and highlights."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from textual.content import Content, Span

from lineduel.engine import Game
from lineduel.narration import Narrator
from lineduel.rules import Side
from lineduel.tui.layout import Layout, lay_out
from lineduel.tui.picture import Picture

FLAGS = {Side.ONE: "⚑", Side.TWO: "⚐"}
"""A player's flag marks the cells that the other player has to reach."""
SIGNS = {"captured": "✕", "home": "⌂", "battle": "✕", "won": "★"}
_LEAST = 3
_MOST_STACKED = 8
_SHORTEST = 2
"""The length of a shortened name, unless more letters are needed to keep names distinct."""
_TOKEN = 3
"""The height in lines of a piece drawn with an outline."""

PLAYER = {Side.ONE: "$player1", Side.TWO: "$player2"}
_TINT = {Side.ONE: "$player1 15%", Side.TWO: "$player2 15%"}
_BORDER = "$track"


class Target(NamedTuple):
    """A cell that can be reached: its text and style."""

    text: str
    style: str = ""
    aimed: bool = False
    """Whether this is the target of the selected move."""


class Lights(NamedTuple):
    """The highlights that show what can be chosen."""

    movable: frozenset[str] = frozenset()
    selected: str | None = None
    targets: Mapping[int, Target] = MappingProxyType({})
    others: frozenset[int] = frozenset()
    """Cells that only pieces other than the selected one can reach."""


NO_LIGHTS = Lights()


def piece_shape(side: Side, flipped: bool) -> str:
    """An arrow in the direction in which a side moves."""
    return "►" if (side is Side.ONE) is not flipped else "◄"


class Artist:
    """Draws one game's track, at any width."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._narrator = Narrator(game)
        self._short = _short_names(game)
        self._depth = max(2, *(_deepest(game.rules.team(side).homes) for side in Side))

    def layout(
        self, picture: Picture, width: int, flipped: bool, roomy: int = 0, height: int = 0
    ) -> Layout:
        """The layout of the cells, at least `roomy` lines deep so that it seldom changes.

        A folded track has room for full names if it is no higher than `height`.
        """
        shape = 1
        short = max(_LEAST, shape + max(map(len, self._short.values())), self._widest_label)
        full = max(short, shape + max(map(len, self._short)))
        standing = [cell for cell in picture.places.values() if cell is not None]
        least = max(self._depth, _deepest(standing))
        cells = self._game.rules.track.cells
        for depth in (max(least, roomy), least):  # cells of a folded track are lower
            depth = min(depth, _MOST_STACKED)
            layout = lay_out(cells, width, (short, full), depth, height, flipped)
            if len(layout.rows) == 1:
                break
        return layout

    def draw(
        self, picture: Picture, lights: Lights, layout: Layout, flipped: bool = False
    ) -> list[Content]:
        """The lines of the track."""
        lines: list[Content] = []
        for row in layout.rows:
            cells = [list(self._cell(cell, picture, lights, layout, flipped)) for cell in row]
            for number, (left, middle, right) in enumerate(_edges(layout.depth)):
                lines.append(_joined([cell[number] for cell in cells], left, middle, right))
        return lines

    def legend(self, flipped: bool = False) -> Content:
        """The legend: which pieces belong to whom, and where each player wins."""
        parts: list[Content | str | tuple[str, str]] = []
        for side in Side:
            goal = self._game.rules.team(side).goal
            where = _cells(sorted(goal), self._narrator)
            parts += [
                (f"{piece_shape(side, flipped)} {self._narrator.name(side)}", PLAYER[side]),
                (f" wins on {where} ", "$muted"),
                (FLAGS[side.other], PLAYER[side.other]),
                "   ",
            ]
        return Content.assemble(*parts[:-1])

    @property
    def _widest_label(self) -> int:
        return max(len(self._narrator.label(cell)) for cell in self._game.rules.track.cells)

    def _cell(
        self, cell: int, picture: Picture, lights: Lights, layout: Layout, flipped: bool
    ) -> Iterator[Content]:
        """The lines of a cell, with the borders above and below it but not those at its sides."""
        inner, target = layout.inner, lights.targets.get(cell)
        sign = picture.signs.get(cell)
        ground = self._ground(cell, target is not None or cell in lights.others, sign)
        yield self._upper(cell, inner)
        for line in self._pieces(picture.standing(cell), layout, lights, flipped):
            yield _centred(line, inner, ground)
        if target is not None:
            style = f"{target.style} {'reverse bold' if target.aimed else 'bold'}"
            yield _centred(Content.styled(_fitted(target.text, inner), style), inner, ground)
        else:
            note = SIGNS[sign] * min(3, inner) if sign else "·" * (cell in lights.others)
            yield _centred(Content.styled(note, "bold"), inner, ground)
        yield _ruled(self._narrator.label(cell), inner)

    def _ground(self, cell: int, lit: bool, sign: str | None) -> str:
        if sign:
            return f"on ${sign}"
        if lit:
            return "on $lit"
        for side in Side:
            if cell in self._game.rules.team(side).goal:
                return f"on {_TINT[side.other]}"
        return ""

    def _upper(self, cell: int, inner: int) -> Content:
        flags = [
            (FLAGS[side.other], f"bold {PLAYER[side.other]}")
            for side in Side
            if cell in self._game.rules.team(side).goal
        ]
        left = (inner - len(flags)) // 2
        return Content.assemble(
            ("─" * left, _BORDER), *flags, ("─" * (inner - len(flags) - left), _BORDER)
        )

    def _pieces(
        self, pieces: tuple[str, ...], layout: Layout, lights: Lights, flipped: bool
    ) -> list[Content]:
        """The pieces on a cell: with outlines if there is room, otherwise as names."""
        inner, depth = layout.inner, layout.depth
        outlined = bool(pieces) and len(pieces) * _TOKEN <= depth
        outlined = outlined and all(self._width(piece, inner) + 2 <= inner for piece in pieces)
        lines: list[Content] = []
        for piece in pieces:
            if outlined:
                lines += self._token(piece, inner, lights, flipped)
            else:
                lines.append(self._piece(piece, inner, lights, flipped))
        if len(lines) > depth:
            lines[depth - 1 :] = [Content(f"+{len(lines) - depth + 1}")]
        above = (depth - len(lines)) // 2
        blank = Content("")
        return [*[blank] * above, *lines, *[blank] * (depth - len(lines) - above)]

    def _token(self, piece: str, inner: int, lights: Lights, flipped: bool) -> list[Content]:
        """A piece with an outline; the selected one is filled."""
        name = self._piece(piece, inner, lights, flipped)
        style, wide = PLAYER[self._game.owner(piece)], name.cell_length
        if piece == lights.selected:
            sides = Content.styled(" ", f"{style} reverse")
            upper, lower = f"{'▄' * (wide + 2)}", f"{'▀' * (wide + 2)}"
        else:
            sides = Content.styled("│", style)
            upper, lower = f"╭{'─' * wide}╮", f"╰{'─' * wide}╯"
        return [
            Content.styled(upper, style),
            Content.assemble(sides, name, sides),
            Content.styled(lower, style),
        ]

    def _name(self, piece: str, inner: int) -> str:
        return piece if len(piece) < inner else self._short[piece]

    def _width(self, piece: str, inner: int) -> int:
        return 1 + len(self._name(piece, inner))

    def _piece(self, piece: str, inner: int, lights: Lights, flipped: bool) -> Content:
        side = self._game.owner(piece)
        style = PLAYER[side]
        if piece == lights.selected:
            style += " bold reverse"
        elif piece in lights.movable:
            style += " bold underline"
        return Content.styled(f"{piece_shape(side, flipped)}{self._name(piece, inner)}", style)


def _joined(parts: list[Content], left: str, middle: str, right: str) -> Content:
    between = Content.styled(middle, _BORDER)
    return _merged(Content.assemble((left, _BORDER), between.join(parts), (right, _BORDER)))


def _merged(line: Content) -> Content:
    """The same line with neighbouring spans of one style merged, which is faster to render."""
    spans: list[Span] = []
    for span in line.spans:
        if spans and (spans[-1].end, spans[-1].style) == (span.start, span.style):
            span = Span(spans.pop().start, span.end, span.style)
        spans.append(span)
    return Content(line.plain, spans)


def _edges(depth: int) -> Iterator[tuple[str, str, str]]:
    yield "┌", "┬", "┐"
    for _ in range(depth + 1):
        yield "│", "│", "│"
    yield "└", "┴", "┘"


def _centred(text: Content, inner: int, ground: str) -> Content:
    left = (inner - text.cell_length) // 2
    padded = text.pad(left, inner - text.cell_length - left)
    return padded.stylize_before(ground) if ground else padded


def _fitted(text: str, inner: int) -> str:
    """A text with a blank on either side if there is room, or cut with `…` if it is too long."""
    if len(text) > inner:
        return f"{text[: max(inner - 1, 0)]}…"
    return f" {text} " if len(text) + 2 <= inner else text


def _ruled(label: str, inner: int) -> Content:
    left = (inner - len(label)) // 2
    return Content.assemble(
        ("─" * left, _BORDER), (label, "bold"), ("─" * (inner - len(label) - left), _BORDER)
    )


def _cells(cells: list[int], narrator: Narrator) -> str:
    """`10`, or `8 to 10` for cells in a row, or `the flags`."""
    if len(cells) == 1:
        return narrator.label(cells[0])
    if cells == list(range(cells[0], cells[-1] + 1)):
        return f"{narrator.label(cells[0])} to {narrator.label(cells[-1])}"
    return "the flags"


def _deepest(cells: tuple[int, ...] | list[int]) -> int:
    return max((cells.count(cell) for cell in cells), default=0)


def _short_names(game: Game) -> dict[str, str]:
    """A short name for each piece: P1-A and P1-B are A and B, Red and Rose are Re and Ro."""
    names: dict[str, str] = {}
    for side in Side:
        team = [piece.name for piece in game.rules.team(side).pieces]
        names |= dict(zip(team, _abbreviated(team), strict=True))
    return names


def _abbreviated(names: list[str]) -> list[str]:
    """The parts after the common prefix, or else the shortest prefixes that are distinct."""
    first = names[0]
    separators = [at for at, letter in enumerate(first, start=1) if not letter.isalnum()]
    shared = [at for at in separators if all(name[:at] == first[:at] != name for name in names)]
    ends = [name[max(shared, default=0) :] for name in names]
    longest = max(map(len, ends))
    for length in range(min(_SHORTEST, longest), longest):
        if len({end[:length] for end in ends}) == len(ends):
            return [end[:length] for end in ends]
    return ends
