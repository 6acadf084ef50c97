"""Make the pictures of the documents: `python docs/captures.py [FOLDER]` plays, and draws it.

A test runs this, too, and compares, so that the pictures show what the program shows.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from queue import Queue
from random import Random
from unittest.mock import patch

from textual.pilot import Pilot
from textual.strip import Strip

from animation import Film
from lineduel.engine import Game, Move, Step
from lineduel.match import Match, Saves
from lineduel.play import Session
from lineduel.record import parse_move
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side
from lineduel.tui.app import LineduelApp
from lineduel.tui.board import Board

HERE = Path(__file__).parent / "captures"
PATIENCE = 60
CALM = 5
"""How often in a row a screen has to look the same before it is at rest."""
WIDE, NARROW, FILM = (100, 30), (72, 20), (80, 24)
HOUR = 3600
THEMES = ("dark", "light")
GAME = "P1-B+2 P1-C+2 P1-C+2 P1-A+1 P1-A+1 P1-B+2 P1-B+2"
"""What a person plays in the film; the computer's answers come from the seed."""
LOST = "P1+3 P2+3 P1+1 P2+3"
"""A game that is lost with its first move, for the review."""

Scene = Callable[[Pilot[int]], Awaitable[None]]


def main(folder: Path) -> None:
    """Write every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own:
        os.environ |= {
            "LINEDUEL_DATA": f"{own}/data",
            "LINEDUEL_CACHE": f"{own}/cache",
            "LINEDUEL_CONFIG": f"{own}/config.toml",
        }
        for name, size, match, scene in (
            ("home", WIDE, None, _home),
            ("values", WIDE, _match("cross-over:no-jump", "human", "level:3"), _values),
            ("battle", NARROW, _match("flag-chase", "human", "human"), _battle),
            ("review", WIDE, _played("ctf-tokens", "human", "level:3", moves=LOST), _review),
        ):
            for theme, svg in asyncio.run(_draw(name, match, size, scene)).items():
                (folder / f"{name}-{theme}.svg").write_text(svg, encoding="utf-8")
        for theme in THEMES:
            film = asyncio.run(_film(theme))
            (folder / f"game-{theme}.svg").write_text(film, encoding="utf-8")


def _played(game: str, *seats: str, moves: str) -> Match:
    """A match that is over."""
    match = _match(game, *seats)
    for move in moves.split():
        match.session.play(parse_move(move))
    return match


def _match(game: str, *seats: str) -> Match:
    return Match(Session(Game(find_rulebook(game)), seats=(seats[0], seats[1]), seed=1), Saves())


async def _film(theme: str) -> str:
    """A whole game against the computer, and its review."""
    match = _match("cross-over", "human", "level:3")
    app = LineduelApp(match, theme=theme, rng=Random(1))
    film = Film(*FILM, theme)
    answers = _hold_back(match)
    with patch("lineduel.tui.board.FRAME", HOUR):  # the pictures of a move are taken one by one
        async with app.run_test(size=FILM) as pilot:
            await _see(pilot, "Your move.")
            await _settle(pilot)
            film.add(_rows(pilot), 0.8)
            for move in GAME.split():
                await _aim(pilot, film, move)
                await pilot.press("enter")
                await _settle(pilot)
                await _glide(pilot, film)
                if match.session.winner is None:
                    answers.put(None)
                    await _see(pilot, "Your move.")
                    await _settle(pilot)
                    await _glide(pilot, film)
            film.add(_rows(pilot), 1.5)
            await pilot.press("enter")
            await _see(pilot, "the turning point")
            await _settle(pilot)
            film.add(_rows(pilot), 4)
            app.leave(None)
    return film.svg("A game of Cross Over against the computer, and its review")


def _hold_back(match: Match) -> "Queue[None]":
    """Let the computer answer only when something is put into the queue."""
    answers: Queue[None] = Queue()
    think = match.think

    def think_later(side: Side) -> Move | int:
        answers.get(timeout=PATIENCE)
        return think(side)

    match.think = think_later  # type: ignore[method-assign]
    return answers


async def _aim(pilot: Pilot[int], film: Film, move: str) -> None:
    """Choose a move with the arrows."""
    board = pilot.app.screen.query_one(Board)
    piece = move.rstrip("+12")
    while str(board.aimed) != move:
        there = isinstance(board.aimed, Step) and board.aimed.piece == piece
        await pilot.press("right" if there else "down")
        await _settle(pilot)
        film.add(_rows(pilot), 0.25)


async def _glide(pilot: Pilot[int], film: Film) -> None:
    """Every picture of a moving piece, and then the screen at rest."""
    board = pilot.app.screen.query_one(Board)
    while board._timer is not None:
        film.add(_rows(pilot), 0.1)
        board._next_frame()
        await _settle(pilot)
    film.add(_rows(pilot), 0.45)


async def _settle(pilot: Pilot[int]) -> None:
    """Wait until the screen was the same several times in a row, however slow the machine is."""
    rows, looks = _rows(pilot), 1
    while looks < CALM:
        await pilot.pause(0.02)
        before, rows = rows, _rows(pilot)
        looks = looks + 1 if rows == before else 1


def _rows(pilot: Pilot[int]) -> list[Strip]:
    return pilot.app.screen._compositor.render_strips()


async def _draw(
    name: str, match: Match | None, size: tuple[int, int], scene: Scene
) -> dict[str, str]:
    """The same screen in both themes."""
    app = LineduelApp(match, animated=False, theme=THEMES[0], rng=Random(1))
    drawn = {}
    async with app.run_test(size=size) as pilot:
        await scene(pilot)
        for theme in THEMES:
            app.theme = f"lineduel-{theme}"
            await _settle(pilot)
            still = Film(*size, theme)
            still.add(_rows(pilot), 1)
            drawn[theme] = still.svg(f"The terminal: {name}")
        app.leave(None)
    return drawn


async def _see(pilot: Pilot[int], text: str) -> None:
    """Wait for a text."""
    for _ in range(PATIENCE * 20):
        rows = pilot.app.screen._compositor.render_strips()
        if text in " ".join(" ".join(strip.text for strip in rows).split()):
            return
        await pilot.pause(0.05)
    raise TimeoutError(text)


async def _home(pilot: Pilot[int]) -> None:
    await _see(pilot, "New here?")
    await _see(pilot, "►")


async def _values(pilot: Pilot[int]) -> None:
    await _see(pilot, " move.")
    await pilot.press("v")
    for key, answer in (("2", " 2 P2-"), ("2", " 4 P2-"), ("3", " 6 P2-")):
        await pilot.press(key)
        await _see(pilot, answer)
    await pilot.press("i")
    await _see(pilot, "(i: why)")
    await pilot.press("i")
    await _see(pilot, "(i: the move)")


async def _battle(pilot: Pilot[int]) -> None:
    await pilot.press(*"1111")
    for number in "42":
        await _see(pilot, "Hand the keyboard")
        await pilot.press("enter")
        await _see(pilot, "(hidden while you type)")
        await pilot.press(number)
    await _see(pilot, "go on")


async def _review(pilot: Pilot[int]) -> None:
    await _see(pilot, "Enter review")
    await pilot.press("enter")
    await _see(pilot, "Better:")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
