"""The track as lines of text: what is on it, how its cells fit the screen, how they are drawn."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content, Span

from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Game,
    Moved,
    Position,
    SentHome,
    Won,
)
from lineduel.narration import Names, Narrator, capitalized, verb
from lineduel.rules import Side

if TYPE_CHECKING:
    from lineduel.solve import Value

FLAGS = {Side.ONE: "⚑", Side.TWO: "⚐"}
"""A player's flag marks the cells that the other player has to reach."""
SIGNS = {"captured": "✕", "home": "⌂", "battle": "✕", "won": "★"}
PLAYER = {Side.ONE: "$player1", Side.TWO: "$player2"}
_BORDER = "$track"
_BLINKS = 3
"""How often a cell flashes when something happens on it."""
_NARROWEST, _WIDEST = 3, 17
"""The inner width of a cell, unless a name needs more."""
_MOST_STACKED = 8
_SHORTEST = 2
"""The length of a shortened name, unless more letters are needed to keep names distinct."""
_OUTLINED = 3
"""The height in lines of a piece drawn with an outline."""

# What is on the track


class Picture(NamedTuple):
    """Where every piece is drawn, and the cells on which something happens."""

    places: Mapping[str, int | None]
    """The cell of each piece; None for one that was captured."""
    signs: Mapping[int, str]
    """What happens on a cell: `captured`, `home`, `battle` or `won`."""

    def standing(self, cell: int) -> tuple[str, ...]:
        """The pieces on a cell, in the rulebook's order."""
        return tuple(piece for piece, place in self.places.items() if place == cell)

    def _moved(self, piece: str, cell: int | None) -> "Picture":
        return self._replace(places={**self.places, piece: cell})


def picture_of(game: Game, position: Position) -> Picture:
    """The picture of a position, with a sign where a battle is open."""
    places = {
        piece.name: cell
        for side in Side
        for piece, cell in zip(game.rules.team(side).pieces, position.cells(side), strict=True)
    }
    return Picture(places, {} if position.battle is None else {position.battle: "battle"})


def move_frames(game: Game, before: Position, events: tuple[Event, ...]) -> Iterator[Picture]:
    """The frames of a move: the piece goes from cell to cell, then its effects on others."""
    shown = picture_of(game, before)._replace(signs={})
    for event in events:
        match event:
            case Moved(_, piece, _, start, end):
                yield from _glide(shown, piece, start, end)
                shown = shown._moved(piece, end)
            case Captured(_, piece, cell):
                yield from _blink(shown, cell, "captured")
                shown = shown._moved(piece, None)
            case SentHome(_, piece, start, home):
                yield from _blink(shown, start, "home")
                yield from _glide(shown, piece, start, home)
                shown = shown._moved(piece, home)
            case BattleOpened(cell) | BattleSettled(cell):
                yield from _blink(shown, cell, "battle")
            case Won(_, _, _, cell) if cell is not None:
                yield from _blink(shown, cell, "won")
            case _:
                pass


def _glide(shown: Picture, piece: str, start: int, end: int) -> Iterator[Picture]:
    step = 1 if end > start else -1
    for cell in range(start + step, end + step, step):
        yield shown._moved(piece, cell)


def _blink(shown: Picture, cell: int, sign: str) -> Iterator[Picture]:
    for _ in range(_BLINKS):
        yield shown._replace(signs={cell: sign})
        yield shown


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
    about: frozenset[str | int] = frozenset()
    """The pieces and cells that a reason is about."""
    trail: "Trail | None" = None
    """The move that was made last."""


class Trail(NamedTuple):
    """The way of the piece that moved last."""

    side: Side
    start: int
    end: int

    @classmethod
    def of(cls, events: tuple[Event, ...]) -> "Trail | None":
        """The way of the piece that moved, if one did."""
        moved = next((event for event in events if isinstance(event, Moved)), None)
        return None if moved is None else cls(moved.side, moved.start, moved.end)

    def passes(self, cell: int) -> bool:
        """Whether the piece left that cell, or passed it."""
        low, high = sorted((self.start, self.end))
        return low <= cell <= high and cell != self.end


NO_LIGHTS = Lights()


def value_sign(value: "Value", side: Side) -> tuple[str, str]:
    """A value for one side as a sign that fits into a cell, and its colour."""
    from lineduel.solve import as_sign

    if value.winner is not None:
        colour = "$win" if value.winner is side else "$loss"
    elif value.is_even or value.is_undecided:
        colour = "$endless"
    else:
        colour = "$win" if value.expected(side) > 0 else "$loss"
    return as_sign(value, side), colour


def piece_shape(side: Side, flipped: bool) -> str:
    """An arrow in the direction in which a side moves."""
    return "►" if (side is Side.ONE) is not flipped else "◄"


# Where it is on the screen


class Layout(NamedTuple):
    """Rows of cells of equal width; neighbouring cells share a border."""

    rows: tuple[tuple[int, ...], ...]
    inner: int
    """The width of a cell in columns, without its borders."""
    depth: int
    """The number of lines for pieces in a cell."""
    flipped: bool
    """Whether the first cell is on the right."""

    @property
    def block(self) -> int:
        """The number of lines of one row: two borders, the pieces, and the cell's text."""
        return self.depth + 3

    @property
    def width(self) -> int:
        return len(self.rows[0]) * (self.inner + 1) + 1

    @property
    def height(self) -> int:
        return len(self.rows) * self.block

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell drawn at these coordinates, or None outside the track."""
        row, column = y // self.block, x // (self.inner + 1)
        if not 0 <= row < len(self.rows) or x < 0 or x >= self.width - 1:
            return None
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def line_of(self, cell: int) -> int:
        """The first line of the row that contains a cell."""
        return next(at for at, row in enumerate(self.rows) if cell in row) * self.block


def _folded(cells: tuple[int, ...], width: int, inner: int, depth: int, flipped: bool) -> Layout:
    """The smallest possible number of rows, all of about the same length."""
    most = max((width - 1) // (inner + 1), 1)
    count = -(-len(cells) // most)
    length = -(-len(cells) // count)
    rows = tuple(cells[at : at + length] for at in range(0, len(cells), length))
    return Layout(rows, inner, depth, flipped)


# How it is drawn


class Artist:
    """Draws one game's track, at any width."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._narrator = Narrator(game)
        self._goals = {side: game.rules.team(side).goal for side in Side}
        self._short = _short_names(game)
        self._depth = max(2, *(_deepest(game.rules.team(side).homes) for side in Side))
        label = max(len(self._narrator.label(cell)) for cell in game.rules.track.cells)
        # A piece is its shape and its name.
        self._least = max(_NARROWEST, 1 + max(map(len, self._short.values())), label)
        self._full = max(self._least, 1 + max(map(len, self._short)))

    def layout(
        self, picture: Picture, width: int, flipped: bool = False, roomy: int = 0, height: int = 0
    ) -> Layout:
        """The widest cells that fit into one row, or else several rows.

        One row is at least `roomy` lines deep, so that this seldom changes. Several rows have
        room for full names if they are no higher than `height` together.
        """
        track = self.game.rules.track.cells
        cells = tuple(reversed(track)) if flipped else tuple(track)
        standing = [cell for cell in picture.places.values() if cell is not None]
        depth = max(self._depth, _deepest(standing))
        inner = min((width - 1) // len(cells) - 1, max(self._full, _WIDEST))
        if inner >= self._least:
            return Layout((cells,), inner, min(max(depth, roomy), _MOST_STACKED), flipped)
        depth = min(depth, _MOST_STACKED)
        layout = _folded(cells, width, self._full, depth, flipped)
        if layout.height <= height:
            return layout
        return _folded(cells, width, self._least, depth, flipped)

    def draw(self, picture: Picture, lights: Lights, layout: Layout) -> list[Content]:
        """The lines of the track."""
        lines: list[Content] = []
        for row in layout.rows:
            cells = [list(self._cell(cell, picture, lights, layout)) for cell in row]
            for number, edges in enumerate(("┌┬┐", *["│││"] * (layout.depth + 1), "└┴┘")):
                left, middle, right = (Content.styled(edge, _BORDER) for edge in edges)
                line = middle.join([cell[number] for cell in cells])
                lines.append(_merged(Content.assemble(left, line, right)))
        return lines

    def hands(self, position: Position, flipped: bool, width: int) -> Content:
        """What both sides have in hand, each at its own end; cards that are spent are empty."""
        whole = self.game.hand(self.game.start(), Side.ONE)
        left, right = reversed(Side) if flipped else Side
        cards = {
            side: Content.assemble(
                (f"{piece_shape(side, flipped)} ", PLAYER[side]),
                *(
                    part
                    for number in whole
                    for part in (self._card(number in self.game.hand(position, side), number, side))
                ),
            )
            for side in Side
        }
        gap = width - cards[left].cell_length - cards[right].cell_length
        return Content.assemble(cards[left], " " * max(gap, 2), cards[right])

    def _card(self, in_hand: bool, number: int, side: Side) -> tuple[tuple[str, str], str]:
        return (f" {number} ", f"bold reverse {PLAYER[side]}") if in_hand else (
            " · ",
            "$muted",
        ), " "

    def legend(self, names: Names, flipped: bool = False) -> Content:
        """The legend: which pieces belong to whom, and where each player wins."""
        parts: list[Content | str | tuple[str, str]] = []
        for side in Side:
            where = _in_words(sorted(self._goals[side]), self._narrator)
            parts += [
                (f"{piece_shape(side, flipped)} {capitalized(names[side])}", PLAYER[side]),
                (f" {verb(names[side], 'wins')} on {where} ", "$muted"),
                (FLAGS[side.other], PLAYER[side.other]),
                "   ",
            ]
        return Content.assemble(*parts[:-1])

    def _cell(
        self, cell: int, picture: Picture, lights: Lights, layout: Layout
    ) -> Iterator[Content]:
        """The lines of a cell, with the borders above and below it but not those at its sides."""
        inner, target, sign = layout.inner, lights.targets.get(cell), picture.signs.get(cell)
        flags = [side.other for side in Side if cell in self._goals[side]]
        ground = f"on {PLAYER[flags[0]]} 15%" if flags else ""
        if sign:
            ground = f"on ${sign}"
        elif cell in lights.about:
            ground = "on $endless 35%"
        elif target is not None or cell in lights.others:
            ground = "on $lit"
        if target is not None:
            style = f"{target.style} {'reverse bold' if target.aimed else 'bold'}"
            note = Content.styled(_fitted(target.text, inner), style)
        else:
            mark = "◦" if cell in lights.about else "·" * (cell in lights.others)
            text = SIGNS[sign] * min(3, inner) if sign else mark
            note = Content.styled(text, "bold")
        colours = [(FLAGS[side], f"bold {PLAYER[side]}") for side in flags]
        yield _ruled(Content.assemble(*colours), inner)
        standing, trail = picture.standing(cell), lights.trail
        pieces = self._pieces(standing, layout, lights)
        if not standing and trail is not None and trail.passes(cell):
            middle = (layout.depth - 1) // 2
            pieces = *pieces[:middle], _way(trail, cell, layout), *pieces[middle + 1 :]
        for line in (*pieces, note):
            left = (inner - line.cell_length) // 2
            padded = line.pad(left, inner - line.cell_length - left)
            yield padded.stylize_before(ground) if ground else padded
        is_last = lights.trail is not None and lights.trail.end == cell
        style = f"bold reverse {PLAYER[lights.trail.side]}" if is_last and lights.trail else "bold"
        yield _ruled(Content.styled(self._narrator.label(cell), style), inner)

    def _pieces(
        self, pieces: tuple[str, ...], layout: Layout, lights: Lights
    ) -> tuple[Content, ...]:
        """The pieces on a cell: with outlines if there is room, otherwise as names."""
        depth, room = layout.depth, layout.inner - 1
        lines = [self._piece(piece, layout, lights) for piece in pieces]
        if len(pieces) * _OUTLINED <= depth and all(name.cell_length <= room for name in lines):
            lines = [
                line
                for piece, name in zip(pieces, lines, strict=True)
                for line in _outlined(
                    name, PLAYER[self.game.owner(piece)], piece == lights.selected, room
                )
            ]
        if len(lines) > depth:
            lines[depth - 1 :] = [Content(f"+{len(lines) - depth + 1}")]
        above = (depth - len(lines)) // 2
        blank = Content("")
        return *[blank] * above, *lines, *[blank] * (depth - len(lines) - above)

    def _piece(self, piece: str, layout: Layout, lights: Lights) -> Content:
        """A piece as its shape and its name, shortened if it has to be."""
        side = self.game.owner(piece)
        style = PLAYER[side]
        if piece == lights.selected:
            style += " bold reverse"
        elif piece in lights.about:
            style += " bold on $endless 35%"
        elif piece in lights.movable:
            style += " bold underline"
        name = piece if len(piece) < layout.inner else self._short[piece]
        return Content.styled(f"{piece_shape(side, layout.flipped)}{name}", style)


def _way(trail: Trail, cell: int, layout: Layout) -> Content:
    """The part of a trail on a cell: where the piece came from, or that it passed here."""
    is_right = (trail.end > trail.start) is not layout.flipped
    dashes = "╌" * min(layout.inner - 2, 3)
    line = f"{dashes}›" if is_right else f"‹{dashes}"
    if cell == trail.start:
        line = f"○{line[1:]}" if is_right else f"{line[:-1]}○"
    return Content.styled(line, PLAYER[trail.side])


def _outlined(name: Content, style: str, is_selected: bool, room: int) -> tuple[Content, ...]:
    """A piece with an outline; the selected one is filled.

    Where its shape has no room within the outline, it is the side toward which the piece goes.
    """
    left = right = (
        Content.styled(" ", f"{style} reverse") if is_selected else Content.styled("│", style)
    )
    if name.cell_length == room:
        shape, name = name[:1], name[1:]
        left, right = (left, shape) if shape.plain == "►" else (shape, right)
    wide = name.cell_length
    if is_selected:
        upper, lower = "▄" * (wide + 2), "▀" * (wide + 2)
    else:
        upper, lower = f"╭{'─' * wide}╮", f"╰{'─' * wide}╯"
    middle = Content.assemble(left, name, right)
    return Content.styled(upper, style), middle, Content.styled(lower, style)


def _merged(line: Content) -> Content:
    """The same line with neighbouring spans of one style merged, which is faster to render."""
    spans: list[Span] = []
    for span in line.spans:
        if spans and (spans[-1].end, spans[-1].style) == (span.start, span.style):
            span = Span(spans.pop().start, span.end, span.style)
        spans.append(span)
    return Content(line.plain, spans)


def _fitted(text: str, inner: int) -> str:
    """A text with a blank on either side if there is room, or cut with `…` if it is too long."""
    if len(text) > inner:
        return f"{text[: max(inner - 1, 0)]}…"
    return f" {text} " if len(text) + 2 <= inner else text


def _ruled(middle: Content, inner: int) -> Content:
    """A border with something in its middle."""
    left = (inner - middle.cell_length) // 2
    right = inner - middle.cell_length - left
    return Content.assemble(("─" * left, _BORDER), middle, ("─" * right, _BORDER))


def _in_words(cells: list[int], narrator: Narrator) -> str:
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
