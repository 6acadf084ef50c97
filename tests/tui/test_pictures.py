"""Every screen of every game looks as it did: its characters and its colours, at two sizes."""

import asyncio
import difflib
import os
import time
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random

import pytest
from rich.style import Style
from textual.screen import ModalScreen
from textual.strip import Strip

from lineduel.engine import Game
from lineduel.match import Match, Saves
from lineduel.play import Session
from lineduel.record import Record
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.tui.review import ReviewScreen
from support.screens import LARGE, SMALL, Viewer, match_of, viewer

GOLDEN = Path(__file__).parents[1] / "golden" / "screens"
UPDATE = "LINEDUEL_UPDATE_GOLDEN"
DAY = datetime(2026, 1, 2, 3, 4, 5)
CALM = 4
"""A picture that is not the golden one is taken once it was the same so many times in a row."""
LATE = 10.0
"""Seconds that a picture may come to look as it should."""
THEMES = ("dark", "light")
at_every_size = pytest.mark.parametrize("size", [SMALL, LARGE])


@cache
def look(style: Style | None) -> str:
    """A style as its colours and what else is seen of it."""
    if style is None:
        return "none"
    words = [word for word in ("bold", "underline", "reverse", "dim") if getattr(style, word)]
    colours = [
        colour.get_truecolor().hex if colour else "none" for colour in (style.color, style.bgcolor)
    ]
    return " ".join((*words, " on ".join(colours)))


def colours_of(strips: list[Strip]) -> str:
    """The rows as runs of styles: how many columns look like which entry of a small palette."""
    palette: dict[str, str] = {}
    rows = []
    for strip in strips:
        cells = [
            palette.setdefault(look(style), f"{len(palette)}")
            for text, style, _ in strip
            for _ in range(len(text))
        ]
        runs = (f"{len(list(run))}x{name}" for name, run in groupby(cells))
        rows.append(" ".join(runs))
    told = [f"{name} = {style}" for style, name in palette.items()]
    for row, same in groupby(rows):
        count = len(list(same))
        told.append(f"{row}   ({count} rows)" if count > 1 else row)
    return "\n".join(told)


def seen(screen: Viewer) -> list[Strip]:
    """The rows of a screen, or of the dialog on it without what shines through around it."""
    top = screen.app.screen
    if not isinstance(top, ModalScreen):
        return screen.strips
    x, y, width, height = top.children[-1].region  # the first holds notifications
    return [strip.crop(x, x + width) for strip in screen.strips[y : y + height]]


async def calm(screen: Viewer, looks: int) -> list[Strip]:
    """The screen at rest: the same so many times in a row."""
    before, same = seen(screen), 0
    while same < looks:
        await asyncio.sleep(0.005)
        await screen.settle()
        now = seen(screen)
        same = same + 1 if now == before else 0
        before = now
    return before


class Album:
    """Pictures at one size in both themes, compared with those of the golden files."""

    def __init__(self, name: str, size: tuple[int, int]) -> None:
        self._size = size
        self._files = {
            theme: GOLDEN / f"{name}-{size[0]}x{size[1]}-{theme}.txt" for theme in THEMES
        }
        self._taken: dict[str, list[str]] = {theme: [] for theme in THEMES}
        updates = os.environ.get(UPDATE)
        self._golden = {
            theme: "" if updates or not file.exists() else file.read_text(encoding="utf-8")
            for theme, file in self._files.items()
        }

    def viewer(self, match: Match | None = None) -> AbstractAsyncContextManager[Viewer]:
        return viewer(match, size=self._size, theme=THEMES[0])

    async def add(self, screen: Viewer, name: str, *keys: str) -> None:
        """Take a picture in each theme; keys open a dialog for it, and Esc closes that again."""
        await screen.press(*keys)
        now = screen.app.theme.removeprefix("lineduel-")
        for theme in sorted(THEMES, key=lambda theme: theme != now):  # to change it takes long
            screen.app.theme = f"lineduel-{theme}"
            await self._add_in(theme, screen, name)
        if keys:
            await screen.press("escape")

    async def _add_in(self, theme: str, screen: Viewer, name: str) -> None:
        golden, end = self._golden[theme], time.monotonic() + LATE
        picture = await self._picture(screen, name, looks=1 if golden else CALM)
        while golden and picture not in golden and time.monotonic() < end:
            picture = await self._picture(screen, name, looks=CALM)  # drawn late, or not at all
        self._taken[theme].append(picture)

    async def _picture(self, screen: Viewer, name: str, looks: int) -> str:
        strips = await calm(screen, looks)
        rows = [strip.text.rstrip() for strip in strips]
        return "\n".join((f"=== {name}", *rows, colours_of(strips)))

    def check(self) -> None:
        for theme, file in self._files.items():
            text = "\n".join(self._taken[theme]) + "\n"
            if os.environ.get(UPDATE):
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
            golden = file.read_text(encoding="utf-8")
            changed = difflib.unified_diff(
                golden.splitlines(), text.splitlines(), "golden", "now", n=1
            )
            if text != golden:
                pytest.fail("\n".join([*list(changed)[:60], f"({UPDATE}=1 takes it over)"]))


def a_game(id: str) -> Record:
    """A finished game, played at random."""
    session, rng = Session(Game(find_rulebook(id))), Random(id)
    while session.winner is None:
        session.play(rng.choice(session.game.moves(session.position)))
    return session.record([("Date", f"{DAY:%Y.%m.%d}")])


@at_every_size
async def test_home_and_the_games_played(size: tuple[int, int]) -> None:
    """With nothing played yet, with games to go on with, and the list and figures of those."""
    album = Album("home", size)
    async with album.viewer() as home:
        await home.until(lambda: home.text.count("►") >= 4)
        await album.add(home, "home")
    record = match_of("cross-over", "human", "level:3").session.record([("Date", "2026.01.02")])
    against_easy = replace(
        a_game("blockade-duel"),
        tags=(("Player1", "human"), ("Player2", "level:3"), ("Date", f"{DAY:%Y.%m.%d}")),
    )
    for at, played in enumerate((against_easy, a_game("flag-chase"), record)):
        path = Saves().add(played, DAY.replace(second=at))
        os.utime(path, (at, at))
    async with album.viewer() as home:
        await home.until(lambda: "continue Cross Over" in home.words)
        await home.until(lambda: home.text.count("►") >= 4)
        await album.add(home, "home with a game to continue")
        await home.press("g")
        await home.see("Your games 3 games")
        await album.add(home, "your games")
        await home.press("s")
        await home.see("Puzzle rating")
        await home.until(lambda: "Reviewing" not in home.text)
        await album.add(home, "statistics")
    album.check()


@pytest.mark.parametrize(
    ("id", "size"),
    [
        *((address, SMALL) for address in SHIPPED),
        *((address, LARGE) for address in (SHIPPED[0], "flag-chase")),
        *(
            pytest.param(address, LARGE, marks=pytest.mark.long)
            for address in SHIPPED[1:]
            if address != "flag-chase"
        ),
    ],
)
async def test_every_screen_of_a_game(id: str, size: tuple[int, int]) -> None:
    """Setting it up, its rules and puzzles, the board with and without values, its review."""
    album, number = Album(id, size), SHIPPED.index(id) + 1
    async with album.viewer() as screen:
        await screen.until(lambda: screen.text.count("►") >= 4)
        await screen.press(*["down"] * (number - 1))
        await album.add(screen, "setup", "enter")
        await album.add(screen, "rules", "b")
        await screen.press("z")
        await screen.until(lambda: "good move" in screen.words)
        await album.add(screen, "puzzle")
        if "find the only" in screen.words:
            await screen.press("enter")
            await screen.see("solved;")
            await album.add(screen, "verdict")
    match = match_of(id, "human", "level:3")
    async with album.viewer(match) as screen:
        await screen.see(" move.")
        await album.add(screen, "start")
        await screen.press("1")
        # Nobody is given a hint before the answer has come.
        await screen.until(lambda: len(match.session.turns) == 2 and " move." in screen.words)
        await screen.press("i")
        await screen.see(" move.", "Hint: ")
        await screen.press("v")
        await screen.until(lambda: any(sign in screen.text for sign in "✓✗∞"))
        await album.add(screen, "values and a hint")
        if number == 1:
            await album.add(screen, "keys", "question_mark")
            await album.add(screen, "resigning", "r")
            await album.add(screen, "typing a move", "m")
    async with album.viewer() as screen:
        screen.app.push_screen(ReviewScreen(a_game(id)))
        await screen.screen("ReviewScreen")
        await screen.until(lambda: "Solving" not in screen.text)
        await album.add(screen, "review")
        await screen.press("up")
        await album.add(screen, "review of a mistake")
    if find_rulebook(id).rules.battle:
        await battle(album, id)
    album.check()


async def battle(album: Album, id: str) -> None:
    async with album.viewer(match_of(id, position="3/3/1*")) as screen:
        await screen.see("Hand the keyboard to player 1.")
        await album.add(screen, "curtain")
        await screen.press("enter")
        await screen.see("(hidden while you type)")
        await album.add(screen, "choosing")
        await screen.press("4")
        await screen.see("player 2.")
        await screen.press("escape")
        await screen.see("A battle is open.")
        await album.add(screen, "open battle")
        await screen.press("enter")
        await screen.see("Hand the keyboard to player 2.")
        await screen.press("enter", "2")
        await screen.see("Enter go on")
        await album.add(screen, "reveal")
    async with album.viewer(match_of(id, "human", "perfect", position="3/3/1*")) as screen:
        await screen.see("Choose a number")
        await album.add(screen, "battle against the computer")


@at_every_size
async def test_a_long_track_folds(tmp_path: Path, size: tuple[int, int]) -> None:
    """64 cells with two-letter pieces, at both sizes."""
    from tui.test_duel import long_way

    album = Album("long-track", size)
    async with album.viewer(match_of(str(long_way(tmp_path)))) as screen:
        await screen.see(" move.")
        await album.add(screen, "start")
        await screen.press("1")
        await screen.see("Player 2 to move.")
        await album.add(screen, "player 2 at the other end")
    album.check()
