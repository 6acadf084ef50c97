"""Make the pictures of the browser: `python docs/browser_pictures.py [FOLDER]` serves and looks.

It needs Chromium and the extra `web`. The pages are redrawn by hand when they change: two
browsers draw letters differently, so that no test compares these pictures.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

HERE = Path(__file__).parent / "pictures"
DESK: ViewportSize = {"width": 1180, "height": 760}
FILM: ViewportSize = {"width": 1180, "height": 640}
FILM_WIDTH = 940
PHONE: ViewportSize = {"width": 390, "height": 780}
LIGHT: Literal["light"] = "light"
DARK: Literal["dark"] = "dark"
PATIENCE = 60_000


def main(folder: Path) -> None:
    """Write every picture into a folder."""
    with (
        tempfile.TemporaryDirectory() as own,
        _server(own) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox"],
        )
        page = browser.new_page(viewport=DESK, color_scheme=LIGHT, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        _game(page)
        page.screenshot(path=folder / "browser-game.png")
        page.set_viewport_size(PHONE)  # the same game, as a phone shows it
        page.emulate_media(color_scheme=DARK, reduced_motion="reduce")
        _rest(page)
        page.screenshot(path=folder / "browser-phone.png")
        page.set_viewport_size(DESK)
        _designer(page, address)
        page.screenshot(path=folder / "browser-designer.png")
        page.close()
        page = browser.new_page(viewport=FILM, color_scheme=LIGHT)
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        _film(page).save(folder / "browser-film.webp")
        browser.close()


@contextmanager
def _server(folder: str) -> Iterator[str]:
    """The address of a server that keeps its games in a folder."""
    command = [sys.executable, "-m", "lineduel", "serve", "--port", "0"]
    settings = {"LINEDUEL_DATA": folder, "LINEDUEL_CACHE": f"{folder}/cache"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **settings}
    ) as server:
        assert server.stdout is not None
        said = (line for line in server.stdout if line.startswith("lineduel is on "))
        try:
            yield next(said).split()[-1]
        finally:
            server.terminate()


class Film:
    """What a page shows, looked at as often as it can be."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[tuple[bytes, float]] = []

    def watch(self, seconds: float) -> None:
        """Take pictures for a while; what looks the same as before is only shown longer."""
        until = monotonic() + seconds
        while (start := monotonic()) < until:
            seen = self._page.screenshot(type="png")
            took = monotonic() - start
            if self._frames and self._frames[-1][0] == seen:
                took += self._frames.pop()[1]
            self._frames.append((seen, took))

    def save(self, path: Path) -> None:
        """Write an animated picture that runs for ever."""
        pictures = [_reduced(Image.open(BytesIO(seen))) for seen, _ in self._frames]
        pictures[0].save(
            path,
            save_all=True,
            append_images=pictures[1:],
            duration=[round(1000 * took) for _, took in self._frames],
            loop=0,
            quality=60,
            method=6,
        )


def _reduced(picture: Image.Image) -> Image.Image:
    height = picture.height * FILM_WIDTH // picture.width
    return picture.convert("RGB").resize((FILM_WIDTH, height))


def _film(page: Page) -> Film:
    """A game with captures, and then the designer, which solves what is typed."""
    film = Film(page)
    _begin(page)
    page.locator("button.move").first.wait_for()
    film.watch(0.8)
    for _ in range(3):
        page.locator("button.move").last.click()
        film.watch(2.2)
    page.goto(f"{page.url.partition('/game')[0]}/design")
    page.wait_for_load_state("networkidle")
    page.get_by_text("proved").first.wait_for()
    film.watch(1.5)
    last = page.get_by_label("Last cell")
    last.fill("6")
    film.watch(4.0)
    return film


def _game(page: Page) -> None:
    """A few moves against the computer."""
    _begin(page)
    for _ in range(3):
        page.locator("button.move").last.click()
        page.wait_for_timeout(1500)
    _rest(page)


def _rest(page: Page) -> None:
    """Wait until nothing is asked for any more."""
    page.wait_for_load_state("networkidle")
    page.locator("[aria-busy]").wait_for(state="detached")
    page.get_by_text("One moment").wait_for(state="hidden")
    page.wait_for_timeout(1000)


def _begin(page: Page) -> None:
    """Open a game against the computer that this browser has a seat of."""
    page.evaluate(
        """async () => {
          const asked = { game: "cross-over", opponent: "level:3", seat: "P1" };
          const made = await (await fetch("/api/live", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(asked),
          })).json();
          sessionStorage.setItem(
            `lineduel.games.${made.id}`, JSON.stringify({ token: made.seats.P1 }));
          location.href = `/game/${made.id}`;
        }"""
    )
    page.wait_for_url("**/game/*")


def _designer(page: Page, address: str) -> None:
    """The designer with its rulebook solved."""
    page.goto(f"{address.rstrip('/')}/design")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(4000)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
