"""What a player sees of a game in the browser: the seat, the battle's rules, a friend's answer."""

import pytest
from playwright.sync_api import Browser, expect

from support.web_server import Server
from support.web_windows import Window, friends, opened

TOP = "document.querySelector('.track').getBoundingClientRect().top + scrollY"


def test_the_better_seat_is_given_against_the_computer(browser: Browser, server: Server) -> None:
    """Who has chosen nothing can win: player 2 in Cross Over, player 1 in the race of tokens."""
    for title, side in (("Cross Over", "P2"), ("Capture the Flag (Tokens)", "P1")):
        with opened(browser, server) as window:
            window.go()
            expect(window.find(".chosen")).to_contain_text("the better seat")
            window.page.get_by_role("button", name=f"{title}: Play").click()
            expect(window.find(f".plate.{side} .plate-name")).to_have_text("You")
            if side == "P2":
                expect(window.find("button.move:enabled").first).to_be_visible()
                undo = window.page.get_by_role("button", name="Take back")
                expect(undo).to_have_attribute("aria-disabled", "true")


def reach_a_battle(window: Window) -> None:
    """Play until the numbers of a battle are there."""
    for _ in range(30):
        expect(window.find("button.move:enabled, button.number").first).to_be_visible()
        if window.find("button.number").count():
            return
        window.find("button.move:enabled").first.click()
    raise AssertionError("there is no battle")


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_battle_says_its_rules_and_moves_nothing(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    """The road is where it was before the battle, while it is open, and when it is decided."""
    width, height = size
    with opened(browser, server, viewport={"width": width, "height": height}) as window:
        window.begin("Flag Chase", "The computer")
        expect(window.find(".with-battles")).to_have_count(1)
        before = window.page.evaluate(TOP)
        reach_a_battle(window)
        rules = "The higher number wins. The loser goes home; on a tie, both go home."
        expect(window.find(".battle-rules")).to_have_text(rules)
        assert window.page.evaluate(TOP) == pytest.approx(before, abs=1)
        window.find("button.number").first.click()
        expect(window.find(".battle.revealed")).to_be_visible()
        assert window.page.evaluate(TOP) == pytest.approx(before, abs=1)
        window.page.get_by_role("button", name="Rules").click()
        expect(window.find("dialog .rule-picture").nth(1)).to_contain_text(rules)


def test_a_game_fits_a_large_screen(browser: Browser, server: Server) -> None:
    """Nothing is scrolled, and the road takes most of the width of the scene."""
    with opened(browser, server, viewport={"width": 1440, "height": 900}) as window:
        window.begin("Cross Over", "The computer")
        expect(window.find("button.move:enabled").first).to_be_visible()
        assert window.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        piece = window.find(".piece").first.bounding_box()
        assert piece is not None
        assert piece["width"] > 100


def test_an_invitation_on_one_computer_says_so_and_can_be_cancelled(
    browser: Browser, server: Server
) -> None:
    """No phone is shown a code that would mean the phone itself; a name is told to the friend."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "A friend by link")
        invitation = window.find(".invitation")
        expect(invitation.locator(".only-here")).to_contain_text("lineduel serve --host 0.0.0.0")
        expect(invitation.locator(".code")).to_have_count(0)
        expect(window.page.get_by_label("Link for your friend")).to_be_visible()
        invitation.get_by_label("Your name, for your friend").fill("Ann")
        window.page.keyboard.press("Tab")
        expect(window.find(".plate.P1 .plate-name")).to_have_text("You")
        link = invitation.locator(".link").input_value()
        window.page.get_by_role("button", name="Cancel").click()
        expect(window.find(".hero")).to_be_visible()
        with opened(browser, server) as other:
            other.page.goto(link)
            expect(other.find(".sentence, .notice").first).not_to_have_text("Your move.")
            expect(other.find("button.move:enabled")).to_have_count(0)


def test_a_friend_is_asked_for_a_name_until_there_is_an_answer(
    browser: Browser, server: Server
) -> None:
    with friends(browser, server, "Cross Over") as (one, two):
        one.find("button.move:enabled").first.click()
        expect(two.find("button.move:enabled").first).to_be_visible()
        expect(two.find(".introduction")).to_be_visible()
        two.find(".introduction input").fill("Bob")
        two.page.get_by_role("button", name="Save").click()
        expect(two.find(".introduction")).to_be_hidden()
        expect(one.find(".plate.P2 .plate-name")).to_have_text("Bob")


def test_a_refusal_is_said_to_who_asked(browser: Browser, server: Server) -> None:
    """The question names every turn that would be taken back."""
    with friends(browser, server, "Cross Over") as (one, two):
        one.find("button.move:enabled").first.click()
        two.find("button.move:enabled").first.click()
        expect(one.find("button.move:enabled").first).to_be_visible()
        one.page.get_by_role("button", name="Take back").click()
        expect(two.find(".questions")).to_contain_text("asks to take back turns 1 and 2.")
        two.page.get_by_role("button", name="Refuse").click()
        expect(one.find(".happened")).to_have_text("Player 2 refused to take it back.")
        expect(one.find(".questions .question")).to_have_count(0)


def test_the_coach_says_what_it_does_and_is_silent_after_the_end(
    browser: Browser, server: Server
) -> None:
    """Nothing is asked when nobody is to move: the console would tell of an error."""
    created = server.create(game="cross-over", opponent="level:1", position="0,1,7/10,9,6/1")
    with opened(browser, server) as window:
        window.go(f"/game/{created['id']}#{created['seats']['P1']}")
        window.wait_for_view()
        expect(window.find("button.move:enabled").first).to_be_visible()
        window.page.get_by_role("button", name="Coach").click()
        expect(window.find(".advice")).to_contain_text("it warns you before a mistake")
        window.page.get_by_role("button", name="P1-C to 8").click()
        expect(window.find(".sentence")).to_have_text("You won.")
        expect(window.find(".log li")).to_have_text("P1-C 7→8, you win")
        window.page.reload()
        expect(window.find(".sentence")).to_have_text("You won.")
        expect(window.find(".rail")).to_contain_text("All moves")
