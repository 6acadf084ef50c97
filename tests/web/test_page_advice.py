"""Hints and the coach during a game in the browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Route, expect

from support.web_server import Server
from support.web_windows import Window, friends, opened

THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
IN_DANGER = "0,3,4/8,9,6/1"
"""Of Cross Over: P2-C can take P1-C, whose step to 5 is the only good move."""


def check(window: Window) -> None:
    """No rule of accessibility is broken in either theme, nothing sticks out or is covered."""
    for theme in THEMES:
        window.page.emulate_media(color_scheme=theme)
        found = Axe().run(window.page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    more = window.find(".actions .menu:not(.say) summary").bounding_box()
    advice = window.find(".advice").bounding_box()
    road = window.find(".track").bounding_box()
    assert more
    assert advice
    assert road
    assert more["x"] + more["width"] <= window.page.evaluate("innerWidth")
    assert road["y"] + road["height"] <= advice["y"]


@contextmanager
def game(
    browser: Browser, server: Server, opponent: str = "level:3", width: int = 320
) -> Iterator[Window]:
    """A game of Cross Over in which a piece is in danger."""
    created = server.create(game="cross-over", opponent=opponent, position=IN_DANGER)
    with opened(browser, server, viewport={"width": width, "height": 640}) as window:
        window.go(f"/game/{created['id']}#{created['seats']['P1']}")
        window.wait_for_view()
        expect(window.find("button.move:enabled")).to_have_count(5)
        yield window


def test_a_hint_says_where_to_look_then_why_then_the_move(browser: Browser, server: Server) -> None:
    """What it is about is marked on the board; a move puts an end to it."""
    with game(browser, server) as window:
        said, arrows = window.find(".advice p"), window.find(".lines .line.why")
        window.page.get_by_role("button", name="Hint").click()
        expect(said).to_have_text("Look at P1-C on 4 and P2-A on 8.")
        expect(window.find(".piece.why")).to_have_count(2)
        expect(arrows).to_have_count(0)
        check(window)
        window.page.get_by_role("button", name="Why?").click()
        expect(said).to_contain_text("P1-C takes P2-A on 7")
        expect(arrows).to_have_count(1)
        expect(window.page.get_by_role("button", name="Show the move")).to_be_focused()
        window.page.keyboard.press("Enter")
        expect(said).to_contain_text("P1-C 4→5: it wins in 11 turns.")
        expect(window.find(".cell.why")).to_have_attribute("data-cell", "5")
        expect(arrows).to_have_count(1)
        check(window)
        window.cell("4").click()
        window.cell("5").click()
        expect(window.find(".log li")).to_have_count(2)
        expect(window.find(".advice")).to_be_hidden()
        expect(window.find(".piece.why, .cell.why, .line.why")).to_have_count(0)


def test_the_coach_warns_before_a_move_which_may_be_played_anyway(
    browser: Browser, server: Server
) -> None:
    """A switch that this browser remembers; only with it a piece in danger looks worried."""
    with game(browser, server, "here") as window:
        coach = window.page.get_by_role("button", name="Coach")
        expect(coach).to_have_attribute("aria-pressed", "false")
        expect(window.find(".piece.worried")).to_have_count(0)
        coach.click()
        expect(coach).to_have_attribute("aria-pressed", "true")
        expect(window.find(".piece.worried")).to_have_count(1)
        expect(window.cell("4")).to_have_attribute("aria-label", re.compile("P1-C is in danger"))
        window.page.get_by_role("button", name="P1-C to 6").click()
        said = window.find(".advice p")
        expect(said).to_contain_text("P1-C 4→6 is a mistake: it turns a win in 11 into a loss")
        expect(said).to_contain_text("P2-A takes P1-C on 6 next turn.")
        expect(window.find(".lines .line.why.P2")).to_have_count(1)
        check(window)
        expect(window.page.get_by_role("button", name="Another move")).to_be_focused()
        window.page.keyboard.press("Enter")
        expect(window.find(".advice")).to_be_hidden()
        assert window.turns == 0
        window.page.reload()
        window.cell("4").click()
        window.cell("6").click()
        window.page.get_by_role("button", name="Play it anyway").click()
        expect(window.find(".log li")).to_have_count(1)
        expect(window.find(".advice")).to_be_hidden()


def test_a_good_move_is_played_without_a_word_of_the_coach(
    browser: Browser, server: Server
) -> None:
    """Also when it is clicked before the coach has looked."""
    with game(browser, server, "here") as window:
        waiting: list[Route] = []
        window.page.route("**/advice", lambda route: waiting.append(route))
        with window.page.expect_request("**/advice"):
            window.page.get_by_role("button", name="Coach").click()
        window.page.get_by_role("button", name="P1-C to 5").click()
        expect(window.find(".advice")).to_be_hidden()
        assert window.turns == 0
        waiting[0].continue_()
        expect(window.find(".log li")).to_have_count(1)
        expect(window.find(".advice")).to_be_hidden()


def test_a_move_that_waits_for_the_coach_is_given_up_with_its_turn(
    browser: Browser, server: Server
) -> None:
    """Nothing is said of it, though it is legal in the turn to which the game was taken back."""
    with game(browser, server, "level:1") as window:
        window.page.get_by_role("button", name="P1-C to 5").click()
        expect(window.find(".log li")).to_have_count(2)
        expect(window.find("button.move:enabled").first).to_be_visible()
        waiting: list[Route] = []
        window.page.route("**/advice", lambda route: waiting.append(route))
        with window.page.expect_request("**/advice"):
            window.page.get_by_role("button", name="Coach").click()
        window.page.get_by_role("button", name="P1-A to 1").click()
        with window.page.expect_request("**/advice"):
            window.page.get_by_role("button", name="Take back").click()
        expect(window.find("button.move:enabled")).to_have_count(5)
        waiting[0].continue_()
        expect(window.find(".piece.worried")).to_have_count(1)
        expect(window.find(".advice")).to_be_hidden()
        for route in waiting[1:]:
            route.continue_()
        window.page.get_by_role("button", name="P1-C to 5").click()
        expect(window.find(".log li").first).to_contain_text("P1-C")


def test_a_coach_who_cannot_be_reached_stops_nobody(browser: Browser, server: Server) -> None:
    with game(browser, server, "here") as window:
        window.page.route("**/advice", lambda route: route.abort())
        window.page.get_by_role("button", name="Coach").click()
        window.page.get_by_role("button", name="P1-C to 6").click()
        expect(window.find(".advice p")).to_have_text(
            "The coach cannot look at this move right now."
        )
        window.page.get_by_role("button", name="Play it anyway").click()
        expect(window.find(".log li")).to_have_count(1)


def test_with_a_friend_on_another_device_there_is_no_help(browser: Browser, server: Server) -> None:
    """Neither button is there, and the menu says why."""
    with friends(browser, server, "Cross Over") as (one, two):
        for window in (one, two):
            expect(window.find(".actions [data-action=rules]")).to_be_visible()
            expect(window.find("[data-action=hint], [data-action=coach]")).to_have_count(0)
            window.find(".actions .menu:not(.say) summary").click()
            said = window.find(".actions .menu:not(.say) .menu-body")
            expect(said).to_contain_text("no hints in a game with a friend")
