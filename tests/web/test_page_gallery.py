"""The gallery and audits in the browser."""

import re

from playwright.sync_api import Browser, Locator, expect

from lineduel.rulebooks import SHIPPED
from lineduel.rules import Property
from lineduel.web.gallery_api import gallery
from support.web_server import Server
from support.web_windows import Window, opened
from web.test_page_access import check

LONG = 120_000
"""Milliseconds that an audit may take on a busy machine, with compiling."""


def card(window: Window, title: str) -> Locator:
    return window.find(".gallery-card").filter(has=window.page.get_by_role("heading", name=title))


def test_the_gallery_is_one_click_from_the_first_page_and_its_duels_can_be_played(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as window:
        window.go()
        window.page.get_by_role("link", name="More duels in the gallery").click()
        expect(window.find(".gallery-card .board")).to_have_count(len(gallery()))
        wheel = card(window, "Wheel of Five")
        expect(wheel).to_contain_text("Fair 52 : 48")
        expect(wheel).to_contain_text("About 20 turns")
        expect(wheel).to_contain_text("Skill beats chance 97%")
        check(window)
        wheel.locator(".menu summary").click()
        wheel.get_by_role("button", name="All figures").click()
        figures = window.page.get_by_role("dialog")
        expect(figures).to_contain_text("takes 20.1 turns on average")
        check(window)
        window.page.keyboard.press("Escape")
        window.find("#gallery-kind").select_option("One piece a side")
        expect(card(window, "Three Abreast")).to_have_count(0)
        expect(wheel).to_be_visible()
        window.find("#gallery-order").select_option("Shortest first")
        expect(window.find(".gallery-card h3").first).to_have_text("Leap and Retreat")
        wheel.get_by_role("button", name="Wheel of Five: Play").click()
        window.wait_for_view()
        expect(window.find("h1")).to_have_text("Wheel of Five")


def test_a_duel_of_the_gallery_opens_in_the_designer_and_is_audited(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as window:
        window.go("/gallery")
        card(window, "Short Fuse").locator(".menu summary").click()
        card(window, "Short Fuse").get_by_role("link", name="Open in the designer").click()
        expect(window.page.get_by_label("Title")).to_have_value("Short Fuse")
        window.go("/gallery")
        card(window, "Short Fuse").locator(".menu summary").click()
        card(window, "Short Fuse").get_by_role("link", name="Audit").click()
        expect(window.find(".hold")).to_contain_text("keeps all 6 promises.", timeout=LONG)
        expect(window.find("h1")).to_have_text("Short Fuse: audit")


def test_an_audit_lists_its_claims_which_open_on_their_evidence(
    browser: Browser, server: Server
) -> None:
    """Promises apart from other tests; a line of play on the board; rules and figures folded."""
    with opened(browser, server) as window:
        window.go("/audit/ctf-tokens")
        expect(window.find(".hold")).to_be_visible(timeout=LONG)
        expect(window.find(".claim[open]")).to_have_count(0)
        promised, others = (window.find(".audit-claims").nth(index) for index in range(2))
        expect(promised.locator("h2")).to_contain_text("What the rulebook promises")
        expect(others.locator("h2")).to_contain_text(re.compile(r"\d of \d proved"))
        assert (
            promised.locator(".claim").count() + others.locator(".claim").count()
            == len(Property) - 1
        )  # it has no battles
        expect(window.find(".claim").filter(has_text="The seats are fair")).to_contain_text(
            "refuted"
        )
        window.find(".claim").filter(has_text="Ends quickly").locator("summary").click()
        opened_claim = window.find(".claim[open]")
        expect(opened_claim.locator(".turns li").first).to_be_visible()
        opened_claim.get_by_role("button", name="End").click()
        expect(opened_claim.locator(".now")).to_contain_text("wins")
        for folded in ("The rules in words", "First moves", "All figures", "How long a game lasts"):
            window.page.locator("summary", has_text=folded).click()
        check(window)
        report = window.page.get_by_role("link", name="Save as a file")
        assert report.get_attribute("href") == "/audit/report?game=ctf-tokens"


def test_without_a_game_there_is_a_choice_and_a_broken_link_says_so(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as window:
        window.go("/audit")
        expect(window.page.get_by_role("link", name="Cross Over")).to_have_attribute(
            "href", "/audit/cross-over"
        )
        cards = window.find(".audit-card")
        expect(cards).to_have_count(len(SHIPPED) + len(gallery()))
        expect(cards.locator(".board")).to_have_count(len(SHIPPED) + len(gallery()))
        flag_chase = cards.filter(has_text="Flag Chase")
        expect(flag_chase).to_contain_text("Keeps 1 of 4 promises")
        window.page.get_by_role("radio", name="Keep every promise").check()
        expect(flag_chase).to_have_count(0)
        expect(cards.filter(has_text="Short Fuse")).to_contain_text("Keeps 6 of 6 promises")
        window.page.get_by_role("radio", name="Break a promise").check()
        expect(flag_chase).to_be_visible()
        check(window)
        window.go("/audit?rulebook=AAAA")
        expect(window.find(".problem")).to_contain_text("The link is damaged")
        window.wrong = [one for one in window.wrong if "400" not in one]
