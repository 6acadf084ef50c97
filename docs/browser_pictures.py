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
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize, sync_playwright

HERE = Path(__file__).parent / "pictures"
DESK: ViewportSize = {"width": 1180, "height": 760}
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
        for name, size, scheme, scene in (
            ("browser-game", DESK, LIGHT, _game),
            ("browser-designer", DESK, DARK, _designer),
            ("browser-phone", PHONE, DARK, _game),
        ):
            page = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
            page.set_default_timeout(PATIENCE)
            page.goto(address)
            scene(page)
            page.screenshot(path=folder / f"{name}.png")
            page.close()
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


def _game(page: Page) -> None:
    """A few moves against the computer, in a game that this browser has a seat of."""
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
    for _ in range(3):
        page.locator("button.move").last.click()
        page.wait_for_timeout(1500)


def _designer(page: Page) -> None:
    """The designer with its rulebook solved."""
    page.goto(f"{page.url}design")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(4000)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
