"""Make the README's pictures: `python docs/captures.py [FOLDER]` plays, and draws what it sees.

A test runs this, too, and compares, so that the pictures show what the program shows.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from textual.pilot import Pilot

from lineduel.engine import Game
from lineduel.match import Match, Saves
from lineduel.rulebooks import find_rulebook
from lineduel.session import Session
from lineduel.tui.app import LineduelApp

HERE = Path(__file__).parent / "captures"
PATIENCE = 20
WIDE, NARROW = (100, 26), (72, 20)

Scene = Callable[[Pilot[int]], Awaitable[None]]


def main(folder: Path) -> None:
    """Write every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own:
        os.environ |= {"LINEDUEL_DATA": f"{own}/data", "LINEDUEL_CACHE": f"{own}/cache"}
        for name, theme, size, match, scene in (
            ("home", "dark", WIDE, None, _home),
            ("values", "light", WIDE, _match("cross-over", "human", "level:3"), _values),
            ("battle", "dark", NARROW, _match("flag-chase", "human", "human"), _battle),
            ("review", "light", WIDE, _match("blockade-duel", "human", "human"), _review),
        ):
            svg = asyncio.run(_draw(match, theme, size, scene))
            (folder / f"{name}.svg").write_text(svg, encoding="utf-8")


def _match(game: str, *seats: str) -> Match:
    return Match(Session(Game(find_rulebook(game)), seats=(seats[0], seats[1]), seed=1), Saves())


async def _draw(match: Match | None, theme: str, size: tuple[int, int], scene: Scene) -> str:
    app = LineduelApp(match, animated=False, theme=theme, rng=Random(1))
    async with app.run_test(size=size) as pilot:
        await scene(pilot)
        before = ""
        while before != (before := _plain(app.export_screenshot())):
            await pilot.pause(0.2)
        app.leave(None)
    return before


def _plain(svg: str) -> str:
    """The same picture on every run, with the fonts of whoever looks at it."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "monospace").replace("Fira Code", "monospace")
    svg = re.sub(r"terminal-\d+", "screen", svg)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


async def _see(pilot: Pilot[int], text: str) -> None:
    """Wait for a text."""
    for _ in range(PATIENCE * 20):
        rows = pilot.app.screen._compositor.render_strips()
        if text in " ".join(" ".join(strip.text for strip in rows).split()):
            return
        await pilot.pause(0.05)
    raise TimeoutError(text)


async def _home(pilot: Pilot[int]) -> None:
    await _see(pilot, "►")
    await pilot.press("down", "down", "down", "down")


async def _values(pilot: Pilot[int]) -> None:
    await _see(pilot, " move.")
    await pilot.press("v", "2")
    await _see(pilot, "P2-")
    await pilot.press("1")
    await _see(pilot, " 4 P2-")
    await pilot.press("i")
    await _see(pilot, "Hint: ")


async def _battle(pilot: Pilot[int]) -> None:
    await pilot.press(*"1111")
    for number in "42":
        await _see(pilot, "Hand the keyboard")
        await pilot.press("enter")
        await _see(pilot, "it is not shown")
        await pilot.press(number)
    await _see(pilot, "go on")


async def _review(pilot: Pilot[int]) -> None:
    await pilot.press(*"121211")
    await _see(pilot, "accuracy")
    await pilot.press("up")
    await _see(pilot, "better:")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
