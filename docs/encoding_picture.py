"""Draws the encoding of actions and observations for docs/environments.md.

`python docs/encoding_picture.py` makes the picture anew.
"""

from collections.abc import Iterator
from pathlib import Path

from lineduel import Game, Side, find_rulebook
from lineduel.envs import Encoding
from lineduel.svg import svg_page, svg_text

PICTURE = Path(__file__).parent / "pictures" / "encoding.svg"
_BOX, _LEFT = 30, 20
_STYLE = """\
.small{font-size:11px;fill:#666}
.box{fill:#fff;stroke:#999}
.on{fill:#2563a8;stroke:#999}
.light{fill:#fff;font-weight:600}
.step{fill:#e6effa;stroke:#999}
.number{fill:#fbeedd;stroke:#999}"""


def picture() -> str:
    """Actions and one observation of Flag Chase, whose first battle is open."""
    game = Game(find_rulebook("flag-chase"))
    position = game.start()
    for move in (0, 0, 0, 0):
        position = game.play(position, game.moves(position)[move])
    encoding = Encoding(game.rules)
    parts = [
        *_actions(encoding, 70),
        svg_text(_LEFT, 168, f"What player 1 sees of {position}, the battle on cell 3"),
        *_observation(encoding, encoding.observation(position, Side.ONE).tolist(), 182),
    ]
    title = "Flag Chase: actions and observations"
    return svg_page(660, 340, title, _STYLE, parts, _LEFT)


def _actions(encoding: Encoding, top: int) -> Iterator[str]:
    yield svg_text(_LEFT, top - 8, "Actions of player 1")
    for action in range(encoding.actions + 1):
        x = _LEFT + action * 66
        kind = "step" if action < encoding.pass_action else "box"
        kind = "number" if encoding.first_number <= action < encoding.actions else kind
        yield f'<rect class="{kind}" x="{x}" y="{top}" width="62" height="{_BOX}"/>'
        yield svg_text(x + 31, top + 20, encoding.action_name(Side.ONE, action), "middle")
        yield svg_text(x + 31, top + 45, str(action), "middle", "small")
    notes = ((0, "piece × step"), (encoding.pass_action, "forced"), (3, "numbers in a battle"))
    for action, note in notes:
        yield svg_text(_LEFT + action * 66, top + 64, note, kind="small")
    yield svg_text(_LEFT + encoding.wait * 66, top + 64, "parallel only", kind="small")


def _observation(encoding: Encoding, seen: list[int], top: int) -> Iterator[str]:
    names = [
        *(f"own piece {piece + 1}" for piece in range(encoding.pieces)),
        *(f"enemy piece {piece + 1}" for piece in range(encoding.pieces)),
        "cell of the battle",
    ]
    for row, name in enumerate(names):
        y = top + row * (_BOX + 6)
        yield svg_text(_LEFT + 130, y + 20, name, "end")
        for cell in range(encoding.cells):
            at = row * encoding.cells + cell
            yield from _bit(_LEFT + 140 + cell * _BOX, y, at, seen[at])
    for number, name in enumerate(("this side is player 2", "this side moves (after the battle)")):
        at = encoding.size - 2 + number
        y = top + number * (_BOX + 6)
        yield from _bit(_LEFT + 340, y, at, seen[at])
        yield svg_text(_LEFT + 380, y + 20, name)


def _bit(x: int, y: int, at: int, bit: int) -> Iterator[str]:
    yield f'<rect class="{"on" if bit else "box"}" x="{x}" y="{y}" width="{_BOX}" height="{_BOX}"/>'
    yield svg_text(x + _BOX / 2, y + 20, str(at), "middle", "light" if bit else "small")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
