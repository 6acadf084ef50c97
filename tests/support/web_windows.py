"""Real browser windows that play on a real server."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Response, WebSocket, expect

from support.browser_pages import clean_page
from support.web_server import Server

_NOT_OURS = "net::ERR_"
"""Chromium's own words about a connection that broke; the page says so in words of its own."""
_OWN_ICON = "/favicon.ico"
"""What a browser asks for by itself, when it likes, once a picture is opened as a page."""


class Window:
    """A window with everything that reached it; it complains about errors and foreign requests."""

    page: Page

    def __init__(self, server: Server) -> None:
        self.server = server
        self.frames: list[str] = []
        self.responses: list[Response] = []
        self.wrong: list[str] = []
        self.listeners: dict[str, Callable[[Any], None]] = {
            "console": self._console,
            "pageerror": lambda error: self.wrong.append(str(error)),
            "request": lambda request: self._request(request.url),
            "response": lambda response: self.responses.append(response),
            "websocket": self._socket,
        }

    def _console(self, message: Any) -> None:
        path = message.location["url"].removeprefix(self.server.address)
        wrong = message.type in ("error", "warning") and _NOT_OURS not in message.text
        if wrong and path != _OWN_ICON:
            self.wrong.append(f"{message.text} {path}")

    def _request(self, url: str) -> None:
        own = (self.server.address, f"blob:{self.server.address}", "data:")
        if not url.startswith(own):
            self.wrong.append(f"a request to {url}")

    def _socket(self, socket: WebSocket) -> None:
        if not socket.url.startswith(self.server.address.replace("http", "ws", 1)):
            self.wrong.append(f"a connection to {socket.url}")
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def bodies(self, since: int) -> dict[str, bytes]:
        """What came over HTTP after so many responses, by its address."""
        came = [one for one in self.responses[since:] if one.status == 200]
        return {one.url.removeprefix(self.server.address): one.body() for one in came}

    def go(self, path: str = "/") -> None:
        """Open a page of the server."""
        self.page.goto(f"{self.server.address}{path}")

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def choose(self, opponent: str, seat: str = "Player 1") -> None:
        """Choose opponent and seat on the first page."""
        setup = self.find("details.choices")
        self.find(".game .cell").first.wait_for()
        if setup.get_attribute("open") is None:
            setup.locator("summary").click()
        self.page.get_by_role("radio", name=opponent).check()
        self.page.get_by_role("radio", name=seat).check()

    def begin(self, game: str, opponent: str = "Someone here", seat: str = "Player 1") -> None:
        """Begin a game from the first page."""
        self.go()
        self.choose(opponent, seat)
        self.page.get_by_role("button", name=re.compile(f"^{re.escape(game)}")).click()
        self.wait_for_view()

    def wait_for_view(self) -> None:
        """Wait until the game is there."""
        self.find(".sentence:not(:empty)").wait_for()

    def more(self, action: str) -> None:
        """Choose something from the menu of a game."""
        self.find(".actions .menu:not(.say) summary").click()
        self.page.get_by_role("button", name=action).click()

    @property
    def sentence(self) -> str:
        return self.find(".sentence").inner_text()

    @property
    def turns(self) -> int:
        return self.find(".log li").count()

    @property
    def is_over(self) -> bool:
        return self.find(".duel.over").count() == 1

    def cell(self, label: str) -> Locator:
        """A cell of the board by the number printed under it."""
        return self.page.get_by_role("button", name=re.compile(f"^Cell {re.escape(label)}, "))


@contextmanager
def opened(browser: Browser, server: Server, **options: Any) -> Iterator[Window]:
    """A window in a browser profile of its own; nothing may go wrong in it."""
    options.setdefault("reduced_motion", "reduce")
    window = Window(server)
    with clean_page(browser, window.listeners, **options) as window.page:
        yield window
        assert window.wrong == [], window.wrong


@contextmanager
def friends(browser: Browser, server: Server, game: str) -> Iterator[tuple[Window, Window]]:
    """Two windows at one game, joined by link."""
    with opened(browser, server) as one, opened(browser, server) as two:
        one.begin(game, "A friend by link")
        link = one.find(".invitation .link").input_value()
        two.page.goto(link)
        two.wait_for_view()
        one.find(".invitation").wait_for(state="hidden")
        yield one, two


def play_to_the_end(
    windows: tuple[Window, Window],
    seed: int = 1,
    before_turn: Callable[[int], None] = lambda turn: None,
) -> int:
    """Play moves and numbers by chance until both windows say who won; the number of turns."""
    chance = random.Random(seed)
    first, second = windows
    for turn in range(400):
        before_turn(turn)
        for window in windows:
            expect(window.find(".log li")).to_have_count(turn)
        if first.is_over:
            expect(second.find(".duel.over")).to_have_count(1)
            return turn
        answer(windows, chance)
    raise AssertionError("the game does not end")


def answer(windows: tuple[Window, Window], chance: random.Random) -> None:
    """One turn: a move of whoever is asked, or a number of each."""
    first, second = windows
    while True:
        for window in windows:
            moves = window.find("button.move:enabled")
            if count := moves.count():
                moves.nth(chance.randrange(count)).click()
                return
        if first.find("button.number").count() and second.find("button.number").count():
            for window in windows:
                numbers = window.find("button.number")
                numbers.nth(chance.randrange(numbers.count())).click()
            return
        first.page.wait_for_timeout(30)
