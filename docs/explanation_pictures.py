"""Draws the pictures of the pages under docs/explanation.

`python docs/explanation_pictures.py` makes them anew.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from lineduel import Game, Position, Side, find_rulebook, parse_move, read_position, solve
from lineduel.rules import apply_changes
from lineduel.solve import PlainSolution
from lineduel.svg import svg_page, svg_text

DOCS = Path(__file__).parent
FOLDER = DOCS / "pictures"
_STYLE = """\
.small{font-size:11px;fill:#666}
.one{fill:#2563a8}
.two{fill:#c76a00}
.open{fill:#fff;stroke:#999}
.light{fill:#fff;font-size:11px}
.dark{font-size:11px}
.move{stroke:#bbb}
.best{stroke:#222;stroke-width:2}
.box{fill:#e6effa;stroke:#2563a8}
.grid{stroke:#ddd}"""
_COLOURS = {Side.ONE: "one", Side.TWO: "two"}


def pictures() -> dict[str, str]:
    """Each picture by its file name."""
    return {
        "retrograde.svg": _retrograde(),
        "mixture.svg": _mixture(),
        "chain.svg": _chain(),
        "layers.svg": _layers(),
    }


def _retrograde() -> str:
    """All positions of Blockade Duel in columns, by the plies to the forced win."""
    game = Game(find_rulebook("blockade-duel"))
    solution = solve(game)
    assert isinstance(solution, PlainSolution)
    columns: dict[int, list[Position]] = defaultdict(list)
    for position, value in solution.items():
        assert value.plies is not None, "every position of this game is won by force"
        columns[value.plies].append(position)
    last = max(columns)
    width, high = 130 * (last + 1) + 20, 30 * max(map(len, columns.values())) + 96
    places = {
        position: (75 + 130 * (last - plies), 96 + 30 * row)
        for plies, found in columns.items()
        for row, position in enumerate(found)
    }
    lines = []
    for position, (x, y) in places.items():
        for move in game.moves(position):
            x2, y2 = places[game.play(position, move)]
            kind = "best" if move in solution.best(position) else "move"
            lines.append(f'<line class="{kind}" x1="{x}" y1="{y}" x2="{x2}" y2="{y2}"/>')
    heads = [
        svg_text(75 + 130 * (last - plies), 64, _told_plies(plies), "middle") for plies in columns
    ]
    nodes = []
    for position, place in places.items():
        winner = solution.value(position).winner
        assert winner is not None
        nodes.append(_node(place, str(position), _COLOURS[winner]))
    title = "Blockade Duel, solved from its ends: blue is won by player 1, orange by player 2"
    parts = [*heads, *sorted(lines, reverse=True), *nodes]
    return svg_page(width, high, title, _STYLE, parts, 20)


def _told_plies(plies: int) -> str:
    return "over" if plies == 0 else f"in {plies} plies" if plies > 1 else "in 1 ply"


def _node(place: tuple[float, float], text: str, kind: str) -> str:
    x, y = place
    box = f'<rect class="{kind}" x="{x - 40}" y="{y - 11}" width="80" height="22" rx="11"/>'
    return box + svg_text(x, y + 4, text, "middle", "light")


def _mixture() -> str:
    """What each number is worth in a battle, against a fixed number and against the mixture."""
    changed = apply_changes(find_rulebook("flag-chase"), {"battle": {"wins": "undercut"}})
    game = Game(changed)
    solution = solve(game)
    battle = read_position(game, "3/3/1*")
    mixture = solution.mixture(battle, Side.TWO)
    always = {number: Fraction(number == 5) for number in mixture}
    left = _worths(game, always, "if player 2 always chooses 5", 60)
    right = _worths(game, mixture, "if player 2 mixes 3, 4 and 5", 370)
    title = "What each number is worth to player 1"
    return svg_page(660, 270, title, _STYLE, [*left, *right], 20)


def _worths(game: Game, other: Mapping[int, Fraction], note: str, left: int) -> Iterator[str]:
    solution = solve(game)
    battle = read_position(game, "3/3/1*")
    yield svg_text(left, 60, note)
    yield f'<line class="grid" x1="{left}" x2="{left + 250}" y1="185" y2="185"/>'
    yield svg_text(left - 8, 189, "0", "end", "small")
    for number in other:
        worth = sum(
            chance * Fraction(solution.value(game.play(battle, parse_move(f"{number}:{two}"))).low)
            for two, chance in other.items()
        )
        x, tall = left + 50 * (number - 1) + 8, abs(float(worth)) * 800
        top = 185 - tall if worth > 0 else 185
        kind = "one" if worth > 0 else "two"
        yield f'<rect class="{kind}" x="{x}" y="{top:.1f}" width="34" height="{max(tall, 1):.1f}"/>'
        yield svg_text(
            x + 17, top - 6 if worth > 0 else top + tall + 14, f"{worth}", "middle", "small"
        )
        yield svg_text(x + 17, 250, str(number), "middle")


def _chain() -> str:
    """Two random players in Blockade Duel: how likely each position is to come up."""
    game = Game(find_rulebook("blockade-duel"))
    plies: list[dict[Position, float]] = [{game.start(): 1.0}]
    while plies[-1]:
        coming: dict[Position, float] = defaultdict(float)
        for position, chance in plies[-1].items():
            moves = game.moves(position)
            for move in moves:
                coming[game.play(position, move)] += chance / len(moves)
        plies.append(dict(coming))
    plies.pop()
    most = max(map(len, plies))
    parts = []
    for ply, found in enumerate(plies):
        parts.append(svg_text(60 + 110 * ply, 64, f"ply {ply}", "middle"))
        for row, (position, chance) in enumerate(found.items()):
            x, y = 60 + 110 * ply, 96 + 52 * row
            winner = game.outcome(position)
            kind = "open" if winner is None else _COLOURS[winner]
            size = 6 + 16 * chance**0.5
            parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="{size:.1f}"/>')
            parts.append(svg_text(x, y + size + 12, f"{position}  {chance:.1%}", "middle", "small"))
    title = "Two random players: every position with its chance, ends in colour"
    return svg_page(110 * len(plies) + 20, 52 * most + 100, title, _STYLE, parts, 20)


def _layers() -> str:
    """The layers of the code, as the import contract has them."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    parts = []
    for row, layer in enumerate(contract["layers"]):
        names = layer.split(" | ")
        wide = 600 / len(names)
        for column, name in enumerate(names):
            x, y = 20 + column * wide, 46 + row * 34
            size = f'width="{wide - 4:.0f}" height="28" rx="4"'
            parts.append(f'<rect class="box" x="{x + 2:.0f}" y="{y}" {size}/>')
            parts.append(svg_text(x + wide / 2, y + 19, name, "middle"))
    high = 46 + 34 * len(contract["layers"]) + 14
    title = "A module imports only from the rows below its own"
    return svg_page(640, high, title, _STYLE, parts, 20)


def main() -> None:
    for name, picture in pictures().items():
        (FOLDER / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
