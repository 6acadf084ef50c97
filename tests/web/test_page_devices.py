"""A game between friends on two phones, watched on a laptop, with every control."""

import re

from playwright.sync_api import Browser, expect

from support.web_server import Server
from support.web_windows import opened, play_to_the_end

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1440, "height": 900}}


def test_two_phones_and_a_laptop(browser: Browser, server: Server) -> None:
    """Invite, give a name, take back, offer to stop, play to the end, share, replay, rematch."""
    with (
        opened(browser, server, **PHONE) as one,
        opened(browser, server, **SMALL) as two,
        opened(browser, server, **LAPTOP) as laptop,
    ):
        one.go()
        one.choose("A friend by link")
        one.page.get_by_role("radio", name="3 days a turn").check()
        one.page.get_by_role("button", name="Cross Over: Play").tap()
        one.wait_for_view()
        expect(one.find(".only-here code")).to_have_text("lineduel serve --host 0.0.0.0")
        expect(one.find("button.move")).to_have_count(0)  # nobody is there to play with
        two.page.goto(one.find(".invitation .link").input_value())
        expect(two.find(".introduction")).to_contain_text("Player 1 invited you to Cross Over.")
        two.page.get_by_label("Your name").fill("Bo")
        two.page.get_by_role("button", name="Save").tap()
        expect(one.find(".invitation")).to_be_hidden()
        expect(one.find(".plate-name").last).to_have_text("Bo")
        expect(one.find(".deadline")).to_contain_text("Time until")
        one.more("Let others watch")
        laptop.page.goto(one.find("dialog .link").input_value())
        one.page.get_by_role("button", name="Close").tap()
        for window in (one, two, laptop):
            expect(window.find(".sentence")).not_to_be_empty()
        one.cell("2").tap()
        one.cell("4").tap()
        expect(two.find(".log li")).to_have_count(1)
        one.page.get_by_role("button", name="Take back").tap()
        two.page.get_by_role("button", name="Allow").tap()
        expect(laptop.find(".log li")).to_have_count(0)
        one.more("Offer to stop")
        two.page.get_by_role("button", name="Play on").tap()
        expect(one.find(".questions")).to_contain_text("Bo wants to play on.")
        turns = play_to_the_end((one, two), seed=3)
        expect(laptop.find(".log li")).to_have_count(turns)
        assert {one.sentence, two.sentence} == {"You won.", "You lost."}
        expect(laptop.find(".sentence")).to_have_text(re.compile(r"(Bo|Player 1) won\."))
        two.page.get_by_role("button", name="Share").tap()
        expect(two.find(".share-game img")).to_have_js_property("naturalWidth", 1200)
        link = two.find("dialog .link").input_value()
        two.page.get_by_role("button", name="Close").tap()
        laptop.page.goto(link)  # a browser that has no seat
        expect(laptop.find(".turns li")).to_have_count(turns)
        expect(laptop.find(".replay-end")).to_contain_text(f"after {turns} turns.")
        expect(laptop.page.get_by_role("button", name="Play Cross Over")).to_be_visible()
        one.page.get_by_role("button", name="Rematch").tap()
        two.page.get_by_role("button", name="Accept").tap()
        for window, side in ((one, "player 2"), (two, "player 1")):
            expect(window.find(".happened")).to_contain_text(f"you are {side} now")
        two.go("/games")
        expect(two.find(".state.yours")).to_contain_text("Your turn, until")
        expect(two.find(".game-list")).to_have_count(2)
