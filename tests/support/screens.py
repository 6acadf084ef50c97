"""Somebody in front of the whole screen, without a terminal: Textual's pilot holds the keys."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from datetime import datetime
from itertools import pairwise
from random import Random
from unittest.mock import patch

from textual import events
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.geometry import Offset, Size
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from lineduel.engine import Game
from lineduel.match import Match, MatchSettings, Saves
from lineduel.play import Session
from lineduel.rulebooks import find_rulebook
from lineduel.solve import Cache
from lineduel.tui.app import LineduelApp
from lineduel.tui.board import Board
from support.program import PATIENCE

GLANCE = 0.02
_SAME = 10
"""How often in a row a screen looks the same before it is at rest."""
SMALL, LARGE = (60, 20), (120, 36)
HUSH = """
title = "Hush"
summary = "Cells without a secret in their names."
[track]
first = 20
last = 24
[player1]
pieces = { Ann = 20 }
goal = [24]
[player2]
pieces = { Bob = 24 }
goal = [20]
[turn]
first = "player1"
[move]
steps = [1, -1]
edge = "stay"
[meet]
own = "blocked"
enemy = "battle"
[battle]
numbers = 9
wins = "higher"
"""
"""A rulebook on whose screens no 6 and no 8 is seen, unless it was chosen in a battle."""


class Viewer:
    """Presses keys, clicks, and reads what the screen shows."""

    def __init__(self, app: LineduelApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def strips(self) -> list[Strip]:
        """The rows of the screen as they are drawn, whatever lies behind a dialog included."""
        return self.app.screen._compositor.render_strips()

    @property
    def rows(self) -> list[str]:
        return [strip.text.rstrip() for strip in self.strips]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def words(self) -> str:
        """The text without the places where lines are folded."""
        return " ".join(self.text.split())

    @property
    def messages(self) -> list[str]:
        """What popped up at the edge, newest last."""
        return [str(one.message) for one in self.app._notifications]

    @property
    def board(self) -> Board:
        return self.app.screen.query_one(Board)

    async def press(self, *keys: str) -> None:
        """Keys one after the other, each once the screen has taken in the one before."""
        for key in keys:
            self.app.simulate_key(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """A text, letter by letter."""
        await self.press(*text)

    async def resize(self, columns: int, rows: int) -> None:
        size = Size(columns, rows)
        self.app.post_message(events.Resize(size, size))
        await self.until(lambda: self.app.screen.size == size)

    async def settle(self) -> None:
        """Until nothing is left to do; the pilot's own pause would wait for an idle processor."""
        for _ in range(3):
            await self.pilot._wait_for_screen()
            await asyncio.sleep(0)

    async def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Wait for something, and no longer than needed."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what or condition} did not happen; there is:\n{self.text}")
            await asyncio.sleep(GLANCE)
        await self.settle()

    async def rest(self) -> None:
        """Wait until the screen looks the same whenever one looks; its layout settles late."""
        seen, times = "", 0
        while times < _SAME:
            await asyncio.sleep(GLANCE)
            await self.settle()
            seen, times = (now := self.text), times + 1 if now == seen else 0

    async def see(self, *texts: str) -> None:
        """Wait until all of these are on the screen."""
        for text in texts:
            await self.until(lambda text=text: text in self.words, f"'{text}'")  # type: ignore[misc]

    async def hear(self, text: str) -> None:
        """Wait for a message at the edge of the screen."""
        await self.until(lambda: any(text in one for one in self.messages), f"'{text}'")

    async def screen(self, name: str) -> None:
        """Wait for a screen, by the name of its class."""
        await self.until(lambda: type(self.app.screen).__name__ == name, name)

    async def review(self) -> None:
        """Once the game is over, open its review."""
        await self.see("Enter review")
        await self.press("enter")
        await self.screen("ReviewScreen")

    async def click(self, text: str) -> None:
        """Click where a text stands, once it stands still."""
        place = self._place(text)
        await self.pilot.pause()
        while place != (place := self._place(text)):
            await self.pilot.pause()
        await self.click_at(*place)

    def _place(self, text: str) -> tuple[int, int]:
        """The middle of a text on the screen."""
        for y, row in enumerate(self.rows):
            if text in row:
                return row.index(text) + len(text) // 2, y
        raise AssertionError(f"'{text}' is not there to click:\n{self.text}")

    async def click_at(self, x: int, y: int) -> None:
        await self.pilot.click(offset=Offset(x, y))

    async def click_cell(self, label: str) -> None:
        """Click into the cell with that label."""
        bottom = next(y for y, row in enumerate(self.rows) if row.lstrip().startswith("└"))
        row = self.rows[bottom]
        borders = [x for x, letter in enumerate(row) if letter in "└┴┘"]
        for left, right in pairwise(borders):
            if row[left + 1 : right].strip("─") == label:
                await self.click_at((left + right) // 2, bottom - 2)
                return
        raise AssertionError(f"no cell {label}:\n{self.text}")


@asynccontextmanager
async def viewer(
    match: Match | None = None,
    *,
    size: tuple[int, int] = (90, 32),
    theme: str = "dark",
    animated: bool = False,
    seed: int = 1,
    every_frame: bool = False,
    clock: Callable[[], datetime] = datetime.now,
) -> AsyncIterator[Viewer]:
    """The program on a screen of that size, at home or straight in a match.

    In a match the programs have taken their seats.

    Unless every frame is asked for, one is drawn whenever the test looks, and at the end: to draw
    those that nobody sees takes a quarter of the time.
    """
    app = LineduelApp(match, animated=animated, theme=theme, rng=Random(seed), clock=clock)
    lasting = patch.object(
        LineduelApp, "NOTIFICATION_TIMEOUT", 600.0
    )  # however slow the machine is
    frames = patch.object(Compositor, "render_update", _leave_undrawn)
    with lasting, nullcontext() if animated or every_frame else frames:
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            somebody = Viewer(app, pilot)
            if match is not None:
                await somebody.until(lambda: "takes its seat" not in somebody.words, "seats taken")
            yield somebody
            if not app.is_leaving:
                # The review that opens after a game has no size at first.
                await somebody.until(lambda: somebody.strips, "the last screen")
                app.leave(None)


def _leave_undrawn(
    compositor: Compositor, *, screen_stack: list[Screen[object]] | None = None
) -> None:
    """In place of a frame for a terminal that is not there."""
    visible_screen_stack.set(screen_stack or [])
    compositor._dirty_regions.clear()


def match_of(
    game: str, *seats: str, coach: bool = False, seed: int = 1, position: str | None = None
) -> Match:
    """A game at its start, or anywhere; two people unless seats are given."""
    from lineduel.record import parse_position

    start = parse_position(position).unchecked() if position else None
    pair = (seats[0], seats[1]) if seats else ("human", "human")
    session = Session(Game(find_rulebook(game)), start, pair, seed)
    return Match(session, Saves(), MatchSettings(cache=Cache(), coach=coach))
