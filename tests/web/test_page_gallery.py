"""The gallery and audits in the browser."""

from playwright.sync_api import Browser, Locator, expect

from lineduel.rulebooks import SHIPPED
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
        expect(wheel).to_contain_text("Skill decides 97%")
        check(window)
        wheel.get_by_text("All figures").click()
        expect(wheel).to_contain_text("takes 20.1 turns on average")
        window.find("#gallery-order").select_option("shortest first")
        expect(window.find(".gallery-card h3").first).to_have_text("Leap and Retreat")
        wheel.get_by_role("button", name="Wheel of Five: Play").click()
        window.wait_for_view()
        expect(window.find("h1")).to_have_text("Wheel of Five")


def test_a_duel_of_the_gallery_opens_in_the_designer_and_is_audited(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as window:
        window.go("/gallery")
        card(window, "Short Fuse").get_by_role("link", name="Open in the designer").click()
        expect(window.page.get_by_label("Title")).to_have_value("Short Fuse")
        window.go("/gallery")
        card(window, "Short Fuse").get_by_role("link", name="Audit").click()
        expect(window.find(".hold")).to_contain_text("keeps all 6 promises.", timeout=LONG)
        expect(window.find("h1")).to_have_text("Short Fuse: audit")


def test_an_audit_lists_its_claims_which_open_on_their_evidence(
    browser: Browser, server: Server
) -> None:
    """A list that jumps; a line of play on the board; rules and figures folded; both themes."""
    with opened(browser, server) as window:
        window.go("/audit?game=ctf-tokens")
        expect(window.find(".hold")).to_be_visible(timeout=LONG)
        expect(window.find(".claim[open]")).to_have_count(0)
        listed = window.find(".audit-list a")
        assert listed.count() == window.find(".claim").count()
        expect(listed.first).to_contain_text("Neither seat favoured: refuted")  # failures first
        window.find(".audit-list a").filter(has_text="Ends quickly").click()
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
            "href", "/audit?game=cross-over"
        )
        expect(window.find(".audit-choice li")).to_have_count(len(SHIPPED) + len(gallery()))
        check(window)
        window.go("/audit?rulebook=AAAA")
        expect(window.find(".problem")).to_contain_text("The link is damaged")
        window.wrong = [one for one in window.wrong if "400" not in one]
