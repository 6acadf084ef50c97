"""The page for everyone: an accessibility scan of every page, in both themes."""

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from support.web_server import Server
from support.web_windows import Window, friends, opened

THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")


def check(window: Window) -> None:
    """No rule of accessibility is broken here, in either theme."""
    for theme in THEMES:
        window.page.emulate_media(color_scheme=theme)
        found = Axe().run(window.page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_no_page_breaks_a_rule_of_accessibility(browser: Browser, server: Server) -> None:
    """The first page, a game at its start and at its end, an invitation, a page that is missing."""
    with opened(browser, server) as window:
        window.go()
        window.choose("Someone here")
        window.find(".bar .menu summary").click()
        check(window)
        window.page.get_by_role("button", name="Rules of Cross Over").click()
        window.find("dialog .rule-picture").first.wait_for()
        check(window)
        window.page.get_by_role("button", name="Close").click()
        window.begin("Cross Over")
        window.cell("2").click()
        window.find(".more summary").click()
        check(window)
        window.more("Resign")
        check(window)
        window.find("dialog .primary").click()
        expect(window.find(".duel.over")).to_have_count(1)
        check(window)
        window.begin("Cross Over", "A friend by link")
        window.find(".invitation .only-here").wait_for()
        check(window)
        window.go("/game/nothing")
        window.find("h1").wait_for()
        check(window)


@pytest.mark.long
def test_a_battle_breaks_no_rule_of_accessibility(browser: Browser, server: Server) -> None:
    """While numbers are chosen: on a screen that two share, behind the curtain and before it."""
    with opened(browser, server) as window:
        window.begin("Flag Chase")
        for turn in range(4):
            expect(window.find(".log li")).to_have_count(turn)
            expect(window.find("button.move, .numbers button").first).to_be_visible()
            if window.find(".numbers button").count():
                break
            window.find("button.move").first.click()
        check(window)
        window.page.get_by_role("button", name="is ready").click()
        check(window)
        window.find("button.number").first.click()
        expect(window.find(".card.P1 .card-state")).to_contain_text("ready")
        check(window)


def test_moves_are_announced_and_the_board_is_there_in_words(
    browser: Browser, server: Server
) -> None:
    """A screen reader hears what the other player did, and finds every piece in the text."""
    with friends(browser, server, "Cross Over") as (one, two):
        expect(one.find(".board-text")).to_contain_text("P1-A on 0, P1-B on 1, P1-C on 2")
        one.cell("2").click()
        one.cell("4").click()
        expect(two.find("#said")).to_contain_text("moved P1-C 2→4. Your move.")
        expect(two.find(".board-text")).to_contain_text("P1-C on 4")
        expect(two.page).to_have_title(re.compile("^● Your turn"))
        expect(two.find("#icon")).to_have_attribute("href", "/page/icon-turn.svg")
        expect(one.find("#icon")).to_have_attribute("href", "/page/icon.svg")
